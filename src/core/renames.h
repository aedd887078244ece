// SPDX-License-Identifier: Apache-2.0
//
// Pairs removed with added files that are the same or alike. It only makes patches shorter: any
// pairing is right, so it is kept simple and bounded.
#pragma once

#include <optional>
#include <vector>

#include "core/tree_diff.h"
#include "git/object_source.h"

namespace flagscale {

/// A change, with the path it comes from when it is a rename.
struct PairedChange {
  TreeChange change;
  std::optional<std::string> renamed_from;
  /// 0 to 100.
  int similarity = 0;
};

/// Replaces pairs of removal and addition by renames: equal contents first, then, among at most
/// 1,000 by 1,000 files, contents at least half alike. The order by path stays.
[[nodiscard]] std::vector<PairedChange> find_renames(git::ObjectSource& source,
                                                     std::vector<TreeChange> changes);

}  // namespace flagscale
