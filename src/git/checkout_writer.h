// SPDX-License-Identifier: Apache-2.0
//
// Filling a fresh working tree and its index directly, on all cores, where git's attributes and
// filters would change nothing. Everywhere else git itself checks out (git/new_repository.h).
#pragma once

#include <string>
#include <vector>

#include "base/progress.h"
#include "git/object_source.h"
#include "git/oid.h"
#include "git/repository.h"

namespace flagscale::git {

/// One file of a tree, with its path from the top.
struct TreePath {
  std::string path;
  Mode mode = Mode::file;
  Oid id;
};

/// A whole tree, walked.
struct TreeListing {
  /// In index order.
  std::vector<TreePath> files;
  /// Parents before children.
  std::vector<std::string> folders;
  bool has_attributes = false;
};

/// Walks a tree. Throws Error(unable) for a path that no system should be made to create.
[[nodiscard]] TreeListing list_tree(ObjectSource& source, const Oid& tree);

/// Whether the user's configuration leaves files as they are on checkout; a `.gitattributes` in
/// the tree is for the caller to see.
[[nodiscard]] bool checks_out_plainly(Repository& repository);

/// A working tree to be filled. The folder holds a `.git` with the objects, and nothing else.
struct WorkingTree {
  std::string folder;
  Oid tree;
  TreeListing listing;
};

/// Writes the files of all working trees, reading each blob once, and then their indexes, such
/// that `git status` is clean without looking into any file.
void write_working_trees(const std::vector<WorkingTree>& trees,
                         const ProgressCallback& progress = {});

}  // namespace flagscale::git
