// SPDX-License-Identifier: Apache-2.0
//
// Moving one ref by git, which may be started while the commit is still being made.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/process.h"
#include "git/oid.h"

namespace flagscale::git {

class RefUpdate {
 public:
  /// Starts git, which waits to be told. `reason` is for the reflog.
  explicit RefUpdate(std::string reason);
  RefUpdate(RefUpdate&&) = delete;
  RefUpdate& operator=(RefUpdate&&) = delete;
  /// Without run() nothing has moved, and no hook has run.
  ~RefUpdate();

  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

  /// Moves the ref (full name) from where it was, absent if it is new. To be called once.
  [[nodiscard]] ProcessResult run(const std::string& ref, const Oid& to,
                                  const std::optional<Oid>& from);

 private:
  std::string reason_;
  Process process_;
};

}  // namespace flagscale::git
