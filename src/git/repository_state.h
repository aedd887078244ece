// SPDX-License-Identifier: Apache-2.0
//
// What a Repository holds. Private to its sources (repository*.cpp).
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "git/handle.h"
#include "git/library.h"
#include "git/packs.h"
#include "git/repository.h"

namespace flagscale::git {

struct Repository::State {
  Library library;
  std::string git_dir;
  std::string common_dir;
  std::string index_file;
  std::string objects_dir;
  std::optional<std::string> top;
  bool shallow = false;
  /// objects_dir first.
  std::vector<std::string> object_folders;
  /// Of all object folders, for all handles.
  std::shared_ptr<const Packs> packs;
  /// The main thread's handle.
  std::unique_ptr<Odb> odb;
  bool is_odb_configured = false;
  std::mutex shelf_mutex;
  /// Handles that were lent and given back.
  std::vector<std::unique_ptr<Odb>> shelf;
  /// libgit2's view, for refs.
  RepositoryHandle libgit2;
  /// Revisions that were looked up when the repository was opened.
  std::map<std::string, Oid> known_commits;
  /// Those of them that name nothing at all.
  std::set<std::string> known_absent;
  std::vector<std::string> warnings;

  /// Opens what takes no configuration, when the paths are known.
  void open();
  [[nodiscard]] std::unique_ptr<Odb> open_odb() const;
  /// Keeps what git warned of, once each.
  void keep_warnings(std::string_view said);
};

}  // namespace flagscale::git
