// SPDX-License-Identifier: Apache-2.0
//
// What to do with a patch commit once it is made: the push/rebase hint, by what the remote's
// branch held when it was last fetched.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/device_type.h"
#include "git/repository.h"

namespace flagscale::commands {

struct HintSubject {
  std::vector<DeviceType> devices;
  git::Oid base;
  git::Oid current;
  git::Oid patch_commit;
  /// Its parent: the base, or what `--onto` named.
  git::Oid parent;
  /// The branch that HEAD was on before, full name; empty when detached.
  std::string former_head;
  /// The patch branch, short name.
  std::string branch;
  std::string store_folder;
  /// The patch file's path.
  std::string path;
  /// Patch commits for this device and base that were made in this repository.
  std::vector<git::Oid> versions_made_here;
  /// Whether HEAD is on the patch branch.
  bool switched = true;
  /// What brings HEAD back to where it was: arguments of `git switch`.
  std::string way_back;
};

/// The lines of the hint, without prefix.
[[nodiscard]] std::vector<std::string> push_hint(git::Repository& repository,
                                                 const HintSubject& subject);

/// The remote branch that a push would go to: the patch branch's upstream, else the remote's
/// default branch; never one that holds commits of base..current. Absent without a remote.
struct PushTarget {
  std::string remote;
  std::string branch;
  std::optional<git::Oid> tip;
};
[[nodiscard]] std::optional<PushTarget> find_push_target(git::Repository& repository,
                                                         const std::string& former_head,
                                                         const std::string& patch_branch,
                                                         const git::Oid& base,
                                                         const git::Oid& current);

}  // namespace flagscale::commands
