// SPDX-License-Identifier: Apache-2.0
#include "git/ref_move.h"

#include <cstdlib>
#include <vector>

#include "git/command.h"
#include "git/undo_switch.h"

namespace flagscale::git {
namespace {

using Arguments = std::vector<std::string>;

bool succeeds(const Arguments& arguments, ProcessResult& result) {
  result = run_git(arguments);
  if (may_pass(result)) result = run_git(arguments);
  return result.status == 0;
}

}  // namespace

RefMove::RefMove(Repository& repository, const Oid& before, const SwitchTarget& target)
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

std::optional<std::string> RefMove::run() {
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

}  // namespace flagscale::git
