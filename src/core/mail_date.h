// SPDX-License-Identifier: Apache-2.0
//
// Reads the date of a mail as git reads it (any of the many ways in which mail programs write
// dates), but without a look at this machine: where git would ask for the local time zone, UTC is
// taken, and where it would ask for today's date to tell month from day, month comes first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace flagscale {

struct MailDate {
  std::uint64_t seconds = 0;
  /// As commits hold it, e.g. "+0800".
  std::string zone;
};

/// Absent when git could make no date of the text, or when the date lies outside 1970 to 2099.
[[nodiscard]] std::optional<MailDate> parse_mail_date(std::string_view text);

}  // namespace flagscale
