// SPDX-License-Identifier: Apache-2.0
//
// Applies the diffs of one mail to a tree in memory, exactly as
// `git -c apply.whitespace=nowarn apply --index` would, or refuses and says where. No fuzz, no
// whitespace fixing, no three-way merge; line offsets are searched as git does. Knows nothing of
// a working tree; what git would be stopped by in one (a symlink without a target, a path that
// is too long) is refused all the same.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/diff.h"
#include "core/tree_overlay.h"
#include "git/object_source.h"

namespace flagscale {

/// Applies `diffs` (one mail's) to `tree`. Throws Error(unable) naming file, hunk and line when
/// something does not fit; `tree` is then in an unspecified state and must be dropped.
///
/// A binary file's contents come from the patch and are proved by the id that it gives. Where a
/// patch only says that binary files differ, `known` is asked for that id, as git asks its object
/// database; without `known` such a patch is refused.
void apply_diffs(std::span<const FileDiff> diffs, TreeOverlay& tree,
                 git::ObjectSource* known = nullptr);

/// Applies the hunks of a text diff to `before`. Exposed for tests and fuzzing.
[[nodiscard]] std::string apply_hunks(std::string_view before, const FileDiff& diff);

}  // namespace flagscale
