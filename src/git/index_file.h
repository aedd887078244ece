// SPDX-License-Identifier: Apache-2.0
//
// The index as a file, taken apart and put together again with some entries changed: what
// switching needs, where libgit2 would read and write every entry. Pure.
//
// Format: gitformat-index(5), versions 2 and 3, with the extension TREE or none. Everything else
// (a split or sparse index, an untracked cache, a file system monitor) is left to git.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "git/index_tree.h"
#include "git/oid.h"

struct stat;

namespace flagscale::git {

/// What an entry remembers of its file, as the index has it: numbers of 32 bits, times in seconds
/// and nanoseconds.
struct IndexStat {
  std::uint32_t ctime = 0;
  std::uint32_t ctime_nanoseconds = 0;
  std::uint32_t mtime = 0;
  std::uint32_t mtime_nanoseconds = 0;
  std::uint32_t dev = 0;
  std::uint32_t ino = 0;
  std::uint32_t mode = 0;
  std::uint32_t uid = 0;
  std::uint32_t gid = 0;
  std::uint32_t size = 0;

  /// From what the file system says; the mode is made one that git knows.
  static IndexStat from(const struct stat& status);
  /// Whether the file is still the one that was noted: git's own comparison, which leaves out the
  /// device.
  [[nodiscard]] bool is_same_file(const IndexStat& other) const;
};

/// An entry; the path lives in the index file's bytes.
struct IndexEntry {
  IndexStat status;
  Oid id;
  /// Flags as in the file: assume-valid, extended, stage.
  std::uint16_t flags = 0;
  std::uint16_t extended_flags = 0;
  std::string_view path;
  /// Where the entry's bytes are.
  std::size_t at = 0;
  std::size_t size = 0;

  /// Whether it says nothing but path, id and file: no conflict, no mark of any kind.
  [[nodiscard]] bool is_plain() const;
  /// Whether it is one side of a merge.
  [[nodiscard]] bool is_in_conflict() const;
};

/// What becomes of one path: a new entry, or none.
struct IndexChange {
  std::string path;
  std::optional<IndexEntry> entry;
};

class IndexFile {
 public:
  /// Takes a whole index file apart; absent when it is one that is left to git, or damaged. Its
  /// check sum is not looked at, as git itself does not.
  static std::optional<IndexFile> parse(std::string bytes);

  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }
  [[nodiscard]] const std::vector<IndexEntry>& entries() const noexcept { return entries_; }
  [[nodiscard]] const IndexEntry* find(std::string_view path) const;
  /// Whether there are entries below a folder.
  [[nodiscard]] bool has_folder(std::string_view folder) const;
  [[nodiscard]] const std::optional<IndexTree>& tree() const noexcept { return tree_; }

  /// The bytes of the index after changes, which are ordered by path. Entries whose number is in
  /// `edited` are marked such that git will look into their files; `tree` is the new extension.
  [[nodiscard]] std::string with_changes(const std::vector<IndexChange>& changes,
                                         const std::vector<std::size_t>& edited,
                                         const std::optional<IndexTree>& tree) const;

 private:
  IndexFile(std::string bytes, std::uint32_t version)
      : bytes_(std::move(bytes)), version_(version) {}
  bool parse_entries(std::size_t count, std::size_t& at);
  bool parse_extensions(std::size_t at);

  std::string bytes_;
  std::uint32_t version_;
  std::vector<IndexEntry> entries_;
  std::optional<IndexTree> tree_;
};

}  // namespace flagscale::git
