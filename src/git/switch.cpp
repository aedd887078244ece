// SPDX-License-Identifier: Apache-2.0
#include "git/switch.h"

#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "base/files.h"
#include "base/quote.h"
#include "git/command.h"

namespace flagscale::git {
namespace {

constexpr std::size_t kShownFiles = 4;

/// git lists the files in the way on lines that begin with a TAB.
[[noreturn]] void throw_in_the_way(const std::string& said) {
  std::vector<std::string> files;
  bool untracked = false;
  std::string_view rest = said;
  while (!rest.empty()) {
    const std::string_view line = without_eol(take_line(rest));
    if (line.starts_with('\t')) files.emplace_back(line.substr(1));
    untracked = untracked || line.find("untracked") != std::string_view::npos;
  }
  if (files.empty()) throw error_from_git(ErrorKind::refused, "git refuses to switch", said);
  std::string message = untracked ? "untracked files would be overwritten by the switch:"
                                  : "local changes would be overwritten by the switch:";
  for (std::size_t i = 0; i < files.size() && i < kShownFiles; ++i) {
    message += "\n  " + escaped(files[i]);
  }
  if (files.size() > kShownFiles) {
    message += "\n  and " + std::to_string(files.size() - kShownFiles) + " more";
  }
  throw_refused(message, {untracked ? "move or remove them first" : "commit or stash them first"});
}

}  // namespace

void check_can_switch(Repository& repository) {
  if (!repository.top()) {
    throw_refused("there is no working tree to switch: this is a bare repository or a git folder");
  }
  if (const auto operation = repository.operation_in_progress()) {
    throw_refused("in the middle of " + *operation, {"finish or abort it first"});
  }
  const std::string lock = repository.index_file() + ".lock";
  if (repository.index_file().ends_with(".lock") || find_status(lock)) {
    throw_refused("the index is locked: " + in_quotes(lock) + " exists",
                  {"another git process is at work here, or one has crashed"});
  }
}

std::optional<std::string> switch_to(Repository& repository, const SwitchTarget& target) {
  check_can_switch(repository);
  std::vector<std::string> arguments = {"-c", "advice.detachedHead=false", "checkout", "--quiet",
                                        "--no-overwrite-ignore"};
  if (target.branch) {
    arguments.insert(arguments.end(),
                     {"--no-track", target.move_branch ? "-B" : "-b", *target.branch});
  } else {
    arguments.emplace_back("--detach");
  }
  arguments.push_back(target.commit.hex());
  arguments.emplace_back("--");
  GitOptions options;
  options.plain_objects = false;
  const ProcessResult result = run_git(arguments, options);
  if (result.status == 0) return std::nullopt;
  // A hook that fails makes git's exit status, although the switch is done.
  const auto branch = repository.head_branch();
  const bool on_target = target.branch ? branch == "refs/heads/" + *target.branch : !branch;
  if (on_target && repository.head_commit() == target.commit &&
      result.err.find("fatal: ") == std::string::npos &&
      result.err.find("error: ") == std::string::npos) {
    return "the post-checkout hook failed (exit " + std::to_string(result.status) + ")";
  }
  throw_in_the_way(result.err);
}

}  // namespace flagscale::git
