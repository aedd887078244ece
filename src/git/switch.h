// SPDX-License-Identifier: Apache-2.0
//
// Moving HEAD, index and working tree to another commit, as `git switch` does it: by git itself,
// with its care for local edits, its sparse checkouts, filters, hooks and reflog. Where none of
// these has a part in it, files and index are moved by ourselves (git/file_switch.h) or by git's
// plumbing (git/quick_switch.h), which is quicker.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "git/made_objects.h"
#include "git/repository.h"

namespace flagscale::git {

class FileSwitch;

/// What looking has shown: HEAD's commit, from which all paths that differ are clean and free.
struct CheckedSwitch {
  Oid from;
  /// For doing it without git, where that is possible; its files may be written aside beforehand.
  std::shared_ptr<FileSwitch> files;
};

struct SwitchTarget {
  Oid commit;
  /// The branch (short name) to make or move to the commit and to put HEAD on; absent: detach.
  std::optional<std::string> branch;
  /// Whether the branch may exist already.
  bool move_branch = false;
  /// What the branch's reflog says.
  std::string reason;
  /// What check_nothing_in_the_way has given.
  std::optional<CheckedSwitch> checked;
};

/// Throws Error(refused) when a switch is out of the question: no working tree, something going on
/// in it, the index locked. Changes nothing.
void check_can_switch(Repository& repository);

/// Throws Error(refused) when switching to a commit with this tree would be refused because of
/// local edits or untracked files. `made` holds the objects of the tree that are not stored yet.
/// Changes nothing. Absent: it would work, but not with certainty or not only on clean paths.
[[nodiscard]] std::optional<CheckedSwitch> check_nothing_in_the_way(Repository& repository,
                                                                    const Oid& tree,
                                                                    MadeObjects& made);

/// Stores objects that were made and, beside that, writes aside the files of a checked switch.
void write_objects_and_files(Repository& repository, const MadeObjects& made,
                             const std::optional<CheckedSwitch>& checked);

/// Switches, after check_nothing_in_the_way has passed for the commit's tree. Throws Error(refused)
/// naming the files in the way; nothing has changed then, neither has the branch. Returns what
/// there is to warn of, if anything: a post-checkout hook that failed, a reflog that could not be
/// written.
std::optional<std::string> switch_to(Repository& repository, const SwitchTarget& target);

}  // namespace flagscale::git
