// SPDX-License-Identifier: Apache-2.0
//
// Where the hint of `git flagscale patch` says to push, by what is configured and what the remote
// held when it was last fetched.
#include <doctest/doctest.h>

#include "support/adaptation.h"

namespace flagscale::test {
namespace {

std::string first_command(const Patched& made) {
  const auto commands = hinted_commands(made.talk);
  REQUIRE_MESSAGE(!commands.empty(), made.talk);
  return commands.front();
}

TEST_CASE("which remote") {
  Adaptation a;
  a.repo.git({"remote", "add", "fork", a.upstream.path()});
  SUBCASE("origin of several") {
    CHECK(first_command(patch(a.repo, a.patch_args())) == "git push origin HEAD:main");
  }
  SUBCASE("remote.pushDefault") {
    a.repo.config("remote.pushDefault", "fork");
    CHECK(first_command(patch(a.repo, a.patch_args())) == "git push fork HEAD:main");
  }
  SUBCASE("the current branch's") {
    a.repo.config("branch.work.remote", "fork");
    CHECK(first_command(patch(a.repo, a.patch_args())) == "git push fork HEAD:main");
  }
  SUBCASE("the only one") {
    a.repo.git({"remote", "remove", "origin"});
    CHECK(first_command(patch(a.repo, a.patch_args())) == "git push fork HEAD:main");
  }
  SUBCASE("none yet") {
    a.repo.git({"remote", "remove", "origin"});
    a.repo.git({"remote", "remove", "fork"});
    CHECK(first_command(patch(a.repo, a.patch_args())) == "git push origin HEAD:main");
  }
  SUBCASE("one whose name a shell would misread") {
    a.repo.git({"remote", "add", "it's", a.upstream.path()});
    a.repo.config("remote.pushDefault", "it's");
    const std::string line = first_command(patch(a.repo, a.patch_args()));
    const Outcome outcome = run_command({"sh", "-c", line}, a.repo.path());
    CHECK_MESSAGE(outcome.ok(), describe(outcome));
    CHECK(a.upstream.rev("main") == a.repo.rev("HEAD"));
  }
}

TEST_CASE("which branch") {
  Adaptation a;
  const auto track = [&](const std::string& name, const std::string& commit) {
    a.repo.git({"update-ref", "refs/remotes/origin/" + name, commit});
  };
  SUBCASE("the remote's default branch") {
    track("trunk", a.base);
    a.repo.git({"symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk"});
    CHECK(first_command(patch(a.repo, a.patch_args())) == "git push origin HEAD:trunk");
  }
  SUBCASE("master where there is no main") {
    a.repo.git({"update-ref", "-d", "refs/remotes/origin/main"});
    track("master", a.base);
    CHECK(first_command(patch(a.repo, a.patch_args())) == "git push origin HEAD:master");
  }
  SUBCASE("the patch branch's upstream") {
    patch(a.repo, a.patch_args());
    track("patches", a.base);
    a.repo.git({"branch", "--quiet", "--set-upstream-to=origin/patches"});
    CHECK(first_command(patch(a.repo, a.patch_args())) == "git push origin HEAD:patches");
  }
  SUBCASE("never one that holds commits of the work") {
    track("main", a.current);
    const Patched made = patch(a.repo, a.patch_args());
    for (const std::string& command : hinted_commands(made.talk)) {
      CHECK_FALSE(has_text(command, "HEAD:main"));
      CHECK_FALSE(has_text(command, "origin/main"));
    }
    CHECK(first_command(made) == "git push origin HEAD:" + a.branch());
  }
  SUBCASE("not even one that holds a part of it") {
    track("main", a.current + "~1");
    CHECK(first_command(patch(a.repo, a.patch_args())) == "git push origin HEAD:" + a.branch());
  }
}

TEST_CASE("the hint is short where all is well, and no line is cut at 80 columns for nothing") {
  Adaptation a;
  const Patched made = patch(a.repo, a.patch_args());
  std::vector<std::string> hints = lines_of(made.talk);
  std::erase_if(hints, [](const std::string& line) { return !line.starts_with("hint: "); });
  CHECK(hints ==
        Args{"hint: origin/main leads here, so a plain push will do: git push origin HEAD:main",
             "hint: if origin/main moves first, put the patch commit on top of it:",
             "hint:   git fetch origin && git rebase -X theirs --onto origin/main HEAD^",
             "hint: unchecked, whatever is there: git push --force origin HEAD:main",
             "hint: the way back: git switch work"});
  // A reason that leaves no room for its command.
  a.repo.git({"remote", "rename", "origin", std::string(40, 'o')});
  const Patched long_name = patch(a.repo, a.patch_args());
  CHECK(has_text(long_name.talk, " will do:\nhint:   git push " + std::string(40, 'o')));
}

TEST_CASE("the remote lacks the base") {
  Adaptation a;
  // Somebody has rewritten the remote's main; its patches would be gone.
  TestRepo other;
  other.commit_file("README.md", "# another history\n");
  other.commit_file("hardwares/C_Z1/01234567/01234567.patch", "theirs\n");
  other.write("hardwares/C_Z1/vendor.json", "{}\n");
  const std::string theirs = other.commit("more");
  other.git({"push", "--quiet", "--force", a.upstream.path(), "HEAD:main"});
  a.repo.git({"fetch", "--quiet"});
  const Patched made = patch(a.repo, a.patch_args());
  CHECK(has_text(made.talk, "hardwares/C_Z1/01234567/01234567.patch"));
  CHECK_FALSE(has_text(made.talk, "C_Z1/vendor.json"));
  CHECK_FALSE(has_text(made.talk, "rebase"));
  CHECK(hinted_commands(made.talk) == Args{"git push --force origin HEAD:main", "git switch work"});
  CHECK(a.upstream.rev("main") == theirs);
}

TEST_CASE("the branch as last fetched is what counts") {
  Adaptation a;
  const Patched first = patch(a.repo, a.patch_args());
  a.repo.git({"push", "--quiet", "origin", "HEAD:main"});
  a.repo.git({"switch", "--quiet", "work"});
  a.current = a.repo.commit_file("src/x100/more.c", "int more;\n");
  SUBCASE("own versions only") {
    CHECK(first_command(patch(a.repo, a.patch_args())) ==
          "git push --force-with-lease=main:" + first.commit + " origin HEAD:main");
  }
  SUBCASE("own versions, but not by this repository's knowledge") {
    // The branch and its reflog are gone: whose version it is cannot be told any more.
    a.repo.git({"branch", "--quiet", "-D", a.branch()});
    const Patched made = patch(a.repo, a.patch_args());
    CHECK(has_text(made.talk, "another version of this patch file, by Ada Author, 2023-11-15"));
    CHECK(first_command(made) == "git flagscale unpatch --device-type A_X100 --commit-id " +
                                     base8(a.base) + " --from origin/main --branch theirs");
  }
  SUBCASE("own versions and a commit of upstream's") {
    TestRepo other = TestRepo::clone_of(a.upstream);
    other.tick();
    other.commit_file("README.md", "# newer\n");
    other.git({"push", "--quiet", "origin", "HEAD:main"});
    a.repo.git({"fetch", "--quiet"});
    const Patched made = patch(a.repo, a.patch_args());
    CHECK(has_text(made.talk, "would drop 2 commits there"));
    CHECK(first_command(made) == "git flagscale patch --device-type A_X100 --base-commit-id " +
                                     base8(a.base) + " --current-commit-id " +
                                     a.current.substr(0, 10) + " --onto origin/main");
  }
  SUBCASE("this very commit") {
    CHECK(first_command(patch(a.repo, {"patch", "--device-type", "A_X100", "--base-commit-id",
                                       a.base, "--current-commit-id", "work~1"})) ==
          "git push origin HEAD:main");
  }
}

TEST_CASE("the hint fits several device types") {
  Adaptation a;
  patch(a.repo, a.patch_args("B_Y100"));
  a.repo.git({"push", "--quiet", "origin", "HEAD:main"});
  const Patched made =
      patch(a.repo, Args{"patch", "--device-type", "B_Y100", "A_X100", "--base-commit-id", a.base,
                         "--current-commit-id", "work"});
  const std::string again = first_command(made);
  CHECK(again.starts_with("git flagscale patch --device-type B_Y100 A_X100 --base-commit-id "));
  const Outcome outcome = run_command({"sh", "-c", again}, a.repo.path());
  REQUIRE_MESSAGE(outcome.ok(), describe(outcome));
  a.repo.git({"push", "--quiet", "origin", "HEAD:main"});
  CHECK(a.repo.has("origin/main:hardwares/hetero/" + base8(a.base) + "/A_X100+B_Y100.json"));
}

}  // namespace
}  // namespace flagscale::test
