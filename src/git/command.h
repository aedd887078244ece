// SPDX-License-Identifier: Apache-2.0
//
// Running the git program itself, for what only git knows: where the repository is, its
// configuration, its rules for names, its way to switch a working tree.
#pragma once

#include <string>
#include <vector>

#include "base/error.h"
#include "base/process.h"

namespace flagscale::git {

/// How the repository is found by the git that is run.
enum class Where {
  /// As we were started: the environment is passed on.
  here,
  /// In another repository: everything that names ours is taken out of the environment.
  elsewhere,
};

struct GitOptions {
  Where where = Where::here;
  /// For Where::elsewhere: the folder to run in.
  std::string folder;
  std::string_view input;
  /// See ProcessOptions.
  bool input_follows = false;
  bool ignore_output = false;
  /// Ignore refs/replace, as our own object reads do.
  bool plain_objects = true;
  std::vector<std::pair<std::string, std::optional<std::string>>> environment;
};

/// Starts `git <arguments>` with messages in plain English.
[[nodiscard]] Process start_git(const std::vector<std::string>& arguments,
                                const GitOptions& options = {});
/// Runs it to the end, whatever its exit status.
[[nodiscard]] ProcessResult run_git(const std::vector<std::string>& arguments,
                                    const GitOptions& options = {});
/// Runs it and returns its output; throws Error(unable) with git's own message when it fails.
[[nodiscard]] std::string read_git(const std::vector<std::string>& arguments,
                                   const GitOptions& options = {});

/// Whether a failure may pass, so that trying again is worth it: a hook's refusal is final.
[[nodiscard]] bool may_pass(const ProcessResult& result);

/// Turns what git said on stderr into our error: its first `fatal:`/`error:` line without the
/// prefix as message, its hints and what it explained before that line as hints.
[[nodiscard]] Error error_from_git(ErrorKind kind, const std::string& fallback,
                                   const std::string& stderr_text);

}  // namespace flagscale::git
