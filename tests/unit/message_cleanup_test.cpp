// SPDX-License-Identifier: Apache-2.0
#include "core/message_cleanup.h"

#include <string>

#include <doctest/doctest.h>

using namespace flagscale;

TEST_CASE("white space is stripped as by git stripspace") {
  CHECK(strip_space("").empty());
  CHECK(strip_space(" \n\t\r\n").empty());
  CHECK(strip_space("a") == "a\n");
  CHECK(strip_space("\n\n a \t\r\n\n \n\nb\n\n") == " a\n\nb\n");
  CHECK(strip_space("a\v\n\f\n") == "a\v\n\f\n");
}

TEST_CASE("bytes that are not UTF-8 are taken for Latin-1") {
  CHECK(fix_utf8("caf\xc3\xa9 \xe6\x97\xa5 \xf0\x9f\x98\x80") ==
        "caf\xc3\xa9 \xe6\x97\xa5 \xf0\x9f\x98\x80");
  CHECK(fix_utf8("caf\xe9") == "caf\xc3\xa9");
  CHECK(fix_utf8("\xc3") == "\xc3\x83");
  CHECK(fix_utf8("\xc0\x80") == "\xc3\x80\xc2\x80");
  CHECK(fix_utf8("\xed\xa0\x80") == "\xc3\xad\xc2\xa0\xc2\x80");
  CHECK(fix_utf8("\xef\xbf\xbf") == "\xc3\xaf\xc2\xbf\xc2\xbf");
  CHECK(fix_utf8("\xef\xb7\x90") == "\xc3\xaf\xc2\xb7\xc2\x90");
  CHECK(fix_utf8("\xf4\x90\x80\x80") == "\xc3\xb4\xc2\x90\xc2\x80\xc2\x80");
  CHECK(fix_utf8("\xe6\x97\xe9\xe6\x97\xa5") == "\xc3\xa6\xc2\x97\xc3\xa9\xe6\x97\xa5");
  CHECK(fix_utf8("\x80\xff\xf8") == "\xc2\x80\xc3\xbf\xc3\xb8");
}
