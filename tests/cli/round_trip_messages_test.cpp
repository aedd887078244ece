// SPDX-License-Identifier: Apache-2.0
//
// Messages and people through patch, real `git am` and unpatch. What cannot pass `git am`
// unchanged must be warned about, and still give the same commits everywhere.
#include <doctest/doctest.h>

#include "support/round_trip.h"

namespace flagscale::test {
namespace {

constexpr const char* kAda = "Ada <ada@example.com> 1700000000 +0000";

struct Work {
  std::string message;
  std::string author = kAda;
  /// Of the commit object; empty: none.
  std::string encoding = {};
};

/// A repository with a base and commits of any bytes, which git's own commands would not make.
class Works : public TestRepo {
 public:
  Works() : base_(commit_file("f", "0\n", "base")) {}

  [[nodiscard]] const std::string& base() const { return base_; }
  /// Makes one commit with a change on top of base; returns its id.
  [[nodiscard]] std::string add(const Work& work) const {
    const std::string blob =
        git({"hash-object", "-w", "--stdin"}, {.folder = {}, .env = {}, .input = "1\n"});
    const std::string tree =
        git({"mktree"}, {.folder = {}, .env = {}, .input = "100644 blob " + blob + "\tf\n"});
    std::string text = "tree " + tree + "\nparent " + base_ + "\nauthor " + work.author +
                       "\ncommitter Carl <carl@example.com> 1700000000 +0000\n";
    if (!work.encoding.empty()) text += "encoding " + work.encoding + "\n";
    text += "\n" + work.message;
    return git({"hash-object", "-w", "-t", "commit", "--literally", "--stdin"},
               {.folder = {}, .env = {}, .input = text});
  }
  /// The author line of a commit, and its message.
  [[nodiscard]] Work read(const std::string& id) const {
    const std::string text = try_git({"cat-file", "commit", id}).out;
    const std::size_t author = text.find("\nauthor ") + 8;
    return {text.substr(text.find("\n\n") + 2),
            text.substr(author, text.find('\n', author) - author),
            {}};
  }
  [[nodiscard]] std::string strip_space(const std::string& message) const {
    return try_git({"stripspace"}, {.folder = {}, .env = {}, .input = message}).out;
  }

 private:
  std::string base_;
};

/// `wanted` arrives as it is (but for blanks that git strips from every message), unwarned.
void check_exact(const Works& works, const Work& work, const Work& wanted) {
  CAPTURE(work.message);
  CAPTURE(work.author);
  const RoundTrip result = check_round_trip(works, works.base(), works.add(work));
  REQUIRE(result.am.commits.size() == 1);
  const TestRepo scratch = TestRepo::at(result.am.folder);
  const Work read = works.read(works.add({"", kAda, ""}));
  REQUIRE(read.author == kAda);
  const std::string text = scratch.try_git({"cat-file", "commit", result.am.commits[0]}).out;
  CHECK(text == "tree " + result.am.tree + "\nparent " + works.base() + "\nauthor " +
                    wanted.author + "\ncommitter " + wanted.author + "\n\n" +
                    works.strip_space(wanted.message));
  CHECK_FALSE_MESSAGE(has_text(result.talk, "warning"), result.talk);
}

/// Something must be changed: that is said, and all agree on the result.
std::string check_altered(const Works& works, const Work& work) {
  CAPTURE(work.message);
  CAPTURE(work.author);
  const std::string id = works.add(work);
  const RoundTrip result = check_round_trip(works, works.base(), id);
  REQUIRE(result.am.commits.size() == 1);
  CHECK_MESSAGE(has_text(result.talk, "warning: "), result.talk);
  CHECK(has_text(result.talk, id.substr(0, 10)));
  return TestRepo::at(result.am.folder).try_git({"cat-file", "commit", result.am.commits[0]}).out;
}

TEST_CASE("messages that arrive as they are") {
  const Works works;
  const std::string long_word(1500, 'x');
  std::string long_subject;
  for (int i = 0; i < 200; ++i) long_subject.append("word").append(std::to_string(i)).append(" ");
  for (const std::string& message :
       {std::string("plain\n"),
        std::string("[Tag] subject\n"),
        std::string("[A_X100] [kernels] subject\n\nbody\n"),
        std::string("[PATCH] subject\n"),
        std::string("[PATCH 3/7] subject\n"),
        std::string("Re: [PATCH] Re: subject\n"),
        std::string("[only-tag]\n"),
        std::string("first line\nsecond line\n\nbody\n"),
        std::string("#123 fix\n\n# looks like a comment\n"),
        std::string("s\n\nthree dashes in--- a line\n -- more\n----\n---x\n"),
        std::string("s\n\n-- \nsignature?\n"),
        std::string("s\n\n-- >8 --\nSubject: cut here\n\nrest\n"),
        std::string("s\n\nFrom here on, all is well.\n>From there\nFrom: a line further down\n"),
        std::string("s\n\nbody\n\nSigned-off-by: A <a@b.c>\nCc: X <x@y.z>\nChange-Id: I01\n"),
        std::string("s\n\nFixes: #1\n"),
        std::string("=?UTF-8?q?not=20meant?= so\n\n=?UTF-8?b?eA==?=\n"),
        std::string("a =?ISO-8859-1?Q?a?=b\n"),
        std::string("subject: with a colon\n\nSubject: x\n"),
        std::string("caf\xc3\xa9 \xe6\x98\x87\xe8\x85\xbe \xf0\x9f\x9a\x80\n\n\xc3\xa9\n"),
        "\xc3\xa9\xe6\x98\x87 " + long_subject + "\n",
        long_subject + "\n",
        long_word + "\n",
        "s\n\n" + std::string(3000, 'x') + "\n",
        std::string("s\n\n\tindented\n    code\n"),
        std::string("s\n\n@@ -1 +1 @@\n-a\n+b\n"),
        std::string("s\n\n+++ b/f\n"),
        std::string("\"quoted\" <angle> (paren) $(id) `id` %s \\n\n"),
        std::string("s\n\n\n\ntwo empty lines become one\n"),
        std::string("s\n\ntrailing blanks  \t\n\n\n"),
        std::string("no line end")}) {
    check_exact(works, {message}, {message});
  }
}

TEST_CASE("messages that git am would cut or misread are changed as little as possible") {
  const Works works;
  const auto message_of = [&](const std::string& message) {
    const std::string text = check_altered(works, {message});
    return text.substr(text.find("\n\n") + 2);
  };
  CHECK(message_of("s\n\nabove\n---\nbelow\n") == "s\n\nabove\n ---\nbelow\n");
  CHECK(message_of("s\n\ndiff --git a/f b/f\n--- a/f\n") == "s\n\n diff --git a/f b/f\n --- a/f\n");
  CHECK(message_of("s\n\n--- >8 ---\n\nrest\n") == "s\n\n --- >8 ---\n\nrest\n");
  CHECK(message_of("s\n\ndiff -u a b\n") == "s\n\n diff -u a b\n");
  CHECK(message_of("s\n\nIndex: f\n====\n") == "s\n\n Index: f\n====\n");
  const std::string from = "From 1234567890123456789012345678901234567890 Mon Sep 17 00:00:00 2001";
  CHECK(message_of("s\n\n" + from + "\nFrom: X <x@y.z>\n\nz\n") ==
        "s\n\n " + from + "\nFrom: X <x@y.z>\n\nz\n");
  // As git itself shows it.
  CHECK(message_of(std::string("s\n\nbo\0dy\n", 9)) == "s\n\nbo\n");
  CHECK(message_of(std::string("s\0ub\n\nbody\n", 11)) == "s\n");
}

TEST_CASE("an author or date inside the message does not become the commit's") {
  const Works works;
  for (const std::string& body :
       {std::string("From: Else One <else@example.com>\n\nbody\n"),
        std::string("Date: Thu, 1 Jan 1998 00:00:00 +0000\n\nbody\n"),
        std::string("From: Else One <else@example.com>\nSubject: other\n\nbody\n")}) {
    check_exact(works, {"s\n\n" + body}, {"s\n\n" + body});
  }
}

TEST_CASE("a message without a subject") {
  const Works works;
  for (const char* message : {"", "\n\n", " \n"}) {
    CAPTURE(message);
    const RoundTrip result = check_round_trip(works, works.base(), works.add({message}));
    CHECK(result.am.commits.size() == 1);
  }
  check_exact(works, {"\n\n\nblank lines first\n"}, {"blank lines first\n"});
}

TEST_CASE("CRs in a message") {
  const Works works;
  for (const char* message : {"s\r\n\r\nbody\r\n", "s\n\nhalf\rline\n", "s\r\n"}) {
    CAPTURE(message);
    const RoundTrip result = check_round_trip(works, works.base(), works.add({message}));
    CHECK(result.am.commits.size() == 1);
  }
}

TEST_CASE("authors that arrive as they are") {
  const Works works;
  for (const std::string& author :
       {std::string("Ada, B. C <a@b.c> 1700000000 +0000"),
        std::string("Ada \"the Ace\" B <a@b.c> 1700000000 +0000"),
        std::string("O'Neil <o@b.c> 1700000000 +0000"),
        std::string("A (the one) <a@b.c> 1700000000 +0000"),
        std::string("A: B; C. D <a@b.c> 1700000000 +0000"),
        std::string("back\\slash <a@b.c> 1700000000 +0000"),
        std::string("a@b.c <a@b.c> 1700000000 +0000"),
        std::string("J\xc3\xbcrgen <j@b.c> 1700000000 +0000"),
        std::string("\xe5\xbc\xa0\xe4\xb8\x89, \"x\" y <z@b.c> 1700000000 +0000"),
        std::string("=?UTF-8?q?x?= <a@b.c> 1700000000 +0000"),
        std::string("[bot] <bot@b.c> 1700000000 +0000"),
        std::string("A B <j\xc3\xbc@b.c> 1700000000 +0000")}) {
    check_exact(works, {"s\n", author}, {"s\n", author});
  }
}

TEST_CASE("zones and dates") {
  const Works works;
  for (const char* when :
       {"0 +0000", "1 +1400", "1700000000 -1200", "1700000000 +0545", "1700000000 -0330",
        "951782400 +0000", "4102444799 +0000", "1700000000 +1445"}) {
    const std::string author = "A <a@b.c> " + std::string(when);
    check_exact(works, {"s\n", author}, {"s\n", author});
  }
}

TEST_CASE("authors that git am cannot give back") {
  const Works works;
  for (const std::string& author : {"A " + std::string(300, 'b') + " <a@b.c> 1700000000 +0000",
                                    std::string("A <a@b.c> 1700000000 -0000"),
                                    std::string("Ada, B. <a@b.c> 1700000000 +0000"),
                                    std::string("\xe5\xbc\xa0 \"x\" <z@b.c> 1700000000 +0000"),
                                    std::string(" <a@b.c> 1700000000 +0000"),
                                    std::string("A <> 1700000000 +0000"),
                                    std::string("A <no-at-sign> 1700000000 +0000"),
                                    std::string("A <two@at@signs> 1700000000 +0000"),
                                    std::string("A <a@b.c> 1700000000 +9900"),
                                    std::string("A <a b@c> 1700000000 +0000"),
                                    std::string("L\xe4tin <a@b.c> 1700000000 +0000"),
                                    std::string("Tab\tName <a@b.c> 1700000000 +0000"),
                                    std::string("A <a@b.c>"),
                                    std::string("A <a@b.c> 1700000000"),
                                    std::string("A <a@b.c> x +0100"),
                                    std::string("A <a@b.c> -1700000000 +0000"),
                                    std::string("A a@b.c 1700000000 +0000"),
                                    std::string("A <a@b.c> 99999999999999999999 +0000"),
                                    std::string("A <a <a@b.c> 1 +0000"),
                                    std::string("A <a@b.c> 1700000000 +051800"),
                                    std::string("A <a@b.c> 1700000000 -7")}) {
    CAPTURE(author);
    const std::string id = works.add({"s\n", author});
    const Outcome planned = works.flagscale({"patch", "--device-type", "A_X100", "--base-commit-id",
                                             works.base(), "--current-commit-id", id, "-n"});
    if (!planned.ok()) {
      // What git am would refuse is refused, naming the commit.
      CHECK(planned.status == 1);
      CHECK(has_text(planned.err, id.substr(0, 10)));
      continue;
    }
    const RoundTrip result = check_round_trip(works, works.base(), id);
    REQUIRE(result.am.commits.size() == 1);
    const std::string text =
        TestRepo::at(result.am.folder).try_git({"cat-file", "commit", result.am.commits[0]}).out;
    const bool same = has_text(text, "\nauthor " + author + "\n");
    CHECK_MESSAGE(same != has_text(result.talk, "warning: "), text << result.talk);
  }
}

TEST_CASE("other encodings become UTF-8") {
  const Works works;
  check_exact(works, {"caf\xe9\n\n\xfc\n", "J\xfcrgen <j@b.c> 1700000000 +0000", "ISO-8859-1"},
              {"caf\xc3\xa9\n\n\xc3\xbc\n", "J\xc3\xbcrgen <j@b.c> 1700000000 +0000"});
  check_exact(works, {"\xd6\xd0\xce\xc4\n", "\xd5\xc5 <z@b.c> 1700000000 +0000", "GBK"},
              {"\xe4\xb8\xad\xe6\x96\x87\n", "\xe5\xbc\xa0 <z@b.c> 1700000000 +0000"});
  // Named by the user's configuration when committing.
  TestRepo repo;
  const std::string base = repo.commit_file("f", "0\n", "base");
  repo.config("i18n.commitEncoding", "ISO-8859-1");
  repo.commit_file("f", "1\n", "caf\xe9");
  const RoundTrip result = check_round_trip(repo, base, "HEAD");
  REQUIRE(result.am.commits.size() == 1);
  CHECK(TestRepo::at(result.am.folder).git({"show", "-s", "--format=%s", result.am.commits[0]}) ==
        "caf\xc3\xa9");
}

TEST_CASE("bytes in no known encoding") {
  const Works works;
  for (const Work& work : {Work{"caf\xe9\n"}, Work{"\xff\xfe\n", kAda, "UTF-8"},
                           Work{"x\xe9\n", kAda, "no-such-encoding"}}) {
    CHECK_FALSE(check_altered(works, work).empty());
  }
}

}  // namespace
}  // namespace flagscale::test
