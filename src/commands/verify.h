// SPDX-License-Identifier: Apache-2.0
//
// `git flagscale verify`: rebuilds every patch of the store in memory and checks everything that
// the store says. Touches nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands/store_check.h"

namespace flagscale::commands {

struct VerifyRequest {
  StoreSelection selection;
  std::optional<std::string> from;
  std::optional<std::string> hardware_dir;
  /// May be empty.
  ProgressCallback progress;
};

/// Something wrong with the store that is no patch's own fault.
struct StoreProblem {
  /// What it is about: a path, or a path and a line.
  std::string subject;
  std::string reason;
};

struct VerifyReport {
  std::vector<PatchCheck> patches;
  std::vector<StoreProblem> problems;
  /// How many combinations were looked at.
  std::size_t combinations = 0;
  /// When there is nothing to verify.
  std::vector<std::string> hints;

  [[nodiscard]] bool failed() const;
};

[[nodiscard]] VerifyReport run_verify(const VerifyRequest& request);

}  // namespace flagscale::commands
