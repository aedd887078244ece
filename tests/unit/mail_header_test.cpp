// SPDX-License-Identifier: Apache-2.0
#include "core/mail_header.h"

#include <string>
#include <string_view>

#include <doctest/doctest.h>

using namespace flagscale;

namespace {

std::string address(std::string_view from) {
  const MailAddress found = parse_address(from);
  return found.name + "|" + found.email;
}

}  // namespace

TEST_CASE("headers are unfolded until the first line that is none") {
  MailLines lines("A: 1  \n  2\n\t\n\t3\r\nB:\nbody  \nrest\n", 10);
  std::string line;
  REQUIRE(read_header(lines, line));
  CHECK(line == "A: 1  2 3");
  CHECK(lines.number() == 13);
  REQUIRE(read_header(lines, line));
  CHECK(line == "B:");
  REQUIRE_FALSE(read_header(lines, line));
  CHECK(line == "body\n");
  CHECK(lines.take_rest() == "rest\n");
  CHECK_FALSE(lines.next());
}

TEST_CASE("at the end the last header stays") {
  MailLines lines("A: 1\n", 1);
  std::string line;
  REQUIRE(read_header(lines, line));
  REQUIRE_FALSE(read_header(lines, line));
  CHECK(line == "A: 1");
}

TEST_CASE("header values") {
  CHECK(header_value("SUBJECT: \t x ", "Subject") == "x ");
  CHECK(header_value("Subject:x", "Subject") == "x");
  CHECK(header_value("Subject:", "Subject") == "");
  CHECK(header_value(std::string_view("Subject: a\0b", 12), "Subject") == "a");
  CHECK_FALSE(header_value("Subject : x", "Subject"));
  CHECK_FALSE(header_value("Subjects: x", "Subject"));
}

TEST_CASE("content types") {
  const auto type =
      parse_content_type("multipart/mixed; Boundary=\"a b\"; charset=x;format=Flowed");
  CHECK(type.boundary == "--a b");
  CHECK(type.charset == "x");
  CHECK(type.flowed);
  CHECK_FALSE(type.delete_space);
  CHECK_FALSE(parse_content_type("text/plain").boundary);
  CHECK(parse_transfer_encoding("8bit") == TransferEncoding::none);
  CHECK(parse_transfer_encoding("Quoted-Printable") == TransferEncoding::quoted_printable);
  CHECK(parse_transfer_encoding("x-base64") == TransferEncoding::base64);
}

TEST_CASE("subjects") {
  CHECK(clean_subject("Re: [PATCH v2 1/3] [Tag]  x  y ") == "[Tag] x y");
  CHECK(clean_subject("[Tag][PATCH]x") == "[Tag]x");
  CHECK(clean_subject("[open PATCH") == "[open PATCH");
  CHECK(clean_subject("re:") == "re:");
  CHECK(clean_subject(" : \t").empty());
}

TEST_CASE("addresses") {
  CHECK(address("A U Thor <a@b>") == "A U Thor|a@b");
  CHECK(address("a@b (A U Thor)") == "A U Thor|a@b");
  CHECK(address("\"Thor, A\" <a@b>") == "Thor, A|a@b");
  CHECK(address("a@b") == "a@b|a@b");
  CHECK(address("John <john>") == "John|john");
  CHECK(address("\"open <a@b>") == "open|a@b");
  CHECK(address("(open <a@b>") == "(open|a@b");
  CHECK(address("back\\slash <a@b>") == "back\\slash|a@b");
  CHECK(address("John") == "|");
  CHECK(address("") == "|");
}
