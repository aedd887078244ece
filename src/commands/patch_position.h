// SPDX-License-Identifier: Apache-2.0
//
// Whether base, current and HEAD are what somebody who patches can mean, and what to say if not.
#pragma once

#include <optional>
#include <string>

#include "commands/patch_branch.h"
#include "commands/store_search.h"
#include "git/repository.h"

namespace flagscale::commands {

/// Where a patch is about to be made.
struct PatchPosition {
  git::Repository& repository;
  StoreSearch& search;
  PatchBranch& branch;
  const StorePaths& paths;
  const DeviceType& device;
  git::Oid base;
  git::Oid current;
};

/// HEAD is taken for the work only when it is not a patch commit: throws Error(refused).
void check_head_is_work(const PatchPosition& here);

/// Says how base and current are related. Throws Error(refused).
[[noreturn]] void throw_not_an_ancestor(const PatchPosition& here);

/// A warning, when current contains upstream commits beyond the base.
[[nodiscard]] std::optional<std::string> find_newer_base(const PatchPosition& here);

}  // namespace flagscale::commands
