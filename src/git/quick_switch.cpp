// SPDX-License-Identifier: Apache-2.0
#include "git/quick_switch.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/quote.h"
#include "git/command.h"
#include "git/undo_switch.h"

namespace flagscale::git {
namespace {

using Arguments = std::vector<std::string>;

/// Whether `git checkout` would do more than the quick way: hooks, submodules, sparse checkouts.
bool needs_checkout(Repository& repository, const std::vector<TreeChange>& changes) {
  const Config& config = repository.config();
  const auto is_gitlink = [](const std::optional<TreeItem>& item) {
    return item && item->mode == Mode::gitlink;
  };
  if (config.is_true("core.sparseCheckout", false) || config.find("submodule.recurse") ||
      std::any_of(changes.begin(), changes.end(), [&](const TreeChange& change) {
        return is_gitlink(change.before) || is_gitlink(change.after);
      })) {
    return true;
  }
  // What git checkout removes, since it belongs to the commit that was being made.
  for (const char* file :
       {"/SQUASH_MSG", "/MERGE_MSG", "/MERGE_MODE", "/MERGE_RR", "/AUTO_MERGE"}) {
    if (find_status(repository.git_dir() + file)) return true;
  }
  return config.find("core.hooksPath") ||
         find_status(repository.common_dir() + "/hooks/post-checkout");
}

/// Whether git's plumbing has refused before it did anything.
bool is_refusal(const std::string& said) {
  static constexpr std::array<std::string_view, 7> kSentences{"Cannot merge.",
                                                              "would be overwritten by merge",
                                                              "would be removed by merge",
                                                              "would lose untracked",
                                                              "Refusing to remove",
                                                              "cannot checkout new HEAD",
                                                              "resolve your current index"};
  const auto has = [&](std::string_view text) { return said.find(text) != std::string::npos; };
  // Another process holds the index; what fails with the lock in hand is another matter.
  if (has("Unable to create '") && has("index.lock'")) return true;
  return std::any_of(kSentences.begin(), kSentences.end(), has);
}

ProcessResult read_tree(Repository& repository, const Oid& from, const Oid& to) {
  Arguments arguments;
  // As many as there are cores, unless the user has a wish.
  if (!repository.config().find("checkout.workers")) {
    arguments.insert(arguments.end(), {"-c", "checkout.workers=0"});
  }
  arguments.insert(arguments.end(), {"read-tree", "-m", "-u", from.hex(), to.hex()});
  GitOptions options;
  options.plain_objects = false;
  return run_git(arguments, options);
}

/// A failure may pass.
bool succeeds(const Arguments& arguments, ProcessResult& result) {
  result = run_git(arguments);
  if (result.status != 0) result = run_git(arguments);
  return result.status == 0;
}

/// Branch and HEAD, with the reflog entries that `git checkout` writes.
class RefMove {
 public:
  RefMove(Repository& repository, const Oid& before, const SwitchTarget& target)
      : repository_(repository), target_(target) {
    static constexpr std::string_view kHeads = "refs/heads/";
    const auto head = repository.head_branch();
    std::string from = before.hex();
    if (head) from = head->starts_with(kHeads) ? head->substr(kHeads.size()) : *head;
    const char* const action = std::getenv("GIT_REFLOG_ACTION");
    message_ = action != nullptr ? action
                                 : "checkout: moving from " + from + " to " +
                                       target.branch.value_or(target.commit.hex());
    if (!target.branch) return;
    branch_ = std::string(kHeads) + *target.branch;
    former_tip_ = repository.find_ref(branch_);
  }

  /// On failure what git said; nothing has moved then.
  std::optional<std::string> run() {
    ProcessResult result;
    if (!target_.branch) {
      const Arguments detach = {"update-ref", "--no-deref", "-m",
                                message_,     "HEAD",       target_.commit.hex()};
      return succeeds(detach, result) ? std::nullopt : std::optional(result.err);
    }
    const Oid none;
    if (!succeeds({"update-ref", "-m", target_.reason, branch_, target_.commit.hex(),
                   former_tip_.value_or(none).hex()},
                  result) &&
        repository_.find_ref(branch_) != target_.commit) {
      return result.err;
    }
    if (succeeds({"symbolic-ref", "-m", message_, "HEAD", branch_}, result) ||
        repository_.head_branch() == branch_) {
      return std::nullopt;
    }
    put_branch_back(target_, former_tip_);
    return result.err;
  }

 private:
  Repository& repository_;
  const SwitchTarget& target_;
  std::string message_;
  std::string branch_;
  std::optional<Oid> former_tip_;
};

}  // namespace

bool are_new_paths_free(Repository& repository, const std::vector<TreeChange>& changes) {
  std::set<std::string> folders;
  for (const TreeChange& change : changes) {
    if (!change.after || change.before) continue;
    for (std::size_t slash = change.path.find('/'); slash != std::string::npos;
         slash = change.path.find('/', slash + 1)) {
      const std::string folder = change.path.substr(0, slash);
      if (!folders.insert(folder).second) continue;
      const auto status = find_status(*repository.top() + "/" + folder);
      if (!status) break;
      if (!S_ISDIR(status->st_mode)) return false;
    }
    if (find_status(*repository.top() + "/" + change.path)) return false;
  }
  return true;
}

bool switch_quickly(Repository& repository, const Oid& before, const SwitchTarget& target) {
  const std::vector<TreeChange> changes =
      diff_trees(repository.odb(), repository.read_commit(before).tree,
                 repository.read_commit(target.commit).tree, "");
  if (needs_checkout(repository, changes) || !are_new_paths_free(repository, changes)) {
    return false;
  }
  RefMove refs(repository, before, target);
  const ProcessResult files = read_tree(repository, before, target.commit);
  if (files.status != 0) {
    if (is_refusal(files.err)) return false;
    const bool is_whole = put_files_back(repository, before, target.commit);
    check_interrupt();
    if (is_whole) return false;
    throw_half_way(files.err);
  }
  if (const auto said = refs.run()) {
    const bool is_whole = put_files_back(repository, before, target.commit);
    check_interrupt();
    if (!is_whole) throw_half_way(*said);
    throw error_from_git(ErrorKind::refused, "cannot move HEAD", *said);
  }
  return true;
}

}  // namespace flagscale::git
