// SPDX-License-Identifier: Apache-2.0
//
// Writing to stdout and stderr: results whole or not at all, talk with git's prefixes, colour and
// progress where somebody is looking.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flagscale::cli {

/// Writes a result to stdout. Throws Error(io) when it cannot be written; a reader that is gone is
/// no error to talk about, the program then ends as if killed by SIGPIPE.
void print_result(std::string_view text);

/// Talk on stderr. Failures to write it are ignored.
void say(std::string_view line);
void say_warning(std::string_view text);
void say_hints(const std::vector<std::string>& hints);

/// Says what went wrong; what is too long for one line of a terminal is folded.
void say_error(const std::string& text);

/// Columns of the terminal that stdout is; absent when it is none.
[[nodiscard]] std::optional<std::size_t> terminal_width();

enum class Paint : std::uint8_t { bold, good, bad };
/// The text for stdout, coloured if color.flagscale, color.ui, NO_COLOR and the terminal say so.
[[nodiscard]] std::string painted(std::string_view text, Paint paint);

/// How far long work is, on one line of stderr that is written again and again; nothing when
/// stderr is no terminal, nor in the first two seconds (GIT_PROGRESS_DELAY). Not for several
/// threads at once.
class Progress {
 public:
  explicit Progress(bool wanted);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();
  /// All is done: ends the line.
  void end();
  /// `stage` as git would say it: "Verifying patches".
  void show(const char* stage, std::size_t done, std::size_t total);

 private:
  bool wanted_;
  /// What stands on the line; empty: nothing.
  std::string stage_;
  std::size_t percent_ = 0;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace flagscale::cli
