// SPDX-License-Identifier: Apache-2.0
//
// The world a test program runs in: an environment that the machine's settings cannot reach, and
// one temporary folder that holds everything the tests make.
#pragma once

#include <string>

namespace flagscale::test {

/// Makes the temporary root and replaces the environment. Made once, before any thread and before
/// libgit2 starts. Throws std::runtime_error when the root cannot be made or would lie inside the
/// source folder.
class Sandbox {
 public:
  Sandbox();
  Sandbox(const Sandbox&) = delete;
  Sandbox& operator=(const Sandbox&) = delete;
  /// Removes the root unless it is to be kept.
  ~Sandbox();

  /// Leaves the root behind for a look at it.
  void keep() noexcept { keep_ = true; }
  [[nodiscard]] const std::string& root() const noexcept { return root_; }

 private:
  std::string root_;
  bool keep_ = false;
};

/// A new empty folder below the root, different at every call.
[[nodiscard]] std::string make_temp_folder();
/// The home folder of the sandbox; its `.gitconfig` is what git takes as the user's.
[[nodiscard]] std::string home_folder();
/// The folder of golden files in the source tree.
[[nodiscard]] std::string data_folder();

}  // namespace flagscale::test
