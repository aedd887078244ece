// SPDX-License-Identifier: Apache-2.0
#include "support/command.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace flagscale::test {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto kTimeLimit = std::chrono::seconds(120);
constexpr int kCannotStart = 127;
constexpr int kSignalled = 128;

[[noreturn]] void fail(const std::string& doing) {
  throw std::runtime_error(doing + ": " + std::strerror(errno));
}

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() { close(); }

  [[nodiscard]] int get() const noexcept { return number_; }
  [[nodiscard]] bool is_open() const noexcept { return number_ >= 0; }
  void close() {
    if (is_open()) ::close(std::exchange(number_, -1));
  }

 private:
  int number_ = -1;
};

struct Pipe {
  Descriptor read_end;
  Descriptor write_end;

  Pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe");
    read_end = Descriptor(ends[0]);
    write_end = Descriptor(ends[1]);
  }
};

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  out.reserve(words.size() + 1);
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

std::vector<std::string> changed_environment(const Environment& changes) {
  std::vector<std::string> out;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    if (!changes.contains(std::string(variable.substr(0, variable.find('='))))) {
      out.emplace_back(variable);
    }
  }
  for (const auto& [name, value] : changes) {
    if (value) out.push_back(name + "=" + *value);
  }
  return out;
}

/// The child's side of fork: nothing but calls that are safe there.
[[noreturn]] void become(char* const* argv, char* const* env, const char* cwd, int in, int out,
                         int err) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGPIPE, SIG_DFL);
  if (dup2(in, STDIN_FILENO) >= 0 && dup2(out, STDOUT_FILENO) >= 0 &&
      dup2(err, STDERR_FILENO) >= 0 && chdir(cwd) == 0) {
    execvpe(argv[0], argv, env);
  }
  static constexpr std::string_view kMessage = "cannot start the command\n";
  if (write(STDERR_FILENO, kMessage.data(), kMessage.size()) < 0) _exit(kCannotStart);
  _exit(kCannotStart);
}

/// Moves bytes between the child and us until both outputs are closed or time is up.
class Exchange {
 public:
  Exchange(Descriptor to_child, std::string_view input, Descriptor out, Descriptor err)
      : to_child_(std::move(to_child)), input_(input), out_(std::move(out)), err_(std::move(err)) {
    if (to_child_.is_open()) fcntl(to_child_.get(), F_SETFL, O_NONBLOCK);
  }

  /// False when the time limit was reached.
  [[nodiscard]] bool run(Outcome& outcome, Clock::time_point deadline) {
    while (out_.is_open() || err_.is_open()) {
      const auto left =
          std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
      if (left <= 0) return false;
      std::array<pollfd, 3> waits{pollfd{to_child_.get(), POLLOUT, 0},
                                  pollfd{out_.get(), POLLIN, 0}, pollfd{err_.get(), POLLIN, 0}};
      if (poll(waits.data(), waits.size(), static_cast<int>(left)) < 0) {
        if (errno == EINTR) continue;
        fail("poll");
      }
      if (waits[0].revents != 0) feed();
      if (waits[1].revents != 0) drain(out_, outcome.out);
      if (waits[2].revents != 0) drain(err_, outcome.err);
    }
    return true;
  }

 private:
  void feed() {
    const ssize_t written = write(to_child_.get(), input_.data(), input_.size());
    if (written > 0) input_.remove_prefix(static_cast<std::size_t>(written));
    const bool broken = written < 0 && errno != EAGAIN && errno != EINTR;
    if (input_.empty() || broken) to_child_.close();
  }

  static void drain(Descriptor& from, std::string& into) {
    std::array<char, 65536> buffer;
    const ssize_t count = read(from.get(), buffer.data(), buffer.size());
    if (count > 0) {
      into.append(buffer.data(), static_cast<std::size_t>(count));
    } else if (count == 0 || errno != EINTR) {
      from.close();
    }
  }

  Descriptor to_child_;
  std::string_view input_;
  Descriptor out_;
  Descriptor err_;
};

int wait_for(pid_t child) {
  int state = 0;
  while (waitpid(child, &state, 0) < 0) {
    if (errno != EINTR) fail("waitpid");
  }
  return WIFSIGNALED(state) ? kSignalled + WTERMSIG(state) : WEXITSTATUS(state);
}

}  // namespace

Outcome run_command(const Args& argv, const std::string& cwd, const Environment& changes,
                    std::string_view input) {
  if (argv.empty()) throw std::invalid_argument("run_command needs a program");
  std::vector<std::string> words = argv;
  std::vector<std::string> variables = changed_environment(changes);
  const std::vector<char*> arguments = pointers(words);
  const std::vector<char*> environment = pointers(variables);

  Pipe out;
  Pipe err;
  Descriptor child_in;
  Descriptor to_child;
  if (input.empty()) {
    child_in = Descriptor(open("/dev/null", O_RDONLY | O_CLOEXEC));
  } else {
    Pipe in;
    child_in = std::move(in.read_end);
    to_child = std::move(in.write_end);
  }

  const pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    become(arguments.data(), environment.data(), cwd.c_str(), child_in.get(), out.write_end.get(),
           err.write_end.get());
  }
  setpgid(child, child);
  child_in.close();
  out.write_end.close();
  err.write_end.close();

  Outcome outcome;
  Exchange exchange(std::move(to_child), input, std::move(out.read_end), std::move(err.read_end));
  const bool in_time = exchange.run(outcome, Clock::now() + kTimeLimit);
  if (!in_time) {
    kill(-child, SIGKILL);
    outcome.err += "\nkilled: the time limit was reached\n";
  }
  outcome.status = wait_for(child);
  return outcome;
}

std::string describe(const Outcome& outcome) {
  return "status " + std::to_string(outcome.status) + "\n--- stdout\n" + outcome.out +
         "--- stderr\n" + outcome.err;
}

}  // namespace flagscale::test
