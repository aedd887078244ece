// SPDX-License-Identifier: Apache-2.0
//
// Remotes and their branches, as far as the last fetch knows them. Never talks to a network.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "git/repository.h"

namespace flagscale::git {

/// A branch of a remote.
struct RemoteBranch {
  std::string remote;
  /// "main".
  std::string name;
  /// Where it was at the last fetch; absent when it was never fetched.
  std::optional<Oid> tip;

  /// "origin/main".
  [[nodiscard]] std::string text() const { return remote + "/" + name; }
};

/// The remote that a push would go to: remote.pushDefault, the one of the branch (short name; may
/// be empty), the only one, `origin`; absent when there is no remote at all.
[[nodiscard]] std::optional<std::string> find_push_remote(Repository& repository,
                                                          const std::string& branch);

/// The remote's default branch: what its HEAD points to, else `main`, else `master`, by what was
/// fetched; `main` when nothing was.
[[nodiscard]] RemoteBranch default_branch(Repository& repository, const std::string& remote);

/// The branch that a local branch (full name) is set to track on this remote, if any.
[[nodiscard]] std::optional<RemoteBranch> find_upstream(Repository& repository,
                                                        const std::string& local,
                                                        const std::string& remote);

}  // namespace flagscale::git
