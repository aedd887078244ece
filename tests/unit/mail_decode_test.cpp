// SPDX-License-Identifier: Apache-2.0
#include "core/mail_decode.h"

#include <optional>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

using namespace flagscale;

namespace {

std::optional<std::string> words(std::string_view value) {
  CharsetConverter converter;
  return decode_words(value, converter);
}

std::string body(std::string_view line) {
  return decode_quoted_printable(line, QuotedPrintable::body);
}

}  // namespace

TEST_CASE("quoted-printable text") {
  CHECK(body("a=3Db=3d\n") == "a=b=\n");
  CHECK(body("soft=\n") == "soft");
  CHECK(body("end=") == "end");
  CHECK(body("a=\r\n") == "a=\r\n");
  CHECK(body("a=zz=4\n") == "a=zz=4\n");
  CHECK(body("a_b\n") == "a_b\n");
  CHECK(body("=00=FF") == std::string("\0\xff", 2));
  CHECK(body(std::string_view("a\0b\n", 4)) == "a");
  CHECK(decode_quoted_printable("a_b", QuotedPrintable::word) == "a b");
}

TEST_CASE("base64 text") {
  CHECK(decode_base64("").empty());
  CHECK(decode_base64("YQ==") == "a");
  CHECK(decode_base64("YQ") == "a");
  CHECK(decode_base64("YWI=\n") == "ab");
  CHECK(decode_base64("YWJj") == "abc");
  CHECK(decode_base64(" Y W\tJ-j\r\n") == "abc");
  CHECK(decode_base64("+/+/") == "\xfb\xff\xbf");
  CHECK(decode_base64("Y").empty());
}

TEST_CASE("encoded words") {
  CHECK(words("plain") == "plain");
  CHECK(words("=?UTF-8?q?a_b?=") == "a b");
  CHECK(words("=?utf8?B?w6k=?= x =?utf8?b?w6k=?=") == "\xc3\xa9 x \xc3\xa9");
  CHECK(words("=?utf8?q?a?= \t =?utf8?q?b?=") == "ab");
  CHECK(words("  =?utf8?q?a?=") == "  a");
  CHECK(words("=?ISO-8859-1?q?=E9?=") == "\xc3\xa9");
  CHECK(words("=?latin-1?q?=E9?=") == "\xc3\xa9");
  CHECK(words("=?gbk?b?1tA=?=") == "\xe4\xb8\xad");
  for (const std::string_view broken :
       {"=?", "=?a", "=?a?", "=?a?q", "=?a?q?", "=?a?q?b",
        "=?utf8?x?b?=", "=?no-such?q?b?=", "=?us-ascii?q?=E9?=", "a =? b"}) {
    CAPTURE(broken);
    CHECK_FALSE(words(broken));
  }
}

TEST_CASE("character sets") {
  for (const std::string_view name : {"", "utf-8", "UTF8", "Utf-8"}) {
    CHECK(CharsetConverter::is_utf8_name(name));
  }
  for (const std::string_view name : {"utf-16", "utf--8", "utf-8x", "latin1"}) {
    CHECK_FALSE(CharsetConverter::is_utf8_name(name));
  }
  CharsetConverter converter;
  CHECK(converter.to_utf8("caf\xe9", "latin1") == "caf\xc3\xa9");
  CHECK(converter.to_utf8("\xe9", "latin1") == "\xc3\xa9");
  CHECK_FALSE(converter.to_utf8("\xe9", "us-ascii"));
  CHECK(converter.to_utf8("a", "us-ascii") == "a");
  CHECK_FALSE(converter.to_utf8("a", "no-such"));
  CHECK(converter.to_utf8("\x1b$BF|", "iso-2022-jp") == "\xe6\x97\xa5");
  CHECK(converter.to_utf8("F|", "iso-2022-jp") == "F|");
  const std::string many(10000, '\xe9');
  CHECK(converter.to_utf8(many, "latin1")->size() == 2 * many.size());
}
