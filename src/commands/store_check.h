// SPDX-License-Identifier: Apache-2.0
//
// Whether patches in the store give what they promise: each is rebuilt in memory and compared with
// its sidecar. Stores nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "commands/store_view.h"
#include "core/materialise.h"

namespace flagscale::commands {

/// What came of checking one patch.
struct PatchCheck {
  enum class State : std::uint8_t { ok, failed, encrypted };
  explicit PatchCheck(StoredPatch stored) : patch(std::move(stored)) {}

  StoredPatch patch;
  /// Path of the patch file.
  std::string path;
  State state = State::ok;
  /// Why it failed, and the ways out.
  std::string reason;
  std::vector<std::string> hints;
  /// As far as they could be found.
  Content bytes;
  std::optional<Sidecar> sidecar;
  std::optional<git::Oid> base;
  std::optional<Materialised> adapted;
};

/// Checks each of the patches, on several threads; the results are in the same order.
[[nodiscard]] std::vector<PatchCheck> check_patches(git::Repository& repository,
                                                    StoreSearch& search,
                                                    const std::vector<StoredPatch>& patches,
                                                    const ProgressCallback& progress);

}  // namespace flagscale::commands
