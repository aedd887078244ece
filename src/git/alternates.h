// SPDX-License-Identifier: Apache-2.0
//
// The folders that a repository borrows objects from.
#pragma once

#include <string>
#include <vector>

namespace flagscale::git {

/// Folders whose objects can be read beside those of `objects_dir`, as git resolves them: relative
/// ones, chains, the environment.
[[nodiscard]] std::vector<std::string> read_alternates(const std::string& objects_dir);

}  // namespace flagscale::git
