// SPDX-License-Identifier: Apache-2.0
//
// `-h`: made from the option table.
#pragma once

#include <string>

#include "cli/options.h"

namespace flagscale::cli {

/// What `git flagscale -h` prints.
[[nodiscard]] std::string general_help();
/// What `git flagscale <command> -h` prints.
[[nodiscard]] std::string command_help(const CommandSpec& command);

/// What `--help` shows: the man page if there is one, else the same as `-h`.
void show_help();
void show_help(const CommandSpec& command);

}  // namespace flagscale::cli
