// SPDX-License-Identifier: Apache-2.0
#include "core/diff_header.h"

#include <utility>

#include "base/bytes.h"
#include "base/error.h"
#include "core/diff_names.h"

namespace flagscale {
namespace {

constexpr std::string_view kGitHeader = "diff --git ";
/// Two paths of the longest kind, all bytes escaped, and room for prefixes.
constexpr std::size_t kMaxHeaderLine = std::size_t{64} * 1024;

std::string at_line(std::size_t line) {
  return " at line " + std::to_string(line);
}

/// One git header while its lines are being read.
struct GitHeader {
  FileDiff& diff;
  int strip;
  std::size_t line;
  std::optional<std::string> common_name;

  void set_kind(FileDiff::Kind kind) {
    if (diff.kind != FileDiff::Kind::change && diff.kind != kind) {
      throw_unable("inconsistent diff header" + at_line(line));
    }
    diff.kind = kind;
  }

  static std::optional<std::uint32_t> parse_mode(std::string_view text, std::size_t line) {
    const std::size_t start = text.find_first_not_of(" \t");
    if (start != std::string_view::npos) text.remove_prefix(start);
    std::uint32_t mode = 0;
    std::size_t digits = 0;
    while (digits < text.size() && text[digits] >= '0' && text[digits] <= '7') {
      mode = mode * 8 + static_cast<std::uint32_t>(text[digits++] - '0');
    }
    if (digits == 0 || digits > 10 || digits == text.size() || !is_git_space(text[digits])) {
      throw_unable("invalid file mode" + at_line(line));
    }
    // A mode of zero counts as not given.
    return mode == 0 ? std::nullopt : std::optional(mode);
  }

  void read_name(std::string_view text, bool is_absent, std::optional<std::string>& name) const {
    if (!name) {
      if (!is_absent) {
        name = parse_name(text, strip, NameEnd::tab);
      } else if (!is_dev_null(text)) {
        throw_unable("inconsistent diff header, expected /dev/null" + at_line(line));
      }
    } else if (is_absent || parse_name(text, strip, NameEnd::tab) != name) {
      throw_unable("inconsistent file name" + at_line(line));
    }
  }

  void read_move(std::string_view text, FileDiff::Kind kind, std::optional<std::string>& name) {
    set_kind(kind);
    name = parse_name(text, 0, NameEnd::line);
  }

  /// `<old id>..<new id>[ <mode>]`; anything else in this place is passed over, as git does.
  void read_index(std::string_view text) {
    const std::size_t dots = text.find('.');
    if (dots > git::Oid::kHexSize || !text.substr(dots).starts_with("..")) {
      return;
    }
    diff.old_id = text.substr(0, dots);
    text.remove_prefix(dots + 2);
    const std::size_t end = text.find_first_of(" \n");
    if (end > git::Oid::kHexSize) return;
    diff.new_id = text.substr(0, end);
    if (text[end] == ' ') diff.old_mode = parse_mode(text.substr(end + 1), line);
  }

  /// Reads one line. False: it is none of a header.
  bool read_line(std::string_view text) {
    const auto take = [&](std::string_view word) {
      if (!text.starts_with(word)) return false;
      text.remove_prefix(word.size());
      return true;
    };
    if (take("--- ")) {
      read_name(text, diff.kind == FileDiff::Kind::create, diff.old_path);
    } else if (take("+++ ")) {
      read_name(text, diff.kind == FileDiff::Kind::remove, diff.new_path);
    } else if (take("old mode ")) {
      diff.old_mode = parse_mode(text, line);
    } else if (take("new mode ")) {
      diff.new_mode = parse_mode(text, line);
    } else if (take("deleted file mode ")) {
      set_kind(FileDiff::Kind::remove);
      diff.old_path = common_name;
      diff.old_mode = parse_mode(text, line);
    } else if (take("new file mode ")) {
      set_kind(FileDiff::Kind::create);
      diff.new_path = common_name;
      diff.new_mode = parse_mode(text, line);
    } else if (take("copy from ")) {
      read_move(text, FileDiff::Kind::copy, diff.old_path);
    } else if (take("copy to ")) {
      read_move(text, FileDiff::Kind::copy, diff.new_path);
    } else if (take("rename from ") || take("rename old ")) {
      read_move(text, FileDiff::Kind::rename, diff.old_path);
    } else if (take("rename to ") || take("rename new ")) {
      read_move(text, FileDiff::Kind::rename, diff.new_path);
    } else if (take("index ")) {
      read_index(text);
    } else {
      return take("similarity index ") || take("dissimilarity index ");
    }
    return true;
  }

  /// Settles the names once all lines are read.
  void finish() {
    if (!diff.old_path && !diff.new_path) {
      diff.old_path = common_name;
      diff.new_path = common_name;
    }
    const bool creates = diff.kind == FileDiff::Kind::create;
    const bool removes = diff.kind == FileDiff::Kind::remove;
    if ((!diff.new_path && !removes) || (!diff.old_path && !creates)) {
      throw_unable("diff header without a file name" + at_line(diff.line));
    }
    if ((creates && diff.old_path) || (removes && diff.new_path)) {
      throw_unable("inconsistent diff header" + at_line(diff.line));
    }
  }
};

/// The two paths of a rename or copy among the lines after a `diff --git` line, as written.
std::pair<std::string_view, std::string_view> find_moved_paths(std::string_view text) {
  std::pair<std::string_view, std::string_view> paths;
  while (!text.empty()) {
    const std::string_view line = without_lf(take_line(text));
    if (line.starts_with("rename from ")) {
      paths.first = line.substr(12);
    } else if (line.starts_with("copy from ")) {
      paths.first = line.substr(10);
    } else if (line.starts_with("rename to ")) {
      paths.second = line.substr(10);
    } else if (line.starts_with("copy to ")) {
      paths.second = line.substr(8);
    } else if (!line.starts_with("similarity ") && !line.starts_with("old mode ") &&
               !line.starts_with("new mode ") && !line.starts_with("dissimilarity ")) {
      break;
    }
  }
  return paths;
}

/// Whether the names after `diff --git ` have no prefix: git's prefixes differ on both sides.
bool has_no_prefix(std::string_view names, std::string_view header_rest) {
  names = without_eol(names);
  const auto [from, to] = find_moved_paths(header_rest);
  if (!from.empty() && !to.empty()) {
    return names.size() == from.size() + 1 + to.size() && names.starts_with(from) &&
           names[from.size()] == ' ' && names.ends_with(to);
  }
  const std::size_t half = names.size() / 2;
  return names.size() % 2 == 1 && names[half] == ' ' &&
         names.substr(0, half) == names.substr(half + 1);
}

/// The letter of a name that begins with `a/` or `b/`.
std::optional<char> prefix_letter(std::string_view name) {
  if (name.starts_with('"')) name.remove_prefix(1);
  if (name.starts_with("a/") || name.starts_with("b/")) return name.front();
  return std::nullopt;
}

/// Whether the first folder of a name is one of the prefixes that git is known to write.
bool has_known_prefix(std::string_view name) {
  if (name.starts_with('"')) name.remove_prefix(1);
  return name.size() > 2 && name[1] == '/' &&
         std::string_view("abciwo12").find(name[0]) != std::string_view::npos;
}

[[noreturn]] void throw_no_prefix(std::size_t line) {
  throw_unable("cannot tell whether the paths have a prefix such as a/ and b/" + at_line(line));
}

void check_names(const FileDiff& diff) {
  for (const auto& path : {diff.old_path, diff.new_path}) {
    if (path && path->find('\0') != std::string::npos) {
      throw_unable("file name with a NUL" + at_line(diff.line));
    }
  }
}

}  // namespace

int DiffHeaderReader::choose_strip(std::string_view names, std::string_view text,
                                   std::size_t line) {
  const int strip = has_no_prefix(names, text) ? 0 : 1;
  if (strip != git_strip_.value_or(strip) || (strip == 1 && plain_strip_is_zero_)) {
    throw_unable("paths with and without a prefix such as a/ and b/ in one patch" + at_line(line));
  }
  if (!git_strip_) first_line_ = line;
  git_strip_ = strip;
  const auto letter = prefix_letter(names);
  if (strip == 1 || !letter || letter != doubtful_letter_.value_or(*letter)) never_doubtful_ = true;
  doubtful_letter_ = letter;
  return strip;
}

std::size_t DiffHeaderReader::read_git_header(std::string_view text, std::size_t line,
                                              FileDiff& diff) {
  const std::size_t size = text.size();
  const std::string_view first = take_line(text);
  if (first.size() > kMaxHeaderLine) throw_unable("overlong diff header" + at_line(line));
  const std::string_view names = first.substr(kGitHeader.size());
  const int strip = choose_strip(names, text, line);
  FileDiff read;
  read.line = line;
  GitHeader header{read, strip, line, parse_common_name(names, strip)};
  while (!text.empty()) {
    std::string_view rest = text;
    const std::string_view next = take_line(rest);
    ++header.line;
    if (next.back() != '\n' || next.starts_with("@@ -") || !header.read_line(next)) break;
    if (next.size() > kMaxHeaderLine) throw_unable("overlong diff header" + at_line(header.line));
    text = rest;
  }
  header.finish();
  check_names(read);
  const std::size_t used = size - text.size();
  if (used == first.size()) {
    carried_ = header.common_name;
    return used;
  }
  check_carried(read, line);
  diff = std::move(read);
  return used;
}

void DiffHeaderReader::check_carried(const FileDiff& diff, std::size_t line) {
  if (!carried_) return;
  const bool moved = diff.kind == FileDiff::Kind::rename || diff.kind == FileDiff::Kind::copy;
  if (!moved && (diff.old_path != carried_ || diff.new_path != carried_)) {
    throw_unable("inconsistent file name" + at_line(line));
  }
  carried_.reset();
}

int DiffHeaderReader::choose_plain_strip(std::string_view old_line, std::string_view new_line,
                                         std::size_t line) {
  const auto old_name = parse_plain_name(old_line, 0, nullptr);
  const auto new_name = parse_plain_name(new_line, 0, nullptr);
  if (new_name && new_name->find('/') == std::string::npos) plain_strip_is_zero_ = true;
  if (git_strip_ == 0 || plain_strip_is_zero_) return 0;
  if (git_strip_ == 1) return 1;
  bool known = old_name != new_name;
  if (is_dev_null(old_line)) {
    known = has_known_prefix(new_line);
  } else if (is_dev_null(new_line)) {
    known = has_known_prefix(old_line);
  }
  if (!known) throw_no_prefix(line);
  return 1;
}

void DiffHeaderReader::read_plain_header(std::string_view first, std::string_view second,
                                         std::size_t line, FileDiff& diff) {
  if (first.size() > kMaxHeaderLine || second.size() > kMaxHeaderLine) {
    throw_unable("overlong diff header" + at_line(line));
  }
  const std::string_view old_line = first.substr(4);
  const std::string_view new_line = second.substr(4);
  const int strip = choose_plain_strip(old_line, new_line, line);
  diff = FileDiff();
  diff.line = line;
  diff.old_path = parse_plain_name(old_line, strip, nullptr);
  diff.new_path = parse_plain_name(new_line, strip, diff.old_path ? &*diff.old_path : nullptr);
  if (is_dev_null(old_line)) {
    diff.kind = FileDiff::Kind::create;
    diff.new_path = parse_plain_name(new_line, strip, nullptr);
  } else if (is_dev_null(new_line)) {
    diff.kind = FileDiff::Kind::remove;
    diff.new_path = diff.old_path;
  } else if (has_epoch_time(old_line)) {
    diff.kind = FileDiff::Kind::create;
  } else if (has_epoch_time(new_line)) {
    diff.kind = FileDiff::Kind::remove;
  } else {
    diff.creates_if_absent = true;
  }
  if (!diff.new_path) throw_unable("no file name in the diff" + at_line(line));
  // Both lines are about one file: the name that was settled on last.
  diff.old_path = diff.new_path;
  if (diff.kind == FileDiff::Kind::create) diff.old_path.reset();
  if (diff.kind == FileDiff::Kind::remove) diff.new_path.reset();
  check_names(diff);
  if (carried_ && diff.kind != FileDiff::Kind::change) {
    throw_unable("inconsistent file name" + at_line(line));
  }
  carried_.reset();
}

void DiffHeaderReader::check_prefix() const {
  if (git_strip_ == 0 && !never_doubtful_) throw_no_prefix(first_line_);
}

}  // namespace flagscale
