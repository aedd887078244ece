// SPDX-License-Identifier: Apache-2.0
#include "cli/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <utility>

#include "base/bytes.h"
#include "base/error.h"
#include "cli/table.h"
#include "git/command.h"
#include "git/config.h"

namespace flagscale::cli {
namespace {

/// False when nobody reads any more.
bool write_whole(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = write(fd, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

constexpr const char* kReset = "\x1b[m";

/// What `git config --get-colorbool` answers; NO_COLOR, which git does not know, comes first.
bool is_colour_wanted(const char* key, int fd) {
  const char* refused = std::getenv("NO_COLOR");
  if (refused != nullptr && *refused != 0) return false;
  try {
    const git::Config& config = git::here_config();
    const std::string used = config.find(key) ? key : "color.ui";
    const std::string value = config.find(used).value_or("auto");
    if (value == "always" || value == "never") return value == "always";
    if (value != "auto" && !config.is_true(used, true)) return false;
    const char* terminal = std::getenv("TERM");
    return isatty(fd) != 0 && terminal != nullptr && std::string_view(terminal) != "dumb";
  } catch (const Error&) {
    return false;
  }
}

std::string hint_colour() {
  if (!is_colour_wanted("color.advice", STDERR_FILENO)) return "";
  return git::run_git({"config", "--get-color", "color.advice.hint", "yellow"}).out;
}

std::optional<std::size_t> width_of(int fd) {
  if (isatty(fd) == 0) return std::nullopt;
  const char* columns = std::getenv("COLUMNS");
  std::uint64_t width = 0;
  if (columns != nullptr && parse_decimal(columns, width) && width > 0) return width;
  struct winsize size {};
  if (ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return std::nullopt;
}

/// As git has it.
std::chrono::seconds progress_delay() {
  const char* given = std::getenv("GIT_PROGRESS_DELAY");
  std::uint64_t seconds = 0;
  if (given == nullptr || !parse_decimal(given, seconds)) seconds = 2;
  return std::chrono::seconds(seconds);
}

}  // namespace

void print_result(std::string_view text) {
  if (write_whole(STDOUT_FILENO, text)) return;
  if (errno == EPIPE) {
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  throw_errno("cannot write", "standard output");
}

void say(std::string_view line) {
  write_whole(STDERR_FILENO, std::string(line) + "\n");
}

void say_warning(std::string_view text) {
  say("warning: " + std::string(text));
}

void say_hints(const std::vector<std::string>& hints) {
  if (hints.empty()) return;
  const std::string colour = hint_colour();
  for (const std::string& hint : hints) {
    std::string line = colour;
    line.append("hint: ").append(hint).append(colour.empty() ? "" : kReset);
    say(line);
  }
}

void say_error(const std::string& text) {
  const auto width = width_of(STDERR_FILENO);
  const bool is_one_line = text.find('\n') == std::string::npos;
  say(width && is_one_line ? fold_at_colons(text, *width) : text);
}

std::optional<std::size_t> terminal_width() {
  return width_of(STDOUT_FILENO);
}

std::string painted(std::string_view text, Paint paint) {
  static const bool kWanted = is_colour_wanted("color.flagscale", STDOUT_FILENO);
  if (!kWanted) return std::string(text);
  const char* colour = paint == Paint::bold   ? "\x1b[1m"
                       : paint == Paint::good ? "\x1b[32m"
                                              : "\x1b[31m";
  return colour + std::string(text) + kReset;
}

Progress::Progress(bool wanted)
    : wanted_(wanted && isatty(STDERR_FILENO) != 0), start_(std::chrono::steady_clock::now()) {}

Progress::~Progress() {
  // Not done: what comes next begins on a line of its own.
  if (!stage_.empty()) write_whole(STDERR_FILENO, "\n");
}

void Progress::end() {
  if (!stage_.empty()) write_whole(STDERR_FILENO, ", done.\n");
  stage_.clear();
}

void Progress::show(const char* stage, std::size_t done, std::size_t total) {
  if (!wanted_ || total == 0) return;
  const std::size_t percent = done * 100 / total;
  if (stage_ == stage && percent == percent_) return;
  if (stage_.empty() && std::chrono::steady_clock::now() - start_ < progress_delay()) return;
  if (stage_ != stage) end();
  stage_ = stage;
  percent_ = percent;
  std::string number = std::to_string(percent);
  number.insert(0, 3 - number.size(), ' ');
  write_whole(STDERR_FILENO, "\r" + stage_ + ": " + number + "% (" + std::to_string(done) + "/" +
                                 std::to_string(total) + ")");
}

}  // namespace flagscale::cli
