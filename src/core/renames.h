// SPDX-License-Identifier: Apache-2.0
//
// Pairs removed with added files that are the same or alike. It only makes patches shorter: any
// pairing is right, so it is kept simple and bounded.
#pragma once

#include <optional>
#include <vector>

#include "git/object_source.h"
#include "git/tree_diff.h"

namespace flagscale {

/// A change, with the path it comes from when it is a rename.
struct PairedChange {
  git::TreeChange change;
  std::optional<std::string> renamed_from;
  /// 0 to 100.
  int similarity = 0;
};

/// Replaces pairs of removal and addition by renames: equal contents first, then, among at most
/// 1,000 by 1,000 files, contents at least half alike. The order by path stays.
[[nodiscard]] std::vector<PairedChange> find_renames(git::ObjectSource& source,
                                                     std::vector<git::TreeChange> changes);

}  // namespace flagscale
