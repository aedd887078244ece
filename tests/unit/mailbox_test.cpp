// SPDX-License-Identifier: Apache-2.0
#include "core/mailbox.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"

using namespace flagscale;

namespace {

const char* const kSeparator =
    "From 0123456789abcdef0123456789abcdef01234567 Mon Sep 17 00:00:00 2001\n";
const char* const kHeaders =
    "From: A U Thor <author@example.com>\nDate: Tue, 2 Jan 2024 03:04:05 +0800\n";
const char* const kDiff =
    "---\n a | 1 +\n\ndiff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -0,0 +1 @@\n+x\n";

std::string mail_with(const std::string& headers, const std::string& body) {
  return std::string(kSeparator) + kHeaders + headers + "\n" + body;
}

std::vector<Mail> read_all(std::string file) {
  std::vector<Mail> mails;
  for (const RawMail& raw : split_mailbox(Content(std::move(file)))) {
    mails.push_back(parse_mail(raw));
  }
  return mails;
}

Mail read_one(std::string file) {
  auto mails = read_all(std::move(file));
  REQUIRE(mails.size() == 1);
  return std::move(mails.front());
}

std::string refusal(std::string file) {
  try {
    read_all(std::move(file));
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::unable);
    return error.what();
  }
  return {};
}

bool holds(const Content& whole, std::string_view part) {
  return part.data() >= whole.view().data() &&
         part.data() + part.size() <= whole.view().data() + whole.size();
}

}  // namespace

TEST_CASE("a mail becomes author, message and patch") {
  const Mail mail = read_one(mail_with("Subject: [PATCH 1/2] [Tag] a\n subject\n",
                                       std::string("first  \n\n\nsecond\n") + kDiff));
  CHECK(mail.author == git::Signature{"A U Thor", "author@example.com", 1704135845, "+0800"});
  CHECK(mail.message == "[Tag] a subject\n\nfirst\n\nsecond\n");
  CHECK(mail.patch.view() == kDiff);
  CHECK_FALSE(mail.skipped);
}

TEST_CASE("lines are counted through the whole file") {
  const std::string one = mail_with("Subject: x\n", std::string("text\n") + kDiff);
  const auto mails = read_all("\n\n" + one + one);
  REQUIRE(mails.size() == 2);
  CHECK(mails[0].line == 3);
  CHECK(mails[0].patch_line == 9);
  CHECK(mails[1].line == 17);
  CHECK(mails[1].patch_line == 23);
}

TEST_CASE("an encoded patch is counted from where its body starts") {
  const Mail mail = read_one(mail_with("Content-Transfer-Encoding: quoted-printable\n",
                                       "a=\nb\n---\n" + std::string(kDiff)));
  CHECK(mail.message == "ab\n");
  CHECK(mail.patch_line == 6);
}

TEST_CASE("a patch that was sent as it is shares the file's bytes") {
  const Content file(mail_with("Content-Transfer-Encoding: 8bit\n",
                               std::string("text\n") + kDiff + "\xff\r\n-- \n2.39\n\n") +
                     mail_with("", kDiff));
  const auto raws = split_mailbox(file);
  REQUIRE(raws.size() == 2);
  for (const RawMail& raw : raws) {
    CHECK(holds(file, raw.bytes.view()));
    CHECK(holds(file, parse_mail(raw).patch.view()));
  }
}

TEST_CASE("a mail's parts outlive the file they were read from") {
  Mail mail;
  {
    const auto raws = split_mailbox(Content(mail_with("", kDiff)));
    mail = parse_mail(raws.front());
  }
  CHECK(mail.patch.view() == kDiff);
}

TEST_CASE("a file that is no mailbox is refused with the line") {
  CHECK(refusal("").find("line 1") == 0);
  CHECK(refusal("\n\n").find("empty") != std::string::npos);
  CHECK(refusal("\n\nnot a mail\n").find("line 3") != std::string::npos);
  CHECK(refusal("some text\n").find("line 1") == 0);
  CHECK(refusal("# HG changeset patch\n").find("Mercurial") != std::string::npos);
}

TEST_CASE("a mail that cannot be a commit is refused with the line") {
  const std::string good = mail_with("", kDiff);
  CHECK(refusal(good + mail_with("", "no patch here\n")) == "mail at line 13: it holds no patch");
  CHECK(refusal(std::string(kSeparator) + "Date: 2 Jan 2024 3:4:5\n\n" + kDiff).find("author") !=
        std::string::npos);
  CHECK(refusal(std::string(kSeparator) + "From: A <a@b>\n\n" + kDiff).find("no date") !=
        std::string::npos);
  CHECK(refusal(mail_with("Subject: =?broken\n", kDiff)).find("line 4: ") == 0);
  CHECK(refusal(mail_with("Content-Type: text/plain; charset=odd\x1b\n", "x\n")) ==
        "line 6: the message is not written in its character set 'odd\\033'");
  CHECK(refusal(mail_with("", std::string("a\0b\n", 4) + kDiff)).find("NUL") != std::string::npos);
  CHECK(refusal(mail_with("Subject: =?utf-8?q?=00?=\n", kDiff)).find("NUL") != std::string::npos);
}

TEST_CASE("a mail program's note is passed over") {
  const auto mails = read_all(std::string(kSeparator) +
                              "From: Mail System Internal Data <MAILER-DAEMON@host>\n\ntext\n" +
                              mail_with("", kDiff));
  REQUIRE(mails.size() == 2);
  CHECK(mails[0].skipped);
  CHECK(mails[0].patch.empty());
  CHECK_FALSE(mails[1].skipped);
}

TEST_CASE("mails made to be slow are read in time and memory that grow with their size") {
  constexpr std::size_t kMany = 300000;
  const auto repeated = [](std::string_view piece) {
    std::string text;
    for (std::size_t i = 0; i < kMany; ++i) text += piece;
    return text;
  };
  const std::string flowed = "Content-Type: text/plain; format=flowed\n";
  const std::string quoted = "Content-Transfer-Encoding: quoted-printable\n";
  const std::string base64 = "Content-Transfer-Encoding: base64\n";
  const std::vector<std::string> mails = {
      mail_with("Subject: " + repeated(":") + repeated("re:") + repeated("[PATCH]") + "x\n", kDiff),
      mail_with("Subject: " + repeated("[") + "\n", kDiff),
      mail_with("Subject: a\n" + repeated(" \n a\n"), kDiff),
      mail_with("Subject: " + repeated("=?utf-8?q?a?= ") + "\n", kDiff),
      mail_with("From: " + repeated("(") + "\"a\" <a@b>" + repeated(")") + "\n", kDiff),
      mail_with(repeated("X: y\n"), kDiff),
      mail_with("Content-Type: multipart/mixed; boundary=B\n",
                "--B\n\n" + repeated("--B\n\n") + kDiff),
      mail_with(quoted, repeated("a=\n") + "\n" + kDiff),
      mail_with(quoted + flowed, "\n" + repeated(" =\n") + repeated("a =20\n") + "\n" + kDiff),
      mail_with(base64, repeated("YWFh\n") + "Ci0tLQpkaWZmIC0K\n"),
      mail_with(base64 + flowed, repeated("ICAg\n") + repeated("YSAK\n") + "YQotLS0K\n"),
      mail_with(flowed, repeated("a \n") + "\n" + kDiff),
      mail_with("Content-Type: text/plain; charset=latin1\n", repeated("\xe9\n") + kDiff),
      mail_with("", "Subject: x\n" + repeated(" y\n") + "\n" + kDiff),
      mail_with("", repeated("\xff\n") + kDiff),
  };
  for (std::size_t i = 0; i < mails.size(); ++i) {
    CAPTURE(i);
    CHECK(read_all(mails[i]).size() == 1);
  }
  CHECK_THROWS_WITH_AS(split_mailbox(Content(repeated("From x 12:34:56 2024\n"))),
                       "more than 100000 mails", Error);
  std::string most;
  for (std::size_t i = 0; i < kMaxMails; ++i) most += "From x 12:34:56 2024\n";
  CHECK(split_mailbox(Content(std::move(most))).size() == kMaxMails);
}
