// SPDX-License-Identifier: Apache-2.0
//
// The quick way to switch: git's plumbing, which looks only at the paths that differ between the
// two commits. `git checkout` looks at every file of the working tree first. What the quick way
// does not do, or cannot do, is left to git/switch.h.
#pragma once

#include <vector>

#include "git/switch.h"
#include "git/tree_diff.h"

namespace flagscale::git {

/// Whether nothing stands in the working tree where a file is new, and no file or symlink where it
/// needs a folder. git's plumbing would overwrite what is ignored.
[[nodiscard]] bool are_new_paths_free(Repository& repository,
                                      const std::vector<TreeChange>& changes);

/// Moves index and working tree from `before`, HEAD's commit, to another commit; the paths that
/// differ are known to be clean. False: nothing is changed, `git checkout` is to try.
[[nodiscard]] bool switch_files_quickly(Repository& repository, const Oid& before,
                                        const Oid& target);

}  // namespace flagscale::git
