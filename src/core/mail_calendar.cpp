// SPDX-License-Identifier: Apache-2.0
#include "core/mail_calendar.h"

#include <array>
#include <ctime>

namespace flagscale {

bool MailCalendar::set_epoch(std::uint64_t seconds_since) {
  constexpr std::uint64_t kTooGreatForDate = 100000000;
  const bool untouched = year < 0 && month < 0 && day < 0 && hour < 0 && minute < 0 && second < 0;
  if (seconds_since < kTooGreatForDate || !untouched) return false;
  const auto moment = static_cast<std::time_t>(seconds_since);
  std::tm parts{};
  if (gmtime_r(&moment, &parts) == nullptr) return false;
  *this = {.year = parts.tm_year,
           .month = parts.tm_mon,
           .day = parts.tm_mday,
           .hour = parts.tm_hour,
           .minute = parts.tm_min,
           .second = parts.tm_sec};
  return true;
}

bool MailCalendar::set_date(int new_year, int new_month, int new_day, bool tentative) {
  if (new_month < 1 || new_month > 12 || new_day < 1 || new_day > 31) return false;
  MailCalendar next = *this;
  next.month = new_month - 1;
  next.day = new_day;
  bool sensible = true;
  if (new_year == -1) {
    sensible = tentative;
  } else if (new_year >= 1970 && new_year < 2100) {
    next.year = new_year - 1900;
  } else if (new_year > 70 && new_year < 100) {
    next.year = new_year;
  } else if (new_year < 38) {
    next.year = new_year + 100;
  } else {
    sensible = false;
  }
  if (sensible || !tentative) *this = next;
  return sensible;
}

bool MailCalendar::set_time(std::int64_t new_hour, std::int64_t new_minute,
                            std::int64_t new_second) {
  if (new_hour < 0 || new_hour > 24) return false;
  if (new_minute < 0 || new_minute > 59 || new_second < 0 || new_second > 60) return false;
  hour = static_cast<int>(new_hour);
  minute = static_cast<int>(new_minute);
  second = static_cast<int>(new_second);
  return true;
}

void MailCalendar::set_short_number(int number, std::size_t digits) {
  if (number > 0 && number < 32 && day < 0) {
    day = number;
    return;
  }
  if (digits == 2 && year < 0) {
    if (number < 10 && day >= 0) {
      year = number + 100;
      return;
    }
    if (number >= 70) {
      year = number;
      return;
    }
  }
  if (number > 0 && number < 13 && month < 0) month = number - 1;
}

std::optional<std::int64_t> MailCalendar::seconds() const {
  constexpr std::array<int, 12> kDaysBefore = {0,   31,  59,  90,  120, 151,
                                               181, 212, 243, 273, 304, 334};
  if (year < 70 || year > 199 || month < 0 || month > 11) return std::nullopt;
  if (hour < 0 || minute < 0 || second < 0) return std::nullopt;
  const int years = year - 70;
  const bool past_leap_day = (years + 2) % 4 == 0 && month >= 2;
  // An unknown day counts as it stands, which is what git does.
  const std::int64_t days = years * 365 + (years + 1) / 4 +
                            kDaysBefore.at(static_cast<std::size_t>(month)) + day -
                            (past_leap_day ? 0 : 1);
  return ((days * 24 + hour) * 60 + minute) * 60 + second;
}

}  // namespace flagscale
