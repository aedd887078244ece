// SPDX-License-Identifier: Apache-2.0
//
// Text in columns that line up on a terminal, whatever script it is written in.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace flagscale::cli {

/// How many columns a terminal needs for UTF-8 text without control characters.
[[nodiscard]] std::size_t display_width(std::string_view text);
/// The text, or as much of it as fits and "..".
[[nodiscard]] std::string cut_to_width(const std::string& text, std::size_t width);

class Table {
 public:
  struct Column {
    std::string title;
    bool to_the_right = false;
  };
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  /// The titles, without LF; the rows, each with one. What does not fit into `width` is cut off
  /// the last column.
  [[nodiscard]] std::string format_titles(std::optional<std::size_t> width) const;
  [[nodiscard]] std::string format_rows(std::optional<std::size_t> width) const;

 private:
  [[nodiscard]] std::vector<std::size_t> widths() const;
  [[nodiscard]] std::string format_row(const std::vector<std::string>& cells,
                                       const std::vector<std::size_t>& widths,
                                       std::optional<std::size_t> width) const;

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// A long sentence on several lines: broken after a colon, where that is not within a name in
/// quotes; all lines but the first begin with two blanks.
[[nodiscard]] std::string fold_at_colons(std::string_view text, std::size_t width);

}  // namespace flagscale::cli
