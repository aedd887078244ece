// SPDX-License-Identifier: Apache-2.0
//
// What most tests of the commands begin with: an upstream, a vendor's clone of it with work of the
// vendor's own, and the commands' results taken apart.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/json.h"
#include "support/test_repo.h"

namespace flagscale::test {

/// An upstream (bare, main at `base`) and a clone of it with three commits of work up to `current`
/// on branch `work`, which is checked out.
struct Adaptation {
  TestRepo upstream;
  TestRepo repo;
  std::string base;
  std::string current;

  Adaptation();

  /// `--device-type <device> --base-commit-id <base> --current-commit-id <current>` after `patch`.
  [[nodiscard]] Args patch_args(const std::string& device = "A_X100") const;
  /// The path of something in the folder of the patch: `patch`, `json`.
  [[nodiscard]] std::string stored(const std::string& ending,
                                   const std::string& device = "A_X100") const;
  /// The branch of the patch commit.
  [[nodiscard]] std::string branch(const std::string& device = "A_X100") const;
};

/// Adds words to a command line.
[[nodiscard]] Args operator+(Args words, const Args& more);

/// What a successful `git flagscale patch` printed.
struct Patched {
  std::string commit;
  std::string path;
  std::string talk;
};
/// Runs `git flagscale <args>`, which begin with `patch`; fails the test if that fails.
Patched patch(const TestRepo& repo, const Args& args, const RunOptions& options = {});

/// One line of what a successful `git flagscale unpatch` printed.
struct Unpatched {
  std::string device;
  std::string commit;
  std::string folder;
};
/// Runs `git flagscale unpatch <args>`; fails the test if that fails.
std::vector<Unpatched> unpatch(const TestRepo& repo, const Args& args,
                               const RunOptions& options = {});

/// The first eight digits.
[[nodiscard]] std::string base8(const std::string& id);
/// The ids of the parents of HEAD.
[[nodiscard]] std::string parents_of_head(const TestRepo& repo);
/// The JSON object in `<revision>:<path>`.
[[nodiscard]] Json json_at(const TestRepo& repo, const std::string& revision_and_path);
/// Whether a text holds another.
[[nodiscard]] bool has_text(std::string_view text, std::string_view wanted);
/// The non-empty lines of a text.
[[nodiscard]] std::vector<std::string> lines_of(std::string_view text);
/// The commands that a hint offers, in order, as a user would copy them.
[[nodiscard]] std::vector<std::string> hinted_commands(std::string_view talk);

}  // namespace flagscale::test
