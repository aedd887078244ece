// SPDX-License-Identifier: Apache-2.0
//
// The table of subcommands and their options. Parsing, `-h`, the documents and the completions
// are all held to it.
#pragma once

#include <string>
#include <vector>

namespace flagscale::cli {

struct OptionSpec {
  const char* name;
  /// 0: no short form.
  char letter;
  /// What stands for the value in the help; empty: a switch.
  const char* value;
  /// Takes all words up to the next option, and may be repeated.
  bool many;
  const char* help;
};

struct CommandSpec {
  const char* name;
  const char* summary;
  /// Usage lines after `git flagscale `.
  std::vector<const char*> usage;
  /// Whether words that are no options are allowed.
  bool takes_words;
  std::vector<OptionSpec> options;
  /// What the first word must be one of, if there are any.
  std::vector<const char*> actions = {};
  /// What the help says after the options.
  const char* note = "";
};

/// All subcommands, in the order in which help shows them.
[[nodiscard]] const std::vector<CommandSpec>& command_table();

}  // namespace flagscale::cli
