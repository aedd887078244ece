// SPDX-License-Identifier: Apache-2.0
//
// Making and removing files below a folder whose contents others control: no part of a path below
// it is ever followed through a symlink, and what was begun and not kept leaves nothing behind.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace flagscale {

class NewFiles {
 public:
  /// `root` itself may be reached in any way.
  explicit NewFiles(std::string root) : root_(std::move(root)) {}
  NewFiles(const NewFiles&) = delete;
  NewFiles& operator=(const NewFiles&) = delete;
  /// Removes the files and folders that were made, unless they are kept.
  ~NewFiles();

  /// Makes a file, and the folders above it: there whole or not at all. Throws Error(refused) when
  /// something is in the way.
  void add(const std::string& path, std::string_view bytes);
  void keep() noexcept;

 private:
  std::string root_;
  std::vector<std::string> files_;
  std::vector<std::string> folders_;
};

/// Removes a file and the folders above it that this leaves empty, `root` excepted. Throws
/// Error(refused) when a part of the path is no folder.
void remove_file_below(const std::string& root, const std::string& path);

}  // namespace flagscale
