// SPDX-License-Identifier: Apache-2.0
#include "git/undo_switch.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <set>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "base/files.h"
#include "git/command.h"
#include "git/tree_diff.h"

namespace flagscale::git {
namespace {

/// What one attempt has done does not hinder the next.
constexpr int kAttempts = 8;

GitOptions plainly() {
  GitOptions options;
  options.plain_objects = false;
  return options;
}

/// The paths in output of git with -z.
std::set<std::string_view> paths_in(std::string_view output) {
  std::set<std::string_view> paths;
  while (!output.empty()) paths.insert(take_entry(output));
  return paths;
}

std::vector<TreeChange> changes_between(Repository& repository, const Oid& before,
                                        const Oid& after) {
  return diff_trees(repository.odb(), repository.read_commit(before).tree,
                    repository.read_commit(after).tree, "");
}

/// Whether the index holds these paths as the commit has them.
bool index_is_at(const Oid& commit, const std::vector<TreeChange>& changes) {
  const ProcessResult result =
      run_git({"diff-index", "--cached", "--name-only", "--no-renames", "-z", commit.hex()});
  const auto differing = paths_in(result.out);
  return result.status == 0 &&
         std::none_of(changes.begin(), changes.end(),
                      [&](const TreeChange& change) { return differing.contains(change.path); });
}

/// Writes files as the index has them; `list` has a NUL after each.
void check_out_files(Repository& repository, const std::string& list) {
  GitOptions options = repository.at_top();
  options.plain_objects = false;
  options.input = list;
  (void)run_git({"checkout-index", "--force", "--quiet", "-z", "--stdin"}, options);
}

enum class Side { before, after };

/// The files of one side of the changes that are not as the index says. They were clean before the
/// switch, so nothing in them is the user's.
std::string find_unfinished_files(const std::vector<TreeChange>& changes, Side side) {
  const ProcessResult result =
      run_git({"ls-files", "-z", "--full-name", "--modified", "--deleted", "--", ":/"}, plainly());
  const auto unfinished = paths_in(result.out);
  std::string list;
  for (const TreeChange& change : changes) {
    const bool is_there = (side == Side::before ? change.before : change.after).has_value();
    if (is_there && unfinished.contains(change.path)) list.append(change.path).push_back('\0');
  }
  return list;
}

/// Writes them, each attempt only those that are still missing. False: some remain.
bool write_unfinished_files(Repository& repository, const std::vector<TreeChange>& changes,
                            Side side) {
  std::string unfinished = find_unfinished_files(changes, side);
  for (int attempt = 0; attempt < kAttempts && !unfinished.empty(); ++attempt) {
    check_out_files(repository, unfinished);
    unfinished = find_unfinished_files(changes, side);
  }
  return unfinished.empty();
}

/// Removes a file and the folders that it leaves empty, as git does.
void remove_file(const std::string& top, std::string path) {
  const auto whole = [&](const std::string& inner) {
    return std::string(top).append("/").append(inner);
  };
  if (unlink(whole(path).c_str()) != 0 && errno != ENOENT) return;
  for (std::size_t slash = path.rfind('/'); slash != std::string::npos; slash = path.rfind('/')) {
    path.resize(slash);
    if (rmdir(whole(path).c_str()) != 0) return;
  }
}

}  // namespace

bool put_files_back(Repository& repository, const Oid& before, const Oid& target) {
  const std::vector<TreeChange> changes = changes_between(repository, before, target);
  // The index first and alone: no file can keep git from that.
  for (int attempt = 0; attempt < kAttempts && !index_is_at(before, changes); ++attempt) {
    (void)run_git({"read-tree", "-i", "-m", target.hex(), before.hex()}, plainly());
  }
  // Somebody else is at work here, and has been all the time.
  if (find_status(repository.index_file() + ".lock")) return false;
  if (!index_is_at(before, changes)) {
    // Then at least all files of the new index, so that the same switch can be completed.
    (void)run_git({"checkout-index", "--all", "--quiet"}, plainly());
    return false;
  }
  for (const TreeChange& change : changes) {
    if (!change.before) remove_file(*repository.top(), change.path);
  }
  const bool is_whole = write_unfinished_files(repository, changes, Side::before);
  refresh_index();
  return is_whole;
}

void refresh_index() {
  (void)run_git({"update-index", "-q", "--refresh"}, plainly());
}

void put_branch_back(const SwitchTarget& target, const std::optional<Oid>& before) {
  if (!target.branch) return;
  const std::string name = "refs/heads/" + *target.branch;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    // With the value that it must have, lest somebody else's move is undone.
    const std::vector<std::string> words =
        before ? std::vector<std::string>{"update-ref", "-m",          "flagscale: put back",
                                          name,         before->hex(), target.commit.hex()}
               : std::vector<std::string>{"update-ref", "-d", name, target.commit.hex()};
    if (run_git(words, plainly()).status == 0) return;
  }
}

void throw_half_way(const std::string& said) {
  const Error error = error_from_git(ErrorKind::unable, "git could not write all files", said);
  throw_unable(
      std::string("the switch failed, and not every file could be put back: ") + error.what(),
      {"git status shows what is missing, git restore brings it"});
}

void finish_files(Repository& repository, const std::optional<Oid>& before, const Oid& target,
                  const std::string& said) {
  if (!before) return;
  const std::vector<TreeChange> changes = changes_between(repository, *before, target);
  if (write_unfinished_files(repository, changes, Side::after)) return;
  const Error error = error_from_git(ErrorKind::unable, "files are missing", said);
  throw_unable(
      std::string("HEAD was switched, but not every file could be written: ") + error.what(),
      {"git status shows what is missing, git restore brings it"});
}

}  // namespace flagscale::git
