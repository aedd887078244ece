// SPDX-License-Identifier: Apache-2.0
#include "core/diff.h"

#include <utility>

#include "base/bytes.h"
#include "base/error.h"
#include "core/diff_header.h"
#include "core/diff_names.h"

namespace flagscale {
namespace {

/// Line numbers beyond this are no honest ones, and git cannot count so far.
constexpr std::uint64_t kMaxCount = 0x7fffffff;

[[noreturn]] void throw_corrupt(std::size_t line) {
  throw_unable("corrupt patch at line " + std::to_string(line));
}

/// Takes a number off the front of `text`. False: there is none.
bool take_number(std::string_view& text, std::uint64_t& value) {
  std::size_t digits = 0;
  value = 0;
  while (digits < text.size() && is_digit(text[digits])) {
    value = value * 10 + static_cast<std::uint64_t>(text[digits++] - '0');
    if (value > kMaxCount) return false;
  }
  text.remove_prefix(digits);
  return digits != 0;
}

/// Takes `<start>[,<lines>]` and then `after`.
bool take_range(std::string_view& text, std::string_view after, std::uint64_t& start,
                std::uint64_t& lines) {
  if (!take_number(text, start)) return false;
  lines = 1;
  if (text.starts_with(',')) {
    text.remove_prefix(1);
    if (!take_number(text, lines)) return false;
  }
  if (!text.starts_with(after)) return false;
  text.remove_prefix(after.size());
  return true;
}

bool parse_hunk_header(std::string_view line, Hunk& hunk) {
  if (line.empty() || line.back() != '\n') return false;
  line.remove_prefix(4);
  return take_range(line, " +", hunk.old_start, hunk.old_lines) &&
         take_range(line, " @@", hunk.new_start, hunk.new_lines);
}

/// A line `---` alone, which separates a message from what follows.
bool is_separator(std::string_view line) {
  return line.starts_with("---") && line.find_first_not_of(" \t\r\n", 3) == std::string_view::npos;
}

/// Whether a line is the last of a diffstat: ` 2 files changed, …`.
bool is_stat_summary(std::string_view line) {
  if (!line.starts_with(' ')) return false;
  line.remove_prefix(1);
  std::uint64_t files = 0;
  if (!take_number(line, files)) return false;
  return line.starts_with(" file changed") || line.starts_with(" files changed");
}

/// Whether the text after a separator is laid out as `git format-patch` does: a diffstat, then
/// blank lines or lines that begin with one, then a diff.
bool is_stat_and_diff(std::string_view text) {
  bool seen_summary = false;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (line.starts_with("diff --git ")) return seen_summary;
    if (is_separator(line) || line.starts_with("@@ -")) return false;
    if (is_stat_summary(line)) {
      seen_summary = true;
    } else if (seen_summary && line.front() != ' ' && !without_eol(line).empty()) {
      return false;
    }
  }
  return false;
}

/// Counts the lines of a hunk against what its header announces.
struct HunkCount {
  std::uint64_t old_left;
  std::uint64_t new_left;
  std::uint64_t added = 0;
  std::uint64_t removed = 0;
  std::size_t leading = 0;
  std::size_t trailing = 0;

  /// Counts a line by its first byte. False: it cannot be a line of this hunk.
  bool count(char first) {
    const bool is_context = first == ' ' || first == '\n';
    if (!is_context && first != '-' && first != '+') return false;
    if ((first != '+' && old_left-- == 0) || (first != '-' && new_left-- == 0)) return false;
    if (!is_context) {
      ++(first == '+' ? added : removed);
      trailing = 0;
      return true;
    }
    if (added == 0 && removed == 0) ++leading;
    ++trailing;
    return true;
  }
};

class DiffReader {
 public:
  DiffReader(std::string_view patch, std::size_t first_line) : rest_(patch), line_(first_line) {}

  std::vector<FileDiff> read() {
    for (FileDiff diff; find_header(diff); diff = FileDiff()) {
      if (doubtful_ == 0) doubtful_ = separator_;
      read_hunks(diff);
      if (diff.hunks.empty()) read_without_hunks(diff);
      diffs_.push_back(std::move(diff));
    }
    if (doubtful_ != 0) {
      throw_unable("cannot tell message from patch: diffs before and after the line '---' (line " +
                   std::to_string(doubtful_) + ")");
    }
    if (!diffs_.empty()) headers_.check_prefix();
    return std::move(diffs_);
  }

 private:
  std::string_view take() {
    ++line_;
    return take_line(rest_);
  }
  void skip(std::size_t bytes) {
    const std::size_t wanted = rest_.size() - bytes;
    while (rest_.size() > wanted) take();
  }

  bool find_header(FileDiff& diff);
  void meet_separator();
  void read_hunks(FileDiff& diff);
  void read_hunk_lines(Hunk& hunk, FileDiff& diff);
  void read_without_hunks(FileDiff& diff);
  std::optional<BinaryHunk> read_binary_hunk();

  std::string_view rest_;
  std::size_t line_;
  std::vector<FileDiff> diffs_;
  DiffHeaderReader headers_;
  /// The last separator after a diff that no diffstat follows.
  std::size_t separator_ = 0;
  /// The same, once another diff came after it.
  std::size_t doubtful_ = 0;
};

/// Goes to the end of the next header. False: there is none. The odd lower limits on sizes are
/// git's: they decide what it takes for trailing text.
bool DiffReader::find_header(FileDiff& diff) {
  static constexpr std::size_t kShortestLine = 6;
  static constexpr std::size_t kShortestHunk = 14;
  while (!rest_.empty()) {
    std::string_view after = rest_;
    const std::string_view line = take_line(after);
    if (is_separator(line)) meet_separator();
    if (line.size() < kShortestLine) {
      take();
      continue;
    }
    if (Hunk hunk; line.starts_with("@@ -") && parse_hunk_header(line, hunk)) {
      throw_unable("hunk without a diff header at line " + std::to_string(line_));
    }
    if (after.size() < kShortestLine) return false;
    if (line.starts_with("diff --git ")) {
      const std::size_t used = headers_.read_git_header(rest_, line_, diff);
      skip(used);
      if (used > line.size()) return true;
      continue;
    }
    if (line.starts_with("--- ") && after.starts_with("+++ ")) {
      const std::string_view second = take_line(after);
      if (after.size() >= kShortestHunk && after.starts_with("@@ -")) {
        headers_.read_plain_header(line, second, line_, diff);
        skip(line.size() + second.size());
        return true;
      }
    }
    take();
  }
  return false;
}

void DiffReader::meet_separator() {
  if (diffs_.empty()) return;
  std::string_view after = rest_;
  take_line(after);
  if (is_stat_and_diff(after)) {
    diffs_.clear();
    headers_ = DiffHeaderReader();
    separator_ = 0;
    doubtful_ = 0;
  } else {
    separator_ = line_;
  }
}

void DiffReader::read_hunks(FileDiff& diff) {
  std::uint64_t old_lines = 0;
  std::uint64_t new_lines = 0;
  while (rest_.size() > 4 && rest_.starts_with("@@ -")) {
    Hunk hunk;
    hunk.line = line_;
    if (!parse_hunk_header(take(), hunk)) throw_corrupt(hunk.line);
    const std::string_view start = rest_;
    read_hunk_lines(hunk, diff);
    hunk.body = start.substr(0, start.size() - rest_.size());
    old_lines += hunk.old_lines;
    new_lines += hunk.new_lines;
    diff.hunks.push_back(hunk);
  }
  if (old_lines != 0 || diff.hunks.size() > 1) diff.creates_if_absent = false;
  if (diff.kind == FileDiff::Kind::create && old_lines != 0) {
    throw_unable("new file depends on old contents at line " + std::to_string(diff.line));
  }
  if (diff.kind == FileDiff::Kind::remove && new_lines != 0) {
    throw_unable("deleted file still has contents at line " + std::to_string(diff.line));
  }
}

void DiffReader::read_hunk_lines(Hunk& hunk, FileDiff& diff) {
  static constexpr std::size_t kShortestNote = 12;
  HunkCount count{hunk.old_lines, hunk.new_lines};
  while (count.old_left != 0 || count.new_left != 0) {
    const std::size_t line_number = line_;
    if (rest_.empty()) throw_corrupt(line_number);
    const std::string_view line = take();
    const bool is_note = line.size() >= kShortestNote && line.starts_with("\\ ");
    if (line.back() != '\n' || (!is_note && !count.count(line.front()))) throw_corrupt(line_number);
  }
  if (count.added == 0 && count.removed == 0) throw_corrupt(hunk.line);
  // A note on the hunk's last line comes after all lines are counted.
  if (rest_.size() > kShortestNote && rest_.starts_with("\\ ")) take();
  hunk.leading = count.leading;
  hunk.trailing = count.trailing;
  diff.insertions += count.added;
  diff.deletions += count.removed;
}

/// What may follow a header in place of hunks: binary data, the remark that there is none, or
/// nothing at all when the header itself changes something.
void DiffReader::read_without_hunks(FileDiff& diff) {
  std::string_view after = rest_;
  const std::string_view line = take_line(after);
  if (line == "GIT binary patch\n") {
    take();
    diff.binary = read_binary_hunk();
    if (!diff.binary) throw_unable("unrecognized binary patch at line " + std::to_string(line_));
    // The way back is only looked at for where it ends.
    read_binary_hunk();
    return;
  }
  if (line.ends_with(" differ\n") &&
      (line.starts_with("Binary files ") || line.starts_with("Files "))) {
    take();
    diff.binary_without_data = true;
    return;
  }
  const bool changes_mode = diff.old_mode && diff.new_mode && diff.old_mode != diff.new_mode;
  if (diff.kind == FileDiff::Kind::change && !changes_mode) {
    throw_unable("diff without any change at line " + std::to_string(diff.line));
  }
}

std::optional<BinaryHunk> DiffReader::read_binary_hunk() {
  BinaryHunk hunk;
  std::string_view word = rest_;
  if (rest_.starts_with("delta ")) {
    hunk.method = BinaryHunk::Method::delta;
    word.remove_prefix(6);
  } else if (rest_.starts_with("literal ")) {
    word.remove_prefix(8);
  } else {
    return std::nullopt;
  }
  hunk.line = line_;
  const std::string_view number = without_eol(take_line(word));
  if (!parse_decimal(number, hunk.size)) throw_corrupt(line_);
  take();
  const std::string_view start = rest_;
  for (;;) {
    const std::size_t line_number = line_;
    const std::string_view line = take();
    if (line == "\n") break;
    if (line.size() < 7 || (line.size() - 2) % 5 != 0) {
      throw_unable("corrupt binary patch at line " + std::to_string(line_number));
    }
  }
  hunk.data = start.substr(0, start.size() - rest_.size() - 1);
  return hunk;
}

}  // namespace

std::vector<FileDiff> parse_diff(std::string_view patch, std::size_t first_line) {
  return DiffReader(patch, first_line).read();
}

}  // namespace flagscale
