// SPDX-License-Identifier: Apache-2.0
//
// The splitting of mailboxes, and files that are none, as the real `git am` sees them.
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "support/mail_oracle.h"

using namespace flagscale::test;

TEST_CASE("mailboxes are split as git am splits them") {
  const std::string separator = mail_separator();
  const std::string head = plain_headers() + "Subject: [PATCH] x\n";
  const std::string one = head + "\nm\n---\n$DIFF";
  const std::string note =
      "From: Mail System Internal Data <MAILER-DAEMON@host>\nDate: 2 Jan 2024 3:4:5 +0800\n"
      "Subject: DON'T DELETE THIS MESSAGE\nX-IMAP: 1 2\n\nThis text is part of the "
      "internal format of your mail folder.\n\n";
  const std::vector<MailCase> cases = {
      {"two", separator + one + separator + one},
      {"no separator", one},
      {"no separator, From later", "Date: 1 Jan 2020 1:2:3 +0000\nFrom: A <a@b>\n\nm\n$DIFF"},
      {"no separator at first", one + "\n" + separator + one},
      {"blank lines first", "\n\n" + separator + one},
      {"blanks first", " \t\n " + separator + one},
      {"blanks before a header", " " + one},
      {"text first", "text\n" + separator + one},
      {"text, then blank", "\ntext\n" + separator + one},
      {"empty", ""},
      {"blank", " \n \n"},
      {"blank lines", "\n\r\n\n"},
      {"only a separator", separator},
      {"separator and mail", separator + separator + one},
      {"other separator", "From me@host Tue Jan  2 03:04:05 2024\n" + one},
      {"separator with zone", "From me@host Tue Jan  2 03:04:05 2024 +0100\n" + one},
      {"separator, old year", "From me@host Tue Jan  2 03:04:05 90\n" + one + separator + one},
      {"separator, year 91", "From me@host Tue Jan  2 03:04:05 91\n" + one + separator + one},
      {"separator without date", "From me\n" + one + separator + one},
      {"separator, too short", "From 1:23:45 99999\n" + one + separator + one},
      {"separator with +", "From me@host Tue Jan  2 03:04:05   +2024\n" + one + separator + one},
      {"separator with -", "From me@host Tue Jan  2 03:04:05 -2024\n" + one + separator + one},
      {"odd time", separator + one + "From me 3x04:05 2024 and on\n" + one},
      {"time without minutes", separator + one + "From me 1203:05 2024 x:\n" + one},
      {"later colon", separator + one + "From me 12:03:05 2024: x\n" + one},
      {"CRLF separator", "From me@host Tue Jan  2 03:04:05 2024\r\n" + one},
      {"CRLF headers", separator + replace_all(head, "\n", "\r\n") + "\r\nm\r\n---\r\n$DIFF"},
      {"separator in the message", separator + head + "\nm\n" + separator + "---\n$DIFF"},
      {"separator as last line", separator + one + separator},
      {"quoted separator", separator + head + "\nm\n>" + separator + "---\n$DIFF"},
      {"folder note", "From x 12:34:56 2024 " + std::string("\n") + note + separator + one},
      {"second bad", separator + one + separator + head + "\nno patch\n" + separator + one},
      {"From: without blank", "From:A <a@b>\nDate: 2 Jan 2024 3:4:5 +0800\n\nm\n---\n$DIFF"},
      {"headers only", head},
      {"headers only, no LF", head + "X: y"},
      {"patch as header", head + "Index: foo\n"},
      {"patch as header, no LF", separator + head + "Index: foo"},
      {"body header as header", separator + head + "Subject: again\n"},
      {"no header", separator + "\nm\n---\n$DIFF"},
      {"body at once", separator + head + "m  \n---\n$DIFF"},
      {"diff at once", separator + head + "$DIFF"},
      {"folded blank", separator + head + " \n\t\n\nm\n---\n$DIFF"},
      {"line of blanks ends headers", separator + head + "X: y\n\r\nm\n---\n$DIFF"},
      {"mail without From", "Subject: x\nDate: 2 Jan 2024 3:4:5 +0800\n\n---\n$DIFF"},
      {"not a mail", "#!/bin/sh\necho\n"},
      {"diff alone", "$DIFF"},
      {"header with blank in its name", "Bad header: x\n" + one},
      {"empty header name", ": x\n" + one},
      {"high byte in a header name", "X\xc3\xa9: x\n" + one},
      {"indented first", "\tfolded\n" + one},
  };
  const std::string another = separator + one;
  std::vector<MailCase> all = cases;
  for (const MailCase& base : cases) {
    all.push_back({base.name + ", then another", base.mailbox + another});
  }
  compare_all(all, 40);
}

TEST_CASE("patch files in other formats, which git am would convert, are refused") {
  const std::vector<std::string> files = {
      "subject\n\nFrom: A <a@b>\n\n---\ndiff -x\n", "Subject: x\n\nDate: now\n\n---\ndiff -x\n",
      "\nX: y\n\nAuthor: A <a@b>\n\n---\ndiff -x\n",
      "# This series applies on GIT commit 12\nx.patch\n",
      "# HG changeset patch\n# User A <a@b>\n# Date 0 0\n\ndiff -x\n"};
  for (const std::string& file : files) {
    CAPTURE(file);
    CHECK(refusal_of(file).find("not a mailbox") != std::string::npos);
  }
}
