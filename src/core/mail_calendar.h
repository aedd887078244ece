// SPDX-License-Identifier: Apache-2.0
//
// A date that is being put together from its parts, with git's rules on what may be one. Knows
// nothing of how dates are written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace flagscale {

/// What is known so far; -1 stands for unknown.
struct MailCalendar {
  int year = -1;   // since 1900
  int month = -1;  // 0 to 11
  int day = -1;
  int hour = -1;
  int minute = -1;
  int second = -1;

  /// Seconds since 1970, when nothing else is known and the number is too great for a date.
  bool set_epoch(std::uint64_t seconds_since);
  /// A year of two or four digits, a month from 1, a day. A tentative date is kept only as a
  /// whole; one that is not leaves month and day behind even when the year makes no sense.
  bool set_date(int new_year, int new_month, int new_day, bool tentative);
  bool set_time(std::int64_t new_hour, std::int64_t new_minute, std::int64_t new_second);
  /// One or two digits: the day, else the year, else the month, whatever is still unknown.
  void set_short_number(int number, std::size_t digits);

  [[nodiscard]] bool has_date() const { return year != -1 && month != -1 && day != -1; }
  /// As if in UTC; absent unless year (1970 to 2099), month and time are known.
  [[nodiscard]] std::optional<std::int64_t> seconds() const;
};

}  // namespace flagscale
