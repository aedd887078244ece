// SPDX-License-Identifier: Apache-2.0
//
// Generated mails, many of them broken, as the real `git am` reads them. More of them with
// FLAGSCALE_MAIL_ROUNDS=<count>, others with FLAGSCALE_MAIL_SEED=<number> in the environment.
#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "support/mail_oracle.h"

using namespace flagscale::test;

namespace {

/// Makes mails out of pieces that have been trouble before, by themselves and together.
class MailMaker {
 public:
  explicit MailMaker(unsigned seed) : random_(seed) {}

  std::string make(MailOracle& oracle) {
    std::string mailbox;
    const std::size_t count = chance(8) ? 2 : 1;
    for (std::size_t i = 0; i < count; ++i) mailbox += one(oracle);
    if (chance(40)) mailbox = replace_all(mailbox, "\n", "\r\n");
    if (chance(3)) damage(mailbox);
    return mailbox;
  }

 private:
  bool chance(unsigned in) { return random_() % in == 0; }
  std::string pick(const std::vector<std::string>& from) { return from[random_() % from.size()]; }

  /// Puts something unfit into the first lines, where it can do the most.
  void damage(std::string& mailbox) {
    const std::size_t at = random_() % std::min<std::size_t>(mailbox.size(), 500);
    const std::string piece = pick({"\n",
                                    "\n\n",
                                    " ",
                                    ":",
                                    "=?",
                                    "<",
                                    ">",
                                    "@",
                                    "--B",
                                    "\r",
                                    "\t",
                                    "[",
                                    "\x80",
                                    "---\n",
                                    "diff -",
                                    "From ",
                                    "\n" + mail_separator(),
                                    std::string(1, '\0'),
                                    "",
                                    "",
                                    "\n "});
    mailbox.replace(at, random_() % 4, piece);
  }

  std::string word() {
    return pick({"a",
                 "fix",
                 "the",
                 "caf\xc3\xa9",
                 "caf\xe9",
                 "[Tag]",
                 "[PATCH]",
                 "[PATCH 1/2]",
                 "Re:",
                 "=?UTF-8?q?=C3=A9_x?=",
                 "=?utf-8?b?w6k=?=",
                 "=?latin1?q?=E9?=",
                 "=?gbk?b?1tA=?=",
                 "(c)",
                 "\"q\"",
                 "\t",
                 "  ",
                 "[",
                 "]",
                 ":",
                 "\xe6\x97\xa5",
                 "\xf0\x9f\x98\x80",
                 "\v",
                 chance(20) ? "=?bad" : "ok",
                 chance(20) ? "=?UTF-8?q?=00?=" : "ok"});
  }
  std::string words(std::size_t most) {
    std::string text;
    for (std::size_t i = random_() % (most + 1); i > 0; --i) {
      text += word() + pick({" ", " ", "", "\n "});
    }
    return text;
  }
  std::string from() {
    return "From: " +
           pick({words(3) + "<" + pick({"a@b", "x", "", "a@b c", "<a@b>"}) + ">",
                 "a@b (" + words(2) + ")", "a@b", words(2) + "x@y " + words(1)}) +
           "\n";
  }
  std::string date() {
    return "Date: " + pick({"", "Tue, ", "tuesday "}) +
           pick({"2 Jan 2024", "Jan 2 2024", "2024-01-02", "02/03/2004", "2.3.2004", "@1700000000",
                 "20240102", "2 3 4", "1 Feb"}) +
           pick({" ", "T", "  "}) +
           pick({"03:04:05", "3:04", "030405", "3 pm", "12:34:56.789", "23:59:60", ""}) + " " +
           pick({"+0800", "-0330", "GMT", "EDT", "+08:00", "+8", "", "0800", "z", "+2500"}) + "\n";
  }
  std::string message() {
    std::string text;
    if (chance(4)) text += pick({from(), "Subject: " + words(3) + "\n", date(), "[PATCH] y\n"});
    if (chance(6))
      text += pick({from(), "Subject: " + words(3) + "\n", date(), ">" + mail_separator()});
    if (chance(3)) text += "\n";
    for (std::size_t i = random_() % 5; i > 0; --i) {
      text += pick({"text\n", "caf\xc3\xa9\n", "caf\xe9\n", "\n", "  x  \n", "soft \n", "-- \n",
                    "--\n", "From: late <l@l>\n", "> x\n", "=41 = =3D\n", "crlf\r\n", "\xff\n",
                    " \n", "----\n", std::string(300, 'y') + "\n", "\xef\xbf\xbf\n",
                    chance(20) ? std::string("\0\n", 2) : "-\n"});
    }
    return text + pick({"---\n", "--- \n", "", "---\n stat\n\n", "---\r\n"});
  }
  std::string encoded(const std::string& body, std::string& header) {
    switch (random_() % 5) {
      case 0:
        header = "Content-Transfer-Encoding: quoted-printable\n";
        return quoted_printable(body);
      case 1:
        header = "Content-Transfer-Encoding: base64\n";
        return base64(body);
      case 2:
        header = "Content-Transfer-Encoding: 8bit\n";
        return body;
      default:
        return body;
    }
  }
  std::string type() {
    return pick({"", "", "Content-Type: text/plain; charset=UTF-8\n",
                 "Content-Type: text/plain; charset=ISO-8859-1\n",
                 "Content-Type: text/plain; format=flowed\n",
                 "Content-Type: text/plain; charset=\"utf-8\"; format=flowed; delsp=yes\n",
                 "Content-Type: text/plain; charset=windows-1252\n"});
  }
  std::string part(const std::string& body) {
    std::string header;
    const std::string text = encoded(body, header);
    return type() + header + pick({"\n", "\n", "\n", "Subject: part\n\n"}) + text;
  }
  std::string one(MailOracle& oracle) {
    std::string text = mail_separator();
    if (!chance(20)) text += from();
    if (!chance(20)) text += "Subject: " + words(4) + "\n";
    text += chance(3) ? date() : "Date: Tue, 2 Jan 2024 03:04:05 +0800\n";
    if (chance(10)) text += from();
    const std::string tail = pick({"", "-- \n2.39\n\n", "\n", "\r\n"});
    if (!chance(4)) return text + part(message() + oracle.diff() + tail);
    text += "Content-Type: multipart/mixed; boundary=\"B\"\n\n" + pick({"", "preamble\n"});
    text += "--B\n" + part(message()) + "--B\n" + part(oracle.diff() + tail);
    return text + pick({"--B--\n", "--B--\n\n", "", "--B\n"});
  }

  std::mt19937 random_;
};

unsigned setting(const char* name, unsigned otherwise) {
  const char* const value = std::getenv(name);
  return value != nullptr ? static_cast<unsigned>(std::strtoul(value, nullptr, 10)) : otherwise;
}

}  // namespace

TEST_CASE("generated mails are read as git am reads them") {
  const unsigned rounds = setting("FLAGSCALE_MAIL_ROUNDS", 400);
  MailMaker maker(setting("FLAGSCALE_MAIL_SEED", 20240102));
  MailOracle oracle;
  for (unsigned i = 0; i < rounds; ++i) {
    oracle.compare("round " + std::to_string(i), maker.make(oracle));
  }
  CHECK(oracle.accepted() > rounds / 3);
  MESSAGE(oracle.compared() << " mailboxes compared, " << oracle.accepted() << " accepted by both");
}
