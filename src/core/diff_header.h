// SPDX-License-Identifier: Apache-2.0
//
// The header of one file's diff: `diff --git` with its extended lines, or the `---` and `+++`
// lines of a plain diff. Part of the diff reader, see core/diff.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/diff.h"

namespace flagscale {

/// Reads the headers of one mail's diffs, which must agree on whether names have a prefix.
class DiffHeaderReader {
 public:
  /// Reads a git header at the start of `text`; its first line is line `line` of the patch file.
  /// Fills `diff` and returns the bytes taken. When that is the first line alone, it is no
  /// header and `diff` is untouched. Throws Error(unable) when git would refuse it.
  std::size_t read_git_header(std::string_view text, std::size_t line, FileDiff& diff);

  /// Reads a plain header, `first` and `second` being its lines.
  void read_plain_header(std::string_view first, std::string_view second, std::size_t line,
                         FileDiff& diff);

  /// To be called after the last header: throws when it never became clear whether the names
  /// have a prefix.
  void check_prefix() const;

 private:
  [[nodiscard]] int choose_strip(std::string_view names, std::string_view text, std::size_t line);
  [[nodiscard]] int choose_plain_strip(std::string_view old_line, std::string_view new_line,
                                       std::size_t line);
  void check_carried(const FileDiff& diff, std::size_t line);

  /// How many folders the git headers so far ask to take off.
  std::optional<int> git_strip_;
  /// A plain diff of files in the top folder makes git take names as they are from there on.
  bool plain_strip_is_zero_ = false;
  /// Every header so far has names that begin with this letter and a slash on both sides.
  std::optional<char> doubtful_letter_;
  bool never_doubtful_ = false;
  /// The name on a `diff --git` line that had nothing after it: git does not forget it.
  std::optional<std::string> carried_;
  std::size_t first_line_ = 0;
};

}  // namespace flagscale
