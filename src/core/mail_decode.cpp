// SPDX-License-Identifier: Apache-2.0
#include "core/mail_decode.h"

#include <algorithm>
#include <cerrno>

#include "core/mail_text.h"

namespace flagscale {
namespace {

constexpr int hex_digit(char c) {
  if (is_ascii_digit(c)) return c - '0';
  const char lower = ascii_lower(c);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

constexpr int base64_digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (is_ascii_digit(c)) return c - '0' + 52;
  if (c == '+') return 62;
  return c == '/' ? 63 : -1;
}

/// `utf-8`, `UTF8`: the part behind the optional hyphen must be the same.
bool is_utf_name(std::string_view charset, std::string_view variant) {
  if (!starts_with_ignoring_case(charset, "utf")) return false;
  charset.remove_prefix(3);
  if (charset.starts_with('-')) charset.remove_prefix(1);
  return equal_ignoring_case(charset, variant);
}

/// An encoded word at the start of a text, taken apart.
struct EncodedWord {
  std::string_view charset;
  char encoding = 0;
  std::string_view payload;
  std::size_t length = 0;
};

std::optional<EncodedWord> parse_word(std::string_view text) {
  constexpr std::size_t kOpening = 2;
  const std::size_t mark = text.find('?', kOpening);
  if (mark == std::string_view::npos || mark + 3 > text.size()) return std::nullopt;
  if (text[mark + 2] != '?') return std::nullopt;
  const std::size_t end = text.find("?=", mark + 3);
  if (end == std::string_view::npos) return std::nullopt;
  return EncodedWord{text.substr(kOpening, mark - kOpening), ascii_lower(text[mark + 1]),
                     text.substr(mark + 3, end - mark - 3), end + 2};
}

std::optional<std::string> decode_word(const EncodedWord& word, CharsetConverter& converter) {
  std::string bytes;
  if (word.encoding == 'b') {
    bytes = decode_base64(word.payload);
  } else if (word.encoding == 'q') {
    bytes = decode_quoted_printable(word.payload, QuotedPrintable::word);
  } else {
    return std::nullopt;
  }
  if (CharsetConverter::is_utf8_name(word.charset)) return bytes;
  return converter.to_utf8(bytes, word.charset);
}

}  // namespace

std::string decode_quoted_printable(std::string_view line, QuotedPrintable where) {
  line = up_to_nul(line);
  std::string out;
  out.reserve(line.size());
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char c = line[at];
    if (c == '=') {
      if (at + 1 == line.size() || line[at + 1] == '\n') break;
      const int high = hex_digit(line[at + 1]);
      const int low = at + 2 < line.size() ? hex_digit(line[at + 2]) : -1;
      if (high >= 0 && low >= 0) {
        out += static_cast<char>(high * 16 + low);
        at += 2;
        continue;
      }
    }
    out += c == '_' && where == QuotedPrintable::word ? ' ' : c;
  }
  return out;
}

std::string decode_base64(std::string_view line) {
  std::string out;
  out.reserve(line.size() / 4 * 3 + 3);
  unsigned bits = 0;
  int held = 0;
  for (const char c : up_to_nul(line)) {
    const int digit = base64_digit(c);
    if (digit < 0) continue;
    bits = (bits << 6 | static_cast<unsigned>(digit)) & 0xffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      out += static_cast<char>(bits >> held & 0xff);
    }
  }
  return out;
}

bool CharsetConverter::is_utf8_name(std::string_view charset) {
  return charset.empty() || is_utf_name(charset, "8");
}

void CharsetConverter::close() {
  if (open_) iconv_close(*open_);
  open_.reset();
}

bool CharsetConverter::open(std::string_view charset) {
  if (open_ && charset_ == charset) {
    iconv(*open_, nullptr, nullptr, nullptr, nullptr);
    return true;
  }
  close();
  charset_ = charset;
  const bool with_mark = is_utf_name(charset, "16LE-BOM");
  const auto failed = iconv_t(-1);  // NOLINT
  iconv_t opened = iconv_open("UTF-8", with_mark ? "UTF-16" : charset_.c_str());
  if (opened == failed && equal_ignoring_case(charset, "latin-1")) {
    opened = iconv_open("UTF-8", "ISO-8859-1");
  }
  if (opened == failed) return false;
  open_ = opened;
  return true;
}

std::optional<std::string> CharsetConverter::to_utf8(std::string_view text,
                                                     std::string_view charset) {
  if (!open(charset)) return std::nullopt;
  std::string source(text);
  char* in = source.data();
  std::size_t in_left = source.size();
  std::string out;
  std::size_t filled = 0;
  // Room in git's portions: a conversion that holds a character back when it runs out of room
  // gives the same text only in the same room.
  std::size_t room = source.size();
  for (;;) {
    out.resize(filled + room);
    char* to = out.data() + filled;
    const std::size_t done = iconv(*open_, &in, &in_left, &to, &room);
    const int error = errno;
    filled = out.size() - room;
    out.resize(filled);
    if (done != static_cast<std::size_t>(-1)) return out;
    if (error != E2BIG) return std::nullopt;
    room = in_left * 2 + 31;
  }
}

std::optional<std::string> decode_words(std::string_view value, CharsetConverter& converter) {
  std::string out;
  bool after_word = false;
  for (;;) {
    const std::size_t start = value.find("=?");
    const std::string_view before = value.substr(0, start);
    if (start == std::string_view::npos) {
      out += before;
      return out;
    }
    // White space between two encoded words belongs to neither.
    const bool blank = std::all_of(before.begin(), before.end(), is_mail_space);
    if (!blank || !after_word) out += before;
    const auto word = parse_word(value.substr(start));
    if (!word) return std::nullopt;
    const auto text = decode_word(*word, converter);
    if (!text) return std::nullopt;
    out += *text;
    value.remove_prefix(start + word->length);
    after_word = true;
  }
}

}  // namespace flagscale
