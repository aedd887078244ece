// SPDX-License-Identifier: Apache-2.0
#include "git/command.h"

#include "base/bytes.h"
#include "base/error.h"
#include "base/quote.h"

namespace flagscale::git {
namespace {

/// What `git rev-parse --local-env-vars` lists, without the configuration that the user gave.
constexpr const char* kLocalVariables[] = {
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_OBJECT_DIRECTORY",
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_GRAFT_FILE",
    "GIT_INDEX_FILE",
    "GIT_NO_REPLACE_OBJECTS",
    "GIT_REPLACE_REF_BASE",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_COMMON_DIR",
    "GIT_NAMESPACE",
    "GIT_CEILING_DIRECTORIES",
};

ProcessOptions process_options(const GitOptions& options) {
  ProcessOptions out;
  out.input = options.input;
  out.input_follows = options.input_follows;
  out.folder = options.folder;
  out.ignore_output = options.ignore_output;
  // Of all commands only `git config` obeys GIT_CONFIG: what it says of the others is not true
  // then.
  out.environment = {{"LC_ALL", "C"}, {"LANGUAGE", std::nullopt}, {"GIT_CONFIG", std::nullopt}};
  if (options.where == Where::elsewhere) {
    for (const char* name : kLocalVariables) out.environment.emplace_back(name, std::nullopt);
  } else if (options.plain_objects) {
    out.environment.emplace_back("GIT_NO_REPLACE_OBJECTS", "1");
  }
  for (const auto& entry : options.environment) out.environment.push_back(entry);
  return out;
}

/// git does not know who is at work: it says so at length, the reason comes last.
Error identity_error(ErrorKind kind, std::string_view rest) {
  std::string who = "who you are is unknown";
  std::string reason;
  std::vector<std::string> hints;
  while (!rest.empty()) {
    const std::string_view line = without_eol(take_line(rest));
    if (line == "Author identity unknown") who = "author identity unknown";
    if (line == "Committer identity unknown") who = "committer identity unknown";
    if (line.starts_with("fatal: ")) reason = ": " + escaped(line.substr(7));
    if (line.starts_with("  git config ")) hints.push_back(escaped(line));
  }
  if (!hints.empty()) hints.insert(hints.begin(), "tell git who you are:");
  return Error(kind, who + reason, std::move(hints));
}

/// Whether a line comes from GIT_TRACE and its relatives: "17:00:00.123456 git.c:439 trace: …".
bool is_trace(std::string_view line) {
  static constexpr std::string_view kShape = "00:00:00.000000 ";
  if (line.size() < kShape.size()) return false;
  for (std::size_t i = 0; i < kShape.size(); ++i) {
    const bool digit = line[i] >= '0' && line[i] <= '9';
    if (kShape[i] == '0' ? !digit : line[i] != kShape[i]) return false;
  }
  return true;
}

/// Takes `fatal: ` or `error: ` off the start of a line.
bool take_prefix(std::string_view& line) {
  for (const std::string_view prefix : {"fatal: ", "error: "}) {
    if (!line.starts_with(prefix)) continue;
    line.remove_prefix(prefix.size());
    return true;
  }
  return false;
}

}  // namespace

Process start_git(const std::vector<std::string>& arguments, const GitOptions& options) {
  std::vector<std::string> argv = {"git"};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  return Process(argv, process_options(options));
}

ProcessResult run_git(const std::vector<std::string>& arguments, const GitOptions& options) {
  return start_git(arguments, options).finish();
}

std::string read_git(const std::vector<std::string>& arguments, const GitOptions& options) {
  ProcessResult result = run_git(arguments, options);
  if (result.status != 0) {
    throw error_from_git(ErrorKind::unable, "git " + arguments.front() + " failed", result.err);
  }
  return std::move(result.out);
}

bool may_pass(const ProcessResult& result) {
  return result.status != 0 && result.err.find("aborted by hook") == std::string::npos;
}

Error error_from_git(ErrorKind kind, const std::string& fallback, const std::string& stderr_text) {
  if (stderr_text.find("*** Please tell me who you are.") != std::string::npos) {
    return identity_error(kind, stderr_text);
  }
  static constexpr std::string_view kLocked = "\nAnother git process seems to be running";
  if (const std::size_t advice = stderr_text.find(kLocked); advice != std::string::npos) {
    const Error error = error_from_git(kind, fallback, stderr_text.substr(0, advice));
    return Error(kind, error.what(), {"another git process is at work here, or one has crashed"});
  }
  static constexpr int kMaxContinued = 4;
  std::string message;
  bool has_prefix = false;
  std::vector<std::string> before;
  std::vector<std::string> hints;
  std::string_view rest = stderr_text;
  int continued = 0;
  while (!rest.empty()) {
    std::string_view line = without_eol(take_line(rest));
    if (line.starts_with("hint: ")) {
      hints.push_back(escaped(line.substr(6)));
      continue;
    }
    if (line.empty() || line.starts_with("hint:") || line.starts_with("warning: ") ||
        is_trace(line)) {
      continue;
    }
    const bool starts = take_prefix(line);
    if (!starts && !has_prefix) {
      before.push_back(escaped(line));
    } else if (starts && !has_prefix) {
      has_prefix = true;
      message = escaped(line);
    } else if (!starts && ++continued <= kMaxContinued) {
      while (line.starts_with('\t') || line.starts_with(' ')) line.remove_prefix(1);
      message += "\n  " + escaped(line);
    }
  }
  if (!has_prefix && !before.empty()) {
    message = before.front();
    before.erase(before.begin());
  }
  // What git or a hook has explained before it gave up.
  hints.insert(hints.begin(), before.begin(), before.end());
  return Error(kind, message.empty() ? fallback : message, std::move(hints));
}

}  // namespace flagscale::git
