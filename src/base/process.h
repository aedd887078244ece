// SPDX-License-Identifier: Apache-2.0
//
// Child processes: started without a shell, with their output collected.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flagscale {

struct ProcessOptions {
  /// Changes to the environment; an absent value removes the variable.
  std::vector<std::pair<std::string, std::optional<std::string>>> environment;
  /// What the child reads; nothing to read when empty.
  std::string_view input;
  /// The input is not known yet: it is given to finish_with().
  bool input_follows = false;
  /// Folder to start in; empty: the current one.
  std::string folder;
  /// What the child prints is of no interest.
  bool ignore_output = false;
  /// Leave the child's stderr (and stdin) connected to ours.
  bool inherit_stderr = false;
};

struct ProcessResult {
  /// Exit status, or 128 + signal number.
  int status = 0;
  std::string out;
  std::string err;
};

/// A running child. Start several, then finish each.
class Process {
 public:
  /// Starts `argv[0]`, looked up in PATH. Throws Error(io) when it cannot be started.
  Process(const std::vector<std::string>& argv, ProcessOptions options);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  /// Waits for a child that was not finished.
  ~Process();

  /// Feeds the input, collects the output and waits for the end.
  [[nodiscard]] ProcessResult finish() { return finish_with(options_.input); }
  /// The same, with the input that was to follow.
  [[nodiscard]] ProcessResult finish_with(std::string_view input);

  /// Ends a child that was not finished and is not wanted any more.
  void kill() noexcept;

 private:
  /// Hands over a piece of the input, and closes the pipe after the last.
  void feed(std::string_view& input);
  int wait();
  /// Waits for a child that nobody has waited for.
  void reap() noexcept;

  ProcessOptions options_;
  pid_t pid_ = -1;
  int in_ = -1;
  int out_ = -1;
  int err_ = -1;
};

/// Starts and finishes in one go.
[[nodiscard]] ProcessResult run_process(const std::vector<std::string>& argv,
                                        ProcessOptions options = {});

}  // namespace flagscale
