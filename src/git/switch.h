// SPDX-License-Identifier: Apache-2.0
//
// Moving HEAD, index and working tree to another commit, as `git switch` does it: by git itself,
// with its care for local edits, its sparse checkouts, filters, hooks and reflog. Where git's
// plumbing can do it alone, that is quicker (git/quick_switch.h).
#pragma once

#include <optional>
#include <string>

#include "git/made_objects.h"
#include "git/repository.h"

namespace flagscale::git {

struct SwitchTarget {
  Oid commit;
  /// The branch (short name) to make or move to the commit and to put HEAD on; absent: detach.
  std::optional<std::string> branch;
  /// Whether the branch may exist already.
  bool move_branch = false;
  /// What the branch's reflog says.
  std::string reason;
  /// What check_nothing_in_the_way has given.
  std::optional<Oid> checked_from;
};

/// Throws Error(refused) when a switch is out of the question: no working tree, something going on
/// in it, the index locked. Changes nothing.
void check_can_switch(Repository& repository);

/// Throws Error(refused) when switching to a commit with this tree would be refused because of
/// local edits or untracked files. `made` holds the objects of the tree that are not stored yet.
/// Changes nothing. Returns HEAD's commit if, from there, all paths that differ are clean and free.
[[nodiscard]] std::optional<Oid> check_nothing_in_the_way(Repository& repository, const Oid& tree,
                                                          MadeObjects& made);

/// Switches, after check_nothing_in_the_way has passed for the commit's tree. Throws Error(refused)
/// naming the files in the way; nothing has changed then, neither has the branch. Returns what
/// there is to warn of, if anything: a post-checkout hook that failed, a reflog that could not be
/// written.
std::optional<std::string> switch_to(Repository& repository, const SwitchTarget& target);

}  // namespace flagscale::git
