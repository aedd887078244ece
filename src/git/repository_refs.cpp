// SPDX-License-Identifier: Apache-2.0
//
// Branches and other refs, and what is going on with them.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>

#include "base/bytes.h"
#include "base/error.h"
#include "base/files.h"
#include "base/quote.h"
#include "git/command.h"
#include "git/repository_state.h"

namespace flagscale::git {
namespace {

/// The ref that HEAD was made a symlink to (core.preferSymlinkRefs).
std::optional<std::string> find_symlink_target(const std::string& head) {
  std::array<char, PATH_MAX> target{};
  const ssize_t size = readlink(head.c_str(), target.data(), target.size());
  const std::string name(target.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  return name.starts_with("refs/") ? std::optional(name) : std::nullopt;
}

/// What is going on in a working tree that will come back to a branch (full name), though HEAD is
/// not on it.
std::optional<std::string> find_operation_on(const std::string& git_dir,
                                             const std::string& branch) {
  for (const char* file : {"/rebase-merge/head-name", "/rebase-apply/head-name"}) {
    const auto name = find_file(git_dir + file);
    if (name && without_eol(*name) == branch) return "being rebased";
  }
  if (const auto listing = find_file(git_dir + "/rebase-merge/update-refs")) {
    const std::vector<std::string> names = lines_of(*listing);
    if (std::find(names.begin(), names.end(), branch) != names.end()) return "being rebased";
  }
  const auto start = find_file(git_dir + "/BISECT_START");
  if (start && "refs/heads/" + std::string(without_eol(*start)) == branch) return "being bisected";
  return std::nullopt;
}

[[noreturn]] void throw_damaged_ref(const std::string& name) {
  throw_unable("ref " + in_quotes(name) + " is damaged",
               {"git fsck tells what is wrong with the repository"});
}

}  // namespace

std::optional<std::string> Repository::head_branch() const {
  if (auto target = find_symlink_target(state_->git_dir + "/HEAD")) return target;
  const auto head = find_file(state_->git_dir + "/HEAD");
  static constexpr std::string_view kSymbolic = "ref:";
  if (!head || !head->starts_with(kSymbolic)) return std::nullopt;
  std::string_view name = without_eol(std::string_view(*head).substr(kSymbolic.size()));
  while (name.starts_with(' ') || name.starts_with('\t')) name.remove_prefix(1);
  return std::string(name);
}

std::optional<Oid> Repository::head_commit() {
  const auto head = find_file(state_->git_dir + "/HEAD");
  if (head) {
    if (const auto id = Oid::parse(without_eol(*head))) return id;
  }
  return find_ref("HEAD");
}

std::vector<Ref> Repository::refs(const std::string& glob) {
  git_reference_iterator* raw_iterator = nullptr;
  check(git_reference_iterator_glob_new(&raw_iterator, libgit2(), glob.c_str()), "cannot list refs",
        glob);
  const std::unique_ptr<git_reference_iterator, void (*)(git_reference_iterator*)> iterator(
      raw_iterator, git_reference_iterator_free);
  std::vector<Ref> refs;
  git_reference* raw = nullptr;
  int code = 0;
  while ((code = git_reference_next(&raw, raw_iterator)) == 0) {
    const ReferenceHandle ref(raw);
    const auto id = peel_to_commit(raw);
    if (!id) continue;
    const char* const target = git_reference_symbolic_target(raw);
    refs.push_back({git_reference_name(raw), *id, target != nullptr ? target : ""});
  }
  if (code != GIT_ITEROVER) check(code, "cannot list refs", glob);
  std::sort(refs.begin(), refs.end(), [](const Ref& a, const Ref& b) { return a.name < b.name; });
  return refs;
}

std::optional<Oid> Repository::find_ref(const std::string& full_name) {
  git_reference* raw = nullptr;
  const int code = git_reference_lookup(&raw, libgit2(), full_name.c_str());
  if (code == GIT_ENOTFOUND || code == GIT_EINVALIDSPEC) return std::nullopt;
  if (code < 0) throw_damaged_ref(full_name);
  const ReferenceHandle ref(raw);
  git_reference* last = nullptr;
  // Absence has a code of its own: an unborn branch is no damage.
  if (git_reference_resolve(&last, raw) == GIT_ERROR) {
    const char* const target = git_reference_symbolic_target(raw);
    throw_damaged_ref(target != nullptr ? target : full_name);
  }
  const ReferenceHandle resolved(last);
  return peel_to_commit(raw);
}

std::optional<std::string> Repository::find_other_use(const std::string& branch) {
  const std::vector<std::string> linked = list_folder(state_->common_dir + "/worktrees");
  if (const auto use = find_operation_on(state_->common_dir, branch)) {
    return *use + " at " + in_quotes(dir_name(state_->common_dir));
  }
  for (const std::string& name : linked) {
    const std::string git_dir = state_->common_dir + "/worktrees/" + name;
    const auto use = find_operation_on(git_dir, branch);
    if (!use) continue;
    const std::string place = find_file(git_dir + "/gitdir").value_or(git_dir);
    return *use + " at " + in_quotes(dir_name(without_eol(place)));
  }
  if (linked.empty() || head_branch() == branch) return std::nullopt;
  std::string path = read_git({"for-each-ref", "--format=%(worktreepath)", branch});
  while (path.ends_with('\n')) path.pop_back();
  return path.empty() ? std::nullopt : std::optional("checked out at " + in_quotes(path));
}

std::optional<std::string> Repository::find_upstream_ref(const std::string& branch) const {
  static constexpr std::string_view kHeads = "refs/heads/";
  if (!branch.starts_with(kHeads) ||
      !config().find("branch." + branch.substr(kHeads.size()) + ".merge")) {
    return std::nullopt;
  }
  const std::string name = read_git({"for-each-ref", "--format=%(upstream)", branch});
  return name.size() > 1 ? std::optional(std::string(without_lf(name))) : std::nullopt;
}

std::optional<std::string> Repository::operation_in_progress() const {
  struct Operation {
    const char* file;
    const char* what;
  };
  static constexpr std::array<Operation, 8> kOperations{{
      {"rebase-apply/applying", "an am session"},
      {"rebase-apply", "a rebase"},
      {"rebase-merge", "a rebase"},
      {"MERGE_HEAD", "a merge"},
      {"CHERRY_PICK_HEAD", "a cherry-pick"},
      {"REVERT_HEAD", "a revert"},
      {"sequencer", "a cherry-pick or revert"},
      {"BISECT_LOG", "a bisect"},
  }};
  for (const Operation& operation : kOperations) {
    if (find_status(state_->git_dir + "/" + operation.file)) return operation.what;
  }
  return std::nullopt;
}

}  // namespace flagscale::git
