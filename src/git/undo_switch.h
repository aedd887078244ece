// SPDX-License-Identifier: Apache-2.0
//
// After a switch that failed half-way: putting back what it has done, or finishing it. Only for
// paths that were clean before; what is written over is never the user's.
#pragma once

#include <optional>
#include <string>

#include "git/switch.h"

namespace flagscale::git {

/// Undoes a switch from `before`, where HEAD still is, to `target` that stopped after it had
/// written files, perhaps the index too. Where somebody else holds the index, nothing is touched.
/// False: not all could be put back.
bool put_files_back(Repository& repository, const Oid& before, const Oid& target);

/// Notes in the index when files were touched that are what they were.
void refresh_index();

/// Puts the branch back that a switch which was undone has made or moved.
void put_branch_back(const SwitchTarget& target, const std::optional<Oid>& before);

/// Tells that a switch failed and that not all of it could be put back; `said` is what git
/// complained of. Throws Error(unable).
[[noreturn]] void throw_half_way(const std::string& said);

/// git goes on, with exit status 0 even, when it cannot write a file: writes those that are
/// missing. `said` is what git complained of. Throws Error(unable) when some cannot be written.
void finish_files(Repository& repository, const std::optional<Oid>& before, const Oid& target,
                  const std::string& said);

}  // namespace flagscale::git
