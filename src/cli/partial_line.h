// SPDX-License-Identifier: Apache-2.0
//
// A command line that somebody is still typing: unfinished or wrong, read as far as it can be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "commands/store_names.h"

namespace flagscale::cli {

/// The words that a usage line shows before its options: "hetero add <base> <device>... [-q]" gives
/// "add", "<base>", "<device>...". Empty for a line that goes on with the one before.
[[nodiscard]] std::vector<std::string> words_of_usage(std::string_view line);

class PartialLine {
 public:
  /// What the word at the cursor is.
  enum class Role { option, value, word };

  /// The words after the subcommand; the one at `index` is at the cursor.
  PartialLine(const CommandSpec& command, const std::vector<std::string>& words, std::size_t index);

  [[nodiscard]] Role role() const noexcept { return role_; }
  /// What there is of the word, without `--option=`.
  [[nodiscard]] const std::string& typed() const noexcept { return typed_; }
  /// The option whose value it is; null when that option is unknown or takes none.
  [[nodiscard]] const OptionSpec* option() const noexcept { return option_; }
  /// Whether it is not the option's first value, so that another option may stand here, too.
  [[nodiscard]] bool is_further_value() const noexcept { return is_further_value_; }
  /// Words before it that are no options.
  [[nodiscard]] const std::vector<std::string>& words_before() const noexcept { return words_; }
  /// Whether an option stands on the line, before or after it.
  [[nodiscard]] bool has(const OptionSpec& option) const;
  /// What the whole line says of the store.
  [[nodiscard]] const commands::StoreQuery& query() const noexcept { return query_; }

 private:
  void read(const std::string& word, bool at_cursor);
  void read_option(const std::string& word, bool at_cursor);
  void read_value(const OptionSpec& option, const std::string& text, bool at_cursor,
                  bool is_further);
  void read_word(const std::string& word, bool at_cursor);
  void add_name(const std::string& text);
  void set_cursor(Role role, const std::string& typed);

  const CommandSpec& command_;
  Role role_ = Role::word;
  std::string typed_;
  const OptionSpec* option_ = nullptr;
  bool is_further_value_ = false;
  bool passed_cursor_ = false;
  std::vector<std::string> words_;
  std::vector<const OptionSpec*> options_;
  commands::StoreQuery query_;
  /// The option whose value comes next, and the one that may take one more.
  const OptionSpec* pending_ = nullptr;
  const OptionSpec* open_ = nullptr;
  bool only_words_ = false;
  /// How many of the first words are names of subcommands.
  std::size_t subcommands_ = 0;
};

}  // namespace flagscale::cli
