// SPDX-License-Identifier: Apache-2.0
//
// What tests of the companions begin with: a store with two device types that run together, and
// checks of what a command said.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/adaptation.h"

namespace flagscale::test {

/// HEAD holds patches of A_X100 and B_Y100 for `base`, and their combination.
struct Companions : Adaptation {
  Companions();

  /// The path of a combination's file for `base`.
  [[nodiscard]] std::string combination(const std::string& devices = "A_X100+B_Y100") const;
  /// Publishes one more device type on top of HEAD, alone.
  void publish(const std::string& device);
  /// Writes a file into the working tree and commits it.
  void commit_text(const std::string& path, std::string_view text);
};

/// The exit status, and texts that stderr must hold.
void check_says(const Outcome& outcome, int status, const std::vector<std::string>& texts = {});

/// Says what in `text` does not match a JSON Schema of the source tree, by an independent
/// validator; empty when all of it does, or when this machine has no validator.
[[nodiscard]] std::string schema_complaints(const std::string& schema, std::string_view text);

}  // namespace flagscale::test
