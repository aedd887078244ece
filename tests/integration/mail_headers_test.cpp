// SPDX-License-Identifier: Apache-2.0
//
// Headers, as the real `git am` reads them: authors, subjects and dates.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <doctest/doctest.h>

#include "support/mail_oracle.h"

using namespace flagscale::test;

namespace {

/// Each header has its turn as the first of a mail's headers.
std::vector<MailCase> header_cases(const std::vector<std::string>& variants,
                                   const std::string& others) {
  std::vector<MailCase> cases;
  cases.reserve(variants.size());
  for (const std::string& variant : variants) {
    cases.push_back({variant, mail_of(variant + others, "body\n---\n\n$DIFF-- \n2.39\n\n")});
  }
  return cases;
}

constexpr const char* kDate = "Date: Tue, 2 Jan 2024 03:04:05 +0800\n";

constexpr std::string_view kDates =
    "Tue, 2 Jan 2024 03:04:05 +0800|Tue, 2 Jan 2024 03:04:05 -0000|"
    "2 Jan 2024 03:04:05 GMT|2 Jan 2024 03:04:05|2 Jan 2024 03:04:05 PST|"
    "2 Jan 2024 03:04:05 EDT (comment)|2 Jan 2024 03:04:05 +0800 (CST)|"
    "2 Jan 24 03:04:05 +0000|2 Jan 99 03:04:05 +0000|2 Jan 05 03:04:05 +0000|"
    "2 Jan 70 03:04:05 +0000|02 Jan 38 03:04:05 +0000|31 Feb 2023 03:04:05 +0000|"
    "29 Feb 2000 00:00:00 +0000|1 Mar 2000 00:00:00 +0000|31 Dec 2099 23:59:59 +0000|"
    "1 Jan 2100 00:00:00 +0000|1 Jan 1970 00:00:00 +0000|1 Jan 1970 00:00:00 -0100|"
    "31 Dec 1969 23:59:59 +0000|2024-01-02 03:04:05 +0800|2024-01-02T03:04:05Z|"
    "2024-01-02T03:04:05+08:00|2024-01-02T03:04:05.678+08|2024-01-02T03:04:05-00:01|"
    "20240102T030405Z|20240102T030405.5+0100|20240102 030405 +0100|20240102|"
    "2024/01/02 03:04|01/02/2024 03:04:05 +0000|13/02/2024 03:04:05 +0000|"
    "02.01.2024 03:04:05 +0000|01.13.2024 03:04:05 +0000|1.2.24 3:4:5 pm +0000|"
    "1/2 2020 03:04 +0000|2024-13-02 03:04:05|2024-30-12 03:04:05|75-1-2 3:04|"
    "@1700000000 +0800|@1700000000 -0800|@1700000000 +08000|@1700000000  +0800|"
    "@1700000000 +080|@1700000000|@0 +0000|@5 -0001|@1700000000 ++080|@1700000000 +-080|"
    "@1700000000 + 080|@1700000000 +9999|@x +0000|@1700000000 +0800 x|1700000000|"
    "1700000000 +0100|1700000000 -0001|99999999|100000000|18446744073709551615|"
    "99999999999999999999999|9223372036854775807|@18446744073709551615 +0000|"
    "18378975933099810816|12:00 2 Jan 2024|12:00:60 2 Jan 2024|24:00:00 2 Jan 2024|"
    "25:00:00 2 Jan 2024|12:60 2 Jan 2024|12:00 am 2 Jan 2024|12:00 PM 2 Jan 2024|"
    "3 pm 2 Jan 2024|3:00pm 2 Jan 2024 UTC|pm 12:00 2 Jan 2024|2 January 2024 3:04|"
    "2 janUARY 2024 3:04|2 Janu 2024 3:04|2 Januaryx 2024 3:04|2 Ja 2024 3:04|"
    "Tue Jan  2 03:04:05 2024|Tue Jan  2 03:04:05 2024 +0530|"
    "Tuesday, 2 Jan 2024 03:04:05 z|Tues 2 Jan 2024 3:4:5 met|2 Jan 2024 03:04:05 NZDT|"
    "2 Jan 2024 03:04:05 IDLW|2 Jan 2024 03:04:05 CE|2 Jan 2024 03:04:05 +2400|"
    "2 Jan 2024 03:04:05 +2359|2 Jan 2024 03:04:05 +0160|2 Jan 2024 03:04:05 +1|"
    "2 Jan 2024 03:04:05 +123|2 Jan 2024 03:04:05 +12345|2 Jan 2024 03:04:05 +05: 3|"
    "2 Jan 2024 03:04:05 +05:+3|2 Jan 2024 03:04:05 +05:-3|2 Jan 2024 03:04:05 +05:3|"
    "2 Jan 2024 03:04:05 +05:333|2 Jan 2024 03:04:05 +05:x|2 Jan 2024 03:04:05 0800|"
    "0130 2 Jan 2024 03:04:05|1401 2 Jan 2024 03:04:05|2 Jan 2024 03:04:05 +0800 -0700|"
    "Jan 2024 03:04:05 +0000|Jan 1970 03:04:05 +0000|2 2024 03:04:05|"
    "2 3 2024 03:04:05 +0000|5 5 5 03:04:05 +0000|12 13 14 15:16:17|31 12 75 1:2:3|"
    "99 5 5 1:2:3 +0000|00 5 5 1:2:3 +0000|2 Jan 2024|2024|x|?!|"
    "2 Jan 2024 03:04:05 +0800 x99y|2\tJan\t2024 03:04:05\t+0800|-1|+|- -|"
    "123456 2 Jan 2024|235960 2 Jan 2024|123456.789 2 Jan 2024|1234567 2 Jan 2024 1:2|"
    "2 Jan 2024 1:2.5|1:2:3.4 2 Jan 2024|2 Jan 2024 1:2:3.4 +0000|2 Jan 2024 1:2:3:4|"
    "1-2-3 1:2:3 +0000|1/2/3 1:2:3 +0000|1.2.3 1:2:3 +0000|1-2/3 2001 1:2:3 +0000|"
    "71-2-3 1:2:3 +0000|2001-2 1:2:3 +0000|2001-99-99 2 Jan 1:2:3 +0000|"
    "4294967297-1-2 1:2:3|2001-4294967297-2 1:2:3|1:4294967297 2 Jan 2024|"
    "9999999999999999999999:1 2 Jan 2024|2 Jan 2024 03:04:05 \xe6\x97\xa5|"
    "=?UTF-8?q?2_Jan_2024_03:04:05?= +0100|2 Jan 2024 03:04:05\n +0300|"
    "2 Jan 2024 3:4:5 MESTER|2 Jan 2024 3:4:5 ME|2 Jan 2024 3:4:5 nt|"
    "2 Sept 2024 3:4:5 nt|2 Sep 2024 3:4:5 GMT+2|2 May 2024 3:4:5 +0200 DST|"
    "thu fri 2 May 2024 3:4:5|2 may jun 2024 3:4:5|1900 2 Jan 3:4:5|1901 2 Jan 3:4:5|"
    "1970 2 Jan 3:4:5|2099 2 Jan 3:4:5|2100 2 Jan 3:4:5 2001|1 Jan 2024 0:0:0 +1359|"
    "1 Jan 2024 0:0:0 -1359";

/// Names that are time zones to git, and some that are not.
constexpr std::string_view kZones =
    "IDLW NT CAT HST HDT YST YDT PST PDT MST MDT CST CDT EST EDT AST ADT WAT GMT UTC Z WET BST CET "
    "MET MEWT MEST CEST MESZ FWT FST EET EEST WAST WADT CCT JST EAST EADT GST NZT NZST NZDT IDLE "
    "gmt N IST A MSK IDL NZ EES UT";

}  // namespace

TEST_CASE("authors are read as git am reads them") {
  const std::vector<std::string> variants = {
      "From: A U Thor <author@example.com>\n",
      "From: author@example.com\n",
      "From: <author@example.com>\n",
      "From: author@example.com (A U Thor)\n",
      "From: A (nick) Thor <a@b> (comment)\n",
      "From: (only comment) a@b\n",
      "From: \"Thor, A U\" <a@b>\n",
      "From: \"A \\\"Q\\\" Thor\" <a@b>\n",
      "From: A (x \\) y (z)) Thor <a@b>\n",
      "From: \"A@B\" <a@b>\n",
      "From: A\tU  \t Thor  <a@b>\n",
      "From: A U\n Thor\n\t<a@b>\n",
      "From: =?UTF-8?q?J=C3=B6rg?= <j@x>\n",
      "From: =?utf8?B?SsO2cmc=?= <j@x>\n",
      "From: =?ISO-8859-1?Q?J=F6rg_Doe?= <j@x>\n",
      "From: =?latin-1?Q?J=F6rg_Doe?= <j@x>\n",
      "From: =?gb18030?B?1tA=?= =?gb18030?B?zsQ=?= <j@x>\n",
      "From: =?iso-2022-jp?B?GyRCRnxLXBsoQg==?= <j@x>\n",
      "From: =?shift_jis?B?k/qWew==?= Smith <j@x>\n",
      "From: =?no-such-charset?q?a?= <j@x>\n",
      "From: =?us-ascii?q?J=F6rg?= <j@x>\n",
      "From: =?UTF-8?x?J?= <j@x>\n",
      "From: =?UTF-8?q?J <j@x>\n",
      "From: =?UTF-8 <j@x>\n",
      "From: =? <j@x>\n",
      "From: =?\n",
      "From: =??q?empty_charset?= <j@x>\n",
      "From: =?UTF-8?q?a=00b?= <j@x>\n",
      "From: =?UTF-8?q?a=0Ab?= <j@x>\n",
      "From: =?UTF-8?q?a=3Db=zz=4?= <j@x>\n",
      "From: =?UTF-8?q?\?= <j@x>\n",
      "From: a =?UTF-8?q?b?=  =?UTF-8?q?c?= d =?UTF-8?q?e?= <j@x>\n",
      "From:  =?UTF-8?q?b?=<j@x>\n",
      "From: J\xf6rg <j@x>\n",
      "From: J\xc3\xb6rg <j@x>\n",
      "From: J\xc3 \xef\xbf\xbf \xf0\x9f\x98\x80 \xf5 \xed\xa0\x80 \xff x <j@x>\n",
      "From: A <J\xf6rg@x>\n",
      "From: A <a b@c d>\n",
      "From: A <a@b\n",
      "From: A a@b>\n",
      "From: A <<a@b>>\n",
      "From: A <a@b@c>\n",
      "From: a@b, c@d\n",
      "From: A <a@b>, C <c@d>\n",
      "From: A Very Long Name That Goes On And On Until It Is Longer Than Sixty <a@b>\n",
      "From: Exactly sixty bytes of a name, neither one more nor fewer.. <a@b>\n",
      "From: A <a>\n",
      "From: John Doe <john doe>\n",
      "From: John Doe <>\n",
      "From: <>\n",
      "From: John Doe\n",
      "From: john <a> <b>\n",
      "From: >< a <b>\n",
      "From:\n",
      "From: \n",
      "",
      "From: A.U. Thor, <a@b>\n",
      "From: .,: <a@b>\n",
      "From: ... <...>\n",
      "From: . <a>\n",
      "From: 'A' <'a@b'>\n",
      "From: A\\B <a@b>\n",
      "From: () <a@b>\n",
      "From: (x) <a@b>\n",
      "From: ((x)) <a@b>\n",
      "From: ) <a@b>\n",
      "From: A\vB\fC <a\v@b>\n",
      "From: A\001B\177 <\002a@b\003>\n",
      "FROM: Loud <a@b>\n",
      "from:a@b\n",
      "From : A <a@b>\n",
      "From: first <a@b>\nFrom: second <c@d>\n",
      "From: first <a@b>\nFrom: nobody\n",
      std::string("From: A\0B <a@b>\n", 16),
      std::string("From: A <a@b>\0 x\n", 17),
      "Sender: S <s@x>\nReply-To: R <r@x>\nFrom: A <a@b>\n",
      "From: A <a@b>  \t \r\n",
      "From: Mail System Internal Data <MAILER-DAEMON@host>\n",
      "From: Mail System  =?UTF-8?q?Internal?= Data <MAILER-DAEMON@host>\n",
  };
  compare_all(header_cases(variants, std::string(kDate) + "Subject: [PATCH] x\n"), 50);
}

TEST_CASE("subjects are read as git am reads them") {
  const std::vector<std::string> variants = {
      "Subject: plain\n",
      "Subject: [PATCH] plain\n",
      "Subject: [PATCH 1/2] plain\n",
      "Subject: [RFC PATCH v2] [Tag] plain\n",
      "Subject: [Tag] [PATCH] plain\n",
      "Subject: [Tag][Other]plain\n",
      "Subject: [Tag] \t [Other]  plain\n",
      "Subject: [PATC] short\n",
      "Subject: [patch] small\n",
      "Subject: [PATCHES] more\n",
      "Subject: []x\n",
      "Subject: [Tag] re: : x\n",
      "Subject: Re: RE: re:rE: x\n",
      "Subject: Re: [PATCH] Re: x\n",
      "Subject: re:\n",
      "Subject: re: \n",
      "Subject: re:a\n",
      "Subject: rex\n",
      "Subject: r\n",
      "Subject: : :\t: x\n",
      "Subject: [unclosed PATCH\n",
      "Subject: x [PATCH] y\n",
      "Subject: [PATCH]\n",
      "Subject: [PATCH]no space\n",
      "Subject: [a]]b\n",
      "Subject: [[PATCH] b]\n",
      "Subject:\n",
      "Subject:    \n",
      "",
      "Subject: a\n b\n\tc\n    d  \n",
      "Subject: a\n \n b\n",
      "Subject: a   b\t\tc\n",
      "Subject: [PATCH] a \r\n",
      "Subject: =?UTF-8?q?=5BPATCH=5D_x?=\n",
      "Subject: =?UTF-8?q?a?=\n =?UTF-8?q?b?=\n",
      "Subject: =?UTF-8?q?two=0Alines?=\n",
      "Subject: =?UTF-8?q?trailing_?=\n",
      "Subject: =?UTF-8?q?nul=00?=\n",
      "Subject: =?gbk?B?1tDOxA==?=\n",
      "Subject: =?utf-16le?B?YQBiAA==?=\n",
      "Subject: =?utf-16?B?/v8AYQBi?=\n",
      "Subject: =?UTF-16LE-BOM?B?//5hAGIA?=\n",
      "Subject: =?utf-7?Q?a+2D3eAA-?=\n",
      "Subject: =?big5-hkscs?Q?=88=62?=\n",
      "Subject: =?UTF-8?q?literal =?UTF-8?q?x?=\n",
      "Subject: a =?= b\n",
      "Subject: caf\xe9\n",
      "Subject: caf\xc3\xa9\n",
      "Subject: one\nSubject: two\n",
      "SUBJECT: loud\n",
      "subject:tight\n",
      "Subject: Author: x\n",
      "Subject: From: x\n",
      "Subject: x\nMessage-Id: <a@b>\n",
      "Subject: x\nMessage-Id: <=?a@b>\n",
      "Subject: x\nX-Other: =?broken\n",
      "Subject: \xef\xbb\xbfx\n",
      std::string("Subject: a\0b\n", 13),
      std::string("Subject: a\n\0b\n", 14),
      std::string("Subject: a\n b\0c\n", 16),
      "Subject: a\v\n",
      "Subject: a\n---\n",
      "Subject: a\nnot a header\n",
      "Subject: a\n:odd: header\nX-\x7f: no\n",
      "Subject: a\n>From header\nFrom header\n:odd\n",
      "Subject: a\nX-y\n: z\n",
  };
  compare_all(header_cases(variants, ""), 0);
  std::vector<std::string> complete;
  complete.reserve(variants.size());
  for (const std::string& variant : variants) complete.push_back(plain_headers() + variant);
  compare_all(header_cases(complete, ""), 50);
}

TEST_CASE("dates are read as git am reads them") {
  std::vector<std::string> variants{""};
  for (std::size_t from = 0; from < kDates.size();) {
    const std::size_t end = std::min(kDates.find('|', from), kDates.size());
    variants.push_back("Date: " + std::string(kDates.substr(from, end - from)) + "\n");
    from = end + 1;
  }
  for (std::string_view rest = kZones; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    variants.push_back("Date: 2 Jan 2024 3:4:5 " + std::string(rest.substr(0, end)) + "\n");
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  compare_all(header_cases(variants, "From: A <a@b>\nSubject: x\n"), 150);
}

TEST_CASE("a date that cannot be kept is refused") {
  const std::vector<std::string> dates = {"",
                                          "x",
                                          "1 Jan 1970 00:00:00 +0100",
                                          "31 Dec 2099 23:59:59 -0100",
                                          "@4102444800 +0000",
                                          "@18446744073709551615 +0000"};
  for (const std::string& date : dates) {
    CAPTURE(date);
    const std::string mailbox = mail_of("From: A <a@b>\nDate: " + date + "\n", "---\ndiff -x\n");
    CHECK(refusal_of(mailbox).find("date") != std::string::npos);
  }
}
