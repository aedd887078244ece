// SPDX-License-Identifier: Apache-2.0
//
// Bodies, as the real `git am` reads them: where the message ends, headers in the body, encodings,
// multipart mails.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "support/mail_oracle.h"

using namespace flagscale::test;

TEST_CASE("bodies are split as git am splits them") {
  const std::string head = plain_headers() + "Subject: [PATCH] x\n";
  const std::string separator = mail_separator();
  std::vector<MailCase> cases;
  const auto body = [&](const std::string& text) { cases.push_back({text, mail_of(head, text)}); };
  body("$DIFF");
  body("---\n$DIFF");
  body("\n\n\n---\n$DIFF");
  body("message\n$DIFF");
  body("message\n--- \n$DIFF");
  body("message\n--- a\n+++ b\n$DIFF");
  body("message\n--- \t \n$DIFF");
  body("message\n---\t\n$DIFF");
  body("message\n---\r\n$DIFF");
  body("message\n---x\n$DIFF");
  body("message\n----\n$DIFF");
  body("message\n-- \n--\n ---\n$DIFF");
  body("message\n---  a\n$DIFF");
  body("message\nIndex: a\n$DIFF");
  body("message\nIndex:a\nindex: b\n$DIFF");
  body("message\ndiff -\n$DIFF");
  body("message\ndiff a b\n diff -x\n$DIFF");
  body("message\n---");
  body("message\n--- ");
  body("message\n---\n");
  body("message\ndiff -");
  body("message\n");
  body("message");
  body("");
  body("a  \nb\t\r\n\n\n\nc\n\n---\n$DIFF");
  body("a\r\nb\r\n---\r\n$DIFF");
  body("\r\na\n---\n$DIFF");
  body(" leading\n\tblank\n---\n$DIFF");
  body("\v\f\n---\n$DIFF");
  body("caf\xe9 caf\xc3\xa9\n\xff\xfe\n---\n$DIFF");
  body(
      "\xef\xb7\x90 \xef\xbf\xbe \xf0\x9f\xbf\xbf \xc0\x80 \xe0\x80\x80 "
      "\xf4\x90\x80\x80\n---\n$DIFF");
  body("\xe6\x97\n\xe6\x97\xa5\xe6\n---\n$DIFF");
  body(std::string("a\0b\n---\n$DIFF", 13));
  body(std::string("a\n---\0\n$DIFF", 12));
  body(std::string("a\n---\n\0\n$DIFF", 13));
  body("From: In Body <in@body>\n\nmessage\n---\n$DIFF");
  body("From: In Body <in@body>\nmessage\n---\n$DIFF");
  body(
      "\n\nFrom: In Body <in@body>\nSubject: other\nDate: 3 Feb 2020 1:2:3 +0100\n\nm\n---\n$DIFF");
  body("Subject: long\n continued\n\tagain\n\nm\n---\n$DIFF");
  body("Subject:\n continued\n\nm\n---\n$DIFF");
  body("Subject:\n\nm\n---\n$DIFF");
  body("Date:\n\nm\n");
  body("subject: [PATCH] [Tag] low\n\nm\n---\n$DIFF");
  body("Subject: one\nSubject: two\n\nm\n---\n$DIFF");
  body("Subject: =?UTF-8?q?J=C3=B6rg?=\n\nm\n---\n$DIFF");
  body("Subject: =?UTF-8?q?J=C3=B6rg\n\nm\n---\n$DIFF");
  body("Subject: caf\xe9\n\nm\n---\n$DIFF");
  body("Subject: a\r\n b\r\n\r\nm\n---\n$DIFF");
  body("From: nobody\n\nm\n---\n$DIFF");
  body("From: In Body <in@body>\n\nSubject: not any more\n\nm\n---\n$DIFF");
  body("message first\nFrom: In Body <in@body>\n---\n$DIFF");
  body("Message-Id: <x>\n\nm\n---\n$DIFF");
  body("Content-Type: text/plain; charset=latin1\n\ncaf\xe9\n---\n$DIFF");
  body("From: In Body <in@body>\n---\n$DIFF");
  body("From: In Body <in@body>\n$DIFF");
  body("From: In Body <in@body>\n");
  body("[PATCH] in body subject\n\nm\n---\n$DIFF");
  body("[PATCH] in body subject\nFrom: B <b@b>\n\nm\n---\n$DIFF");
  body("[PATCH]\n\nm\n---\n$DIFF");
  body("[PATCH 1/2] in body\n\nm\n---\n$DIFF");
  body("[PATCH] one\n[PATCH] two\n\n\nSubject: three\nm\n---\n$DIFF");
  body(std::string("[PATCH] nul \0\n\nm\n---\n$DIFF", 26));
  body("[PATCH] =?UTF-8?q?not_decoded?= caf\xe9\n\nm\n---\n$DIFF");
  body(">" + separator + "From: B <b@b>\n\nm\n---\n$DIFF");
  body(">From 0123 Mon Sep 17 00:00:00 2001\nFrom: B <b@b>\n\nm\n---\n$DIFF");
  body(">From x\n>From: y\n>>From z\n---\n$DIFF");
  body("Fromage\nFrom x\n---\n$DIFF");
  body("m\nFrom me at 10:20:30 2001, never\n---\n$DIFF");
  body("-- >8 --\nm\n---\n$DIFF");
  body("a\n-- >8 -- cut -- >8 --\nSubject: z\n\nm\n---\n$DIFF");
  body("> quoted\n| bar\n---\n$DIFF");
  body("m\n---\n stat | 1 +\n 1 file changed\n\n$DIFF-- \n2.39.5\n\n");
  body("m\n---\n$DIFF\r\n");
  body("m\n\n---\nFrom: late <l@l>\n$DIFF");
  compare_all(cases, 55);
}

TEST_CASE("transfer encodings and character sets are undone as git am undoes them") {
  MailOracle oracle;
  const auto check = [&](const std::string& type, const std::string& encoding,
                         const std::string& body) {
    std::string headers = plain_headers() + "Subject: [PATCH] x\nMIME-Version: 1.0\n";
    if (!type.empty()) headers += "Content-Type: " + type + "\n";
    if (!encoding.empty()) headers += "Content-Transfer-Encoding: " + encoding + "\n";
    oracle.compare(type + " " + encoding, mail_of(headers, body));
  };
  const std::vector<std::string> types = {"",
                                          "text/plain",
                                          "text/plain; charset=UTF-8",
                                          "text/plain; charset=utf8",
                                          "text/plain; charset=\"utf-8\"",
                                          "text/plain; charset=ISO-8859-1",
                                          "text/plain; charset=latin-1",
                                          "text/plain; charset=us-ascii",
                                          "text/plain; charset=gbk",
                                          "text/plain; CHARSET=Windows-1252; x=y",
                                          "text/plain; charset=nonsense",
                                          "text/plain; charset=",
                                          "text/plain; charset=\"\"",
                                          "text/plain; charset=utf-8 x",
                                          "text/plain; charset=utf-8; format=flowed",
                                          "text/plain; format=flowed; delsp=yes",
                                          "text/plain; format=\"flowed\"; delsp=\"YES\"",
                                          "text/plain; format=flowedx",
                                          "=?UTF-8?q?text/plain;_charset=3Dlatin1?=",
                                          "text/plain;\n\tcharset=latin1"};
  const std::vector<std::string> messages = {"plain\n",
                                             "caf\xe9\n",
                                             "caf\xc3\xa9\n",
                                             "\xd6\xd0\xce\xc4\n",
                                             "soft \n break \nhard\n \n",
                                             "-- \nsig\n -- \n--\nx \n-- \ny\n",
                                             "trailing blanks  \n\n\n  stuffed\n",
                                             "crlf \r\nline\r\n",
                                             "=3D=\njoined =41\n",
                                             "Subject: in body \n more\n\nx\n",
                                             "long " + std::string(200, 'x') + "\n"};
  for (const std::string& type : types) {
    for (const std::string& message : messages) {
      const std::string extra = message.find('\xc3') != std::string::npos ? " caf\xc3\xa9" : "";
      check(type, "8bit", message + "---\n" + oracle.diff(extra));
      check(type, "quoted-printable", quoted_printable(message + "---\n" + oracle.diff(extra)));
      check(type, "base64", base64(message + "---\n" + oracle.diff(extra)));
    }
  }
  const std::string text = "m caf\xc3\xa9\n---\n";
  check("", "Base64", base64(text + oracle.diff()));
  check("", "x-base64-ish", base64(text + oracle.diff()));
  check("", "QUOTED-PRINTABLE", quoted_printable(text + oracle.diff()));
  check("", "binary", text + oracle.diff());
  check("", "quoted-printable", replace_all(quoted_printable(text + oracle.diff()), "\n", "\r\n"));
  check("", "base64", replace_all(base64(text + oracle.diff()), "\n", "\r\n"));
  check("", "base64", replace_all(base64(text + oracle.diff()), "=", ""));
  check("", "base64", replace_all(base64(text + oracle.diff()), "\n", " # \n\n"));
  check("", "base64", base64("m\n---\n" + replace_all(oracle.diff(), "\n", "\r\n")));
  check("", "base64", base64("From: B <b@b>\n\nm\n" + oracle.diff() + "no end"));
  check("", "base64", base64("no newline at all"));
  check("", "quoted-printable", "m=0A---=0A" + replace_all(oracle.diff(), "\n", "=0A"));
  check("", "quoted-printable", "m=00\n---\n" + oracle.diff());
  check("", "quoted-printable", "m= \n=\n=g=4=\n=\n=3=D=3d\n---\n" + oracle.diff());
  check("", "quoted-printable", "m\n---\n" + oracle.diff() + "=");
  check("", "quoted-printable", "soft=\n\n---\n" + oracle.diff());
  check("text/plain; format=flowed", "quoted-printable",
        "a =\n b \n c=20\n d=20=\n  e\n---\n" + oracle.diff());
  check("text/plain; format=flowed; delsp=yes", "base64",
        base64("a  \n b \n  c \n-- \nd \n\n---\n" + oracle.diff()));
  check("text/plain; charset=utf-16le", "base64",
        base64(std::string("a\0b\0\n\0", 6)) + oracle.diff());
  check("text/plain; charset=iso-2022-jp", "", "\x1b$BF|K\\\x1b(B\n---\n" + oracle.diff());
  check("text/plain; charset=iso-2022-jp", "", "\x1b$BF|K\\\n\x1b(Bx\n---\n" + oracle.diff());
  check("text/plain; charset=latin1", "", "m\n--- \xe9\n" + oracle.diff());
  check("text/plain; charset=latin1", "", std::string("m\xe9\0\n---\n", 8) + oracle.diff());
  CHECK(oracle.accepted() > oracle.compared() / 2);
  MESSAGE(oracle.compared() << " mailboxes compared, " << oracle.accepted() << " accepted by both");
}

TEST_CASE("multipart mails are taken apart as git am takes them apart") {
  const std::string head = plain_headers() + "Subject: [PATCH] x\nMIME-Version: 1.0\n";
  const std::string mixed = head + "Content-Type: multipart/mixed; boundary=\"BB\"\n";
  std::vector<MailCase> cases;
  const auto add = [&](const std::string& headers, const std::string& text) {
    cases.push_back({text, mail_of(headers, text)});
  };
  const std::string plain = "Content-Type: text/plain; charset=UTF-8\n";
  add(mixed, "preamble\n--BB\n" + plain +
                 "\nm\n---\n\n--BB\nContent-Type: text/x-patch; "
                 "name=\"a.patch\"\nContent-Disposition: attachment\n\n$DIFF\n--BB--\n\n\n");
  add(mixed, "--BB\n" + plain + "\nm\n\n--BB\n\n$DIFF\n--BB--\n\ntail\n");
  add(mixed, "--BB\n" + plain + "\nm\n$DIFF--BB--\n");
  add(mixed, "--BB\n" + plain + "\nm\n$DIFF");
  add(mixed, "--BB\nno header\nm\n$DIFF--BB--\n");
  add(mixed, "--BB\n\nm\n---\n$DIFF--BB--");
  add(mixed, "--BBextra\n\nm\n---\n$DIFF--BB--extra\n");
  add(mixed, "no boundary at all\n---\n$DIFF");
  add(mixed, "--BB\n");
  add(mixed, "--BB");
  add(mixed, "--BB\n" + plain);
  add(mixed, "--BB\n" + plain + "\n");
  add(mixed, "--BB--\n\nm\n---\n$DIFF");
  add(mixed, "--BB--\n--BB\n\nm\n---\n$DIFF");
  add(mixed, "--BB\n\n--BB\n\nm\n---\n$DIFF--BB--\n");
  add(mixed, "--BB\r\n" + plain + "\r\nm\r\n---\n$DIFF--BB--\r\n");
  add(mixed, "--BB\nSubject: in part\nFrom: P <p@p>\n\nm\n---\n$DIFF--BB--\n");
  add(head, "--BB\n\nm\n---\n$DIFF--BB--\n");
  add(mixed,
      "--BB\nContent-Type: text/plain; charset=latin1\n\ncaf\xe9\n--BB\n\ncaf\xc3\xa9\n---\n$DIFF");
  add(mixed, "--BB\nContent-Transfer-Encoding: base64\n\n" + base64("m\nno newline") +
                 "--BB\n\n$DIFF--BB--\n");
  add(mixed,
      "--BB\nContent-Transfer-Encoding: quoted-printable\n\nm=3D=\n--BB\n\nx\n---\n$DIFF--BB--\n");
  add(mixed,
      "--BB\nContent-Type: text/plain; format=flowed\n\nm \nn \n--BB\n\nx \n---\n$DIFF--BB--\n");
  add(mixed,
      "--BB\nContent-Type: multipart/alternative; boundary=CC\n\n--CC\n\nm\n--CC--\n\n--BB\n\n"
      "---\n$DIFF\n--BB--\n");
  add(mixed,
      "--BB\nContent-Type: multipart/alternative; boundary=CC\n\npre\n--CC\n\nm\n---\n$DIFF--CC--\n"
      "skipped\n--BB--\nskipped\n");
  add(mixed, "--BB\nContent-Type: multipart/x; boundary=CC\n\nm\n--BB\n\nn\n---\n$DIFF");
  add(mixed,
      "--BB\nFrom: P <p@p>\nContent-Type: text/plain\n\nSubject: body "
      "header\n--BB\n\nm\n---\n$DIFF");
  add(mixed, "--BB\n\nSubject: body header\n--BB--\n\nm\n---\n$DIFF");
  add(mixed, "--BB\n\nm\n---\n$DIFF--BB\n\nmore text\n--BB--\n");
  add(head + "Content-Type: multipart/mixed; boundary=\"\"\n", "--\n\nm\n---\n$DIFF");
  add(head + "Content-Type: multipart/mixed; boundary=a b\n", "--a\n\nm\n---\n$DIFF--a--\n");
  add(head +
          "Content-Type: multipart/mixed; boundary=a\nContent-Type: multipart/mixed; boundary=b\n",
      "--a\n--b\n\nm\n---\n$DIFF--b--\n--a--\n");
  for (const int depth : {3, 4, 5, 9}) {
    std::string text;
    for (int i = 0; i < depth; ++i) {
      const std::string name = "N" + std::to_string(i);
      text += (i == 0 ? std::string("--BB\n") : "--N" + std::to_string(i - 1) + "\n") +
              "Content-Type: multipart/mixed; boundary=" + name + "\n\n";
    }
    add(mixed, text + "--N" + std::to_string(depth - 1) + "\n\nm\n---\n$DIFF");
  }
  compare_all(cases, 18);
}
