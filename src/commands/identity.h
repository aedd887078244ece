// SPDX-License-Identifier: Apache-2.0
//
// Who makes a commit and when, where the environment and the configuration say it plainly.
// Everything else (names made up from the host's, dates in words, what git would clean or refuse)
// is for git to find out.
#pragma once

#include <ctime>
#include <optional>

#include "git/config.h"
#include "git/object.h"

namespace flagscale::commands {

enum class Role { author, committer };

/// The name and address that git would choose (git-commit(1), "Commit information"), when they are
/// given and git would take them as they are, with the moment: `now` in the local zone, or the
/// role's date variable when that is in git's own format, `@seconds zone` or `seconds zone`.
/// Absent: git has to be asked.
[[nodiscard]] std::optional<git::Signature> find_plain_identity(const git::Config& config,
                                                                Role role, std::time_t now);

}  // namespace flagscale::commands
