// SPDX-License-Identifier: Apache-2.0
//
// Undoes what mail does to text on its way: transfer encodings, encoded words in headers,
// character sets. Lenient and strict in the very places where git's mailinfo is. Knows nothing of
// headers or of how a mail is built.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <iconv.h>

namespace flagscale {

/// Where quoted-printable text stands: in an encoded word, `_` means a blank.
enum class QuotedPrintable { body, word };

/// Decodes one line of quoted-printable text, which ends at the first NUL. A `=` at the line's end
/// takes the LF away; a `=` that begins no escape stays.
[[nodiscard]] std::string decode_quoted_printable(std::string_view line, QuotedPrintable where);

/// Decodes one line of base64 text, which ends at the first NUL. Every line begins anew; bytes
/// outside the alphabet are passed over, and so is an incomplete byte at the end.
[[nodiscard]] std::string decode_base64(std::string_view line);

/// Converts to UTF-8 by way of iconv. Keeps the last conversion open, since lines come in runs.
class CharsetConverter {
 public:
  CharsetConverter() = default;
  ~CharsetConverter() { close(); }
  CharsetConverter(const CharsetConverter&) = delete;
  CharsetConverter& operator=(const CharsetConverter&) = delete;

  /// Whether text in this character set is taken as it is: none named, or UTF-8 by any spelling.
  [[nodiscard]] static bool is_utf8_name(std::string_view charset);

  /// The text in UTF-8; absent when the character set is unknown or the text is not written in it.
  [[nodiscard]] std::optional<std::string> to_utf8(std::string_view text, std::string_view charset);

 private:
  bool open(std::string_view charset);
  void close();

  std::optional<iconv_t> open_;
  std::string charset_;
};

/// A header's value with its encoded words (`=?charset?q?...?=`) decoded to UTF-8. Absent when one
/// is broken, even if it was not meant to be one: git gives such a mail up, too.
[[nodiscard]] std::optional<std::string> decode_words(std::string_view value,
                                                      CharsetConverter& converter);

}  // namespace flagscale
