// SPDX-License-Identifier: Apache-2.0
#include "cli/table.h"

#include <algorithm>
#include <array>

namespace flagscale::cli {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

/// Marks that stand on the letter before them.
constexpr std::array<Range, 5> kNoWidth{{
    {0x0300, 0x036f},
    {0x200b, 0x200f},
    {0x20d0, 0x20ff},
    {0xfe00, 0xfe0f},
    {0xfeff, 0xfeff},
}};
/// East Asian scripts and pictures.
constexpr std::array<Range, 9> kDoubleWidth{{
    {0x1100, 0x115f},
    {0x2e80, 0xa4cf},
    {0xac00, 0xd7a3},
    {0xf900, 0xfaff},
    {0xfe30, 0xfe6f},
    {0xff00, 0xff60},
    {0xffe0, 0xffe6},
    {0x1f300, 0x1faff},
    {0x20000, 0x3fffd},
}};

template <std::size_t Size>
bool is_in(const std::array<Range, Size>& ranges, char32_t point) {
  return std::any_of(ranges.begin(), ranges.end(), [&](const Range& range) {
    return point >= range.first && point <= range.last;
  });
}

/// Takes one code point off well-formed UTF-8.
char32_t take_point(std::string_view& text) {
  const auto first = static_cast<unsigned char>(text.front());
  const std::size_t length = first < 0xc0 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  char32_t point = length == 1 ? first : first & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length && i < text.size(); ++i) {
    point = point << 6U | (static_cast<unsigned char>(text[i]) & 0x3fU);
  }
  text.remove_prefix(std::min(length, text.size()));
  return point;
}

std::size_t point_width(char32_t point) {
  if (is_in(kNoWidth, point)) return 0;
  return is_in(kDoubleWidth, point) ? 2 : 1;
}

constexpr std::string_view kGap = "  ";

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) width += point_width(take_point(text));
  return width;
}

std::string cut_to_width(const std::string& text, std::size_t width) {
  if (display_width(text) <= width) return text;
  static constexpr std::string_view kCut = "..";
  std::string_view rest = text;
  std::size_t used = kCut.size();
  std::size_t kept = 0;
  while (!rest.empty()) {
    used += point_width(take_point(rest));
    if (used > width) break;
    kept = text.size() - rest.size();
  }
  return text.substr(0, kept) + std::string(kCut.substr(0, width));
}

std::vector<std::size_t> Table::widths() const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t width = display_width(columns_[i].title);
    for (const auto& row : rows_) width = std::max(width, display_width(row[i]));
    widths.push_back(width);
  }
  return widths;
}

std::string Table::format_row(const std::vector<std::string>& cells,
                              const std::vector<std::size_t>& widths,
                              std::optional<std::size_t> width) const {
  std::string out;
  std::size_t used = 0;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const bool is_last = i + 1 == cells.size();
    if (is_last && width) {
      static constexpr std::size_t kLeast = 8;
      out += cut_to_width(cells[i], std::max(kLeast, *width - std::min(*width, used)));
      break;
    }
    const std::string blanks(widths[i] - std::min(widths[i], display_width(cells[i])), ' ');
    if (columns_[i].to_the_right) out += blanks;
    out += cells[i];
    if (is_last) break;
    if (!columns_[i].to_the_right) out += blanks;
    out += kGap;
    used += widths[i] + kGap.size();
  }
  out.erase(out.find_last_not_of(' ') + 1);
  return out;
}

std::string Table::format_titles(std::optional<std::size_t> width) const {
  std::vector<std::string> titles;
  for (const Column& column : columns_) titles.push_back(column.title);
  return format_row(titles, widths(), width);
}

std::string Table::format_rows(std::optional<std::size_t> width) const {
  const std::vector<std::size_t> all = widths();
  std::string out;
  for (const auto& row : rows_) out += format_row(row, all, width) + "\n";
  return out;
}

std::string fold_at_colons(std::string_view text, std::size_t width) {
  std::string out;
  std::string line;
  const auto add = [&](std::string_view piece) {
    // A prefix such as `fatal: ` stays with what follows it.
    const bool may_break = line.find(' ') + 1 < line.size();
    if (may_break && display_width(line) + display_width(piece) > width) {
      while (line.ends_with(' ')) line.pop_back();
      out += line + "\n";
      line = "  ";
    }
    line += piece;
  };
  std::size_t start = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (rest.starts_with(" '")) {
      quoted = true;
    } else if (rest.starts_with("':") || rest.starts_with("',") || rest.starts_with("' ")) {
      quoted = false;
    } else if (!quoted && rest.starts_with(": ")) {
      add(text.substr(start, i + 2 - start));
      start = i + 2;
    }
  }
  add(text.substr(start));
  return out + line;
}

}  // namespace flagscale::cli
