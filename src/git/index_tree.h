// SPDX-License-Identifier: Apache-2.0
//
// The index's extension TREE: which folders are in the index just as a tree object has them, so
// that git need not look at their entries. Pure. Format: gitformat-index(5), "Cache tree".
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "git/oid.h"
#include "git/tree_diff.h"

namespace flagscale::git {

class IndexTree {
 public:
  /// Takes the extension's contents apart; absent when they are damaged.
  static std::optional<IndexTree> parse(std::string_view bytes);

  /// Notes that the index has moved from one tree to another, which differ in `folders`, with
  /// `changes` in all (both as diff_trees gives them). What was not known to be as in the first
  /// tree becomes unknown.
  void update(const std::vector<FolderChange>& folders, const std::vector<TreeChange>& changes);

  /// The extension's contents.
  [[nodiscard]] std::string format() const;

 private:
  /// A folder; with no count, the entries in it may be as in no tree.
  struct Folder {
    std::string name;
    std::optional<std::size_t> entries;
    Oid id;
    std::vector<Folder> folders;
  };

  static bool parse_folder(std::string_view& bytes, Folder& folder, std::size_t depth);
  static void format_folder(const Folder& folder, std::string& out);
  Folder* find_parent(std::string_view path);
  void update_folder(const FolderChange& change, const std::vector<TreeChange>& changes);

  Folder top_;
};

}  // namespace flagscale::git
