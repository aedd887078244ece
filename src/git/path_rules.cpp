// SPDX-License-Identifier: Apache-2.0
#include "git/path_rules.h"

#include <cstdint>

namespace flagscale::git {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Whether `text` begins with `word` (lower case), whatever its case.
bool starts_with_any_case(std::string_view text, std::string_view word) {
  if (text.size() < word.size()) return false;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (lower(text[i]) != word[i]) return false;
  }
  return true;
}

constexpr std::uint32_t kEnd = 0;

/// Takes one code point; kEnd at the end and for bytes that are not UTF-8, which ends the name.
std::uint32_t take_code_point(std::string_view& rest) {
  if (rest.empty()) return kEnd;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(rest[i]); };
  const unsigned char lead = byte(0);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xc2 ? 0
                             : lead < 0xe0 ? 2
                             : lead < 0xf0 ? 3
                             : lead < 0xf5 ? 4
                                           : 0;
  if (length == 0 || rest.size() < length) {
    rest = {};
    return kEnd;
  }
  std::uint32_t point = length == 1 ? lead : lead & (0xffU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) {
      rest = {};
      return kEnd;
    }
    point = (point << 6U) | (byte(i) & 0x3fU);
  }
  rest.remove_prefix(length);
  return point;
}

/// Code points that HFS+ leaves out when it compares names.
bool is_ignored_by_hfs(std::uint32_t point) {
  return (point >= 0x200c && point <= 0x200f) || (point >= 0x202a && point <= 0x202e) ||
         (point >= 0x206a && point <= 0x206f) || point == 0xfeff;
}

std::uint32_t take_hfs_point(std::string_view& rest) {
  for (;;) {
    const std::uint32_t point = take_code_point(rest);
    if (!is_ignored_by_hfs(point)) return point;
  }
}

bool folds_on_hfs(std::string_view name, std::string_view wanted) {
  for (const char c : wanted) {
    const std::uint32_t point = take_hfs_point(name);
    if (point > 0x7f || lower(static_cast<char>(point)) != c) return false;
  }
  return take_hfs_point(name) == kEnd;
}

/// What NTFS drops from the end of a name: dots, blanks, and an alternate data stream. A
/// backslash ends the name as well.
bool is_nothing_on_ntfs(std::string_view rest) {
  for (const char c : rest) {
    if (c == ':' || c == '\\') return true;
    if (c != '.' && c != ' ') return false;
  }
  return true;
}

bool is_dot_git_on_ntfs(std::string_view name) {
  for (const std::string_view spelling : {std::string_view(".git"), std::string_view("git~1")}) {
    if (starts_with_any_case(name, spelling) && is_nothing_on_ntfs(name.substr(spelling.size()))) {
      return true;
    }
  }
  return false;
}

/// The short name that NTFS falls back to when `gitmod~1` to `~4` are taken: up to six characters
/// of `gi7eba`, a tilde and digits, eight characters in all.
bool is_fallback_short_name(std::string_view name) {
  static constexpr std::string_view kStem = "gi7eba";
  static constexpr std::size_t kLength = 8;
  if (name.size() < kLength) return false;
  std::size_t i = 0;
  while (i < kStem.size() && lower(name[i]) == kStem[i]) ++i;
  if (name[i] != '~') return false;
  ++i;
  for (bool first = true; i < kLength; ++i, first = false) {
    if (name[i] < (first ? '1' : '0') || name[i] > '9') return false;
  }
  return is_nothing_on_ntfs(name.substr(kLength));
}

bool is_gitmodules_on_ntfs(std::string_view name) {
  static constexpr std::string_view kName = ".gitmodules";
  static constexpr std::string_view kShort = "gitmod~";
  if (starts_with_any_case(name, kName) && is_nothing_on_ntfs(name.substr(kName.size()))) {
    return true;
  }
  if (starts_with_any_case(name, kShort) && name.size() > kShort.size()) {
    const char digit = name[kShort.size()];
    if (digit >= '1' && digit <= '4' && is_nothing_on_ntfs(name.substr(kShort.size() + 1))) {
      return true;
    }
  }
  return is_fallback_short_name(name);
}

/// Whether `test` holds for `name` or for what follows one of its backslashes, which Windows
/// takes for separators.
template <typename Test>
bool holds_at_any_backslash(std::string_view name, Test test) {
  for (;;) {
    if (test(name)) return true;
    const std::size_t backslash = name.find('\\');
    if (backslash == std::string_view::npos) return false;
    name.remove_prefix(backslash + 1);
  }
}

bool is_safe_part(std::string_view part) {
  return !part.empty() && part != "." && part != ".." && !folds_on_hfs(part, ".git") &&
         !holds_at_any_backslash(part, is_dot_git_on_ntfs);
}

template <typename Test>
bool holds_for_all_parts(std::string_view path, Test test) {
  for (;;) {
    const std::size_t slash = path.find('/');
    if (!test(path.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    path.remove_prefix(slash + 1);
  }
}

}  // namespace

bool folds_to_gitmodules(std::string_view name) {
  return folds_on_hfs(name, ".gitmodules") || holds_at_any_backslash(name, is_gitmodules_on_ntfs);
}

bool is_safe_path(std::string_view path) {
  return path.size() <= kMaxPathSize && path.find('\0') == std::string_view::npos &&
         holds_for_all_parts(path, is_safe_part);
}

bool is_safe_symlink_path(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  return is_safe_path(path) && !folds_to_gitmodules(name) &&
         holds_for_all_parts(
             path, [](std::string_view part) { return !folds_on_hfs(part, ".gitmodules"); });
}

}  // namespace flagscale::git
