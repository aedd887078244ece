// SPDX-License-Identifier: Apache-2.0
//
// Histories of all shapes and changes of all kinds, through patch, real `git am` and unpatch.
#include "support/round_trip.h"

#include <doctest/doctest.h>

#include "support/apply_cases.h"
#include "support/apply_oracle.h"
#include "support/apply_random.h"

namespace flagscale::test {
namespace {

/// Both forms of a patch; returns how many mails the series has.
std::size_t check_both(const TestRepo& repo, const std::string& base, const std::string& current) {
  CHECK(check_round_trip(repo, base, current, {"--squash"}).am.commits.size() == 1);
  return check_round_trip(repo, base, current).am.commits.size();
}

std::string lines(const std::string& first, const std::string& last) {
  std::string text = first + "\n";
  for (int i = 0; i < 12; ++i) text += "line " + std::to_string(i) + "\n";
  return text + last + "\n";
}

/// A repository with a base (tag `base`) of a few files, HEAD on main there.
struct History : TestRepo {
  History() {
    write("a.txt", lines("first", "last"));
    write("b.txt", lines("b", "b"));
    write_executable("run.sh", "#!/bin/sh\n");
    commit("base");
    git({"tag", "base"});
  }
  void branch_off(const std::string& name, const std::string& start = "base") const {
    git({"checkout", "--quiet", "-B", name, start});
  }
  /// Merges; conflicts are resolved by writing `resolution` to a.txt.
  void merge(const Args& what, const std::string& resolution = {}) {
    tick();
    const Outcome outcome = try_git(Args{"merge", "--quiet", "--no-ff", "--no-edit"} + what);
    if (resolution.empty()) {
      REQUIRE_MESSAGE(outcome.ok(), describe(outcome));
      return;
    }
    REQUIRE(outcome.status == 1);
    write("a.txt", resolution);
    git({"add", "--all"});
    git({"commit", "--quiet", "--no-edit"});
  }
};

TEST_CASE("a merge with a resolution made by hand is one mail") {
  History h;
  h.branch_off("side");
  h.commit_file("a.txt", lines("side", "last"), "side 1");
  h.commit_file("side.txt", "side\n", "side 2");
  h.branch_off("main");
  h.commit_file("a.txt", lines("main", "last"), "main");
  h.merge({"side"}, lines("neither of both", "an evil merge"));
  h.commit_file("after.txt", "after\n", "after");
  CHECK(check_both(h, "base", "HEAD") == 3);
}

TEST_CASE("upstream's commits merged into the work") {
  History h;
  h.branch_off("upstream");
  h.commit_file("a.txt", lines("upstream", "last"), "upstream goes on");
  h.branch_off("main");
  h.commit_file("work.txt", "1\n", "work");
  h.merge({"upstream"});
  h.commit_file("work.txt", "2\n", "more work");
  CHECK(check_both(h, "base", "HEAD") == 3);
  // From the newer base, which is not on the first-parent line: one mail.
  const RoundTrip newer = check_round_trip(h, "upstream", "HEAD");
  REQUIRE(newer.am.commits.size() == 1);
  CHECK(describe_commit(TestRepo::at(newer.am.folder), newer.am.commits[0]) ==
        describe_commit(h, "HEAD"));
}

TEST_CASE("of a merge at the top the newest commit that is none gives the message") {
  History h;
  h.branch_off("upstream");
  const std::string upstream = h.commit_file("up.txt", "up\n", "upstream");
  h.branch_off("main");
  h.commit_file("work.txt", "1\n", "the work");
  h.git({"tag", "work"});
  h.merge({"upstream"});
  const RoundTrip result = check_round_trip(h, "upstream", "HEAD");
  REQUIRE(result.am.commits.size() == 1);
  CHECK(describe_commit(TestRepo::at(result.am.folder), result.am.commits[0]) ==
        describe_commit(h, "work"));
}

TEST_CASE("criss-cross merges") {
  History h;
  h.branch_off("one");
  h.commit_file("one.txt", "1\n", "one");
  h.branch_off("two");
  h.commit_file("two.txt", "2\n", "two");
  h.git({"tag", "two-before"});
  h.merge({"one"});
  h.git({"checkout", "--quiet", "one"});
  h.merge({"two-before"});
  h.commit_file("a.txt", lines("one", "last"), "one again");
  h.git({"checkout", "--quiet", "two"});
  h.commit_file("b.txt", lines("two", "two"), "two again");
  h.merge({"one"});
  CHECK(check_both(h, "base", "HEAD") == 4);
}

TEST_CASE("an octopus") {
  History h;
  for (const char* name : {"one", "two", "three"}) {
    h.branch_off(name);
    h.commit_file(std::string(name) + ".txt", "x\n", name);
  }
  h.branch_off("main");
  h.commit_file("main.txt", "x\n", "main");
  h.merge({"one", "two", "three"});
  REQUIRE(h.git({"rev-list", "--count", "--min-parents=4", "HEAD"}) == "1");
  CHECK(check_both(h, "base", "HEAD") == 2);
}

TEST_CASE("commits that revert each other") {
  History h;
  h.commit_file("a.txt", lines("x", "y"), "do");
  h.tick();
  h.git({"revert", "--no-edit", "HEAD"});
  h.tick();
  h.git({"revert", "--no-edit", "HEAD"});
  h.commit_file("b.txt", "b\n", "and more");
  CHECK(check_both(h, "base", "HEAD") == 4);
}

TEST_CASE("empty commits and those that touch only the store are left out") {
  History h;
  h.commit_file("hardwares/B_Y100/vendor.json", "{}\n", "another vendor's");
  h.commit("empty");
  h.write("hardwares/B_Y100/vendor.json", "{ }\n");
  h.commit_file("a.txt", lines("x", "y"), "both");
  h.remove("hardwares");
  h.commit("the store goes");
  CHECK(check_both(h, "base", "HEAD") == 1);
  // The store of base is not the patch's business either.
  h.git({"tag", "stored", "HEAD~3"});
  CHECK(check_both(h, "stored", "HEAD") == 1);
}

TEST_CASE("commits that change no contents") {
  History h;
  SUBCASE("modes") {
    h.set_executable("run.sh", false);
    h.set_executable("a.txt", true);
    h.commit("modes");
  }
  SUBCASE("a submodule") {
    const std::string id = h.rev("HEAD");
    h.git({"update-index", "--add", "--cacheinfo", "160000," + id + ",sub"});
    h.tick();
    h.git({"commit", "--quiet", "-m", "a submodule"});
    h.git({"update-index", "--cacheinfo", "160000," + h.rev("HEAD") + ",sub"});
    h.git({"commit", "--quiet", "-m", "bump it"});
    CHECK(check_round_trip(h, "base", "HEAD~1", {"--squash"}).am.commits.size() == 1);
    CHECK(check_round_trip(h, "HEAD~1", "HEAD").am.commits.size() == 1);
    return;
  }
  SUBCASE("renames") {
    h.git({"mv", "a.txt", "moved.txt"});
    h.commit("move");
  }
  SUBCASE("empty files") {
    h.write("1-empty", "");
    h.write("empty", "");
    h.commit("empty files");
  }
  CHECK(check_both(h, "base", "HEAD") == 1);
}

TEST_CASE("folders and files change places with symlinks that move") {
  History h;
  h.symlink("a.txt", "p");
  h.symlink("b.txt", "z");
  h.commit("links");
  h.git({"tag", "-f", "base"});
  h.remove("p");
  h.write("p/inside", "a folder now\n");
  h.symlink("a.txt", "q");
  h.remove("z");
  h.write("z", "a file now\n");
  h.symlink("b.txt", "a-link");
  h.commit("move them");
  CHECK(check_both(h, "base", "HEAD") == 1);
  h.git({"tag", "there"});
  h.git({"checkout", "--quiet", "--detach", "there"});
  h.git({"revert", "--no-edit", "HEAD"});
  CHECK(check_both(h, "there", "HEAD") == 1);
}

TEST_CASE("folders whose names end with a blank") {
  History h;
  h.write("dir /m", "m\n");
  h.write("dir /b", std::string("\0b", 2));
  h.commit("names");
  h.git({"tag", "-f", "base"});
  h.set_executable("dir /m", true);
  h.write("dir /b", std::string("\0c", 2));
  h.write("dir /empty", "");
  h.commit("no line that names them but one");
  CHECK(check_both(h, "base", "HEAD") == 1);
}

TEST_CASE("a base without history and a root that is not reached") {
  History h;
  h.git({"checkout", "--quiet", "--orphan", "other"});
  h.commit_file("other.txt", "other\n", "another root");
  h.branch_off("main");
  h.merge({"--allow-unrelated-histories", "other"});
  CHECK(check_both(h, "base", "HEAD") == 1);
}

TEST_CASE("many commits") {
  TestRepo repo;
  CommitBuilder builder;
  TestTree tree{{"f", plain(numbered(40))}};
  std::size_t last = builder.add(tree);
  static constexpr int kCommits = 1000;
  for (int i = 0; i < kCommits; ++i) {
    tree["f"].bytes += "more " + std::to_string(i) + "\n";
    tree["d" + std::to_string(i % 7) + "/g"] = plain(std::to_string(i) + "\n");
    last = builder.add(tree, last);
  }
  const auto ids = builder.import(repo);
  const RoundTrip result = check_round_trip(repo, ids.front(), ids.back());
  CHECK(result.am.commits.size() == kCommits);
}

TEST_CASE("more moved files than renames are looked for") {
  TestRepo repo;
  CommitBuilder builder;
  TestTree before;
  TestTree after;
  for (int i = 0; i < 1100; ++i) {
    const std::string name = "/file" + std::to_string(i);
    const std::string text = numbered(8, "of " + std::to_string(i));
    before["exact" + name] = plain(text);
    after["moved/exact" + name] = plain(text);
    before["edited" + name] = plain(text + "old\n");
    after["moved/edited" + name] = plain(text + "new\n");
  }
  builder.add(before);
  builder.add(after, 0);
  const auto ids = builder.import(repo);
  CHECK(check_round_trip(repo, ids[0], ids[1]).am.commits.size() == 1);
}

bool is_big(const TestTree& tree) {
  std::size_t size = 0;
  for (const auto& entry : tree) size += entry.second.bytes.size();
  return size > 100'000 || tree.size() > 100;
}

TEST_CASE("every kind of change, one commit each") {
  TestRepo repo;
  CommitBuilder builder;
  std::size_t last = builder.add({{"start", plain("start\n")}});
  for (const ChangeCase& change : change_cases()) {
    // The big ones take long in git am; they have their turn below. So have attributes: git am
    // takes files for edited whose conversion an earlier mail has changed.
    if (is_big(change.before) || is_big(change.after)) continue;
    if (change.after.contains(".gitattributes") || change.before.contains(".gitattributes")) {
      continue;
    }
    last = builder.add(change.before, last);
    last = builder.add(change.after, last);
  }
  const auto ids = builder.import(repo);
  const RoundTrip result = check_round_trip(repo, ids.front(), ids.back());
  // Each of them, not only the last one.
  const TestRepo scratch = TestRepo::at(result.am.folder);
  std::string wanted = repo.tree_of(ids.front());
  std::size_t at = 0;
  for (std::size_t i = 1; i < ids.size(); ++i) {
    const std::string tree = repo.tree_of(ids[i]);
    if (tree == wanted) continue;
    wanted = tree;
    REQUIRE(at < result.am.commits.size());
    CHECK(scratch.tree_of(result.am.commits[at++]) == wanted);
  }
  CHECK(at == result.am.commits.size());
}

TEST_CASE("every kind of change in one mail") {
  TestRepo repo;
  CommitBuilder builder;
  TestTree before;
  TestTree after;
  int number = 0;
  for (const ChangeCase& change : change_cases()) {
    const std::string folder = "case" + std::to_string(++number) + "/";
    for (const auto& [path, file] : change.before) before[folder + path] = file;
    for (const auto& [path, file] : change.after) after[folder + path] = file;
  }
  builder.add(before);
  builder.add(after, 0);
  const auto ids = builder.import(repo);
  CHECK(check_round_trip(repo, ids[0], ids[1]).am.commits.size() == 1);
  CHECK(check_round_trip(repo, ids[1],
                         repo.git({"commit-tree", "-p", ids[1], "-m", "back", ids[0] + "^{tree}"}))
            .am.commits.size() == 1);
}

TEST_CASE("random histories") {
  for (std::uint32_t seed = 1; seed <= 8; ++seed) {
    CAPTURE(seed);
    RandomTrees random(seed);
    TestRepo repo;
    CommitBuilder builder;
    TestTree tree = random.tree();
    std::size_t last = builder.add(tree);
    for (int i = 0; i < 12; ++i) {
      tree = random.changed(std::move(tree), 1 + static_cast<int>(random.below(4)));
      last = builder.add(tree, last);
    }
    const auto ids = builder.import(repo);
    if (repo.tree_of(ids.front()) == repo.tree_of(ids.back())) continue;
    check_both(repo, ids.front(), ids.back());
  }
}

}  // namespace
}  // namespace flagscale::test
