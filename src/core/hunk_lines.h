// SPDX-License-Identifier: Apache-2.0
//
// The lines of one hunk, as `git apply` takes them apart. Knows nothing of the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "core/diff.h"

namespace flagscale {

/// Calls `take(kind, text)` for each line of a hunk's body: ' ' (context), '-' or '+', and the
/// line's bytes, its LF left out where a note says so.
template <typename Take>
void for_each_hunk_line(std::string_view body, Take take) {
  while (!body.empty()) {
    const std::string_view line = take_line(body);
    const bool without_newline = body.starts_with('\\');
    const char first = line.front();
    if (first == '\\') continue;
    if (first == '\n') {
      // An empty line of context that lost its blank.
      if (!without_newline) take(' ', line);
      continue;
    }
    std::string_view text = line.substr(1);
    if (without_newline) text = without_lf(text);
    take(first, text);
  }
}

/// What a hunk expects to find.
struct OldLines {
  std::vector<std::string_view> lines;
  std::size_t bytes = 0;
  /// How many lines the hunk leaves behind.
  std::size_t new_count = 0;
  /// Some line has no LF: it may match the start of a longer line.
  bool ragged = false;

  /// Takes another hunk's lines in place of these.
  void read(const Hunk& hunk);
};

/// git compares lines by this value, in which white space does not count, before it compares the
/// hunk's bytes as a whole. It shows where a line lacks its LF.
[[nodiscard]] std::uint32_t loose_hash(std::string_view line);

}  // namespace flagscale
