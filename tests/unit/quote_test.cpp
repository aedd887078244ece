// SPDX-License-Identifier: Apache-2.0
#include "base/quote.h"

#include <string>

#include <doctest/doctest.h>

using namespace flagscale;
using namespace std::string_literals;

TEST_CASE("escaped keeps what a terminal can show") {
  CHECK(escaped("plain 'text' \"and\" \\") == "plain 'text' \"and\" \\");
  CHECK(escaped("\xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x9a\x80") ==
        "\xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x9a\x80");
}

TEST_CASE("escaped hides what steers a terminal") {
  CHECK(escaped("a\nb\tc\rd") == "a\\nb\\tc\\rd");
  CHECK(escaped("\x1b[31m") == "\\033[31m");
  CHECK(escaped("nul\0."s) == "nul\\000.");
  CHECK(escaped("\x7f") == "\\177");
  CHECK(escaped("\xc2\x9b"
                "31m") == "\\302\\23331m");
  CHECK(escaped("\xc2\xa0") == "\xc2\xa0");
}

TEST_CASE("escaped spells out bytes that are not UTF-8") {
  CHECK(escaped("caf\xe9") == "caf\\351");
  CHECK(escaped("\xe6\x97") == "\\346\\227");
  CHECK(escaped("\xed\xa0\x80") == "\\355\\240\\200");
}

TEST_CASE("quoted names a thing") {
  CHECK(in_quotes("a b") == "'a b'");
  CHECK(in_quotes("") == "''");
}

TEST_CASE("paths are C-quoted as git does") {
  CHECK(format_c_quoted("dir/file name.txt") == "dir/file name.txt");
  CHECK(format_c_quoted("a\"b") == "\"a\\\"b\"");
  CHECK(format_c_quoted("a\\b") == "\"a\\\\b\"");
  CHECK(format_c_quoted("tab\there") == "\"tab\\there\"");
  CHECK(format_c_quoted("\xe6\x97") == "\"\\346\\227\"");
  CHECK(format_c_quoted("\x01\x7f") == "\"\\001\\177\"");
  CHECK(format_c_quoted("") == "");
}

TEST_CASE("every byte survives C-quoting") {
  std::string all;
  for (int byte = 1; byte < 256; ++byte) all += static_cast<char>(byte);
  const std::string text = format_c_quoted(all);
  std::size_t used = 0;
  CHECK(parse_c_quoted(text + " rest", used) == all);
  CHECK(used == text.size());
}

TEST_CASE("bad C-quoting is told from good") {
  std::size_t used = 0;
  CHECK(parse_c_quoted("\"\"", used) == "");
  CHECK(used == 2);
  for (const char* const bad : {"", "a", "\"", "\"a", "\"\\", "\"\\q\"", "\"\\1\"", "\"\\12\"",
                                "\"\\400\"", "\"\\008\"", "\"\\00"}) {
    CAPTURE(bad);
    CHECK_FALSE(parse_c_quoted(bad, used).has_value());
  }
}

TEST_CASE("shell words are quoted when they need it") {
  CHECK(shell_quoted("flagscale/A_X100/0123abcd") == "flagscale/A_X100/0123abcd");
  CHECK(shell_quoted("HEAD^") == "HEAD^");
  CHECK(shell_quoted("") == "''");
  CHECK(shell_quoted("~root") == "'~root'");
  CHECK(shell_quoted("two words") == "'two words'");
  CHECK(shell_quoted("it's $HOME") == "'it'\\''s $HOME'");
}

TEST_CASE("UTF-8 is what RFC 3629 says") {
  CHECK(is_utf8(""));
  CHECK(is_utf8("ascii\0too"s));
  CHECK(is_utf8("\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"));
  for (const char* const bad :
       {"\x80", "\xc0\xaf", "\xc1\xbf", "\xe0\x9f\xbf", "\xed\xbf\xbf", "\xf0\x8f\xbf\xbf",
        "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff", "\xe6\x97", "\xc2"}) {
    CAPTURE(escaped(bad));
    CHECK_FALSE(is_utf8(bad));
  }
}
