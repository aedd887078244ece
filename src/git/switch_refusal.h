// SPDX-License-Identifier: Apache-2.0
//
// What git says when it refuses to switch, in our words: which files are in the way.
#pragma once

#include <string>
#include <vector>

namespace flagscale::git {

/// Throws Error(refused) with the files that git has named in `said`, or what it said. `paths` are
/// those that the switch would write: among them are found names that git has made unreadable.
[[noreturn]] void throw_in_the_way(std::string said, const std::vector<std::string>& paths);

/// Throws Error(refused): these files have conflicts that are not resolved.
[[noreturn]] void throw_conflicts(const std::vector<std::string>& files);

/// Whether git has listed files, which it does on lines that begin with a TAB.
[[nodiscard]] bool names_files_in_the_way(const std::string& said);

}  // namespace flagscale::git
