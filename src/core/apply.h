// SPDX-License-Identifier: Apache-2.0
//
// Applies the diffs of one mail to a tree in memory, exactly as
// `git -c apply.whitespace=nowarn apply --index` would, or refuses and says where. No fuzz, no
// whitespace fixing, no three-way merge; line offsets are searched as git does. Knows nothing of
// a working tree; what git would be stopped by in one (a symlink without a target, a path that
// is too long) is refused all the same.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "core/diff.h"
#include "core/tree_overlay.h"
#include "git/object_source.h"

namespace flagscale {

/// The most that the diffs of one mail may make, and that all changed files may have together as
/// they stand after it: they are held in memory.
inline constexpr std::uint64_t kMaxMade = std::uint64_t{1} << 30U;

/// What applying may make use of.
struct ApplyHelp {
  /// Asked for the contents of a binary file of which a patch gives only the id, as git asks its
  /// object database; without it such a patch is refused. Together with `borrow` it must be safe
  /// to ask from several threads.
  git::ObjectSource* known = nullptr;
  /// Where set, contents are made on several threads, each with a source borrowed here.
  git::BorrowSource borrow;
  /// The results are objects of the source already, most likely: where the patch gives a file's
  /// id, comparing it with that object saves hashing it.
  bool results_exist = false;
  /// The most bytes of contents: made by the diffs, and of all changed files after them.
  std::uint64_t max_made = kMaxMade;
};

/// Applies `diffs` (one mail's) to `tree`. Throws Error(unable) naming file, hunk and line when
/// something does not fit, or when there would be too many bytes of contents; `tree` is then in an
/// unspecified state and must be dropped.
///
/// A binary file's contents come from the patch and are proved by the id that it gives. Neither
/// the result nor the failure depends on the number of threads.
void apply_diffs(std::span<const FileDiff> diffs, TreeOverlay& tree, const ApplyHelp& help = {});

/// Applies the hunks of a text diff to `before`. Exposed for tests and fuzzing.
[[nodiscard]] std::string apply_hunks(std::string_view before, const FileDiff& diff);

}  // namespace flagscale
