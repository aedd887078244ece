// SPDX-License-Identifier: Apache-2.0
//
// Help, usage errors, colour, and what holds for every command.
#include <cstdlib>

#include <doctest/doctest.h>

#include "cli/options.h"
#include "support/companions.h"
#include "support/sandbox.h"

namespace flagscale::test {
namespace {

TEST_CASE("git flagscale alone is a usage error that shows the commands") {
  const TestRepo repo;
  const Outcome outcome = repo.flagscale({});
  CHECK(outcome.status == 129);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.starts_with("usage: git flagscale <command>"));
  for (const cli::CommandSpec& command : cli::command_table()) {
    CHECK_MESSAGE(has_text(outcome.err, std::string("    ") + command.name + " "), outcome.err);
  }
}

TEST_CASE("help is printed to stdout, outside of a repository too") {
  const TestRepo repo;
  RunOptions outside;
  outside.folder = make_temp_folder();
  for (const Args& words : {Args{"-h"}, Args{"help"}}) {
    const Outcome outcome = repo.flagscale(words, outside);
    CHECK(outcome.ok());
    CHECK(outcome.out.starts_with("usage: git flagscale <command>"));
    CHECK(outcome.err.empty());
  }
  for (const cli::CommandSpec& command : cli::command_table()) {
    const std::string text = repo.flagscale_ok({command.name, "-h"}, outside);
    CHECK(text.starts_with(std::string("usage: git flagscale ") + command.name));
    for (const cli::OptionSpec& option : command.options) {
      CHECK_MESSAGE(has_text(text, std::string("--") + option.name), text);
    }
    for (const std::string& line : lines_of(text)) CHECK_MESSAGE(line.size() <= 80, line);
  }
  CHECK(repo.flagscale_ok({"--version"}, outside).starts_with("git-flagscale version "));
}

TEST_CASE("long help is the man page where there is one, else the short help") {
  const TestRepo repo;
  RunOptions options;
  SUBCASE("a page") {
    // As `man -w <page>` and `man <page>` behave.
    repo.write_executable(
        "bin/man", "#!/bin/sh\n[ \"$1\" != -w ] || { echo found; exit 0; }\necho page \"$@\"\n");
    options.env["PATH"] = repo.path("bin") + ":" + std::getenv("PATH");
    for (const Args& words : {Args{"patch", "--help"}, Args{"help", "patch"}}) {
      CHECK(repo.flagscale_ok(words, options) == "page git-flagscale-patch");
    }
    CHECK(repo.flagscale_ok({"patch", "-h"}, options).starts_with("usage: "));
    CHECK(repo.flagscale_ok({"help", "tutorial"}, options) == "page gitflagscale-tutorial");
    CHECK(repo.flagscale_ok({"help", "format"}, options) == "page git-flagscale-format");
  }
  SUBCASE("no page") {
    repo.write_executable("bin/man", "#!/bin/sh\nexit 16\n");
    options.env["PATH"] = repo.path("bin") + ":" + std::getenv("PATH");
    const std::string text = repo.flagscale_ok({"patch", "-h"}, options);
    CHECK(repo.flagscale_ok({"patch", "--help"}, options) == text);
    CHECK(repo.flagscale_ok({"help", "patch"}, options) == text);
    CHECK(repo.flagscale_ok({"patch", "--hel"}, options) == text);
    check_says(repo.flagscale({"help", "tutorial"}, options), 128,
               {"fatal: man finds no page 'gitflagscale-tutorial'\n", "MANPATH"});
  }
}

TEST_CASE("usage errors name the word and what was meant") {
  const TestRepo repo;
  check_says(repo.flagscale({"pach"}), 129, {"error: unknown command 'pach'", "'patch'?"});
  check_says(repo.flagscale({"frobnicate"}), 129, {"'frobnicate'", "see 'git flagscale -h'"});
  check_says(repo.flagscale({"--verson"}), 129, {"unknown option '--verson'", "'--version'?"});
  check_says(repo.flagscale({"help", "pach"}), 129, {"'pach'"});
  check_says(repo.flagscale({"help", "patch", "x"}), 129, {"'x'"});
  check_says(repo.flagscale({"patch", "--squahs"}), 129, {"'--squahs'", "'--squash'?"});
  check_says(repo.flagscale({"list", "--frobnicate"}), 129, {"see 'git flagscale list -h'"});
  check_says(repo.flagscale({"verify", "-x"}), 129, {"'-x'"});
  check_says(repo.flagscale({"patch", "word"}), 129, {"'word'"});
}

TEST_CASE("outside of a repository the commands say so") {
  const TestRepo repo;
  RunOptions outside;
  outside.folder = make_temp_folder();
  for (const Args& words :
       {Args{"list"}, Args{"show", "A_X100"}, Args{"verify"}, Args{"hetero", "list"}}) {
    check_says(repo.flagscale(words, outside), 128, {"fatal: not a git repository"});
  }
}

TEST_CASE("colour is used as git's settings say") {
  const Companions c;
  const Args verify{"verify", "A_X100"};
  CHECK_FALSE(has_text(c.repo.flagscale(verify).out, "\x1b["));
  c.repo.config("color.ui", "always");
  CHECK(c.repo.flagscale(verify).out.starts_with("\x1b[32mok\x1b[m A_X100"));
  CHECK(c.repo.flagscale({"list"}).out.starts_with("\x1b[1mDEVICE"));
  CHECK(has_text(c.repo.flagscale({"list", "B_1"}).err, "\x1b[33mhint: there are"));
  RunOptions no_colour;
  no_colour.env["NO_COLOR"] = "1";
  CHECK_FALSE(has_text(c.repo.flagscale(verify, no_colour).out, "\x1b["));
  c.repo.config("color.flagscale", "never");
  CHECK_FALSE(has_text(c.repo.flagscale(verify).out, "\x1b["));
  c.repo.config("color.advice", "never");
  CHECK_FALSE(has_text(c.repo.flagscale({"list", "B_1"}).err, "\x1b["));
  CHECK_FALSE(has_text(c.repo.flagscale({"verify", "--json"}).out, "\x1b["));
}

TEST_CASE("control characters in names do not reach the terminal") {
  Adaptation a;
  a.repo.write("bell\a.txt", "x\n");
  a.current = a.repo.commit("ring \x1b[31m the bell");
  patch(a.repo, a.patch_args());
  for (const Args& words : {Args{"list"}, Args{"show", "A_X100"}}) {
    const std::string out = a.repo.flagscale_ok(words);
    CHECK_FALSE(has_text(out, "\a"));
    CHECK_FALSE(has_text(out, "\x1b"));
  }
}

TEST_CASE("a store in another folder is found by option and by configuration") {
  const Adaptation a;
  patch(a.repo, a.patch_args() + Args{"--hardware-dir", "vendors"});
  check_says(a.repo.flagscale({"list"}), 0, {"there are no patches here"});
  CHECK(has_text(a.repo.flagscale_ok({"list", "--hardware-dir", "vendors/"}), "A_X100"));
  a.repo.config("flagscale.hardwareDir", "vendors");
  CHECK(has_text(a.repo.flagscale_ok({"list"}), "A_X100"));
  CHECK(a.repo.flagscale({"verify"}).ok());
}

}  // namespace
}  // namespace flagscale::test
