// SPDX-License-Identifier: Apache-2.0
//
// Runs other programs from tests: no shell, everything captured, never for longer than a limit.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flagscale::test {

/// What became of a command.
struct [[nodiscard]] Outcome {
  /// The exit status; 128 + n after signal n, 127 when the program could not be started.
  int status = 0;
  std::string out;
  std::string err;

  [[nodiscard]] bool ok() const noexcept { return status == 0; }
};

using Args = std::vector<std::string>;
/// Changes to this program's own environment; an absent value unsets the variable.
using Environment = std::map<std::string, std::optional<std::string>>;

/// Runs `argv` in the folder `cwd` with `input` on its standard input (`/dev/null` when empty).
/// After two minutes it is killed together with everything it has started.
Outcome run_command(const Args& argv, const std::string& cwd, const Environment& changes = {},
                    std::string_view input = {});

/// The outcome as text for a failed check: status, then both outputs.
[[nodiscard]] std::string describe(const Outcome& outcome);

}  // namespace flagscale::test
