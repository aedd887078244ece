// SPDX-License-Identifier: Apache-2.0
//
// Looking up the names that need no grammar of revisions: ids and names of refs. Everything else,
// and whatever is not beyond doubt, is for git to read (git/revision_question.h).
#pragma once

#include <optional>
#include <string>

#include "git/odb.h"
#include "git/oid.h"

struct git_repository;

namespace flagscale::git {

/// Whether a name can be nothing but an id, full or short, or the name of a ref
/// (gitrevisions(7)).
[[nodiscard]] bool is_plain_name(const std::string& name);

struct PlainAnswer {
  enum class Kind {
    /// It means this commit, tags peeled.
    commit,
    /// It means nothing at all.
    absent,
    /// Git has to be asked.
    unsure,
  };
  Kind kind = Kind::unsure;
  Oid commit;
};

/// Looks up a plain name by git's rules: a ref of one of the places where git looks for it, or an
/// object by the start of its id. With several refs, several objects, both or something that leads
/// to no commit: unsure. `git_dir` and `common_dir` are those of the repository.
[[nodiscard]] PlainAnswer look_up_plain_name(git_repository* repository, Odb& odb,
                                             const std::string& git_dir,
                                             const std::string& common_dir,
                                             const std::string& name);

}  // namespace flagscale::git
