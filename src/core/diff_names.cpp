// SPDX-License-Identifier: Apache-2.0
#include "core/diff_names.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/quote.h"

namespace flagscale {
namespace {

/// Makes one slash of several.
std::string squash_slashes(std::string_view name) {
  std::string out;
  out.reserve(name.size());
  for (const char c : name) {
    if (c != '/' || out.empty() || out.back() != '/') out += c;
  }
  return out;
}

/// What follows the `strip`-th slash of a name; absent when there are fewer.
std::optional<std::string_view> skip_folders(std::string_view name, int strip) {
  for (; strip > 0; --strip) {
    const std::size_t slash = name.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    name.remove_prefix(slash + 1);
  }
  return name;
}

/// The same for the names on a `diff --git` line, which may not be absolute.
std::optional<std::string_view> skip_prefix(std::string_view name, int strip) {
  if (!name.empty() && name.front() == '/') return std::nullopt;
  return skip_folders(name, strip);
}

std::optional<std::string> parse_quoted_name(std::string_view line, int strip) {
  std::size_t used = 0;
  const auto name = parse_c_quoted(line, used);
  if (!name) return std::nullopt;
  const auto rest = skip_folders(*name, strip);
  if (!rest) return std::nullopt;
  return squash_slashes(*rest);
}

/// The name up to the end of the line. A CR ends it like an LF.
std::string_view cut_name(std::string_view line, NameEnd end) {
  return line.substr(0, line.find_first_of(end == NameEnd::tab ? "\t\r\n" : "\r\n"));
}

std::optional<std::string> parse_bare_name(std::string_view name, int strip,
                                           const std::string* fallback) {
  const auto rest = skip_folders(name, strip);
  const bool use_fallback =
      !rest || rest->empty() ||
      (fallback != nullptr && fallback->size() < rest->size() && rest->starts_with(*fallback));
  if (!use_fallback) return squash_slashes(*rest);
  if (fallback == nullptr) return std::nullopt;
  return squash_slashes(*fallback);
}

/// The length of `shape` when `text` ends in it, else 0. In a shape `0` stands for any digit and
/// `+` for either sign.
std::size_t match_tail(std::string_view text, std::string_view shape) {
  if (text.size() < shape.size()) return 0;
  const std::string_view tail = text.substr(text.size() - shape.size());
  const bool fits = std::equal(tail.begin(), tail.end(), shape.begin(), [](char c, char wanted) {
    if (wanted == '0') return is_digit(c);
    if (wanted == '+') return c == '+' || c == '-';
    return c == wanted;
  });
  return fits ? shape.size() : 0;
}

std::size_t match_zone(std::string_view text) {
  const std::size_t plain = match_tail(text, " +0000");
  return plain != 0 ? plain : match_tail(text, " +00:00");
}

std::size_t match_time(std::string_view text) {
  static constexpr std::string_view kTime = " 00:00:00";
  if (const std::size_t whole = match_tail(text, kTime); whole != 0) return whole;
  std::size_t end = text.size();
  while (end > 0 && is_digit(text[end - 1])) --end;
  if (end == text.size() || end == 0 || text[end - 1] != '.') return 0;
  const std::size_t whole = match_tail(text.substr(0, end - 1), kTime);
  return whole == 0 ? 0 : whole + text.size() - end + 1;
}

std::size_t match_date(std::string_view text) {
  const std::size_t with_century = match_tail(text, "0000-00-00");
  return with_century != 0 ? with_century : match_tail(text, "00-00-00");
}

/// A line of a plain diff without the time stamp behind its name; absent when it has none.
std::optional<std::string_view> without_time(std::string_view line) {
  if (line.empty() || !is_digit(line.back())) return std::nullopt;
  line.remove_suffix(match_zone(line));
  line.remove_suffix(match_time(line));
  const std::size_t date = match_date(line);
  if (date == 0) return std::nullopt;
  line.remove_suffix(date);
  if (line.empty()) return std::nullopt;
  if (line.back() == '\t') return line.substr(0, line.size() - 1);
  if (line.back() != ' ') return std::nullopt;
  const std::size_t last = line.find_last_not_of(' ');
  return line.substr(0, last == std::string_view::npos ? 0 : last + 1);
}

std::optional<std::string> parse_quoted_common_name(std::string_view names, int strip) {
  std::size_t used = 0;
  const auto first = parse_c_quoted(names, used);
  if (!first) return std::nullopt;
  const auto name = skip_prefix(*first, strip);
  if (!name) return std::nullopt;
  while (used < names.size() && is_git_space(names[used])) ++used;
  names.remove_prefix(used);
  if (names.empty()) return std::nullopt;
  if (names.front() != '"') {
    const auto other = skip_prefix(names, strip);
    return other == name ? std::optional<std::string>(*name) : std::nullopt;
  }
  const auto second = parse_c_quoted(names, used);
  if (!second || skip_prefix(*second, strip) != name) return std::nullopt;
  return std::string(*name);
}

/// A first name without quotes and a second one with.
std::optional<std::string> parse_half_quoted_name(std::string_view name, std::size_t quote,
                                                  int strip) {
  std::size_t used = 0;
  const auto second = parse_c_quoted(name.substr(quote), used);
  if (!second) return std::nullopt;
  const auto other = skip_prefix(*second, strip);
  if (!other || other->size() >= quote || !name.starts_with(*other) ||
      !is_git_space(name[other->size()])) {
    return std::nullopt;
  }
  return std::string(*other);
}

}  // namespace

std::optional<std::string> parse_name(std::string_view line, int strip, NameEnd end) {
  if (!line.empty() && line.front() == '"') {
    if (auto name = parse_quoted_name(line, strip)) return name;
  }
  return parse_bare_name(cut_name(line, end), strip, nullptr);
}

std::optional<std::string> parse_plain_name(std::string_view line, int strip,
                                            const std::string* fallback) {
  if (!line.empty() && line.front() == '"') {
    if (auto name = parse_quoted_name(line, strip)) return name;
  }
  if (const auto name = without_time(without_lf(line))) {
    return parse_bare_name(*name, strip, fallback);
  }
  return parse_bare_name(cut_name(line, NameEnd::tab), strip, fallback);
}

std::optional<std::string> parse_common_name(std::string_view names, int strip) {
  if (!names.empty() && names.front() == '"') return parse_quoted_common_name(names, strip);
  const auto first = skip_prefix(names, strip);
  if (!first) return std::nullopt;
  const std::string_view name = *first;
  if (const std::size_t quote = name.find('"'); quote != std::string_view::npos) {
    return parse_half_quoted_name(name, quote, strip);
  }
  const std::size_t line_end = name.find('\n');
  if (line_end == std::string_view::npos) return std::nullopt;
  for (std::size_t length = name.find_first_of(" \t\n"); length < line_end;
       length = name.find_first_of(" \t\n", length + 1)) {
    const std::string_view rest = name.substr(length + 1, line_end - length - 1);
    if (rest.size() < length || rest.starts_with('/')) return std::nullopt;
    // Looking where the slash has to be keeps lines with many blanks from taking quadratic time.
    const std::size_t skipped = rest.size() - length;
    if (strip > 0 && (skipped == 0 || rest[skipped - 1] != '/')) continue;
    const auto second = skip_prefix(rest, strip);
    if (!second) return std::nullopt;
    if (*second == name.substr(0, length)) return std::string(*second);
  }
  return std::nullopt;
}

bool is_dev_null(std::string_view line) {
  static constexpr std::string_view kDevNull = "/dev/null";
  return line.starts_with(kDevNull) && line.size() > kDevNull.size() &&
         is_git_space(line[kDevNull.size()]);
}

bool has_epoch_time(std::string_view line) {
  line = without_lf(line);
  const std::size_t tab = line.rfind('\t');
  if (tab == std::string_view::npos) return false;
  std::string_view stamp = line.substr(tab + 1);
  const bool day_before = stamp.starts_with("1969-12-31 ");
  if (!day_before && !stamp.starts_with("1970-01-01 ")) return false;
  stamp.remove_prefix(11);
  const auto two_digits = [&](std::size_t at) {
    return (stamp[at] - '0') * 10 + (stamp[at + 1] - '0');
  };
  // hh:mm:00, zeros behind a point, and a zone with or without a colon.
  if (stamp.size() < 8 || match_tail(stamp.substr(0, 8), "00:00:00") == 0) return false;
  const int hour = two_digits(0);
  const int minute = two_digits(3);
  if (hour > 29 || minute > 59 || two_digits(6) != 0) return false;
  stamp.remove_prefix(8);
  if (stamp.starts_with(".0"))
    stamp.remove_prefix(std::min(stamp.size(), stamp.find_first_not_of('0', 1)));
  const bool colon = stamp.size() == 7;
  if (stamp.empty() || match_tail(stamp, colon ? " +00:00" : " +0000") != stamp.size()) {
    return false;
  }
  const int zone_hour = two_digits(2);
  const int zone_minute = two_digits(colon ? 5 : 4);
  if (zone_hour > 29 || zone_minute > 59) return false;
  const int zone = (zone_hour * 60 + zone_minute) * (stamp[1] == '-' ? -1 : 1);
  return hour * 60 + minute - zone == (day_before ? 24 * 60 : 0);
}

}  // namespace flagscale
