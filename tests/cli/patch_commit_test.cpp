// SPDX-License-Identifier: Apache-2.0
//
// The patch commit and the move of its branch, where we do ourselves what git would do: names,
// addresses, dates and zones, and the reflog.
#include <ctime>

#include <doctest/doctest.h>

#include "support/sandbox.h"
#include "support/situation.h"

namespace flagscale::test {
namespace {

Way with_author(const Environment& env) {
  return {.words = {}, .folder = {}, .env = env};
}

/// The seconds and the zone of a commit's author, as they are written.
std::pair<std::time_t, std::string> moment_of(const TestRepo& repo, const std::string& commit) {
  const std::string text = repo.git({"cat-file", "commit", commit});
  const std::size_t start = text.find("> ", text.find("\nauthor ")) + 2;
  const std::size_t space = text.find(' ', start);
  return {std::stoll(text.substr(start, space - start)), text.substr(space + 1, 5)};
}

TEST_CASE("patch commit: names and addresses") {
  const Adaptation a;
  for (const char* part : {"Plain Name", "\xc3\x84nne", "\xc4nne", "O'Neil", "Dr. Who", "Who, Dr.",
                           "x.", "a<b", "tab\there", "bell\a", "-", "  spaces  ", "\xff", "(none)",
                           "a\\b", "\"quoted\"", "two\nlines"}) {
    CAPTURE(part);
    check_commits_as_git(a, with_author({{"GIT_AUTHOR_NAME", part}}));
    check_commits_as_git(a, with_author({{"GIT_COMMITTER_EMAIL", part}}));
  }
}

TEST_CASE("patch commit: the place where a name is given first") {
  const Adaptation a;
  const Environment nobody = {{"GIT_AUTHOR_NAME", std::nullopt},
                              {"GIT_AUTHOR_EMAIL", std::nullopt},
                              {"GIT_COMMITTER_NAME", std::nullopt},
                              {"GIT_COMMITTER_EMAIL", std::nullopt},
                              {"EMAIL", "env@example.com"}};
  const std::vector<Args> settings = {
      {"-c", "user.name=U", "-c", "user.email=u@e"},
      {"-c", "user.name=U", "-c", "user.name=V", "-c", "user.email=u@e"},
      {"-c", "user.name=U", "-c", "user.email=u@e", "-c", "author.name=A"},
      {"-c", "user.name=U", "-c", "user.email=u@e", "-c", "committer.email=c@e"},
      {"-c", "user.name=U", "-c", "user.email=u@e", "-c", "author.name="},
      {"-c", "user.name=U"},
      {"-c", "user.name=U", "-c", "user.email="},
  };
  for (const Args& words : settings) {
    CAPTURE(words.back());
    const Way way{.words = words, .folder = {}, .env = nobody};
    if (!run_git(a.repo, way, {"var", "GIT_AUTHOR_IDENT"}).ok()) continue;
    check_commits_as_git(a, way);
  }
}

TEST_CASE("patch commit: dates that are given") {
  const Adaptation a;
  for (const char* date :
       {"@1700000000 +0545", "1700000000 -0330", "@1700000000 -0000", "1700000000 -0000",
        "@100000000 +0000",  "100000000 +0000",  "099999999 +0000",   "@099999999 +0000",
        "4102444799 +1400",  "1700000000 +1459", "@1700000000 +1459", "@1700000000 +0060",
        "@1700000000 +2359", "1700000000 +2400", "@1700000000 +9999", "1700000000 +0017",
        "1700000000",        "@1700000000",      "1700000000 UTC",    "1700000000 +02:00",
        "@0 +0000"}) {
    CAPTURE(date);
    const Way way = with_author({{"GIT_AUTHOR_DATE", date}, {"TZ", "UTC"}});
    if (!run_git(a.repo, way, {"var", "GIT_AUTHOR_IDENT"}).ok()) continue;
    check_commits_as_git(a, way);
  }
}

TEST_CASE("patch commit: now, in the local zone") {
  const Adaptation a;
  for (const char* zone : {"UTC", "XYZ-5:45", "XYZ3:30", "XYZ-0:00:59", "XYZ0:00:30", "XYZ0:01:59",
                           "XYZ-14", "XYZ12", "NST3:30NDT,M3.2.0,M11.1.0", ""}) {
    CAPTURE(zone);
    const Way way = with_author({{"GIT_AUTHOR_DATE", std::nullopt}, {"TZ", zone}});
    (void)a.repo.try_git({"branch", "--quiet", "-D", a.branch()});
    const Outcome made = run_flagscale(a.repo, way, a.patch_args() + Args{"--no-switch"});
    REQUIRE_MESSAGE(made.ok(), describe(made));
    const auto [ours, our_zone] = moment_of(a.repo, made.out.substr(0, 40));
    const auto [git, git_zone] = moment_of(
        a.repo, ask_git(a.repo, way, {"commit-tree", "-p", a.base, "-m", "x", "HEAD^{tree}"}));
    CHECK(our_zone == git_zone);
    CHECK(ours <= git);
    CHECK(git - ours < 600);
  }
}

TEST_CASE("patch commit: a message that git refuses is refused, nothing is stored") {
  const Adaptation a;
  const std::string before = a.repo.snapshot();
  CHECK(a.repo.flagscale(a.patch_args() + Args{"--no-switch", "-m", " \n\t\n"}).status == 1);
  CHECK(a.repo.snapshot() == before);
}

TEST_CASE("patch commit: the branch's reflog has the subject of the work") {
  Adaptation a;
  // It is not the work, which is known late.
  a.repo.commit_file("hardwares/notes", "n\n", "a note");
  const Patched made = patch(
      a.repo, {"patch", "--device-type", "A_X100", "--base-commit-id", a.base, "--no-switch"});
  CHECK(a.repo.git({"reflog", "-1", "--format=%gs %H", a.branch()}) ==
        "flagscale patch: [A_X100] add a table " + made.commit);
}

TEST_CASE("patch commit: a move that does not come runs no hook") {
  const Adaptation a;
  a.repo.write_executable(".git/hooks/reference-transaction",
                          "#!/bin/sh\necho \"$1\" >>.git/transactions\n");
  const Args args = a.patch_args() + Args{"--no-switch"};
  (void)patch(a.repo, args);
  CHECK(a.repo.exists(".git/transactions"));
  a.repo.remove(".git/transactions");
  CHECK(a.repo.flagscale(args).ok());
  CHECK_FALSE(a.repo.exists(".git/transactions"));
}

TEST_CASE("patch commit: somebody else's move of the branch is not undone") {
  const Adaptation a;
  const std::string lock = ".git/refs/heads/" + a.branch() + ".lock";
  a.repo.write(lock, "");
  const Outcome made = a.repo.flagscale(a.patch_args() + Args{"--no-switch"});
  CHECK_MESSAGE(made.status == 1, describe(made));
  CHECK_MESSAGE(has_text(made.err, ".lock"), describe(made));
  CHECK_FALSE(a.repo.has(a.branch()));
  a.repo.remove(lock);
  CHECK(a.repo.flagscale(a.patch_args() + Args{"--no-switch"}).ok());
}

TEST_CASE("patch commit: a hook's refusal is final") {
  const Adaptation a;
  // It would let a second try pass.
  a.repo.write_executable(".git/hooks/reference-transaction",
                          "#!/bin/sh\ncat >/dev/null\necho \"$1\" >>.git/transactions\n"
                          "[ \"$1\" != prepared ] || [ -e .git/refused ] || "
                          "{ touch .git/refused; exit 1; }\n");
  Args more;
  SUBCASE("with the switch") {}
  SUBCASE("without") {
    more = {"--no-switch"};
  }
  const Outcome made = a.repo.flagscale(a.patch_args() + more);
  CHECK_MESSAGE(made.status == 1, describe(made));
  CHECK_FALSE(a.repo.has(a.branch()));
  CHECK(a.repo.head_branch() == "work");
  CHECK(a.repo.status().empty());
}

TEST_CASE("patch commit: what happens while it is signed is seen") {
  const Adaptation a;
  const Args args = a.patch_args() + Args{"--no-switch", "--squash"};
  (void)patch(a.repo, a.patch_args() + Args{"--no-switch"});
  const std::string before = a.repo.rev(a.branch());
  SUBCASE("somebody checks the branch out") {
    const std::string tree = make_temp_folder() + "/tree";
    run_while_signing(a.repo, "git worktree add -q '" + tree + "' " + a.branch() + " >&2");
    check_fails(a.repo.flagscale(args), 1,
                "error: branch '" + a.branch() + "' is checked out at '" + tree + "'\n");
  }
  SUBCASE("we are asked to stop") {
    // Whoever signs was started by git, which was started by us.
    run_while_signing(a.repo, "kill -TERM $(cut -d' ' -f4 /proc/$PPID/stat)");
    CHECK_FALSE(a.repo.flagscale(args).ok());
  }
  CHECK(a.repo.rev(a.branch()) == before);
}

}  // namespace
}  // namespace flagscale::test
