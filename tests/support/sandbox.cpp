// SPDX-License-Identifier: Apache-2.0
#include "support/sandbox.h"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace flagscale::test {
namespace {

namespace fs = std::filesystem;

/// Set once by the Sandbox.
std::string& root_folder() {
  static std::string folder;
  return folder;
}

/// Variables that say how this very process is run; git takes no notice of them.
bool is_kept(std::string_view name) {
  return name == "PATH" || name == "TMPDIR" || name == "LD_LIBRARY_PATH" || name == "LD_PRELOAD" ||
         name.ends_with("SAN_OPTIONS") || name.starts_with("MALLOC_") ||
         name.starts_with("GCOV_") || name.starts_with("FLAGSCALE_");
}

void clear_environment() {
  std::vector<std::string> names;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view variable = *entry;
    const std::string_view name = variable.substr(0, variable.find('='));
    if (!is_kept(name)) names.emplace_back(name);
  }
  for (const std::string& name : names) unsetenv(name.c_str());
}

void set(const char* name, const std::string& value) {
  setenv(name, value.c_str(), 1);
}

std::string variable_or(const char* name, std::string fallback) {
  const char* const value = std::getenv(name);
  return value != nullptr && *value != '\0' ? std::string(value) : std::move(fallback);
}

std::string make_root() {
  const fs::path parent = fs::canonical(variable_or("TMPDIR", "/tmp"));
  // The blank is there to find quoting that was forgotten.
  std::string pattern = (parent / "flagscale tests.XXXXXX").string();
  const fs::path source = fs::canonical(FLAGSCALE_SOURCE_DIR);
  if ((pattern + "/").starts_with(source.string() + "/")) {
    throw std::runtime_error("TMPDIR lies inside the source folder");
  }
  if (mkdtemp(pattern.data()) == nullptr) {
    throw std::runtime_error("cannot make " + pattern + ": " + std::strerror(errno));
  }
  return pattern;
}

void set_environment(const std::string& root) {
  const std::string bin = variable_or("FLAGSCALE_BIN_DIR", FLAGSCALE_DEFAULT_BIN_DIR);
  set("PATH", bin + ":" + variable_or("PATH", "/usr/local/bin:/usr/bin:/bin"));
  set("HOME", root + "/home");
  set("XDG_CONFIG_HOME", root + "/home/.config");
  set("XDG_CACHE_HOME", root + "/home/.cache");
  set("GIT_CONFIG_GLOBAL", root + "/home/.gitconfig");
  set("GIT_CONFIG_SYSTEM", "/dev/null");
  set("GIT_CONFIG_NOSYSTEM", "1");
  set("GIT_ATTR_NOSYSTEM", "1");
  set("GIT_CEILING_DIRECTORIES", root);
  set("GIT_TERMINAL_PROMPT", "0");
  set("GIT_EDITOR", "false");
  set("GIT_AUTHOR_NAME", "Ada Author");
  set("GIT_AUTHOR_EMAIL", "ada@example.com");
  set("GIT_AUTHOR_DATE", "1700000000 +0800");
  set("GIT_COMMITTER_NAME", "Carl Committer");
  set("GIT_COMMITTER_EMAIL", "carl@example.com");
  set("GIT_COMMITTER_DATE", "1700000000 +0800");
  set("TZ", "UTC");
  set("LC_ALL", "C");
  set("TERM", "dumb");
}

}  // namespace

Sandbox::Sandbox() : root_(make_root()) {
  root_folder() = root_;
  fs::create_directories(home_folder() + "/.config");
  // Background upkeep would race with the removal of the root.
  std::ofstream(home_folder() + "/.gitconfig") << "[init]\n\tdefaultBranch = main\n"
                                                  "[gc]\n\tauto = 0\n"
                                                  "[maintenance]\n\tauto = false\n";
  clear_environment();
  set_environment(root_);
  // A command that does not read its input must not end the tests.
  signal(SIGPIPE, SIG_IGN);
}

Sandbox::~Sandbox() {
  if (keep_) {
    std::cerr << "kept: " << root_ << "\n";
    return;
  }
  std::error_code error;
  fs::remove_all(root_, error);
  if (error) std::cerr << "cannot remove " << root_ << ": " << error.message() << "\n";
}

std::string make_temp_folder() {
  static std::atomic<int> count = 0;
  std::string folder = root_folder() + "/" + std::to_string(++count);
  fs::create_directory(folder);
  return folder;
}

std::string home_folder() {
  return root_folder() + "/home";
}

std::string data_folder() {
  return FLAGSCALE_SOURCE_DIR "/tests/data";
}

}  // namespace flagscale::test
