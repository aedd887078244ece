// SPDX-License-Identifier: Apache-2.0
//
// Errors that name the way out: what exists instead, how near it is, and where.
#include <cstdlib>

#include <doctest/doctest.h>

#include "support/companions.h"
#include "support/sandbox.h"

namespace flagscale::test {
namespace {

Args unpatch_args(const std::string& device, const std::string& base) {
  return {"unpatch", "--device-type", device, "--commit-id", base};
}

TEST_CASE("an unknown device type: the closest that exist") {
  Companions c;
  c.publish("A_X200");
  check_says(c.repo.flagscale(unpatch_args("A_X20", c.base)), 1,
             {"error: no patch of device type 'A_X20' found\nhint: there are patches of A_X200 "
              "A_X100 B_Y100\n"});
  check_says(c.repo.flagscale({"verify", "b_y10"}), 1, {"there are patches of B_Y100"});
  // For patch, too, where the others must be there.
  check_says(c.repo.flagscale({"patch", "--device-type", "A_X10", "C_Z1", "--base-commit-id",
                               c.base, "--current-commit-id", c.current}),
             1,
             {"error: no patch of device type 'A_X10' found\nhint: there are patches of A_X100"});
}

TEST_CASE("an unknown base: those that the device type has, the nearest in history first") {
  Companions c;
  // A second base, two commits further on.
  c.repo.git({"switch", "--quiet", "--create", "next", c.base});
  c.repo.commit_file("README.md", "# one\n");
  const std::string newer = c.repo.commit_file("README.md", "# two\n");
  c.repo.commit_file("src/more.c", "int more;\n");
  patch(c.repo, {"patch", "--device-type", "A_X100", "--base-commit-id", newer, "--onto",
                 c.branch("B_Y100")});
  const std::string between = newer + "~1";
  check_says(
      c.repo.flagscale(unpatch_args("A_X100", between)), 1,
      {"error: no patch of A_X100 for base '" + between + "'\n", "hint: A_X100 has patches for ",
       base8(c.base) + " (1 commit before)", base8(newer) + " (1 commit after)"});
  check_says(c.repo.flagscale(unpatch_args("A_X100", "next")), 1,
             {"has patches for " + base8(newer) + " (1 commit before), " + base8(c.base) +
              " (3 commits before)"});
  check_says(c.repo.flagscale({"show", "A_X100", "work~1"}), 1,
             {base8(c.base) + " (2 commits before), " + base8(newer) + " (on another branch)"});
  // Digits with a slip: those that look alike.
  std::string slip = base8(newer);
  slip[7] = slip[7] == '0' ? '1' : '0';
  check_says(c.repo.flagscale(unpatch_args("A_X100", slip)), 1,
             {"has patches for " + base8(newer) + " " + base8(c.base)});
  check_says(c.repo.flagscale(unpatch_args("A_X100", "v9")), 1,
             {"for base 'v9', which names no commit\n"});
}

TEST_CASE("a patch on another branch: which") {
  Companions c;
  const std::string patches = c.repo.rev("HEAD");
  c.repo.git({"switch", "--quiet", "--detach", c.base});
  for (const char* device : {"A_X100", "B_Y100"}) {
    c.repo.git({"branch", "--quiet", "-D", c.branch(device)});
  }
  SUBCASE("of this repository") {
    c.repo.git({"branch", "topic", patches});
    check_says(c.repo.flagscale(unpatch_args("A_X100", c.base)), 1,
               {"hint: there is one on topic: --from topic\n"});
    CHECK(c.repo.flagscale(unpatch_args("A_X100", c.base) + Args{"--from", "topic"}).ok());
  }
  SUBCASE("of a remote") {
    c.repo.git({"update-ref", "refs/remotes/origin/topic", patches});
    check_says(c.repo.flagscale({"show", "A_X100"}), 1,
               {"hint: there is one on origin/topic: --from origin/topic\n"});
    check_says(c.repo.flagscale({"patch", "--device-type", "A_X100", "C_Z1", "--base-commit-id",
                                 c.base, "--current-commit-id", c.current}),
               1, {"hint: there is one on origin/topic: --onto origin/topic\n"});
  }
  SUBCASE("for another base only") {
    c.repo.git({"branch", "topic", patches});
    CHECK_FALSE(has_text(c.repo.flagscale(unpatch_args("A_X100", c.current)).err, "topic"));
  }
}

TEST_CASE("a hunk that does not fit: file, mail, hunk, line and the first line that differs") {
  Companions c;
  std::string series = c.repo.show("HEAD:" + c.stored("patch"));
  const std::size_t context = series.find("\n engine 30");
  REQUIRE(context != std::string::npos);
  series.replace(context, 11, "\n ENGINE 30");
  c.repo.remove(c.stored("json"));
  c.commit_text(c.stored("patch"), series);
  const Outcome outcome = c.repo.flagscale(unpatch_args("A_X100", c.base));
  check_says(
      outcome, 128,
      {"fatal: " + c.stored("patch") + ": mail 1 of 3, '", "': patch does not apply to ",
       "'src/engine.c': hunk 1 (line ", "expected 'ENGINE 30' at line 30, found 'engine 30'"});
  CHECK(lines_of(outcome.err).size() == 1);
}

TEST_CASE("words that make no sense where they stand") {
  const Companions c;
  check_says(c.repo.flagscale({"show", "A_X100", "B_Y100"}), 129,
             {"error: show takes one device type, 'B_Y100' is a second one\n",
              "git flagscale list A_X100 B_Y100\n"});
  check_says(c.repo.flagscale({"show", "A_X100", base8(c.base), "x"}), 129,
             {"'x'", "see 'git flagscale show -h'"});
  check_says(c.repo.flagscale({"list", "extra"}), 1,
             {"error: 'extra' is no device type and names no commit\n",
              "hint: there are patches of A_X100 B_Y100\n", "for " + base8(c.base) + "\n"});
  // A branch may have such a name.
  c.repo.git({"branch", "B_Y100", c.base});
  CHECK(c.repo.flagscale({"show", "A_X100", "B_Y100"}).ok());
}

TEST_CASE("an option that is missing or misspelt") {
  const Companions c;
  const auto means = [&](const Args& words, const std::string& option) {
    check_says(c.repo.flagscale(words), 129, {"did you mean '" + option + "'?"});
  };
  means({"patch", "--devtype", "A_X100"}, "--device-type");
  means({"patch", "--commit-id", "HEAD"}, "--base-commit-id");
  means({"patch", "--current-id", "HEAD"}, "--current-commit-id");
  means({"unpatch", "--base-commit-id", "HEAD"}, "--commit-id");
  means({"unpatch", "--dri", "x"}, "--dir");
  const auto leads_to = [&](const Args& words) {
    check_says(c.repo.flagscale(words), 129, {"see 'git flagscale " + words.front() + " -h'"});
  };
  leads_to({"patch"});
  leads_to({"patch", "--device-type", "A_X100"});
  leads_to({"unpatch", "--device-type", "A_X100"});
  leads_to({"unpatch", "--json=x"});
  leads_to({"hetero"});
  leads_to({"hetero", "add", "HEAD"});
}

TEST_CASE("git does not know who commits") {
  Adaptation a;
  RunOptions nobody;
  for (const char* name : {"GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME",
                           "GIT_COMMITTER_EMAIL", "EMAIL"}) {
    nobody.env[name] = std::nullopt;
  }
  a.repo.config("user.useConfigOnly", "true");
  const Outcome outcome = a.repo.flagscale(a.patch_args(), nobody);
  check_says(outcome, 128,
             {"fatal: author identity unknown: no ", "hint: tell git who you are:\n",
              "hint:   git config --global user.email \"you@example.com\"\n"});
  CHECK_FALSE(has_text(outcome.err, "***"));
  CHECK(a.repo.head_branch() == "work");
}

TEST_CASE("files in the way are named as git quotes names") {
  Adaptation a;
  const Args names = {"bell\a.txt", "new\nline", "plain", "t\tab", "two words", "\xe9\x87\x8d"};
  for (const std::string& name : names) a.repo.write(name, "theirs\n");
  a.current = a.repo.commit("odd names");
  const Patched made = patch(a.repo, a.patch_args());
  const auto check_named = [&](const std::string& name, const std::string& shown) {
    a.repo.write(name, "mine\n");
    check_says(a.repo.flagscale(unpatch_args("A_X100", a.base)), 1,
               {"error: untracked files would be overwritten by the switch:\n  " + shown + "\n"});
    a.repo.remove(name);
  };
  check_named("plain", "plain");
  check_named("two words", "two words");
  check_named("\xe9\x87\x8d", "\xe9\x87\x8d");
  check_named("bell\a.txt", "\"bell\\a.txt\"");
  check_named("new\nline", "\"new\\nline\"");
  check_named("t\tab", "\"t\\tab\"");
}

}  // namespace
}  // namespace flagscale::test
