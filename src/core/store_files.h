// SPDX-License-Identifier: Apache-2.0
//
// Where a store is read from: the tree of a commit or the files of a working tree.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "core/tree_overlay.h"
#include "git/object_source.h"

namespace flagscale {

class StoreFiles {
 public:
  StoreFiles() = default;
  StoreFiles(const StoreFiles&) = delete;
  StoreFiles& operator=(const StoreFiles&) = delete;
  virtual ~StoreFiles() = default;

  /// The names of the regular files, or of the folders, directly in a folder; sorted by bytes.
  [[nodiscard]] virtual std::vector<std::string> files(const std::string& folder) = 0;
  [[nodiscard]] virtual std::vector<std::string> folders(const std::string& folder) = 0;
  /// Whether anything at all stands there.
  [[nodiscard]] virtual bool exists(const std::string& path) = 0;
  /// The contents of a regular file; absent when there is none. Symlinks are never followed.
  /// Throws Error(unable) before it is read when it is larger than any patch file may be.
  [[nodiscard]] virtual std::optional<Content> find(const std::string& path) = 0;
  /// The blob id of a regular file, where it is known without reading the file.
  [[nodiscard]] virtual std::optional<git::Oid> find_known_id(const std::string& /*path*/) {
    return std::nullopt;
  }
};

/// The tree of a commit.
class TreeFiles final : public StoreFiles {
 public:
  TreeFiles(git::ObjectSource& source, const git::Oid& tree)
      : source_(source), tree_(source, tree) {}
  [[nodiscard]] std::vector<std::string> files(const std::string& folder) override;
  [[nodiscard]] std::vector<std::string> folders(const std::string& folder) override;
  [[nodiscard]] std::optional<Content> find(const std::string& path) override;
  [[nodiscard]] std::optional<git::Oid> find_known_id(const std::string& path) override;
  [[nodiscard]] bool exists(const std::string& path) override {
    return tree_.kind(path) != PathKind::absent;
  }

 private:
  [[nodiscard]] std::vector<std::string> names(const std::string& folder, bool folders);
  git::ObjectSource& source_;
  TreeOverlay tree_;
};

/// A folder on disk.
class FolderFiles final : public StoreFiles {
 public:
  explicit FolderFiles(std::string root) : root_(std::move(root)) {}
  [[nodiscard]] std::vector<std::string> files(const std::string& folder) override;
  [[nodiscard]] std::vector<std::string> folders(const std::string& folder) override;
  [[nodiscard]] std::optional<Content> find(const std::string& path) override;
  [[nodiscard]] bool exists(const std::string& path) override;

 private:
  [[nodiscard]] bool is_below_symlink(const std::string& path) const;
  [[nodiscard]] std::vector<std::string> names(const std::string& folder, mode_t type) const;
  std::string root_;
};

}  // namespace flagscale
