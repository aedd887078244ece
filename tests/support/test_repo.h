// SPDX-License-Identifier: Apache-2.0
//
// A repository for one test, worked on with the real git. Ids are hex strings, so that they can
// be given to commands as they are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "support/command.h"

namespace flagscale::test {

/// How a command is run, beyond its words.
struct RunOptions {
  /// Relative to the repository's folder, or absolute.
  std::string folder;
  /// On top of the repository's own variables.
  Environment env;
  std::string input;
};

/// What real `git am` makes of a patch file (see TestRepo::am).
struct AmResult {
  /// Of `git am` itself.
  Outcome outcome;
  /// With committer = author, oldest first; empty unless `git am` succeeded.
  std::vector<std::string> commits;
  /// The tree of the last of them; empty unless `git am` succeeded.
  std::string tree;
  /// The scratch clone that holds these objects.
  std::string folder;
};

class TestRepo {
 public:
  /// A new empty repository with a working tree, in a temporary folder of its own.
  TestRepo() : TestRepo(Args{}) {}
  /// The same with further arguments for `git init`.
  explicit TestRepo(const Args& init_options);
  TestRepo(TestRepo&&) = default;
  TestRepo& operator=(TestRepo&&) = default;
  TestRepo(const TestRepo&) = delete;
  TestRepo& operator=(const TestRepo&) = delete;
  ~TestRepo() = default;

  /// A new empty bare repository.
  [[nodiscard]] static TestRepo bare() { return TestRepo(Args{"--bare"}); }
  /// A clone of `source`, with further arguments for `git clone`.
  [[nodiscard]] static TestRepo clone_of(const TestRepo& source, const Args& options = {});
  /// A repository or linked working tree that exists already.
  [[nodiscard]] static TestRepo at(const std::string& folder);

  /// The top folder of the working tree (or the bare repository).
  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// `path()` and a name below it.
  [[nodiscard]] std::string path(std::string_view name) const;

  /// Runs `git <args>`, fails the test if that fails, and returns stdout without its last LF.
  std::string git(const Args& args, const RunOptions& options = {}) const;
  Outcome try_git(const Args& args, const RunOptions& options = {}) const;
  /// Runs `git flagscale <args>`.
  Outcome flagscale(const Args& args, const RunOptions& options = {}) const;
  /// The same, fails the test if that fails, and returns stdout without its last LF.
  std::string flagscale_ok(const Args& args, const RunOptions& options = {}) const;

  /// Sets a variable for all later commands on this repository, or unsets it.
  void set_env(const std::string& name, const std::string& value) { env_[name] = value; }
  void unset_env(const std::string& name) { env_[name] = std::nullopt; }
  void config(const std::string& key, const std::string& value) const;

  /// Writes a file of the working tree, making folders. An existing file keeps its mode.
  void write(const std::string& name, std::string_view bytes) const;
  void write_executable(const std::string& name, std::string_view bytes) const;
  void set_executable(const std::string& name, bool executable) const;
  void symlink(const std::string& target, const std::string& name) const;
  [[nodiscard]] std::string read(const std::string& name) const;
  [[nodiscard]] bool exists(const std::string& name) const;
  /// Removes a file or a whole folder of the working tree.
  void remove(const std::string& name) const;

  /// Sets the clock of this repository one minute ahead. It stands still in between.
  void tick();
  /// Commits everything in the working tree (ignored files too) a minute after the last commit,
  /// even when nothing changed. Returns the commit's id.
  std::string commit(const std::string& message);
  std::string commit_file(const std::string& name, std::string_view bytes,
                          const std::string& message = "change");

  /// The id that a revision names.
  [[nodiscard]] std::string rev(const std::string& revision) const;
  [[nodiscard]] std::string tree_of(const std::string& revision) const;
  /// Whether a revision names anything.
  [[nodiscard]] bool has(const std::string& revision) const;
  /// The contents of `<revision>:<path>`.
  [[nodiscard]] std::string show(const std::string& revision_and_path) const;
  /// The short name of the current branch; empty when HEAD is detached.
  [[nodiscard]] std::string head_branch() const;
  /// `git status --porcelain`.
  [[nodiscard]] std::string status() const;

  /// Everything a command that "changes nothing" must leave alone, as text: refs, HEAD, the index
  /// entry by entry, stashes, every other file of the git folder but objects, and every file of
  /// the working tree with mode and contents.
  [[nodiscard]] std::string snapshot() const;
  /// The ids and types of all objects, reachable or not.
  [[nodiscard]] std::string objects() const;

  /// Applies a patch file to `base` with the real `git am --keep-non-patch --keep-cr`, in a scratch
  /// clone, and sets each resulting commit's committer to its author: what unpatch must make, id
  /// for id. `config` are further `key=value` settings. This repository stays as it is.
  [[nodiscard]] AmResult am(std::string_view patch_file, const std::string& base,
                            const Args& config = {}) const;

 private:
  struct Existing {};
  TestRepo(Existing, std::string path) : path_(std::move(path)) {}

  [[nodiscard]] Environment environment(const RunOptions& options) const;

  std::string path_;
  Environment env_;
  int minutes_ = 0;
};

}  // namespace flagscale::test
