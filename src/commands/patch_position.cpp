// SPDX-License-Identifier: Apache-2.0
#include "commands/patch_position.h"

#include <utility>
#include <vector>

#include "base/error.h"
#include "base/quote.h"
#include "git/history.h"
#include "git/remotes.h"

namespace flagscale::commands {
namespace {

/// The patch commit on the patch branch: its tip, or what somebody has committed on top of.
std::optional<git::Oid> find_patch_commit(const PatchPosition& here) {
  if (!here.branch.tip() || git::is_ancestor(*here.branch.tip(), here.base)) return std::nullopt;
  for (const git::Oid& id :
       git::rev_list({"--first-parent", here.branch.tip()->hex(), "^" + here.base.hex()})) {
    if (touches_store_only(here.repository, id, here.paths.folder()) &&
        here.search.at({"the patch branch", id}).find_patch(here.device, here.base.hex8())) {
      return id;
    }
  }
  return std::nullopt;
}

/// The vendor's own commit that a patch commit was made from.
std::string work_behind(const PatchPosition& here, const git::Oid& patch_commit) {
  const auto sidecar = here.search.at({"the patch branch", patch_commit})
                           .find_sidecar(here.device, here.base.hex8());
  return sidecar ? sidecar->current.short_hex() : "<commit>";
}

}  // namespace

void check_head_is_work(const PatchPosition& here) {
  const auto made = find_patch_commit(here);
  if (!made) return;
  const std::string work = work_behind(here, *made);
  const std::string hint = "name the work: --current-commit-id " + work;
  if (here.current == *made) throw_refused("HEAD is the patch commit itself, not the work", {hint});
  if (here.branch.has_head()) {
    throw_refused(
        "HEAD has commits on top of the patch commit " + made->short_hex() +
            "; they belong on the work",
        {"take them to a branch of their own: git switch -c <name>",
         "put them on the work: git rebase --onto " + work + " " + made->short_hex(),
         "put this branch back: git branch -f " + here.branch.name() + " " + made->short_hex(),
         hint});
  }
}

void throw_not_an_ancestor(const PatchPosition& here) {
  std::vector<std::string> hints;
  if (git::is_ancestor(here.current, here.base)) {
    hints.emplace_back("it is the other way round: current is an ancestor of base");
  } else if (const auto fork = git::find_merge_base(here.base, here.current)) {
    hints.push_back("they have diverged; their merge base is " + fork->short_hex());
  } else if (here.repository.is_shallow()) {
    hints.emplace_back("the history is shallow: git fetch --unshallow brings the rest");
  }
  throw_refused("base " + here.base.short_hex() + " is not an ancestor of current " +
                    here.current.short_hex(),
                std::move(hints));
}

std::optional<std::string> find_newer_base(const PatchPosition& here) {
  const auto remote = git::find_push_remote(here.repository, "");
  if (!remote) return std::nullopt;
  const git::RemoteBranch upstream = git::default_branch(here.repository, *remote);
  if (!upstream.tip || *upstream.tip == here.base || *upstream.tip == here.current)
    return std::nullopt;
  const auto fork = git::find_merge_base(here.current, *upstream.tip);
  if (!fork || *fork == here.base || *fork == here.current || !git::is_ancestor(here.base, *fork))
    return std::nullopt;
  return "current contains upstream commits beyond base, which become part of the patch; " +
         fork->short_hex() + " of " + escaped(upstream.text()) + " would be the better base";
}

}  // namespace flagscale::commands
