// SPDX-License-Identifier: Apache-2.0
//
// Git objects as bytes and values: types, ids, tree entries, commits. Nothing here touches a
// repository; reading and writing objects goes through ObjectSource and ObjectSink.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "git/oid.h"

namespace flagscale::git {

enum class ObjectType : std::uint8_t { commit = 1, tree = 2, blob = 3, tag = 4 };

/// "commit", "tree", "blob" or "tag".
[[nodiscard]] std::string_view type_name(ObjectType type);

/// The id that git gives to these bytes. Needs no repository; safe in any thread.
[[nodiscard]] Oid hash_object(ObjectType type, std::string_view bytes);

/// File modes as tree objects hold them.
enum class Mode : std::uint32_t {
  tree = 0040000,
  file = 0100644,
  executable = 0100755,
  symlink = 0120000,
  gitlink = 0160000,
};

/// Maps any mode found in a tree or a patch to one of the five (git's canon_mode); absent when
/// its type bits name none of them.
[[nodiscard]] std::optional<Mode> canonical_mode(std::uint32_t bits);
[[nodiscard]] inline bool is_regular(Mode mode) {
  return mode == Mode::file || mode == Mode::executable;
}
/// Six octal digits, as diff headers show them.
[[nodiscard]] std::string format_mode(Mode mode);

struct TreeEntry {
  std::string_view name;
  /// As written in the tree, not canonicalised (old repositories hold 100664).
  std::uint32_t mode_bits = 0;
  Oid id;
};

/// Parses a tree object; the names point into `bytes`. Throws Error(unable) when it is damaged.
[[nodiscard]] std::vector<TreeEntry> parse_tree(std::string_view bytes);

/// Compares names as git orders tree entries: a folder sorts as if its name ended in '/'.
[[nodiscard]] bool tree_order(std::string_view a, bool a_is_tree, std::string_view b,
                              bool b_is_tree);

/// A name, an e-mail address and a moment, as commit objects hold them. Any encoding.
struct Signature {
  std::string name;
  std::string email;
  /// Seconds since 1970 UTC, and the zone exactly as written, e.g. "+0800".
  std::uint64_t seconds = 0;
  std::string zone = "+0000";
  /// False where the moment was missing or could not be read, in whole or in part.
  bool has_moment = true;

  friend bool operator==(const Signature&, const Signature&) = default;
};

/// `Name <email> seconds zone`.
[[nodiscard]] std::string format_signature(const Signature& who);
/// Reads what format_signature writes, leniently as git does (no name, no date).
[[nodiscard]] Signature parse_signature(std::string_view line);

struct Commit {
  Oid tree;
  std::vector<Oid> parents;
  Signature author;
  Signature committer;
  /// The `encoding` header; empty means UTF-8.
  std::string encoding;
  std::string message;
};

/// Parses a commit object. Throws Error(unable) when it is damaged.
[[nodiscard]] Commit parse_commit(std::string_view bytes);
/// Formats a commit object without further headers (no signature).
[[nodiscard]] std::string format_commit(const Commit& commit);
/// The `tree` and `parent` lines alone, for walks.
[[nodiscard]] Oid commit_tree(std::string_view bytes);

/// A commit message's subject: its first paragraph joined to one line, as `%s` shows it.
[[nodiscard]] std::string message_subject(std::string_view message);

}  // namespace flagscale::git
