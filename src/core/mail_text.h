// SPDX-License-Identifier: Apache-2.0
//
// Plain ASCII text handling as mail needs it: git's idea of white space, matching without regard
// to case, the same in every locale. Knows nothing of mail itself.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace flagscale {

/// Blank, TAB, LF and CR. The vertical tab and the form feed do not count, as in git.
[[nodiscard]] constexpr bool is_mail_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
[[nodiscard]] constexpr bool is_ascii_digit(char c) {
  return c >= '0' && c <= '9';
}
[[nodiscard]] constexpr char ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}
[[nodiscard]] constexpr bool is_ascii_alpha(char c) {
  return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z';
}

/// The text without white space at its end, or at both ends.
[[nodiscard]] std::string_view trim_right(std::string_view text);
[[nodiscard]] std::string_view trim(std::string_view text);

/// The text with every run of white space turned into one blank.
[[nodiscard]] std::string collapse_spaces(std::string_view text);

/// The bytes before the first NUL, which is where C's string functions stop.
[[nodiscard]] std::string_view up_to_nul(std::string_view text);

/// Comparisons that take ASCII letters of either case for the same.
[[nodiscard]] bool equal_ignoring_case(std::string_view a, std::string_view b);
[[nodiscard]] bool starts_with_ignoring_case(std::string_view text, std::string_view prefix);
[[nodiscard]] std::size_t find_ignoring_case(std::string_view text, std::string_view needle);

}  // namespace flagscale
