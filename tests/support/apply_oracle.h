// SPDX-License-Identifier: Apache-2.0
//
// Compares the project's reader and applier of diffs with the real git, tree id by tree id.
// Histories are made in bulk, without a working tree.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/apply.h"
#include "git/odb.h"
#include "support/test_repo.h"

namespace flagscale::test {

/// A file of a made-up tree; for a gitlink `bytes` is the hex id.
struct TestFile {
  std::string bytes;
  std::string mode = "100644";

  friend bool operator==(const TestFile&, const TestFile&) = default;
};
using TestTree = std::map<std::string, TestFile>;

[[nodiscard]] TestFile plain(std::string bytes);
[[nodiscard]] TestFile executable(std::string bytes);
[[nodiscard]] TestFile link(std::string target);
/// A submodule at a commit whose id consists of this digit.
[[nodiscard]] TestFile submodule(char digit);
/// Lines `<word> 1` to `<word> <count>`.
[[nodiscard]] std::string numbered(int count, const std::string& word = "line");
/// Bytes that git takes for binary, always the same for one seed.
[[nodiscard]] std::string noise(std::size_t size, unsigned seed = 1);

/// Collects commits and makes them with one run of `git fast-import`.
class CommitBuilder {
 public:
  /// Adds a commit with this tree, on top of an earlier one or of none; returns its number.
  std::size_t add(const TestTree& tree, std::optional<std::size_t> parent = std::nullopt);
  /// Makes the commits; returns their ids in order.
  [[nodiscard]] std::vector<std::string> import(const TestRepo& repo) const;

 private:
  std::string stream_;
  std::size_t count_ = 0;
};

/// What both made of a patch: tree ids, empty where it was refused.
struct Comparison {
  std::string git_tree;
  std::string own_tree;
  std::string git_says;
  std::string own_says;

  [[nodiscard]] bool agrees() const { return git_tree == own_tree; }
};

class ApplyOracle {
 public:
  explicit ApplyOracle(const TestRepo& repo);

  /// Applies the text of diffs to a commit's tree, with both.
  [[nodiscard]] Comparison compare(const std::string& commit, std::string_view patch);
  /// Runs `git <args>` and returns all of its output.
  [[nodiscard]] std::string output(const Args& args) const;

 private:
  void apply_ourselves(const std::string& commit, std::string_view patch, const ApplyHelp& help,
                       Comparison& result);

  const TestRepo& repo_;
  git::Odb odb_;
};

/// Counts comparisons, and checks that both agree.
struct Tally {
  std::size_t compared = 0;
  std::size_t refused = 0;

  void check(const Comparison& result);
  [[nodiscard]] std::string text() const;
};

/// The patch part of a mail as `git format-patch` writes it: from its first line `---` on.
[[nodiscard]] std::string patch_part(const std::string& mail);

}  // namespace flagscale::test
