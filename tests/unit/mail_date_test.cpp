// SPDX-License-Identifier: Apache-2.0
#include "core/mail_date.h"

#include <cstdlib>
#include <ctime>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

using namespace flagscale;

namespace {

std::string read(std::string_view text) {
  const auto date = parse_mail_date(text);
  return date ? std::to_string(date->seconds) + " " + date->zone : "none";
}

}  // namespace

TEST_CASE("dates as mail programs write them") {
  CHECK(read("Tue, 2 Jan 2024 03:04:05 +0800") == "1704135845 +0800");
  CHECK(read("Tue, 2 Jan 2024 03:04:05 -0330 (NST)") == "1704177245 -0330");
  CHECK(read("2024-01-02T03:04:05Z") == "1704164645 +0000");
  CHECK(read("Tue Jan  2 03:04:05 2024 EDT") == "1704179045 -0400");
  CHECK(read("@1704135845 +0800") == "1704135845 +0800");
  CHECK(read("1704135845 +0800") == "1704135845 +0800");
}

TEST_CASE("the range of dates is 1970 to 2099") {
  CHECK(read("1 Jan 1970 00:00:00 +0000") == "0 +0000");
  CHECK(read("1 Jan 1970 00:00:00 +0001") == "none");
  CHECK(read("31 Dec 2099 23:59:59 +0000") == "4102444799 +0000");
  CHECK(read("31 Dec 2099 23:59:59 -0100") == "none");
  CHECK(read("@4102444800 +0000") == "none");
  CHECK(read("99999999999999999999999999 +0000") == "none");
}

TEST_CASE("no date at all") {
  for (const std::string_view text :
       {"", "x", "Tue", "2 Jan 2024", "12:34", "@", "@ +0000", "+0800"}) {
    CAPTURE(text);
    CHECK(read(text) == "none");
  }
}

TEST_CASE("the machine's time zone and clock make no difference") {
  const char* const before = std::getenv("TZ");
  const std::string zone = before != nullptr ? before : "";
  setenv("TZ", "Asia/Shanghai", 1);
  tzset();
  CHECK(read("2 Jan 2024 03:04:05") == "1704164645 +0000");
  setenv("TZ", zone.c_str(), 1);
  tzset();
  CHECK(read("12/11/2098 00:00:00 +0000") == "4069094400 +0000");
}
