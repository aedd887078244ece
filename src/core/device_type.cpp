// SPDX-License-Identifier: Apache-2.0
#include "core/device_type.h"

#include <algorithm>

#include "base/error.h"
#include "base/quote.h"

namespace flagscale {
namespace {

/// Locale-free, so that a device type is one on every machine.
bool is_letter_or_digit(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// A file name may have 255 bytes; "hetero" files join several device types.
constexpr std::size_t kMaxLength = 100;

}  // namespace

std::optional<DeviceType> DeviceType::find(std::string_view text) {
  if (text.size() > kMaxLength || text.find('_') == std::string_view::npos) return std::nullopt;
  bool after_break = true;
  for (const char c : text) {
    if (c == '_' ? after_break : !is_letter_or_digit(c)) return std::nullopt;
    after_break = c == '_';
  }
  if (after_break) return std::nullopt;
  return DeviceType(text);
}

DeviceType DeviceType::parse(std::string_view text) {
  if (auto device = find(text)) return *std::move(device);
  throw_unable("invalid device type " + in_quotes(text),
               {"a device type is <Vendor>_<Chip> in letters and digits, e.g. A_X100"});
}

std::string DeviceType::vendor() const {
  return text_.substr(0, text_.find('_'));
}

std::string DeviceType::chip() const {
  return text_.substr(text_.find('_') + 1);
}

bool differ_in_case_only(std::string_view a, std::string_view b) {
  return a != b && std::equal(a.begin(), a.end(), b.begin(), b.end(),
                              [](char x, char y) { return lower(x) == lower(y); });
}

bool is_base8(std::string_view text) {
  return text.size() == 8 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

}  // namespace flagscale
