// SPDX-License-Identifier: Apache-2.0
//
// The patch commit itself: its message, and writing it as git would (identity, dates, signature).
#pragma once

#include <optional>
#include <string>

#include "core/device_type.h"
#include "git/made_objects.h"
#include "git/repository.h"

namespace flagscale::commands {

struct PatchCommitText {
  git::Oid tree;
  git::Oid parent;
  /// As finished_message gives it.
  std::string message;
};

/// `[A_X100] ` and the subject of the work's commit, without a `[tag]` of its own.
[[nodiscard]] std::string patch_subject(git::Repository& repository, const DeviceType& device,
                                        const git::Oid& work);

/// The message as it is stored: cleaned, with a Signed-off-by trailer if wanted. Throws
/// Error(refused) when nothing is left of it, Error(unable) when it is unknown who signs off.
[[nodiscard]] std::string finished_message(git::Repository& repository, std::string message,
                                           bool sign_off);

/// Makes the commit and puts it into `made`; absent where that takes git: to sign it, or to find
/// out who makes it.
[[nodiscard]] std::optional<git::Oid> make_patch_commit(git::Repository& repository,
                                                        const PatchCommitText& text,
                                                        git::MadeObjects& made);

/// Has git write the commit, when its tree is stored. Author and committer are those that `git
/// commit` would choose; commit.gpgSign is honoured. Throws Error(unable) with git's words when
/// there is no identity or signing fails.
[[nodiscard]] git::Oid write_patch_commit(git::Repository& repository, const PatchCommitText& text);

/// Adds a `Signed-off-by` trailer to a message, unless it ends with that very one.
[[nodiscard]] std::string with_sign_off(std::string message, const std::string& who);

}  // namespace flagscale::commands
