// SPDX-License-Identifier: Apache-2.0
//
// The one exception type of the project. It is thrown anywhere and caught once, in src/cli.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace flagscale {

/// What went wrong, as far as the caller of the program can tell; decides the exit status.
enum class ErrorKind {
  /// The command line makes no sense: exit 129.
  usage,
  /// The command is right but would do harm, or the answer is no: exit 1.
  refused,
  /// It cannot be done: no repository, unknown id, damaged file: exit 128.
  unable,
  /// A system call failed: exit 128.
  io,
  /// The program contradicts itself (a proof failed): exit 128.
  bug,
};

/// An error with its message (lower case, no full stop, no prefix) and the ways out.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message, std::vector<std::string> hints = {})
      : std::runtime_error(message), kind_(kind), hints_(std::move(hints)) {}

  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }
  [[nodiscard]] const std::vector<std::string>& hints() const noexcept { return hints_; }

 private:
  ErrorKind kind_;
  std::vector<std::string> hints_;
};

/// Shorthands, so that a throw reads as a sentence.
[[noreturn]] inline void throw_usage(const std::string& message,
                                     std::vector<std::string> hints = {}) {
  throw Error(ErrorKind::usage, message, std::move(hints));
}
[[noreturn]] inline void throw_refused(const std::string& message,
                                       std::vector<std::string> hints = {}) {
  throw Error(ErrorKind::refused, message, std::move(hints));
}
[[noreturn]] inline void throw_unable(const std::string& message,
                                      std::vector<std::string> hints = {}) {
  throw Error(ErrorKind::unable, message, std::move(hints));
}

/// Throws an ErrorKind::io error `<doing> '<subject>': <strerror(errno)>`.
[[noreturn]] void throw_errno(const std::string& doing, const std::string& subject);
/// The same for an error number that was kept.
[[noreturn]] void throw_errno(const std::string& doing, const std::string& subject, int error);

}  // namespace flagscale
