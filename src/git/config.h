// SPDX-License-Identifier: Apache-2.0
//
// The configuration as git itself reads it: files, includes, worktree, environment, command line.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flagscale::git {

class Config {
 public:
  /// Parses the output of `git config --list -z`.
  static Config parse(std::string_view listing);

  /// The last value of a key such as "remote.Origin.url": section and variable in any case, the
  /// part between as it is.
  [[nodiscard]] std::optional<std::string> find(std::string_view key) const;
  /// All values, in order.
  [[nodiscard]] std::vector<std::string> find_all(std::string_view key) const;
  /// A truth value by git's rules; `fallback` when absent. Throws Error(unable) for others.
  [[nodiscard]] bool is_true(std::string_view key, bool fallback) const;
  /// The names between `section.` and `.variable` of all keys, in order of appearance.
  [[nodiscard]] std::vector<std::string> subsections(std::string_view section) const;

 private:
  struct Entry {
    std::string key;
    /// Absent for `[section] key` without `=`: true.
    std::optional<std::string> value;
  };
  std::vector<Entry> entries_;
};

/// Starts asking git for the configuration that holds where we were started.
void ask_for_config();
/// The answer, asked for now if that was not done before; it is kept. For the main thread. Throws
/// Error(unable) with git's own words.
[[nodiscard]] const Config& here_config();

}  // namespace flagscale::git
