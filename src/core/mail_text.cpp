// SPDX-License-Identifier: Apache-2.0
#include "core/mail_text.h"

#include <algorithm>

namespace flagscale {
namespace {

bool same_letter(char a, char b) {
  return ascii_lower(a) == ascii_lower(b);
}

}  // namespace

std::string_view trim_right(std::string_view text) {
  while (!text.empty() && is_mail_space(text.back())) text.remove_suffix(1);
  return text;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_mail_space(text.front())) text.remove_prefix(1);
  return trim_right(text);
}

std::string collapse_spaces(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool after_space = false;
  for (const char c : text) {
    const bool space = is_mail_space(c);
    if (!space) {
      out += c;
    } else if (!after_space) {
      out += ' ';
    }
    after_space = space;
  }
  return out;
}

std::string_view up_to_nul(std::string_view text) {
  return text.substr(0, text.find('\0'));
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), same_letter);
}

bool starts_with_ignoring_case(std::string_view text, std::string_view prefix) {
  return equal_ignoring_case(text.substr(0, prefix.size()), prefix);
}

std::size_t find_ignoring_case(std::string_view text, std::string_view needle) {
  const auto at = static_cast<std::size_t>(
      std::search(text.begin(), text.end(), needle.begin(), needle.end(), same_letter) -
      text.begin());
  return at == text.size() && !needle.empty() ? std::string_view::npos : at;
}

}  // namespace flagscale
