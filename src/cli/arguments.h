// SPDX-License-Identifier: Apache-2.0
//
// From words on the command line to values, by the option table: git's habits (unique prefixes,
// combined short options, `--`) on top of cxxopts.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.h"

namespace flagscale::cli {

class Arguments {
 public:
  /// Parses the words after the subcommand. Throws Error(usage) that names the word at fault.
  Arguments(const CommandSpec& command, const std::vector<std::string>& words);

  [[nodiscard]] bool has(const std::string& name) const;
  /// The last value given.
  [[nodiscard]] std::optional<std::string> find(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> all(const std::string& name) const;
  /// Words that are no options.
  [[nodiscard]] const std::vector<std::string>& words() const noexcept { return words_; }

 private:
  std::map<std::string, std::vector<std::string>> values_;
  std::vector<std::string> words_;
};

/// The hint that leads to a command's options.
[[nodiscard]] std::string see_help(const std::string& command);

/// Throws Error(usage) "unknown <what> …", with the name that was meant as a hint, else `help`.
[[noreturn]] void throw_unknown(const std::string& what, const std::string& given,
                                const std::vector<std::string>& known, const std::string& help);

}  // namespace flagscale::cli
