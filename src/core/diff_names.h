// SPDX-License-Identifier: Apache-2.0
//
// The file names in diff headers, as `git apply` makes them out: C quoting, leading folders taken
// off, time stamps behind names. Knows nothing of what a header means.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace flagscale {

/// White space as git's own ctype has it.
[[nodiscard]] constexpr bool is_git_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
[[nodiscard]] constexpr bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// What ends a name that is not quoted, besides the end of the line.
enum class NameEnd { line, tab };

/// Reads the name at the start of `line`, with `strip` leading folders taken off; absent when it
/// has not that many.
[[nodiscard]] std::optional<std::string> parse_name(std::string_view line, int strip, NameEnd end);

/// The same for the `---` and `+++` lines of a plain diff, which may have a time stamp behind
/// the name. `fallback` is the other line's name: preferred when this one is only longer.
[[nodiscard]] std::optional<std::string> parse_plain_name(std::string_view line, int strip,
                                                          const std::string* fallback);

/// The name that stands twice on a line `diff --git X Y` (`names` is what follows `--git `), with
/// `strip` leading folders taken off; absent when both are not the same.
[[nodiscard]] std::optional<std::string> parse_common_name(std::string_view names, int strip);

/// Whether a name is `/dev/null`.
[[nodiscard]] bool is_dev_null(std::string_view line);

/// Whether the time stamp behind a name is the start of 1970, by which GNU diff says that the
/// file does not exist.
[[nodiscard]] bool has_epoch_time(std::string_view line);

}  // namespace flagscale
