// SPDX-License-Identifier: Apache-2.0
#include "git/switch.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/quote.h"
#include "git/command.h"
#include "git/file_switch.h"
#include "git/quick_switch.h"
#include "git/ref_move.h"
#include "git/switch_refusal.h"
#include "git/tree_diff.h"
#include "git/undo_switch.h"

namespace flagscale::git {
namespace {

std::vector<std::string> paths_of(const std::vector<TreeChange>& changes) {
  std::vector<std::string> paths;
  paths.reserve(changes.size());
  for (const TreeChange& change : changes) paths.push_back(change.path);
  return paths;
}

ProcessResult checkout(const SwitchTarget& target) {
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
  return run_git(arguments, options);
}

bool is_at(Repository& repository, const SwitchTarget& target) {
  const auto branch = repository.head_branch();
  const bool on_target = target.branch ? branch == "refs/heads/" + *target.branch : !branch;
  return on_target && repository.head_commit() == target.commit;
}

/// Git switches nowhere while there are conflicts, and does not always say so in time.
void check_no_conflicts(Repository& repository) {
  const ProcessResult result = run_git({"ls-files", "--unmerged", "-z"}, repository.at_top());
  std::vector<std::string> files;
  for (std::string_view rest = result.out; !rest.empty();) {
    // Mode, id and stage come before a TAB; each path has up to three stages.
    const std::string_view entry = take_entry(rest);
    std::string path(entry.substr(entry.find('\t') + 1));
    if (files.empty() || files.back() != path) files.push_back(std::move(path));
  }
  if (!files.empty()) throw_conflicts(files);
}

/// Whether the paths are in index and working tree as HEAD has them. When in doubt: no.
bool look_clean(Repository& repository, const std::vector<TreeChange>& changes) {
  // Naming more paths than this takes longer than looking at all.
  static constexpr std::size_t kFew = 1000;
  std::vector<std::string> arguments = {
      "diff-index", "--quiet", "--no-ext-diff", "--ignore-submodules=all", "HEAD", "--"};
  if (changes.size() <= kFew) {
    for (const TreeChange& change : changes) arguments.push_back(change.path);
  }
  return run_git(arguments, repository.at_top()).status == 0;
}

/// The same, as git tells after it has looked into every file that may have changed.
bool are_clean(const std::vector<TreeChange>& changes) {
  GitOptions options;
  options.environment = {{"GIT_OPTIONAL_LOCKS", "0"}};
  const ProcessResult status = run_git({"status", "--porcelain", "-z", "--no-renames",
                                        "--untracked-files=no", "--ignore-submodules=all"},
                                       options);
  if (status.status != 0) return false;
  std::set<std::string_view> edited;
  for (std::string_view rest = status.out; !rest.empty();) {
    // Two letters and a blank come before the path.
    const std::string_view entry = take_entry(rest);
    if (entry.size() > 3) edited.insert(entry.substr(3));
  }
  return std::none_of(changes.begin(), changes.end(),
                      [&](const TreeChange& change) { return edited.contains(change.path); });
}

/// `git checkout`, which has switched when this returns. Otherwise throws; what was done is undone
/// then where `is_checked`: nothing of the user's stands in what differs from `before`.
ProcessResult checkout_or_undo(Repository& repository, const SwitchTarget& target,
                               const std::optional<Oid>& before, bool is_checked) {
  const auto branch_before =
      target.branch ? repository.find_ref("refs/heads/" + *target.branch) : std::nullopt;
  ProcessResult result = checkout(target);
  if (result.status == 0 || is_at(repository, target)) return result;
  std::vector<std::string> paths;
  if (before) {
    paths = paths_of(diff_trees(repository.odb(), repository.read_commit(*before).tree,
                                repository.read_commit(target.commit).tree, ""));
  }
  if (names_files_in_the_way(result.err)) throw_in_the_way(result.err, paths);
  // Something failed half-way, after the files or after the branch. What is done already does not
  // hinder git, so doing it again completes it unless the failure is there to stay, or the user has
  // stopped it.
  if (interrupted() == 0) {
    ProcessResult again = checkout(target);
    if (again.status == 0 || is_at(repository, target)) return again;
  }
  if (repository.head_commit() == before) {
    if (branch_before != target.commit) put_branch_back(target, branch_before);
    const bool is_whole = is_checked && put_files_back(repository, *before, target.commit);
    check_interrupt();
    if (is_checked && !is_whole) throw_half_way(result.err);
  }
  check_interrupt();
  throw_in_the_way(result.err, paths);
}

/// Held while HEAD, index and working tree move, so that two of us never do it at once: git locks
/// them one after the other.
class SwitchLock {
 public:
  explicit SwitchLock(const std::string& git_dir)
      : folder_(open(git_dir.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    while (folder_.is_open() && flock(folder_.get(), LOCK_EX) != 0 && errno == EINTR) {
      check_interrupt();
    }
  }

 private:
  Fd folder_;
};

/// Puts the files back, and throws Error(refused) with what git said about a ref.
[[noreturn]] void undo_files(Repository& repository, const SwitchTarget& target, FileSwitch* moved,
                             const std::string& said) {
  bool is_whole = false;
  if (moved == nullptr) {
    is_whole = put_files_back(repository, target.checked->from, target.commit);
  } else {
    is_whole = moved->undo();
    refresh_index();
  }
  check_interrupt();
  if (!is_whole) throw_half_way(said);
  throw error_from_git(ErrorKind::refused, "cannot move HEAD", said);
}

enum class Attempt { done, not_possible, something_has_changed };

/// Switches by ourselves, or by git's plumbing. Unless it is done, nothing is changed.
Attempt switch_checked(Repository& repository, const SwitchTarget& target) {
  const Oid& before = target.checked->from;
  FileSwitch* moved = target.checked->files.get();
  if (moved != nullptr) {
    moved->write_aside(repository);
    RefMove refs(repository, before, target);
    bool is_done = false;
    try {
      is_done = moved->run();
    } catch (...) {
      refresh_index();
      throw;
    }
    if (!is_done) {
      refresh_index();
      return Attempt::something_has_changed;
    }
    const auto said = refs.run();
    if (said) undo_files(repository, target, moved, *said);
    return Attempt::done;
  }
  RefMove refs(repository, before, target);
  if (!switch_files_quickly(repository, before, target.commit)) return Attempt::not_possible;
  if (const auto said = refs.run()) undo_files(repository, target, nullptr, *said);
  return Attempt::done;
}

}  // namespace

void check_can_switch(Repository& repository) {
  if (!repository.top()) {
    throw_refused("there is no working tree to switch: this is a bare repository or a git folder");
  }
  if (const auto operation = repository.operation_in_progress()) {
    throw_refused("in the middle of " + *operation, {"finish or abort it first"});
  }
  const std::vector<std::string> hints = {
      "another git process is at work here, or one has crashed"};
  const std::string lock = repository.index_file() + ".lock";
  if (repository.index_file().ends_with(".lock") || find_status(lock)) {
    throw_refused("the index is locked: " + in_quotes(lock) + " exists", hints);
  }
  const std::string head_lock = repository.git_dir() + "/HEAD.lock";
  if (find_status(head_lock)) {
    throw_refused("HEAD is locked: " + in_quotes(head_lock) + " exists", hints);
  }
}

std::optional<CheckedSwitch> check_nothing_in_the_way(Repository& repository, const Oid& tree,
                                                      MadeObjects& made) {
  const auto head = repository.head_commit();
  if (!head || !repository.top()) return std::nullopt;
  const Oid head_tree = repository.read_commit(*head).tree;
  std::vector<FolderChange> folders;
  const std::vector<TreeChange> changes = diff_trees(made, head_tree, tree, "", &folders);
  if (auto plan = plan_switch(repository, changes, folders)) {
    return CheckedSwitch{*head, std::make_shared<FileSwitch>(*std::move(plan))};
  }
  check_no_conflicts(repository);
  if (changes.empty() || (are_new_paths_free(repository, changes) &&
                          (look_clean(repository, changes) || are_clean(changes)))) {
    return CheckedSwitch{*head, nullptr};
  }
  // Something may be in the way: git decides, on objects that only this question sees.
  TemporaryFolder::remove_abandoned(repository.git_dir() + "/flagscale-");
  const TemporaryFolder folder(repository.git_dir() + "/flagscale-");
  made.write_to(*Odb::for_writing(folder.path()));
  GitOptions options;
  const TemporaryFolder scratch(repository.git_dir() + "/flagscale-");
  const std::string index = scratch.path() + "/index";
  if (const auto bytes = find_file(repository.index_file())) write_new_file(index, *bytes);
  std::string alternates;
  for (const std::string& objects : repository.object_folders()) {
    // In quotes, since a colon ends a name.
    std::string name = format_c_quoted(objects);
    if (!name.starts_with('"')) name = '"' + name + '"';
    alternates += (alternates.empty() ? "" : ":") + name;
  }
  options.environment = {{"GIT_OBJECT_DIRECTORY", folder.path()},
                         {"GIT_ALTERNATE_OBJECT_DIRECTORIES", alternates},
                         {"GIT_INDEX_FILE", index}};
  (void)run_git({"update-index", "-q", "--refresh"}, options);
  const ProcessResult result =
      run_git({"read-tree", "-n", "-m", "-u", head->hex() + "^{tree}", tree.hex()}, options);
  if (result.status != 0) {
    throw_in_the_way(result.err, paths_of(changes));
  }
  return std::nullopt;
}

void write_objects_and_files(Repository& repository, const MadeObjects& made,
                             const std::optional<CheckedSwitch>& checked) {
  if (checked && checked->files) {
    checked->files->write_aside_with(made, repository);
  } else {
    made.write_in_parallel([&] { return repository.borrow_odb(); });
  }
}

std::optional<std::string> switch_to(Repository& repository, const SwitchTarget& target) {
  check_can_switch(repository);
  const SwitchLock lock(repository.git_dir());
  // From here on git does it whole, whatever arrives meanwhile.
  check_interrupt();
  const auto before = repository.head_commit();
  // Only then nothing of the user's stands in what differs, and files may be written by force.
  bool is_checked = before && target.checked && before == target.checked->from;
  if (is_checked) {
    const Attempt attempt = switch_checked(repository, target);
    if (attempt == Attempt::done) return std::nullopt;
    is_checked = attempt == Attempt::not_possible;
  }
  const ProcessResult result = checkout_or_undo(repository, target, before, is_checked);
  const bool complained = result.err.find("error: ") != std::string::npos;
  if (complained && is_checked) finish_files(repository, before, target.commit, result.err);
  // A hook that fails makes git's exit status, although the switch is done.
  if (result.status != 0) return "the post-checkout hook failed";
  if (!complained) return std::nullopt;
  // Not a file then, but say a reflog.
  return error_from_git(ErrorKind::unable, "", result.err).what();
}

}  // namespace flagscale::git
