// SPDX-License-Identifier: Apache-2.0
//
// `-h`: made from the option table.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"

namespace flagscale::cli {

/// What `git flagscale -h` prints.
[[nodiscard]] std::string general_help();
/// What `git flagscale <command> -h` prints.
[[nodiscard]] std::string command_help(const CommandSpec& command);

/// What `--help` shows: the man page if there is one, else the same as `-h`.
void show_help();
void show_help(const CommandSpec& command);

/// A man page that is about no command.
struct Guide {
  const char* name;
  const char* page;
  const char* summary;
};
[[nodiscard]] const std::vector<Guide>& guides();
/// Throws Error(unable) when there is no such page or no reader.
void show_guide(const Guide& guide);

}  // namespace flagscale::cli
