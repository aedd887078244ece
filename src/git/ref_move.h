// SPDX-License-Identifier: Apache-2.0
//
// The last part of a switch: the branch, then HEAD, with the reflog entries that `git checkout`
// writes.
#pragma once

#include <optional>
#include <string>

#include "git/switch.h"

namespace flagscale::git {

class RefMove {
 public:
  /// A switch from `before`, HEAD's commit. `target` must outlive this.
  RefMove(Repository& repository, const Oid& before, const SwitchTarget& target);

  /// On failure what git said; nothing has moved then.
  [[nodiscard]] std::optional<std::string> run();

 private:
  Repository& repository_;
  const SwitchTarget& target_;
  std::string message_;
  std::string branch_;
  std::optional<Oid> former_tip_;
};

}  // namespace flagscale::git
