// SPDX-License-Identifier: Apache-2.0
//
// `git flagscale list`: which chips, which bases, how big, how old, what runs together.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands/store_view.h"

namespace flagscale::commands {

struct ListRequest {
  StoreSelection selection;
  std::optional<std::string> from;
  std::optional<std::string> hardware_dir;
};

struct ListedPatch {
  explicit ListedPatch(StoredPatch stored) : patch(std::move(stored)) {}

  StoredPatch patch;
  std::string path;
  bool encrypted = false;
  /// From the sidecar, if there is one.
  std::optional<git::Oid> base;
  std::optional<git::Oid> commit;
  /// Counted from the patch file; absent when it cannot be read.
  std::optional<PatchCounts> counts;
  /// Author and subject of the adaptation's last commit.
  std::optional<git::Signature> author;
  std::string subject;
  std::vector<Devices> combinations;
  /// Why it cannot be read.
  std::string problem;
};

struct ListReport {
  std::vector<ListedPatch> patches;
  /// Those that hold one of the patches.
  std::vector<RecordedCombination> combinations;
  std::vector<std::string> warnings;
  /// When there is nothing.
  std::vector<std::string> hints;
};

[[nodiscard]] ListReport run_list(const ListRequest& request);

}  // namespace flagscale::commands
