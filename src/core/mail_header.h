// SPDX-License-Identifier: Apache-2.0
//
// The lines of a mail and its headers, each by itself: unfolding, names and values, and what
// mailinfo makes of the values of Content-Type, Subject and From. Knows nothing of the order in
// which headers and bodies come, nor of encodings.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace flagscale {

/// Hands out the lines of a text, LF included, and knows their numbers.
class MailLines {
 public:
  MailLines(std::string_view text, std::size_t first_line) : rest_(text), next_(first_line) {}

  /// Steps to the next line; false at the end, where `current` stays what it was.
  bool next();
  [[nodiscard]] std::string_view current() const { return current_; }
  /// The line number of `current`.
  [[nodiscard]] std::size_t number() const { return next_ - 1; }
  /// What follows the current line.
  [[nodiscard]] std::string_view rest() const { return rest_; }
  /// The same, and leaves no lines.
  [[nodiscard]] std::string_view take_rest();

 private:
  std::string_view rest_;
  std::string_view current_;
  std::size_t next_;
};

/// Reads one header, unfolded, without white space at its end. False when there is none: then
/// `line` holds what stands there instead, trimmed, with a LF; at the end of the text it stays.
bool read_header(MailLines& lines, std::string& line);

/// The value of a header with this name (in any case), without leading white space.
[[nodiscard]] std::optional<std::string_view> header_value(std::string_view line,
                                                           std::string_view name);

struct ContentType {
  /// The line that separates the parts, `--` included.
  std::optional<std::string> boundary;
  std::string charset;
  bool flowed = false;
  bool delete_space = false;
};
[[nodiscard]] ContentType parse_content_type(std::string_view value);

enum class TransferEncoding { none, quoted_printable, base64 };
[[nodiscard]] TransferEncoding parse_transfer_encoding(std::string_view value);

/// A subject without `Re:`, without bracketed tags that say PATCH, on one line. Other tags stay.
[[nodiscard]] std::string clean_subject(std::string_view subject);

struct MailAddress {
  std::string name;
  std::string email;
};
/// Takes a From header apart. Both parts are empty when it holds no address at all.
[[nodiscard]] MailAddress parse_address(std::string_view from);

}  // namespace flagscale
