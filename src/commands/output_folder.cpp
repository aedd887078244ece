// SPDX-License-Identifier: Apache-2.0
#include "commands/output_folder.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <set>

#include "base/bytes.h"
#include "base/error.h"
#include "base/quote.h"
#include "git/command.h"
#include "git/object.h"

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
    const std::string_view entry = take_entry(status);
    const bool extra = entry.starts_with("?? ") || entry.starts_with("!! ");
    if (!extra || !is_cache(entry.substr(3))) return false;
  }
  return true;
}

/// The marker's text: what the output was made with.
std::string marker_text(const std::string& folder, const std::string& head) {
  const std::string config = find_file(folder + "/.git/config").value_or("");
  return head + "config " + git::hash_object(git::ObjectType::blob, config).hex() + "\n";
}

/// Whether the git folder holds anything that neither we nor a fetch put there.
bool has_foreign_git_files(const std::string& folder) {
  static const std::set<std::string> kOurs = {
      "HEAD", "config",  "flagscale-output", "index", "info",      "objects",
      "refs", "shallow", "packed-refs",      "logs",  "FETCH_HEAD"};
  for (const std::string& name : list_folder(folder + "/.git")) {
    // Parts of a split index and of the file system monitor, which the user may have on for all.
    const bool is_of_index =
        name.starts_with("sharedindex.") || name.starts_with("fsmonitor--daemon");
    if (!is_of_index && !kOurs.contains(name)) return true;
  }
  return !list_folder(folder + "/.git/info").empty() || find_status(folder + "/.git/logs/HEAD");
}

/// Whether the index hides edits from `git status` (assume-unchanged, skip-worktree).
bool hides_edits(const std::string& folder) {
  const std::string listing = output_of(folder, {"ls-files", "-v", "-z"});
  std::string_view rest = listing;
  while (!rest.empty()) {
    const char flag = rest.front();
    if (flag == 'S' || (flag >= 'a' && flag <= 'z')) return true;
    rest.remove_prefix(std::min(rest.find('\0'), rest.size() - 1) + 1);
  }
  return false;
}

/// Whether git would run what others have written into that repository. Asked for by us, since git
/// does not look at owners where it is told the git folder.
bool belongs_to_others(const std::string& folder) {
  for (const char* name : {"", "/.git", "/.git/config"}) {
    const auto status = find_status(folder + name);
    if (status && status->st_uid != geteuid()) return true;
  }
  return false;
}

/// Why an existing folder is more than an earlier output; absent when it is just that.
std::optional<std::string> reason_to_keep(const std::string& folder) {
  const auto status = find_status(folder);
  if (!status || !S_ISDIR(status->st_mode)) return "it is no folder";
  if (belongs_to_others(folder)) return "it belongs to another user";
  const auto marker = find_file(folder + kMarker);
  if (!marker) {
    return list_folder(folder).empty() ? std::nullopt
                                       : std::optional<std::string>("it is not an earlier output");
  }
  const auto head = find_file(folder + "/.git/HEAD");
  if (!head || marker_text(folder, *head) != *marker || has_foreign_git_files(folder) ||
      !output_of(folder, {"for-each-ref", "refs/heads", "refs/tags", "refs/stash"}).empty()) {
    return "its repository has been worked in";
  }
  if (hides_edits(folder) ||
      !only_caches(output_of(folder, {"status", "--porcelain", "-z", "-uall", "--ignored",
                                      "--ignore-submodules=none"}))) {
    return "it has edits or files of its own";
  }
  return std::nullopt;
}

void rename_or_throw(const std::string& from, const std::string& to, unsigned flags) {
  if (renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags) == 0) return;
  throw_errno("cannot put in place", to);
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
      set_aside_path_(std::move(other.set_aside_path_)),
      in_place_(std::exchange(other.in_place_, false)),
      settled_(std::exchange(other.settled_, true)) {
  other.building_.reset();
}

OutputFolder::~OutputFolder() {
  take_back();
  building_.reset();
  if (settled_) return;
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
  const std::string prefix = parent_ + "/." + name_ + ".new.";
  // What a killed run left behind.
  TemporaryFolder::remove_abandoned(prefix);
  building_.emplace(prefix);
  // Inside, because the temporary folder itself is closed to others.
  building_path_ = building_->path() + "/" + name_;
  make_folder(building_path_);
  return building_path_;
}

void OutputFolder::mark(const git::Oid& adapted) const {
  write_new_file(building_path_ + kMarker, marker_text(building_path_, adapted.hex() + "\n"));
}

std::optional<std::string> OutputFolder::put_in_place() {
  if (former_ == Former::own_output) {
    // At every moment one of the two is in place.
    rename_or_throw(building_path_, path_, RENAME_EXCHANGE);
    in_place_ = true;
    return std::nullopt;
  }
  if (former_ == Former::set_aside) {
    int number = 1;
    while (find_status(path_ + "." + std::to_string(number))) ++number;
    set_aside_path_ = path_ + "." + std::to_string(number);
    rename_or_throw(path_, set_aside_path_, RENAME_NOREPLACE);
  }
  try {
    rename_or_throw(building_path_, path_, RENAME_NOREPLACE);
  } catch (const Error&) {
    if (!set_aside_path_.empty()) std::rename(set_aside_path_.c_str(), path_.c_str());
    throw;
  }
  in_place_ = true;
  if (set_aside_path_.empty()) return std::nullopt;
  return set_aside_path_;
}

void OutputFolder::take_back() noexcept {
  if (!in_place_ || settled_) return;
  in_place_ = false;
  try {
    rename_or_throw(path_, building_path_,
                    former_ == Former::own_output ? RENAME_EXCHANGE : RENAME_NOREPLACE);
    if (!set_aside_path_.empty()) rename_or_throw(set_aside_path_, path_, RENAME_NOREPLACE);
  } catch (const Error&) {
    // The error that made us take it back is the one to tell.
  }
}

}  // namespace flagscale::commands
