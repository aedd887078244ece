// SPDX-License-Identifier: Apache-2.0
#include "core/mail_date.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <limits>

#include "core/mail_calendar.h"
#include "core/mail_text.h"

namespace flagscale {
namespace {

constexpr int kUnknown = -1;
constexpr std::int64_t kYear2100 = 4102444800;

constexpr std::array<std::string_view, 12> kMonths = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};
constexpr std::array<std::string_view, 7> kWeekdays = {
    "Sundays", "Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays"};

struct ZoneName {
  std::string_view name;
  int hours;
};
/// The zone names that git knows, summer time included in the hours.
constexpr std::array<ZoneName, 44> kZones = {
    {{"IDLW", -12}, {"NT", -11}, {"CAT", -10}, {"HST", -10}, {"HDT", -9}, {"YST", -9}, {"YDT", -8},
     {"PST", -8},   {"PDT", -7}, {"MST", -7},  {"MDT", -6},  {"CST", -6}, {"CDT", -5}, {"EST", -5},
     {"EDT", -4},   {"AST", -3}, {"ADT", -2},  {"WAT", -1},  {"GMT", 0},  {"UTC", 0},  {"Z", 0},
     {"WET", 0},    {"BST", 1},  {"CET", 1},   {"MET", 1},   {"MEWT", 1}, {"MEST", 2}, {"CEST", 2},
     {"MESZ", 2},   {"FWT", 1},  {"FST", 2},   {"EET", 2},   {"EEST", 3}, {"WAST", 7}, {"WADT", 8},
     {"CCT", 8},    {"JST", 9},  {"EAST", 10}, {"EADT", 11}, {"GST", 10}, {"NZT", 12}, {"NZST", 12},
     {"NZDT", 13},  {"IDLE", 12}}};

/// A number in a text and the place behind it.
template <typename Value>
struct Number {
  Value value = 0;
  std::size_t end = 0;
};

class DateReader {
 public:
  explicit DateReader(std::string_view text) : text_(text) {}

  std::optional<MailDate> read();

 private:
  [[nodiscard]] char at(std::size_t index) const {
    return index < text_.size() ? text_[index] : '\0';
  }
  [[nodiscard]] Number<std::uint64_t> digits(std::size_t from) const;
  [[nodiscard]] Number<std::int64_t> integer(std::size_t from) const;
  [[nodiscard]] std::size_t word_length(std::size_t from, std::string_view name) const;

  bool read_commit_date(std::int64_t& seconds);
  std::size_t take_word(std::size_t from);
  std::size_t take_number(std::size_t from);
  std::size_t take_compound(std::uint64_t first, std::size_t from, std::size_t mark);
  std::size_t take_lone_number(std::uint64_t number, std::size_t from, std::size_t length);
  std::size_t take_zone(std::size_t from);

  std::string_view text_;
  MailCalendar calendar_;
  int offset_ = kUnknown;  // minutes east of UTC
  bool is_utc_ = false;
};

/// Digits only, as many as there are; a number that does not fit becomes the greatest that does.
Number<std::uint64_t> DateReader::digits(std::size_t from) const {
  constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();
  Number<std::uint64_t> number{0, from};
  for (; is_ascii_digit(at(number.end)); ++number.end) {
    const auto digit = static_cast<std::uint64_t>(at(number.end) - '0');
    const bool fits = number.value <= (kMax - digit) / 10;
    number.value = fits ? number.value * 10 + digit : kMax;
  }
  return number;
}

/// A number as C's strtol reads it: blanks and a sign may come first. Without digits nothing is
/// taken.
Number<std::int64_t> DateReader::integer(std::size_t from) const {
  std::size_t start = from;
  while (at(start) == ' ' || (at(start) >= '\t' && at(start) <= '\r')) ++start;
  const bool negative = at(start) == '-';
  if (negative || at(start) == '+') ++start;
  if (!is_ascii_digit(at(start))) return {0, from};
  const auto magnitude = digits(start);
  constexpr auto kMax = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const auto value = static_cast<std::int64_t>(std::min(magnitude.value, kMax));
  return {negative ? -value : value, magnitude.end};
}

/// How much of `name` the word at `from` spells; none when it goes on differently.
std::size_t DateReader::word_length(std::size_t from, std::string_view name) const {
  std::size_t length = 0;
  for (; at(from + length) != '\0'; ++length) {
    const char c = at(from + length);
    if (length < name.size() && ascii_lower(c) == ascii_lower(name[length])) continue;
    if (is_ascii_alpha(c) || is_ascii_digit(c)) return 0;
    break;
  }
  return length;
}

/// `@<seconds> <zone>`, the form in which commits hold their dates.
bool DateReader::read_commit_date(std::int64_t& seconds) {
  if (!is_ascii_digit(at(1))) return false;
  const auto stamp = digits(1);
  const char sign = at(stamp.end + 1);
  if (at(stamp.end) != ' ' || (sign != '+' && sign != '-')) return false;
  const auto zone = integer(stamp.end + 2);
  if (zone.end != text_.size() || zone.end != stamp.end + 6) return false;
  const int minutes = static_cast<int>(zone.value / 100 * 60 + zone.value % 100);
  constexpr auto kTooLate = static_cast<std::uint64_t>(kYear2100);
  seconds = static_cast<std::int64_t>(std::min(stamp.value, kTooLate));
  offset_ = sign == '-' ? -minutes : minutes;
  return true;
}

/// A month, a weekday, a time zone, AM or PM; any other word is passed over.
std::size_t DateReader::take_word(std::size_t from) {
  for (std::size_t i = 0; i < kMonths.size(); ++i) {
    if (const std::size_t length = word_length(from, kMonths[i]); length >= 3) {
      calendar_.month = static_cast<int>(i);
      return length;
    }
  }
  for (const std::string_view name : kWeekdays) {
    if (const std::size_t length = word_length(from, name); length >= 3) return length;
  }
  for (const ZoneName& zone : kZones) {
    const std::size_t length = word_length(from, zone.name);
    if (length < 3 && length != zone.name.size()) continue;
    if (offset_ == kUnknown) offset_ = zone.hours * 60;
    return length;
  }
  if (word_length(from, "PM") == 2) {
    calendar_.hour = calendar_.hour % 12 + 12;
    return 2;
  }
  if (word_length(from, "AM") == 2) {
    calendar_.hour = calendar_.hour % 12;
    return 2;
  }
  std::size_t length = 1;
  while (is_ascii_alpha(at(from + length))) ++length;
  return length;
}

std::size_t DateReader::take_number(std::size_t from) {
  const auto number = digits(from);
  const std::size_t length = number.end - from;
  if (calendar_.set_epoch(number.value)) {
    is_utc_ = true;
    return length;
  }
  const char mark = at(number.end);
  if ((mark == ':' || mark == '.' || mark == '/' || mark == '-') &&
      is_ascii_digit(at(number.end + 1))) {
    if (const std::size_t taken = take_compound(number.value, from, number.end)) return taken;
  }
  return take_lone_number(number.value, from, length);
}

/// `12:34[:56[.789]]`, or a date written with two equal marks: 2001-02-03, 2/3/2001, 3.2.2001.
std::size_t DateReader::take_compound(std::uint64_t first, std::size_t from, std::size_t mark) {
  const char c = at(mark);
  const auto second = integer(mark + 1);
  Number<std::int64_t> third{-1, second.end};
  if (at(second.end) == c && is_ascii_digit(at(second.end + 1))) third = integer(second.end + 1);
  std::size_t end = third.end;
  if (c == ':') {
    const std::int64_t seconds = third.value < 0 ? 0 : third.value;
    if (!calendar_.set_time(static_cast<std::int64_t>(first), second.value, seconds)) return 0;
    if (at(end) == '.' && is_ascii_digit(at(end + 1)) && calendar_.has_date())
      end = digits(end + 1).end;
    return end - from;
  }
  const int a = static_cast<int>(first);
  const int b = static_cast<int>(second.value);
  const int d = static_cast<int>(third.value);
  const bool year_first =
      first > 70 && (calendar_.set_date(a, b, d, false) || calendar_.set_date(a, d, b, false));
  const bool known = year_first || (c != '.' && calendar_.set_date(d, a, b, true)) ||
                     calendar_.set_date(d, b, a, true) ||
                     (c == '.' && calendar_.set_date(d, a, b, true));
  return known ? end - from : 0;
}

/// A number by itself: its count of digits tells what it may mean.
std::size_t DateReader::take_lone_number(std::uint64_t number, std::size_t from,
                                         std::size_t length) {
  const auto low = static_cast<int>(number % 100);
  const auto middle = static_cast<int>(number % 10000 / 100);
  if (length == 8) {
    calendar_.set_date(static_cast<int>(number / 10000), middle, low, false);
    return length;
  }
  if (length == 6) {
    const std::size_t end = from + length;
    const bool time = calendar_.set_time(static_cast<std::int64_t>(number / 10000), middle, low);
    if (time && at(end) == '.' && is_ascii_digit(at(end + 1))) return digits(end + 1).end - from;
    return length;
  }
  if (length == 4) {
    if (number <= 1400 && offset_ == kUnknown) {
      offset_ = middle * 60 + low;
    } else if (number > 1900 && number < 2100) {
      calendar_.year = static_cast<int>(number) - 1900;
    }
    return length;
  }
  if (length <= 2) calendar_.set_short_number(static_cast<int>(number), length);
  return length;
}

/// `+hhmm`, `+hh:mm` or `+hh`; a sign and digits that make no such zone are passed over.
std::size_t DateReader::take_zone(std::size_t from) {
  constexpr int kNoMinutes = 99;
  const auto number = digits(from + 1);
  const std::size_t length = number.end - from - 1;
  std::size_t end = number.end;
  auto hour = static_cast<int>(number.value);
  int minute = 0;
  if (length == 4) {
    minute = hour % 100;
    hour /= 100;
  } else if (length != 2) {
    minute = kNoMinutes;
  } else if (at(end) == ':') {
    const auto minutes = integer(end + 1);
    end = minutes.end;
    minute = end - from - 1 == 5 ? static_cast<int>(minutes.value) : kNoMinutes;
  }
  if (minute < 60 && hour < 24) {
    const int offset = hour * 60 + minute;
    offset_ = at(from) == '-' ? -offset : offset;
  }
  return end - from;
}
std::optional<MailDate> DateReader::read() {
  std::int64_t seconds = 0;
  if (at(0) != '@' || !read_commit_date(seconds)) {
    for (std::size_t from = 0; at(from) != '\0' && at(from) != '\n';) {
      const char c = at(from);
      if (is_ascii_alpha(c)) {
        from += take_word(from);
      } else if (is_ascii_digit(c)) {
        from += take_number(from);
      } else if ((c == '-' || c == '+') && is_ascii_digit(at(from + 1))) {
        from += take_zone(from);
      } else {
        ++from;
      }
    }
    const auto total = calendar_.seconds();
    if (!total) return std::nullopt;
    if (offset_ == kUnknown) offset_ = 0;
    seconds = *total - (is_utc_ ? 0 : std::int64_t{offset_} * 60);
  }
  if (seconds < 0 || seconds >= kYear2100) return std::nullopt;
  const auto two_digits = [](int value) { return (value < 10 ? "0" : "") + std::to_string(value); };
  const int offset = std::abs(offset_);
  return MailDate{static_cast<std::uint64_t>(seconds),
                  (offset_ < 0 ? "-" : "+") + two_digits(offset / 60) + two_digits(offset % 60)};
}

}  // namespace

std::optional<MailDate> parse_mail_date(std::string_view text) {
  return DateReader(text).read();
}

}  // namespace flagscale
