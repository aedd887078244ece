// SPDX-License-Identifier: Apache-2.0
//
// core.sharedRepository: the permissions of files that are made in a repository which several
// people write to, by git's rules.
#pragma once

#include <sys/stat.h>

#include <string>

#include "git/config.h"

namespace flagscale::git {

class SharedMode {
 public:
  /// Nothing is asked for: the umask decides alone.
  SharedMode() = default;
  /// Reads the setting. Throws Error(unable) for a mode that would lock out the owner.
  static SharedMode from(const Config& config);

  [[nodiscard]] bool is_set() const noexcept { return bits_ != 0; }
  /// The permissions of something that was made with `mode`.
  [[nodiscard]] mode_t adjust(mode_t mode) const noexcept;
  /// Changes the permissions of a file or folder, if they are not as asked for.
  void apply_to(const std::string& path) const;

 private:
  mode_t bits_ = 0;
  /// Whether the bits replace those that the umask left.
  bool exact_ = false;
};

}  // namespace flagscale::git
