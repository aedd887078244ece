// SPDX-License-Identifier: Apache-2.0
#include "git/oid.h"

#include <algorithm>

namespace flagscale::git {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::optional<Oid> Oid::parse(std::string_view hex) {
  if (hex.size() != kHexSize) return std::nullopt;
  Oid oid;
  for (std::size_t i = 0; i < kRawSize; ++i) {
    const int high = hex_value(hex[2 * i]);
    const int low = hex_value(hex[2 * i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    oid.raw_[i] = static_cast<unsigned char>(high * 16 + low);
  }
  return oid;
}

std::string Oid::hex() const {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  out.reserve(kHexSize);
  for (const unsigned char byte : raw_) {
    out += kDigits[byte >> 4U];
    out += kDigits[byte & 15U];
  }
  return out;
}

bool is_hex(std::string_view text) noexcept {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return hex_value(c) >= 0; });
}

}  // namespace flagscale::git
