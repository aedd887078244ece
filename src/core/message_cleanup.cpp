// SPDX-License-Identifier: Apache-2.0
#include "core/message_cleanup.h"

#include <array>
#include <cstdint>

#include "base/bytes.h"
#include "core/mail_text.h"

namespace flagscale {
namespace {

bool is_character(std::uint32_t code) {
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  const bool reserved = (code & 0xfffe) == 0xfffe || (code >= 0xfdd0 && code <= 0xfdef);
  return code <= 0x10ffff && !surrogate && !reserved;
}

/// The length of the valid sequence that `text` begins with; 0 when there is none.
std::size_t sequence_length(std::string_view text) {
  constexpr std::array<std::uint32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return 1;
  if (lead < 0xc0 || lead >= 0xf8) return 0;
  const std::size_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (text.size() < length) return 0;
  std::uint32_t code = lead & (0x7fU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0) != 0x80) return 0;
    code = code << 6 | (next & 0x3fU);
  }
  return code >= kSmallest.at(length) && is_character(code) ? length : 0;
}

}  // namespace

std::string strip_space(std::string_view text) {
  std::string out;
  out.reserve(text.size() + 1);
  bool gap = false;
  while (!text.empty()) {
    const std::string_view line = trim_right(take_line(text));
    if (line.empty()) {
      gap = true;
      continue;
    }
    if (gap && !out.empty()) out += '\n';
    gap = false;
    out += line;
    out += '\n';
  }
  return out;
}

std::string fix_utf8(std::string text) {
  std::size_t good = 0;
  while (good < text.size()) {
    const std::size_t length = sequence_length(std::string_view(text).substr(good));
    if (length == 0) break;
    good += length;
  }
  if (good == text.size()) return text;

  std::string out = text.substr(0, good);
  for (std::string_view rest = std::string_view(text).substr(good); !rest.empty();) {
    const std::size_t length = sequence_length(rest);
    if (length == 0) {
      const auto byte = static_cast<unsigned char>(rest.front());
      out += static_cast<char>(0xc0 | byte >> 6);
      out += static_cast<char>(0x80 | (byte & 0x3f));
      rest.remove_prefix(1);
    } else {
      out += rest.substr(0, length);
      rest.remove_prefix(length);
    }
  }
  return out;
}

}  // namespace flagscale
