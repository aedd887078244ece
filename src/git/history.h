// SPDX-License-Identifier: Apache-2.0
//
// Questions about the commit graph. Short walks are done here; everything else is asked of git,
// which knows shallow boundaries, grafts and commit-graph files.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "git/oid.h"
#include "git/repository.h"

namespace flagscale::git {

/// Whether `ancestor` can be reached from `tip` (a commit reaches itself).
[[nodiscard]] bool is_ancestor(const Oid& ancestor, const Oid& tip);
/// The best common ancestor.
[[nodiscard]] std::optional<Oid> find_merge_base(const Oid& a, const Oid& b);

/// What `git rev-list <arguments>` prints, ids only, newest first.
[[nodiscard]] std::vector<Oid> rev_list(std::vector<std::string> arguments);
/// How many commits can be reached from `tips` but not from `excluded`.
[[nodiscard]] std::size_t count_commits(const std::vector<Oid>& tips,
                                        const std::vector<Oid>& excluded);

/// The commits of `tip`'s first-parent line after `base`, oldest first; absent when base is not
/// on that line.
[[nodiscard]] std::optional<std::vector<Oid>> find_first_parent_line(Repository& repository,
                                                                     const Oid& base,
                                                                     const Oid& tip);

}  // namespace flagscale::git
