// SPDX-License-Identifier: Apache-2.0
//
// A repository of its own made from another one: the same objects by hard link, the same remotes,
// nothing shared that could change.
#pragma once

#include <string>

#include "git/oid.h"
#include "git/repository.h"

namespace flagscale::git {

/// Makes `<folder>/.git` with the objects of `source` (of its alternates too), its remotes, its
/// shallow boundary, and HEAD detached at `head`. There is no index and no working tree yet.
/// `folder` exists. Hard links where the file system allows them, copies elsewhere.
void make_repository(Repository& source, const std::string& folder, const Oid& head);

/// Fills index and working tree of such a repository from HEAD, through the user's attributes
/// and filters, by git itself.
void check_out_head(const std::string& folder);

}  // namespace flagscale::git
