// SPDX-License-Identifier: Apache-2.0
//
// The branch `flagscale/<device>/<base8>` on which patch commits live: the tool's own, yet never
// moved in a way that loses somebody's work. Where a branch called `flagscale` or
// `flagscale/<device>` exists, git can hold none below it: `flagscale-<device>-<base8>` then.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/device_type.h"
#include "git/ref_update.h"
#include "git/repository.h"

namespace flagscale::commands {

class PatchBranch {
 public:
  PatchBranch(git::Repository& repository, const DeviceType& device, const git::Oid& base);

  /// "flagscale/A_X100/0123abcd".
  [[nodiscard]] const std::string& name() const noexcept { return name_; }
  [[nodiscard]] std::string full_name() const { return "refs/heads/" + name_; }
  [[nodiscard]] const std::optional<git::Oid>& tip() const noexcept { return tip_; }
  [[nodiscard]] bool has_head() const { return repository_.head_branch() == full_name(); }

  /// Throws Error(refused) when another working tree has the branch checked out.
  void check_not_elsewhere();

  /// Throws Error(refused) when moving it to a child of
  /// `parent` would lose a commit that touches more than the store.
  void check_may_move(const git::Oid& parent, const std::string& store_folder);

  /// The patch commits that were made here: the branch's tips, from its reflog.
  [[nodiscard]] std::vector<git::Oid> versions_made_here();

  /// The branch will be moved, for this reason most likely: git is started, and waits.
  void expect_move(const std::string& reason);
  /// Moves or makes the branch without touching HEAD. Throws Error(refused) when somebody else
  /// moved it meanwhile.
  void move(const git::Oid& commit, const std::string& reason);

 private:
  git::Repository& repository_;
  std::string name_;
  std::optional<git::Oid> tip_;
  std::optional<git::RefUpdate> expected_;
};

/// Whether a commit differs from its first parent in the store only.
[[nodiscard]] bool touches_store_only(git::Repository& repository, const git::Oid& commit,
                                      const std::string& store_folder);

}  // namespace flagscale::commands
