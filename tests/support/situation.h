// SPDX-License-Identifier: Apache-2.0
//
// A way to come to a repository (options of git, a folder, variables), and the checks that git and
// git flagscale see the same from there.
#pragma once

#include <string>

#include "support/adaptation.h"
#include "support/test_repo.h"

namespace flagscale::test {

struct Way {
  /// Words between `git` and the subcommand.
  Args words;
  /// Relative to the repository's folder, or absolute.
  std::string folder;
  Environment env;
};

/// `git <words> <args>`.
Outcome run_git(const TestRepo& repo, const Way& way, const Args& args);
/// The same, fails the test if that fails, and returns stdout without its last LF.
std::string ask_git(const TestRepo& repo, const Way& way, const Args& args);
/// `git <words> flagscale <args>`.
Outcome run_flagscale(const TestRepo& repo, const Way& way, const Args& args);

/// patch and unpatch in place, started in this way, move the HEAD that git sees there, leave
/// what git calls clean, and name the top folder that git names.
void check_same_repository(const Adaptation& a, const Way& way);
/// What git says when it cannot find its repository in this way, git flagscale says too, with
/// git's exit status.
void check_same_refusal(const TestRepo& repo, const Way& way);
/// A failure with this status and a first line that begins with `message`, in git's words and
/// nobody else's.
void check_fails(const Outcome& outcome, int status, const std::string& message);

/// An adaptation whose patch stands on its branch; HEAD is still the work.
struct Published : Adaptation {
  std::string patch_commit;
  std::string adapted;

  Published();
  /// `unpatch` of it, from its branch.
  [[nodiscard]] Args unpatch_args() const;
  /// unpatch --dir from a repository that has the patch: the output is a valid repository at
  /// the adapted commit.
  [[nodiscard]] TestRepo check_output(const TestRepo& source, const Way& way = {}) const;
};

/// Has a command run while a patch commit is signed: after the working tree was looked at, and
/// before it is written.
void run_while_signing(const TestRepo& repo, const std::string& command);

/// A patch made in this way has the id that `git commit-tree` gives to the same tree, parent and
/// message in this way. Returns the commit. `options` are further ones of commit-tree.
std::string check_commits_as_git(const Adaptation& a, const Way& way, const Args& options = {});

}  // namespace flagscale::test
