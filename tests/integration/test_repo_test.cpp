// SPDX-License-Identifier: Apache-2.0
#include "support/test_repo.h"

#include <doctest/doctest.h>

using flagscale::test::Outcome;
using flagscale::test::run_command;
using flagscale::test::TestRepo;

TEST_CASE("commands are captured, fed and their end is told") {
  const Outcome both = run_command({"sh", "-c", "cat; echo oops >&2; exit 3"}, "/", {}, "in\n");
  CHECK(both.status == 3);
  CHECK(both.out == "in\n");
  CHECK(both.err == "oops\n");
  CHECK(run_command({"sh", "-c", "kill -TERM $$"}, "/").status == 128 + 15);
  CHECK(run_command({"no-such-program"}, "/").status == 127);
  CHECK(run_command({"sh", "-c", "echo $A-${TZ-unset}"}, "/", {{"A", "1"}, {"TZ", std::nullopt}})
            .out == "1-unset\n");
}

TEST_CASE("a command that does not read its input does no harm") {
  const std::string much(1 << 20, 'x');
  CHECK(run_command({"true"}, "/", {}, much).ok());
  CHECK(run_command({"cat"}, "/", {}, much).out == much);
}

TEST_CASE("the same work gives the same ids") {
  const auto work = [] {
    TestRepo repo;
    repo.commit_file("a.txt", "a\n", "one");
    return repo.commit_file("dir/b.txt", "b\n", "two");
  };
  CHECK(work() == work());
}

TEST_CASE("a snapshot tells every kind of change") {
  TestRepo repo;
  repo.commit_file("a.txt", "a\n");
  repo.write(".gitignore", "ignored\n");
  repo.commit("ignore");
  const std::string before = repo.snapshot();
  CHECK(repo.snapshot() == before);
  CHECK(repo.status().empty());
  CHECK(repo.snapshot() == before);

  SUBCASE("contents") {
    repo.write("a.txt", "b\n");
  }
  SUBCASE("mode") {
    repo.set_executable("a.txt", true);
  }
  SUBCASE("an ignored file") {
    repo.write("ignored", "");
  }
  SUBCASE("a ref") {
    repo.git({"update-ref", "refs/x", "HEAD"});
  }
  SUBCASE("HEAD") {
    repo.git({"checkout", "--quiet", "--detach"});
  }
  SUBCASE("the index") {
    repo.git({"rm", "--quiet", "--cached", "a.txt"});
  }
  SUBCASE("a flag in the index") {
    repo.git({"update-index", "--assume-unchanged", "a.txt"});
  }
  SUBCASE("the configuration") {
    repo.config("a.b", "c");
  }
  CHECK(repo.snapshot() != before);
}

TEST_CASE("am makes the author the committer and leaves the repository alone") {
  TestRepo repo;
  const std::string base = repo.commit_file("a.txt", "a\n", "base");
  repo.commit_file("a.txt", "b\n", "one");
  repo.commit_file("b.txt", "\xff\xfe", "[Tag] two");
  const std::string series =
      repo.try_git({"format-patch", "--stdout", "--binary", "--keep-subject", base}).out;
  const std::string before = repo.snapshot();
  const auto result = repo.am(series, base);
  REQUIRE_MESSAGE(result.outcome.ok(), describe(result.outcome));
  CHECK(repo.snapshot() == before);
  REQUIRE(result.commits.size() == 2);
  CHECK(result.tree == repo.tree_of("HEAD"));
  const TestRepo scratch = TestRepo::at(result.folder);
  CHECK(scratch.git({"show", "-s", "--format=%an %cn %ct %s %P", result.commits[1]}) ==
        "Ada Author Ada Author 1700000180 [Tag] two " + result.commits[0]);
}
