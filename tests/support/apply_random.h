// SPDX-License-Identifier: Apache-2.0
//
// Random trees and changes of trees, always the same for one seed.
#pragma once

#include <cstdint>
#include <random>
#include <string>

#include "support/apply_oracle.h"

namespace flagscale::test {

class RandomTrees {
 public:
  explicit RandomTrees(std::uint32_t seed) : random_(seed) {}

  /// A tree of a few files of all kinds.
  [[nodiscard]] TestTree tree();
  /// The tree after a few changes: edits, renames, copies, modes, types, files and folders.
  [[nodiscard]] TestTree changed(TestTree tree, int changes);
  /// A patch's text after some damage.
  [[nodiscard]] std::string damaged(const std::string& patch);
  /// Options for `git diff`.
  [[nodiscard]] Args diff_options();

  /// A number from 0 to `limit` - 1.
  [[nodiscard]] std::size_t below(std::size_t limit) { return random_() % limit; }
  [[nodiscard]] bool one_in(std::size_t chances) { return below(chances) == 0; }

 private:
  [[nodiscard]] std::string name();
  [[nodiscard]] std::string line();
  [[nodiscard]] std::string text();
  [[nodiscard]] TestFile file();
  [[nodiscard]] std::string edited(const std::string& bytes);
  [[nodiscard]] TestTree::iterator any(TestTree& tree);
  void put(TestTree& tree, const std::string& path, const TestFile& file);
  void change(TestTree& tree);

  std::mt19937 random_;
};

}  // namespace flagscale::test
