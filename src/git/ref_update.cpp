// SPDX-License-Identifier: Apache-2.0
#include "git/ref_update.h"

#include "git/command.h"

namespace flagscale::git {
namespace {

GitOptions told_later() {
  GitOptions options;
  options.input_follows = true;
  return options;
}

}  // namespace

RefUpdate::RefUpdate(std::string reason)
    : reason_(std::move(reason)),
      process_(start_git({"update-ref", "-m", reason_, "--stdin", "-z"}, told_later())) {}

RefUpdate::~RefUpdate() {
  // At the end of its input git would run the hooks of a move of nothing.
  process_.kill();
}

ProcessResult RefUpdate::run(const std::string& ref, const Oid& to,
                             const std::optional<Oid>& from) {
  std::string order = "update " + ref;
  for (const std::string& id : {to.hex(), from.value_or(Oid()).hex()}) order += '\0' + id;
  return process_.finish_with(order + '\0');
}

}  // namespace flagscale::git
