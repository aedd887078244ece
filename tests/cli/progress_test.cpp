// SPDX-License-Identifier: Apache-2.0
//
// Progress: on a terminal, after a while, and nowhere else. script(1) makes the terminal.
#include <doctest/doctest.h>

#include "support/companions.h"
#include "support/sandbox.h"

namespace flagscale::test {
namespace {

/// What a terminal shows of `git flagscale <args>`.
std::string seen(const TestRepo& repo, const std::string& args, const std::string& delay = "0") {
  const Outcome outcome =
      run_command({"script", "--quiet", "--return", "--command", "git flagscale " + args,
                   repo.path(".git/typescript")},
                  repo.path(), {{"GIT_PROGRESS_DELAY", delay}, {"TERM", "dumb"}});
  CHECK_MESSAGE(outcome.ok(), describe(outcome));
  return outcome.out;
}

bool has_script() {
  return run_command({"script", "--version"}, home_folder()).ok();
}

TEST_CASE("progress shows on a terminal") {
  REQUIRE(has_script());
  Adaptation a;
  const std::string base = " --base-commit-id " + a.base + " --current-commit-id work";
  const std::string patched = seen(a.repo, "patch --device-type A_X100" + base);
  CHECK_MESSAGE(has_text(patched, "\rComparing files: 100% ("), patched);
  CHECK(has_text(seen(a.repo, "verify"), "\rVerifying patches: 100% (1/1), done.\r\n"));
  const std::string unpatched =
      seen(a.repo, "unpatch --device-type A_X100 --commit-id " + a.base + " --dir build");
  CHECK_MESSAGE(has_text(unpatched, "\rApplying mails: 100% (3/3), done.\r\n"), unpatched);
  CHECK_MESSAGE(has_text(unpatched, "\rWriting files: 100% ("), unpatched);
}

TEST_CASE("no progress with -q, with --json, and in the first two seconds") {
  REQUIRE(has_script());
  Adaptation a;
  patch(a.repo, a.patch_args());
  for (const char* args : {"verify -q", "verify --json"}) {
    CHECK_FALSE(has_text(seen(a.repo, args), "Verifying"));
  }
  CHECK_FALSE(has_text(seen(a.repo, "verify", "60"), "Verifying"));
}

TEST_CASE("no progress where stderr is no terminal") {
  Adaptation a;
  RunOptions at_once;
  at_once.env["GIT_PROGRESS_DELAY"] = "0";
  CHECK_FALSE(has_text(patch(a.repo, a.patch_args(), at_once).talk, "%"));
  CHECK_FALSE(has_text(a.repo.flagscale({"verify"}, at_once).err, "%"));
}

TEST_CASE("an error after progress begins on a line of its own, and is folded to the width") {
  REQUIRE(has_script());
  Companions c;
  std::string series = c.repo.show("HEAD:" + c.stored("patch"));
  const std::size_t at = series.find("\n engine 30");
  REQUIRE(at != std::string::npos);
  series.replace(at, 11, "\n ENGINE 30");
  c.repo.remove(c.stored("json"));
  c.commit_text(c.stored("patch"), series);
  const Outcome outcome = run_command(
      {"script", "--quiet", "--return", "--command",
       "git flagscale unpatch --device-type A_X100 --commit-id " + c.base,
       c.repo.path(".git/typescript")},
      c.repo.path(), {{"GIT_PROGRESS_DELAY", "0"}, {"TERM", "dumb"}, {"COLUMNS", "80"}});
  CHECK(outcome.status == 128);
  CHECK_MESSAGE(has_text(outcome.out, "fatal: " + c.stored("patch") + ":"), outcome.out);
  CHECK_MESSAGE(has_text(outcome.out, ":\r\n  "), outcome.out);
  CHECK_FALSE(has_text(outcome.out, "done."));
}

}  // namespace
}  // namespace flagscale::test
