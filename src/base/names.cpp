// SPDX-License-Identifier: Apache-2.0
#include "base/names.h"

#include <algorithm>
#include <numeric>

namespace flagscale {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Levenshtein distance without regard to case.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0U);
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t change = diagonal + (lower(a[i]) == lower(b[j]) ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, change});
    }
  }
  return row.back();
}

/// Whether all letters of one name stand in the other in the same order: `--base-id` for
/// `--base-commit-id`.
bool is_part(std::string_view shorter, std::string_view longer) {
  static constexpr std::size_t kLeast = 5;
  if (shorter.size() < kLeast || shorter.size() > longer.size()) return false;
  for (const char c : longer) {
    if (!shorter.empty() && lower(shorter.front()) == lower(c)) shorter.remove_prefix(1);
  }
  return shorter.empty();
}

}  // namespace

std::vector<std::string> closest_names(const std::string& wanted, std::vector<std::string> names,
                                       std::size_t most) {
  std::stable_sort(names.begin(), names.end(), [&](const std::string& a, const std::string& b) {
    return distance(wanted, a) < distance(wanted, b);
  });
  if (names.size() > most) names.resize(most);
  return names;
}

std::optional<std::string> find_likely_name(const std::string& wanted,
                                            const std::vector<std::string>& names) {
  const std::vector<std::string> closest = closest_names(wanted, names, names.size());
  if (closest.empty()) return std::nullopt;
  // More than a third of the letters wrong is no slip any more.
  const std::size_t letters =
      wanted.size() - std::min(wanted.size(), wanted.find_first_not_of('-'));
  if (distance(wanted, closest.front()) <= std::max<std::size_t>(2, letters / 3)) {
    return closest.front();
  }
  const auto part = std::find_if(closest.begin(), closest.end(), [&](const std::string& name) {
    const std::string_view bare = std::string_view(wanted).substr(wanted.size() - letters);
    const std::size_t dashes = std::min(name.size(), name.find_first_not_of('-'));
    const std::string_view known = std::string_view(name).substr(dashes);
    return is_part(bare, known) || is_part(known, bare);
  });
  if (part == closest.end()) return std::nullopt;
  return *part;
}

}  // namespace flagscale
