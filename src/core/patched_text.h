// SPDX-License-Identifier: Apache-2.0
//
// A text while hunks are applied to it, one after the other, each where `git apply` would put
// it. Knows nothing of paths, modes or trees.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/diff.h"
#include "core/hunk_lines.h"
#include "core/line_order.h"

namespace flagscale {

/// Nothing is copied until the end. What a hunk left behind is never matched again. The text and
/// the hunks must outlive it.
class PatchedText {
 public:
  /// From `patience` line comparisons on, a search looks lines up instead of walking through the
  /// text; the outcome is the same.
  static constexpr std::size_t kPatience = 1000000;

  explicit PatchedText(std::string_view before, std::size_t patience = kPatience);

  /// Applies a hunk: at the line it names, else at the nearest place where all its old lines
  /// stand, downwards first. False: it fits nowhere.
  [[nodiscard]] bool apply(const Hunk& hunk);
  /// The text as it is now.
  [[nodiscard]] std::string text();
  /// How the hunk that was tried last differs from the text where it should fit.
  [[nodiscard]] std::string explain(const Hunk& hunk) const;

 private:
  /// What a hunk left, in place of `count` lines of the original.
  struct Replacement {
    std::size_t first = 0;
    std::size_t count = 0;
    const Hunk* hunk = nullptr;
  };
  using LineIndex = std::unordered_map<std::string_view, std::vector<std::size_t>>;

  PatchedText(std::string_view before, std::size_t patience, std::vector<std::size_t> starts);
  [[nodiscard]] std::string_view line(std::size_t index) const {
    return before_.substr(starts_[index], starts_[index + 1] - starts_[index]);
  }
  [[nodiscard]] std::size_t original_lines() const { return starts_.size() - 1; }
  [[nodiscard]] std::size_t wanted_number(const Hunk& hunk) const;
  [[nodiscard]] bool fits(std::size_t first);
  [[nodiscard]] bool fits_loosely(std::size_t first) const;
  [[nodiscard]] std::optional<std::size_t> fit_at_edge(bool at_start, bool at_end);
  [[nodiscard]] std::optional<std::size_t> search(std::size_t number);
  [[nodiscard]] std::optional<std::size_t> walk(std::size_t number);
  [[nodiscard]] std::size_t number_near(std::size_t line, std::size_t known_line,
                                        std::size_t known_number) const;
  void make_index();
  [[nodiscard]] const std::vector<std::size_t>* find_rarest();
  [[nodiscard]] std::optional<std::size_t> look_up(std::size_t number,
                                                   const std::vector<std::size_t>& places);

  std::string_view before_;
  /// Where each line of the original begins, and the end.
  std::vector<std::size_t> starts_;
  LineOrder order_;
  std::vector<Replacement> replacements_;
  OldLines old_;
  /// Which of the hunk's old lines is compared first.
  std::size_t probe_ = 0;
  /// Lines that were compared so far, and where each line of the original stands once that
  /// became too many.
  std::size_t compared_ = 0;
  std::size_t patience_;
  std::optional<LineIndex> index_;
};

}  // namespace flagscale
