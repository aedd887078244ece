// SPDX-License-Identifier: Apache-2.0
#include "git/quick_switch.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "base/error.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/quote.h"
#include "git/command.h"
#include "git/switch_plan.h"
#include "git/undo_switch.h"

namespace flagscale::git {
namespace {

using Arguments = std::vector<std::string>;

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

bool switch_files_quickly(Repository& repository, const Oid& before, const Oid& target) {
  const std::vector<TreeChange> changes =
      diff_trees(repository.odb(), repository.read_commit(before).tree,
                 repository.read_commit(target).tree, "");
  if (needs_checkout(repository, changes) || !are_new_paths_free(repository, changes)) {
    return false;
  }
  const ProcessResult files = read_tree(repository, before, target);
  if (files.status == 0) return true;
  if (is_refusal(files.err)) return false;
  const bool is_whole = put_files_back(repository, before, target);
  check_interrupt();
  if (is_whole) return false;
  throw_half_way(files.err);
}

}  // namespace flagscale::git
