// SPDX-License-Identifier: Apache-2.0
#include "commands/patch_branch.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/error.h"
#include "base/quote.h"
#include "git/command.h"
#include "git/history.h"
#include "git/tree_diff.h"

namespace flagscale::commands {

PatchBranch::PatchBranch(git::Repository& repository, const DeviceType& device,
                         const git::Oid& base)
    : repository_(repository), name_("flagscale/" + device.text() + "/" + base.hex8()) {
  for (const git::Ref& ref : repository.refs("refs/heads/flagscale*")) {
    if (full_name().starts_with(ref.name + "/") || ref.name.starts_with(full_name() + "/")) {
      name_ = "flagscale-" + device.text() + "-" + base.hex8();
      break;
    }
  }
  tip_ = repository.find_ref(full_name());
}

void PatchBranch::check_not_elsewhere() {
  if (const auto use = repository_.find_other_use(full_name())) {
    throw_refused("branch " + in_quotes(name_) + " is " + *use);
  }
}

void PatchBranch::check_may_move(const git::Oid& parent, const std::string& store_folder) {
  if (!tip_) return;
  std::optional<std::vector<git::Oid>> only_here;
  for (const git::Oid& lost : git::rev_list({tip_->hex(), "^" + parent.hex()})) {
    if (touches_store_only(repository_, lost, store_folder)) continue;
    // Upstream's own commits, after --onto: other branches hold them.
    if (!only_here) {
      only_here = git::rev_list(
          {tip_->hex(), "--not", "--exclude=" + name_, "--branches", "--tags", "--remotes"});
    }
    if (std::find(only_here->begin(), only_here->end(), lost) == only_here->end()) continue;
    throw_refused("branch " + in_quotes(name_) +
                      " has work that would be lost: " + lost.short_hex() + " " +
                      escaped(git::message_subject(repository_.read_commit(lost).message)),
                  {"keep it on a branch of its own: git switch -c <name> " + name_,
                   "then remove this one: git branch -D " + name_});
  }
}

std::vector<git::Oid> PatchBranch::versions_made_here() {
  std::vector<git::Oid> versions;
  if (!tip_) return versions;
  versions.push_back(*tip_);
  const ProcessResult log = git::run_git(
      {"log", "--walk-reflogs", "--no-show-signature", "--format=%H", full_name(), "--"});
  std::string_view rest = log.out;
  while (!rest.empty()) {
    if (const auto id = git::Oid::parse(without_lf(take_line(rest)))) versions.push_back(*id);
  }
  return versions;
}

void PatchBranch::expect_move(const std::string& reason) {
  expected_.emplace(reason);
}

void PatchBranch::move(const git::Oid& commit, const std::string& reason) {
  if (!expected_ || expected_->reason() != reason) expected_.emplace(reason);
  ProcessResult result = expected_->run(full_name(), commit, tip_);
  // Somebody else's move does not pass.
  if (git::may_pass(result) && repository_.find_ref(full_name()) == tip_) {
    result = git::RefUpdate(reason).run(full_name(), commit, tip_);
  }
  if (result.status != 0 && repository_.find_ref(full_name()) != commit) {
    throw git::error_from_git(ErrorKind::refused, "cannot move branch " + in_quotes(name_),
                              result.err);
  }
}

bool touches_store_only(git::Repository& repository, const git::Oid& commit,
                        const std::string& store_folder) {
  const git::Commit read = repository.read_commit(commit);
  if (read.parents.empty()) return false;
  const auto parent = repository.odb().find(read.parents.front(), git::ObjectType::commit);
  if (!parent) return false;
  return !git::trees_differ(repository.odb(), git::commit_tree(parent->view()), read.tree,
                            store_folder);
}

}  // namespace flagscale::commands
