// SPDX-License-Identifier: Apache-2.0
//
// Which paths differ between two trees. Walks only folders that differ; reads no file contents.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "git/object.h"
#include "git/object_source.h"

namespace flagscale::git {

/// One side of a change.
struct TreeItem {
  Mode mode = Mode::file;
  Oid id;
  friend bool operator==(const TreeItem&, const TreeItem&) = default;
};

/// A path at which two trees hold different files, symlinks or gitlinks.
struct TreeChange {
  std::string path;
  std::optional<TreeItem> before;
  std::optional<TreeItem> after;
};

/// A folder that differs; the null id: it is not there. The top's path is empty.
struct FolderChange {
  std::string path;
  Oid before;
  Oid after;
};

/// The differences between two trees (null id: empty), ordered by path bytes. The folder
/// `left_out` (no final '/'; empty: none) and all below it are not compared. Modes are compared
/// in canonical form. `folders`, if given, gets the folders in which something differs, parents
/// before children.
[[nodiscard]] std::vector<TreeChange> diff_trees(ObjectSource& source, const Oid& before,
                                                 const Oid& after, std::string_view left_out,
                                                 std::vector<FolderChange>* folders = nullptr);

/// Whether there is any; ends at the first.
[[nodiscard]] bool trees_differ(ObjectSource& source, const Oid& before, const Oid& after,
                                std::string_view left_out);

}  // namespace flagscale::git
