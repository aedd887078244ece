// SPDX-License-Identifier: Apache-2.0
#include "base/bytes.h"

#include <limits>

#include <doctest/doctest.h>

using namespace flagscale;

TEST_CASE("entries end with a NUL, the last one perhaps without") {
  using namespace std::string_view_literals;
  std::string_view rest = "a\0\0b c"sv;
  CHECK(take_entry(rest) == "a");
  CHECK(take_entry(rest).empty());
  CHECK(rest == "b c");
  CHECK(take_entry(rest) == "b c");
  CHECK(rest.empty());
}

TEST_CASE("numbers of four bytes, the highest first") {
  using namespace std::string_view_literals;
  CHECK(big_endian_32("x\x80\0\x01\xff"sv, 1) == 0x800001ffU);
}

TEST_CASE("content keeps its bytes alive through parts") {
  Content part;
  {
    const Content whole(std::string("short"));
    part = whole.part(whole.view().substr(2));
  }
  CHECK(part.view() == "ort");
  CHECK(part.size() == 3);
  CHECK_FALSE(part.empty());
  CHECK(Content().empty());
}

TEST_CASE("lines are taken with their ends") {
  std::string_view rest = "one\r\n\nlast";
  const std::string_view first = take_line(rest);
  CHECK(first == "one\r\n");
  CHECK(without_lf(first) == "one\r");
  CHECK(without_eol(first) == "one");
  CHECK(take_line(rest) == "\n");
  const std::string_view last = take_line(rest);
  CHECK(last == "last");
  CHECK(without_lf(last) == "last");
  CHECK(rest.empty());
  CHECK(take_line(rest).empty());
}

TEST_CASE("a lone CR is no end of line") {
  std::string_view rest = "a\rb\n";
  CHECK(take_line(rest) == "a\rb\n");
  CHECK(without_eol("\r") == "");
  CHECK(without_eol("\r\r\n") == "\r");
}

TEST_CASE("decimal numbers are read strictly") {
  std::uint64_t value = 7;
  CHECK(parse_decimal("0", value));
  CHECK(value == 0);
  CHECK(parse_decimal("0042", value));
  CHECK(value == 42);
  CHECK(parse_decimal("18446744073709551615", value));
  CHECK(value == std::numeric_limits<std::uint64_t>::max());
  for (const char* const bad : {"", " 1", "1 ", "+1", "-1", "0x1", "1a", "18446744073709551616"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_decimal(bad, value));
  }
}
