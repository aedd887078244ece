// SPDX-License-Identifier: Apache-2.0
//
// Where the lines of a text stand while runs of them are replaced: which are still there, and
// their numbers by now. Every question and change takes logarithmic time. Knows nothing of what
// the lines say.
#pragma once

#include <cstddef>
#include <vector>

namespace flagscale {

class LineOrder {
 public:
  /// A text of `count` lines, each at its place.
  explicit LineOrder(std::size_t count);

  /// Lines the text has now, new ones included.
  [[nodiscard]] std::size_t total() const noexcept { return total_; }
  /// Whether a line of the original is still there.
  [[nodiscard]] bool is_kept(std::size_t line) const { return next_[line] == line; }
  /// The number that a line of the original has now, or would have.
  [[nodiscard]] std::size_t number_of(std::size_t line) const;
  /// The line of the original that has this number now. When it is a new line: the first one
  /// that was replaced by it, or the original's end.
  [[nodiscard]] std::size_t line_at(std::size_t number) const;
  /// The first line from `line` on that is still there; the original's end when there is none.
  [[nodiscard]] std::size_t next_kept(std::size_t line);
  /// One more than the last line before `line` that is still there; 0 when there is none.
  [[nodiscard]] std::size_t previous_kept_end(std::size_t line);

  /// Puts `new_count` new lines in the place of the lines from `first` to `first + count`, which
  /// are all still there. Without any, new lines can only be put at the end.
  void replace(std::size_t first, std::size_t count, std::size_t new_count);

 private:
  void add(std::size_t slot, std::size_t amount);

  /// A Fenwick tree (from 1) of how many lines each place of the original stands for; sums wrap
  /// around, so that amounts can be taken off.
  std::vector<std::size_t> sums_;
  /// Shortcuts to a kept line further on, and to the end of one further back.
  std::vector<std::size_t> next_;
  std::vector<std::size_t> previous_;
  std::size_t total_;
};

}  // namespace flagscale
