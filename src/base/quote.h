// SPDX-License-Identifier: Apache-2.0
//
// Ways to write bytes down for people and for other programs.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace flagscale {

/// Makes bytes safe for a terminal: control characters and bytes that are not UTF-8 become
/// backslash escapes as in git's C-style quoting; everything else stays.
[[nodiscard]] std::string escaped(std::string_view bytes);

/// `escaped` between single quotes, as git's messages name things.
[[nodiscard]] std::string in_quotes(std::string_view bytes);

/// A path as git writes it in a diff header: as it is, or between double quotes with C escapes
/// when it holds a control character, a double quote, a backslash or a byte above 0x7f
/// (git's quote.c with core.quotePath on).
[[nodiscard]] std::string format_c_quoted(std::string_view path);

/// Reads a C-quoted string at the start of `text`, which begins with `"`. Sets `used` to the
/// number of bytes it took. Absent when the quoting is not valid.
[[nodiscard]] std::optional<std::string> parse_c_quoted(std::string_view text, std::size_t& used);

/// A word that a POSIX shell reads back as these bytes.
[[nodiscard]] std::string shell_quoted(std::string_view word);

/// Whether the bytes are well-formed UTF-8 (RFC 3629).
[[nodiscard]] bool is_utf8(std::string_view bytes);

}  // namespace flagscale
