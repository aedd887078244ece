// SPDX-License-Identifier: Apache-2.0
//
// Going from folder to folder below a root whose contents others control: no part of a path is
// ever followed through a symlink. Those above the current one stay open, so that going on to a
// neighbour costs one step.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/files.h"

namespace flagscale {

class FolderWalk {
 public:
  enum class Found { folder, nothing, something_else };

  /// `root` itself may be reached in any way. Throws Error(io).
  explicit FolderWalk(const std::string& root);

  /// Goes to a folder, named from the root (empty: the root). With `make`, folders that are not
  /// there are made, and noted in `made()`. When no folder is there, says what is, and the walk is
  /// at the last one above it. Throws Error(io).
  Found enter(std::string_view folder, bool make = false);
  /// The folder that the walk is at.
  [[nodiscard]] int get() const noexcept { return levels_.back().folder.get(); }

  /// The folders that were made, parents before children.
  [[nodiscard]] const std::vector<std::string>& made() const noexcept { return made_; }

 private:
  struct Level {
    std::string name;
    Fd folder;
  };
  std::vector<Level> levels_;
  std::vector<std::string> made_;
};

}  // namespace flagscale
