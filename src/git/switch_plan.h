// SPDX-License-Identifier: Apache-2.0
//
// Looking whether a switch can be made by us alone (git/file_switch.h): what git would do is known
// to the last byte, and all paths that differ are as the index and HEAD have them. Changes nothing.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "git/index_file.h"
#include "git/repository.h"
#include "git/tree_diff.h"

namespace flagscale::git {

/// What happens at one path.
struct SwitchStep {
  std::string path;
  /// What comes; absent: the file goes.
  std::optional<TreeItem> after;
  /// What stands there now.
  std::optional<IndexStat> found;
};

struct SwitchPlan {
  /// The working tree, the git folder and the index file.
  std::string top;
  std::string git_dir;
  std::string index_path;
  IndexFile index;
  /// What the file system says of the index file.
  IndexStat index_status;
  /// Ordered by path.
  std::vector<SwitchStep> steps;
  /// The index's extension TREE as it is afterwards.
  std::optional<IndexTree> tree;
};

/// Whether only `git checkout` does all that a switch asks for here: hooks, submodules, sparse
/// checkouts, and the traces of commits that were being made.
[[nodiscard]] bool needs_checkout(Repository& repository, const std::vector<TreeChange>& changes);

/// Plans to move index and working tree from HEAD's tree to another; the differences are as
/// diff_trees gives them. Absent: git has to do it, or to say why not. A file that was edited into
/// just what comes is in nobody's way. Throws Error(io).
[[nodiscard]] std::optional<SwitchPlan> plan_switch(Repository& repository,
                                                    const std::vector<TreeChange>& changes,
                                                    const std::vector<FolderChange>& folders);

/// The numbers of the entries beside the steps whose files have been edited so soon after the index
/// was written that their times do not tell (git's "racy" entries); each is looked into.
[[nodiscard]] std::vector<std::size_t> find_racy_edits(const SwitchPlan& plan);

}  // namespace flagscale::git
