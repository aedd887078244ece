// SPDX-License-Identifier: Apache-2.0
//
// Guessing what somebody meant to type.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace flagscale {

/// The names closest to `wanted` (edit distance without regard to case), closest first, at most
/// `most`.
[[nodiscard]] std::vector<std::string> closest_names(const std::string& wanted,
                                                     std::vector<std::string> names,
                                                     std::size_t most);

/// The name that `wanted` is most likely a misspelling of; absent when none is like it.
[[nodiscard]] std::optional<std::string> find_likely_name(const std::string& wanted,
                                                          const std::vector<std::string>& names);

}  // namespace flagscale
