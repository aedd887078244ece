// SPDX-License-Identifier: Apache-2.0
#include "base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/error.h"

// POSIX asks programs to declare it themselves.
extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace flagscale {
namespace {

struct Pipe {
  int read_end = -1;
  int write_end = -1;
};

Pipe open_pipe() {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw_errno("cannot make", "a pipe");
  return {ends[0], ends[1]};
}

void close_end(int& fd) {
  if (fd >= 0) close(fd);
  fd = -1;
}

std::vector<std::string> child_environment(const ProcessOptions& options) {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::string_view name = text.substr(0, text.find('='));
    bool replaced = false;
    for (const auto& [key, value] : options.environment) replaced = replaced || key == name;
    if (!replaced) entries.emplace_back(text);
  }
  for (const auto& [key, value] : options.environment) {
    if (value) entries.push_back(key + "=" + *value);
  }
  return entries;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  out.reserve(words.size() + 1);
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

/// Reads what is there; false at the end.
bool drain(int fd, std::string& into) {
  std::array<char, 65536> buffer;
  const ssize_t count = read(fd, buffer.data(), buffer.size());
  if (count > 0) into.append(buffer.data(), static_cast<std::size_t>(count));
  if (count < 0 && errno != EINTR && errno != EAGAIN) {
    throw_errno("cannot read from", "a child process");
  }
  return count != 0;
}

}  // namespace

Process::Process(const std::vector<std::string>& argv, ProcessOptions options)
    : options_(std::move(options)) {
  Pipe in;
  Pipe out;
  Pipe err;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  try {
    if (options_.ignore_output) {
      posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    } else {
      out = open_pipe();
      posix_spawn_file_actions_adddup2(&actions, out.write_end, STDOUT_FILENO);
    }
    if (!options_.input.empty() || options_.input_follows) {
      in = open_pipe();
      posix_spawn_file_actions_adddup2(&actions, in.read_end, STDIN_FILENO);
    } else if (!options_.inherit_stderr) {
      posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    }
    if (!options_.inherit_stderr) {
      err = open_pipe();
      posix_spawn_file_actions_adddup2(&actions, err.write_end, STDERR_FILENO);
    }
    if (!options_.folder.empty()) {
      posix_spawn_file_actions_addchdir_np(&actions, options_.folder.c_str());
    }
    // SIGPIPE is ignored by us; the child gets it back.
    sigset_t restored;
    sigemptyset(&restored);
    sigaddset(&restored, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes, &restored);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);

    std::vector<std::string> words = argv;
    std::vector<std::string> environment = child_environment(options_);
    const int error = posix_spawnp(&pid_, argv.front().c_str(), &actions, &attributes,
                                   pointers(words).data(), pointers(environment).data());
    if (error != 0) throw_errno("cannot run", argv.front(), error);
  } catch (...) {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    for (Pipe* pipe : {&in, &out, &err}) {
      close_end(pipe->read_end);
      close_end(pipe->write_end);
    }
    throw;
  }
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  close_end(in.read_end);
  close_end(out.write_end);
  close_end(err.write_end);
  in_ = in.write_end;
  out_ = out.read_end;
  err_ = err.read_end;
}

Process::~Process() {
  close_end(in_);
  close_end(out_);
  close_end(err_);
  reap();
}

void Process::reap() noexcept {
  if (pid_ <= 0) return;
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

void Process::feed(std::string_view& input) {
  // A blocking pipe takes at most PIPE_BUF without stopping us.
  const std::size_t chunk = std::min<std::size_t>(input.size(), 4096);
  const ssize_t written = write(in_, input.data(), chunk);
  if (written > 0) input.remove_prefix(static_cast<std::size_t>(written));
  if (written < 0 && errno == EINTR) return;
  // A child may have read enough and gone; but it must not take a part for all.
  if (written < 0 && errno != EPIPE) ::kill(pid_, SIGKILL);
  if (written < 0 || input.empty()) close_end(in_);
}

int Process::wait() {
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0) {
    if (errno != EINTR) throw_errno("cannot wait for", "a child process");
  }
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

ProcessResult Process::finish_with(std::string_view input) {
  ProcessResult result;
  while (in_ >= 0 || out_ >= 0 || err_ >= 0) {
    std::array<pollfd, 3> fds{{{in_, POLLOUT, 0}, {out_, POLLIN, 0}, {err_, POLLIN, 0}}};
    if (poll(fds.data(), fds.size(), -1) < 0) {
      if (errno == EINTR) continue;
      throw_errno("cannot wait for", "a child process");
    }
    if (fds[0].revents != 0) feed(input);
    if (fds[1].revents != 0 && !drain(out_, result.out)) close_end(out_);
    if (fds[2].revents != 0 && !drain(err_, result.err)) close_end(err_);
  }
  result.status = wait();
  return result;
}

void Process::kill() noexcept {
  if (pid_ > 0) ::kill(pid_, SIGKILL);
  reap();
}

ProcessResult run_process(const std::vector<std::string>& argv, ProcessOptions options) {
  return Process(argv, std::move(options)).finish();
}

}  // namespace flagscale
