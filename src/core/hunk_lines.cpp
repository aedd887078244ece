// SPDX-License-Identifier: Apache-2.0
#include "core/hunk_lines.h"

#include "core/diff_names.h"

namespace flagscale {

void OldLines::read(const Hunk& hunk) {
  lines.clear();
  bytes = 0;
  new_count = 0;
  ragged = false;
  for_each_hunk_line(hunk.body, [&](char kind, std::string_view text) {
    if (kind != '-') ++new_count;
    if (kind == '+') return;
    lines.push_back(text);
    bytes += text.size();
    if (!text.ends_with('\n')) ragged = true;
  });
}

std::uint32_t loose_hash(std::string_view line) {
  std::uint32_t hash = 0;
  for (const char c : line) {
    if (!is_git_space(c)) hash = hash * 3 + static_cast<unsigned char>(c);
  }
  return hash & 0xffffffU;
}

}  // namespace flagscale
