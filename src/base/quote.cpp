// SPDX-License-Identifier: Apache-2.0
#include "base/quote.h"

#include <array>
#include <cstdint>

namespace flagscale {
namespace {

/// The letter of a one-letter C escape, or 0.
char escape_letter(unsigned char byte) {
  switch (byte) {
    case '\a':
      return 'a';
    case '\b':
      return 'b';
    case '\t':
      return 't';
    case '\n':
      return 'n';
    case '\v':
      return 'v';
    case '\f':
      return 'f';
    case '\r':
      return 'r';
    case '"':
      return '"';
    case '\\':
      return '\\';
    default:
      return 0;
  }
}

void append_octal(std::string& out, unsigned char byte) {
  out += '\\';
  out += static_cast<char>('0' + (byte >> 6U));
  out += static_cast<char>('0' + ((byte >> 3U) & 7U));
  out += static_cast<char>('0' + (byte & 7U));
}

void append_escape(std::string& out, unsigned char byte) {
  if (const char letter = escape_letter(byte); letter != 0) {
    out += '\\';
    out += letter;
  } else {
    append_octal(out, byte);
  }
}

/// Length of the well-formed UTF-8 sequence at the start of `bytes`, or 0.
std::size_t utf8_sequence(std::string_view bytes) {
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(bytes[i]); };
  const unsigned char lead = at(0);
  if (lead < 0x80) return 1;
  std::size_t length = 0;
  std::uint32_t least = 0;
  std::uint32_t point = 0;
  if (lead >= 0xc2 && lead <= 0xdf) {
    length = 2, least = 0x80, point = lead & 0x1fU;
  } else if ((lead & 0xf0U) == 0xe0) {
    length = 3, least = 0x800, point = lead & 0x0fU;
  } else if (lead >= 0xf0 && lead <= 0xf4) {
    length = 4, least = 0x10000, point = lead & 0x07U;
  } else {
    return 0;
  }
  if (bytes.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((at(i) & 0xc0U) != 0x80) return 0;
    point = (point << 6U) | (at(i) & 0x3fU);
  }
  if (point < least || point > 0x10ffff || (point >= 0xd800 && point <= 0xdfff)) return 0;
  return length;
}

}  // namespace

std::string escaped(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  while (!bytes.empty()) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    const std::size_t length = utf8_sequence(bytes);
    // C1 controls (U+0080..U+009f) steer terminals just as C0 does.
    const bool c1 = length == 2 && byte == 0xc2 && static_cast<unsigned char>(bytes[1]) < 0xa0;
    if (length == 0 || byte < 0x20 || byte == 0x7f) {
      append_escape(out, byte);
      bytes.remove_prefix(1);
    } else if (c1) {
      append_octal(out, byte);
      append_octal(out, static_cast<unsigned char>(bytes[1]));
      bytes.remove_prefix(2);
    } else {
      out += bytes.substr(0, length);
      bytes.remove_prefix(length);
    }
  }
  return out;
}

std::string in_quotes(std::string_view bytes) {
  return "'" + escaped(bytes) + "'";
}

std::string format_c_quoted(std::string_view path) {
  std::string out = "\"";
  bool needed = false;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7f || byte == '"' || byte == '\\') {
      append_escape(out, byte);
      needed = true;
    } else {
      out += c;
    }
  }
  out += '"';
  return needed ? out : std::string(path);
}

std::optional<std::string> parse_c_quoted(std::string_view text, std::size_t& used) {
  if (text.empty() || text.front() != '"') return std::nullopt;
  std::string out;
  std::size_t i = 1;
  while (i < text.size()) {
    const char c = text[i++];
    if (c == '"') {
      used = i;
      return out;
    }
    if (c != '\\') {
      out += c;
      continue;
    }
    if (i == text.size()) return std::nullopt;
    const char letter = text[i++];
    static constexpr std::string_view kLetters = "abtnvfr\"\\";
    static constexpr std::string_view kBytes = "\a\b\t\n\v\f\r\"\\";
    if (const std::size_t at = kLetters.find(letter); at != std::string_view::npos) {
      out += kBytes[at];
      continue;
    }
    if (letter < '0' || letter > '3' || i + 2 > text.size()) return std::nullopt;
    auto value = static_cast<unsigned>(letter - '0');
    for (int digit = 0; digit < 2; ++digit) {
      const char next = text[i++];
      if (next < '0' || next > '7') return std::nullopt;
      value = value * 8 + static_cast<unsigned>(next - '0');
    }
    out += static_cast<char>(value);
  }
  return std::nullopt;
}

std::string shell_quoted(std::string_view word) {
  static constexpr std::string_view kSafe =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-^~";
  if (!word.empty() && word.front() != '~' &&
      word.find_first_not_of(kSafe) == std::string_view::npos) {
    return std::string(word);
  }
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

bool is_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t length = utf8_sequence(bytes);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

}  // namespace flagscale
