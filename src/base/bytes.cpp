// SPDX-License-Identifier: Apache-2.0
#include "base/bytes.h"

#include <charconv>

namespace flagscale {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) lines.emplace_back(without_lf(take_line(text)));
  return lines;
}

bool parse_decimal(std::string_view text, std::uint64_t& value) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  return !text.empty() && error == std::errc{} && stop == end;
}

}  // namespace flagscale
