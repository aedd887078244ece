// SPDX-License-Identifier: Apache-2.0
//
// The program: finds the subcommand, runs it, says what came of it, and turns every error into
// words and an exit status in one place.
#pragma once

#include <string>
#include <vector>

namespace flagscale::cli {

/// Runs `git flagscale <words>`. Returns the exit status: 0 done, 1 refused, 128 cannot, 129 usage.
[[nodiscard]] int run(const std::vector<std::string>& words);

}  // namespace flagscale::cli
