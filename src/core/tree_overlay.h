// SPDX-License-Identifier: Apache-2.0
//
// A tree that is being changed in memory, on top of a tree that exists. Folders are read only
// when something inside them is asked for; only folders that changed are hashed again. Knows
// nothing of patches, of a working tree or of where objects go.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

#include "base/bytes.h"
#include "git/object.h"
#include "git/object_source.h"
#include "git/oid.h"

namespace flagscale {

/// What stands at a path: never a folder.
struct TreeFile {
  git::Mode mode = git::Mode::file;
  /// Null while `content` is new and was not hashed yet.
  git::Oid id;
  /// Set for contents that were put; absent for what the base tree holds.
  std::optional<Content> content;
};

enum class PathKind { absent, file, folder };

class TreeOverlay {
 public:
  /// Starts from the tree `base` (the null id: an empty tree), reading through `source`, which
  /// must outlive the overlay.
  TreeOverlay(git::ObjectSource& source, const git::Oid& base);
  TreeOverlay(TreeOverlay&&) noexcept;
  TreeOverlay& operator=(TreeOverlay&&) noexcept;
  ~TreeOverlay();

  [[nodiscard]] PathKind kind(std::string_view path);
  /// The file, symlink or gitlink at `path`; absent when nothing or a folder stands there.
  [[nodiscard]] std::optional<TreeFile> find(std::string_view path);
  /// The contents of a regular file or the target of a symlink at `path`, from memory or from
  /// the source. Throws Error(unable) when the blob is missing.
  [[nodiscard]] Content read(const TreeFile& file);
  /// What the overlay reads through.
  [[nodiscard]] git::ObjectSource& source() const noexcept { return *source_; }
  /// Whether a leading folder of `path` is a symlink: the first such folder's path.
  [[nodiscard]] std::optional<std::string_view> find_symlink_on_the_way(std::string_view path);
  /// The first leading folder of `path` at which a file of any kind stands, if any.
  [[nodiscard]] std::optional<std::string_view> find_file_on_the_way(std::string_view path);

  /// Puts a file with new contents at `path`, making folders. `path` must be clean
  /// (see git/path_rules.h). Throws Error(bug) if a file is in the way of a folder or a folder
  /// in the way of the file: callers check first, to say it in their words.
  void put(std::string_view path, git::Mode mode, Content content);
  /// The same for contents whose id is known already.
  void put(std::string_view path, git::Mode mode, Content content, const git::Oid& id);
  /// Puts an existing object (blob or gitlink) at `path`.
  void put(std::string_view path, git::Mode mode, const git::Oid& id);
  /// Puts a whole existing tree at `path`.
  void put_tree(std::string_view path, const git::Oid& tree);
  /// Removes the file or folder at `path` and folders that this leaves empty. False: not there.
  bool remove(std::string_view path);

  /// Bytes of the contents that were put and still stand in the tree: they are held in memory, also
  /// after a flush.
  [[nodiscard]] std::uint64_t held() const noexcept { return held_; }

  /// Hashes what changed, hands new blobs and trees to `sink` (contents first, folders
  /// bottom-up) and returns the tree's id. The overlay goes on from that tree. Folders that are
  /// written anew come out as git writes them from an index: modes canonical, no empty folders.
  git::Oid flush(git::ObjectSink& sink);
  /// The id of the tree at `path` after the last flush; absent when no folder stands there.
  [[nodiscard]] std::optional<git::Oid> find_tree(std::string_view path);

 private:
  struct Node;
  git::ObjectSource* source_;
  std::unique_ptr<Node> root_;
  std::uint64_t held_ = 0;
};

}  // namespace flagscale
