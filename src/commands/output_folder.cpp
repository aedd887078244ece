// SPDX-License-Identifier: Apache-2.0
#include "commands/output_folder.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "base/bytes.h"
#include "base/error.h"
#include "base/quote.h"
#include "git/command.h"

namespace flagscale::commands {
namespace {

/// In the git folder of an output: the adapted commit it was made with.
constexpr const char* kMarker = "/.git/flagscale-output";

git::GitOptions inside(const std::string& folder) {
  git::GitOptions options;
  options.where = git::Where::elsewhere;
  options.folder = folder;
  // Looking must not run what somebody put into that repository.
  options.environment = {{"GIT_OPTIONAL_LOCKS", "0"}};
  return options;
}

std::string output_of(const std::string& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"--git-dir=.git", "--work-tree=.", "-c",
                                       "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"});
  const ProcessResult result = git::run_git(arguments, inside(folder));
  return result.status == 0 ? result.out : "?";
}

bool is_cache(std::string_view path) {
  return path.find("__pycache__/") != std::string_view::npos;
}

/// Whether `git status -z --ignored` lists nothing but Python's caches.
bool only_caches(std::string_view status) {
  while (!status.empty()) {
    const std::size_t nul = std::min(status.find('\0'), status.size());
    const std::string_view entry = status.substr(0, nul);
    status.remove_prefix(std::min(nul + 1, status.size()));
    const bool extra = entry.starts_with("?? ") || entry.starts_with("!! ");
    if (!extra || !is_cache(entry.substr(3))) return false;
  }
  return true;
}

/// Why an existing folder is more than an earlier output; absent when it is just that.
std::optional<std::string> reason_to_keep(const std::string& folder) {
  const auto status = find_status(folder);
  if (!status || !S_ISDIR(status->st_mode)) return "it is no folder";
  const auto marker = find_file(folder + kMarker);
  if (!marker) {
    return list_folder(folder).empty() ? std::nullopt
                                       : std::optional<std::string>("it is not an earlier output");
  }
  const auto head = find_file(folder + "/.git/HEAD");
  if (head != marker || find_status(folder + "/.git/logs/HEAD") ||
      !output_of(folder, {"for-each-ref", "refs/heads", "refs/tags", "refs/stash"}).empty()) {
    return "it has commits or branches of its own";
  }
  if (!only_caches(output_of(folder, {"status", "--porcelain", "-z", "-uall", "--ignored",
                                      "--ignore-submodules=none"}))) {
    return "it has edits or files of its own";
  }
  return std::nullopt;
}

void rename_or_throw(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0)
    throw_errno("cannot rename " + in_quotes(from) + " to", to);
}

}  // namespace

OutputFolder::OutputFolder(const std::string& dir, const std::string& device,
                           const std::string& name, bool force)
    : parent_((dir == "/" ? "" : dir) + "/" + device), name_(name), path_(parent_ + "/" + name) {
  if (!find_status(path_)) return;
  const auto reason = reason_to_keep(path_);
  if (!reason) {
    former_ = Former::own_output;
  } else if (force) {
    former_ = Former::set_aside;
  } else {
    throw_refused(in_quotes(path_) + " exists and is not replaced: " + *reason,
                  {"--force sets it aside as " + in_quotes(name_ + ".1")});
  }
}

OutputFolder::OutputFolder(OutputFolder&& other) noexcept
    : parent_(std::move(other.parent_)),
      name_(std::move(other.name_)),
      path_(std::move(other.path_)),
      made_folders_(std::exchange(other.made_folders_, {})),
      made_ignore_file_(std::exchange(other.made_ignore_file_, false)),
      building_(std::move(other.building_)),
      building_path_(std::move(other.building_path_)),
      former_(other.former_),
      former_path_(std::move(other.former_path_)),
      in_place_(std::exchange(other.in_place_, false)),
      settled_(std::exchange(other.settled_, true)) {
  other.building_.reset();
}

OutputFolder::~OutputFolder() {
  if (settled_) return;
  take_back();
  building_.reset();
  if (made_ignore_file_) unlink((parent_ + "/.gitignore").c_str());
  for (auto folder = made_folders_.rbegin(); folder != made_folders_.rend(); ++folder) {
    rmdir(folder->c_str());
  }
}

void OutputFolder::make_parents() {
  for (std::size_t slash = parent_.find('/', 1);; slash = parent_.find('/', slash + 1)) {
    const std::string folder = parent_.substr(0, slash);
    // Symlinks on the way to the place are the user's; what stands at the place is checked.
    if (!find_status(folder)) {
      make_folder(folder);
      made_folders_.push_back(folder);
    }
    if (slash == std::string::npos) break;
  }
  const std::string ignore = parent_ + "/.gitignore";
  if (!find_status(ignore)) {
    write_new_file(ignore, "*\n");
    made_ignore_file_ = true;
  }
}

const std::string& OutputFolder::prepare() {
  make_parents();
  building_.emplace(parent_ + "/." + name_ + ".new.");
  // Inside, because the temporary folder itself is closed to others.
  building_path_ = building_->path() + "/" + name_;
  make_folder(building_path_);
  return building_path_;
}

void OutputFolder::mark(const git::Oid& adapted) const {
  write_new_file(building_path_ + kMarker, adapted.hex() + "\n");
}

std::optional<std::string> OutputFolder::put_in_place() {
  if (former_ == Former::own_output) {
    TemporaryFolder aside(parent_ + "/." + name_ + ".old.");
    former_path_ = aside.path() + "/" + name_;
    rename_or_throw(path_, former_path_);
    aside.release();
  } else if (former_ == Former::set_aside) {
    for (int number = 1;; ++number) {
      former_path_ = path_ + "." + std::to_string(number);
      if (!find_status(former_path_)) break;
    }
    rename_or_throw(path_, former_path_);
  }
  if (std::rename(building_path_.c_str(), path_.c_str()) != 0) {
    const int error = errno;
    if (!former_path_.empty()) std::rename(former_path_.c_str(), path_.c_str());
    throw_errno("cannot put in place", path_, error);
  }
  in_place_ = true;
  if (former_ != Former::set_aside) return std::nullopt;
  return former_path_;
}

void OutputFolder::take_back() noexcept {
  if (!in_place_ || settled_) return;
  in_place_ = false;
  try {
    rename_or_throw(path_, building_path_);
    if (!former_path_.empty()) rename_or_throw(former_path_, path_);
    if (former_ == Former::own_output) remove_tree(dir_name(former_path_));
  } catch (const Error&) {
    // The error that made us take it back is the one to tell.
  }
}

void OutputFolder::settle() {
  settled_ = true;
  if (in_place_ && former_ == Former::own_output) remove_tree(dir_name(former_path_));
}

}  // namespace flagscale::commands
