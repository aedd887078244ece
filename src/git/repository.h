// SPDX-License-Identifier: Apache-2.0
//
// The repository that git would use here: found by asking git once, so that every way of naming
// it (-C, --git-dir, environment, worktrees, submodules, safe.directory) means what it means to
// git. Also what git knows about names: revisions and refs.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "git/command.h"
#include "git/config.h"
#include "git/object.h"
#include "git/odb.h"
#include "git/oid.h"

struct git_repository;

namespace flagscale::git {

/// A ref that leads to a commit.
struct Ref {
  std::string name;
  Oid id;
  /// The full name of the ref that a symbolic ref points to; empty otherwise.
  std::string target;
};

class Repository {
 public:
  /// Finds and opens the repository. Throws Error(unable) with git's own words. The revisions
  /// (any number of names) are looked up in the same go where git has to read them, which saves
  /// asking it again.
  static Repository open(const std::vector<std::string>& revisions = {});
  Repository(Repository&&) noexcept;
  Repository& operator=(Repository&&) = delete;
  ~Repository();

  /// Absolute paths: of this working tree's git folder, of the one shared by all working trees,
  /// of the index and of the object database.
  [[nodiscard]] const std::string& git_dir() const;
  [[nodiscard]] const std::string& common_dir() const;
  [[nodiscard]] const std::string& index_file() const;
  [[nodiscard]] const std::string& objects_dir() const;
  /// The working tree's top folder; absent in a bare repository and inside a git folder.
  [[nodiscard]] const std::optional<std::string>& top() const;
  /// How git is run there, since paths count from the top; with nothing taken for a pattern. Only
  /// where there is a working tree.
  [[nodiscard]] GitOptions at_top() const;
  [[nodiscard]] bool is_shallow() const;
  /// Whether objects may be missing that git fetches when they are needed.
  [[nodiscard]] bool is_partial() const;
  /// The name by which people know the repository: that of its top folder.
  [[nodiscard]] std::string name() const;

  /// See here_config.
  [[nodiscard]] const Config& config() const;
  [[nodiscard]] Odb& odb();
  /// Another handle on the same objects, for another thread.
  [[nodiscard]] std::unique_ptr<Odb> open_odb() const;
  /// The same, but lent: one that was given back before, with what it has in its cache, if there
  /// is one. Several threads may ask at once; the repository must outlive what it lends.
  [[nodiscard]] std::shared_ptr<Odb> borrow_odb();
  /// All folders that objects are read from: objects_dir first.
  [[nodiscard]] const std::vector<std::string>& object_folders() const;

  /// The commit that a revision names, tags peeled; absent when it names none. Throws
  /// Error(unable) when the name is ambiguous or names something that is no commit.
  [[nodiscard]] std::optional<Oid> find_commit(const std::string& revision);
  /// The same, but throws Error(unable) when it is absent; `what` is said in the message ("base").
  [[nodiscard]] Oid read_commit_id(const std::string& revision, std::string_view what);
  [[nodiscard]] Commit read_commit(const Oid& id);
  /// What git warned of when it looked revisions up: names that are ambiguous.
  [[nodiscard]] const std::vector<std::string>& warnings() const;

  /// The branch HEAD is on, full name ("refs/heads/main"), even when unborn; absent if detached.
  [[nodiscard]] std::optional<std::string> head_branch() const;
  /// The commit HEAD is at; absent when unborn.
  [[nodiscard]] std::optional<Oid> head_commit();
  /// The refs whose full names match a glob ("refs/heads/flagscale/*"; `*` matches `/` too),
  /// sorted by name.
  [[nodiscard]] std::vector<Ref> refs(const std::string& glob);
  /// The commit that a ref leads to, tags peeled; absent when there is no such ref.
  [[nodiscard]] std::optional<Oid> find_ref(const std::string& full_name);
  /// How a branch (full name) is in use by something else than HEAD here, so that it must not be
  /// moved: "checked out at '/path'", "being rebased at '/path'".
  [[nodiscard]] std::optional<std::string> find_other_use(const std::string& branch);
  /// The full name of a branch's upstream.
  [[nodiscard]] std::optional<std::string> find_upstream_ref(const std::string& branch) const;

  /// What is going on here that a switch would disturb ("a merge"), if anything.
  [[nodiscard]] std::optional<std::string> operation_in_progress() const;

 private:
  struct State;
  explicit Repository(std::unique_ptr<State> state);
  [[nodiscard]] ::git_repository* libgit2();
  void configure(Odb& odb) const;
  std::unique_ptr<State> state_;
};

}  // namespace flagscale::git
