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
  const std::vector<std::string> closest = closest_names(wanted, names, 1);
  if (closest.empty()) return std::nullopt;
  // More than a third of the letters wrong is no slip any more.
  const std::size_t letters =
      wanted.size() - std::min(wanted.size(), wanted.find_first_not_of('-'));
  if (distance(wanted, closest.front()) > std::max<std::size_t>(2, letters / 3)) {
    return std::nullopt;
  }
  return closest.front();
}

}  // namespace flagscale
