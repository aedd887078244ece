// SPDX-License-Identifier: Apache-2.0
//
// libgit2's start, stop and global settings, all in one place.
#pragma once

namespace flagscale::git {

/// Keeps libgit2 initialised. The first one made applies the settings of this project: no owner
/// check (git itself has made it), no strict hashing, a small object cache.
class Library {
 public:
  Library();
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library();
};

}  // namespace flagscale::git
