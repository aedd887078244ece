// SPDX-License-Identifier: Apache-2.0
//
// Reads diff text as `git am` reads it (its `git apply`, after `-p1`), into values. Pure: bytes
// in, values out; the values point into the bytes. Knows nothing of trees: see core/apply.h.
//
// Better than git in three things:
// - Text of a message is never applied. A mail's patch part begins at the first line that looks
//   like a diff, which may be an example inside the message. `git format-patch` puts a line `---`
//   and a diffstat between the message and the diff; no diff of git's has a bare `---` between
//   two files. So diffs that are followed by `---`, a diffstat and another diff are message text
//   and dropped; diffs followed by `---` and another diff without a diffstat in between are
//   refused, since nobody can tell.
// - A patch made without `a/` and `b/` (diff.noprefix) is recognised by a header that names the
//   same path twice, or a rename's two paths as they are, and read with `-p0`. All headers of a
//   mail must agree, else the mail is refused; so is one in which every path begins with `a/` on
//   both sides, and a plain `---`/`+++` diff that does not show whether its names have a prefix.
// - Damaged binary data is an error (git skips that file and all that follow, and exits with 0).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "git/object.h"

namespace flagscale {

struct Hunk {
  /// From the line `@@ -old_start,old_lines +new_start,new_lines @@`.
  std::uint64_t old_start = 0;
  std::uint64_t old_lines = 0;
  std::uint64_t new_start = 0;
  std::uint64_t new_lines = 0;
  /// The hunk's lines, from the first ' ', '-', '+' to the end, "\ No newline" lines included.
  std::string_view body;
  /// Lines of context before the first and after the last change.
  std::size_t leading = 0;
  std::size_t trailing = 0;
  /// 1-based line of the `@@` line in the patch file.
  std::size_t line = 0;
};

/// One direction of a `GIT binary patch`.
struct BinaryHunk {
  enum class Method : std::uint8_t { literal, delta };
  Method method = Method::literal;
  /// Size after inflating, as the patch says.
  std::uint64_t size = 0;
  /// The base85 lines, each with its length letter.
  std::string_view data;
  std::size_t line = 0;
};

/// What a patch does to one file.
struct FileDiff {
  /// Paths after `-p1`; absent for /dev/null.
  std::optional<std::string> old_path;
  std::optional<std::string> new_path;
  /// Modes as the header lines say, not yet checked against any tree; absent when not said.
  std::optional<std::uint32_t> old_mode;
  std::optional<std::uint32_t> new_mode;
  /// The `index` line's ids as written: full or abbreviated hex, or empty.
  std::string_view old_id;
  std::string_view new_id;
  enum class Kind : std::uint8_t { change, create, remove, rename, copy };
  Kind kind = Kind::change;
  /// A plain diff without old lines: it makes the file when nothing stands at the path.
  bool creates_if_absent = false;
  /// A pure `Binary files … differ` without data.
  bool binary_without_data = false;
  std::optional<BinaryHunk> binary;
  std::vector<Hunk> hunks;
  std::uint64_t insertions = 0;
  std::uint64_t deletions = 0;
  /// 1-based line of the header in the patch file.
  std::size_t line = 0;

  [[nodiscard]] const std::string& path() const { return new_path ? *new_path : *old_path; }
};

/// Parses all diffs in `patch`, whose first line is line `first_line` of the patch file. Text
/// between diffs is skipped as git does. Throws Error(unable) naming the line where `git apply`
/// would say "corrupt patch" or refuse the header. No diff at all gives an empty list.
[[nodiscard]] std::vector<FileDiff> parse_diff(std::string_view patch, std::size_t first_line);

}  // namespace flagscale
