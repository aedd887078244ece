// SPDX-License-Identifier: Apache-2.0
//
// The life of a patch, from the first push to a colleague's version of the same patch file, with
// the commands that the hints give, run as a user would by copy and paste. Nothing of anybody may
// be lost at any step.
#include <algorithm>
#include <map>

#include <doctest/doctest.h>

#include "support/adaptation.h"
#include "support/sandbox.h"

namespace flagscale::test {
namespace {

/// Runs a line in a shell, as it was printed.
Outcome type(const TestRepo& repo, const std::string& line) {
  return run_command({"sh", "-c", line}, repo.path());
}

void type_ok(const TestRepo& repo, const std::string& line) {
  const Outcome outcome = type(repo, line);
  REQUIRE_MESSAGE(outcome.ok(), line << ": " << describe(outcome));
}

/// The hinted command that begins with `start`; fails the test when there is not just one.
std::string hinted(const Patched& made, const std::string& start) {
  std::vector<std::string> commands = hinted_commands(made.talk);
  std::erase_if(commands, [&](const std::string& line) { return !line.starts_with(start); });
  REQUIRE_MESSAGE(commands.size() == 1, "commands that begin with " << start << ": " << made.talk);
  return commands.front();
}

bool is_hinted(const Patched& made, const std::string& start) {
  const auto commands = hinted_commands(made.talk);
  return std::any_of(commands.begin(), commands.end(),
                     [&](const std::string& line) { return line.starts_with(start); });
}

/// The upstream's main as everybody sees it, and what must be found there.
class Publication {
 public:
  Publication(const TestRepo& upstream, std::string base)
      : upstream_(upstream), base_(std::move(base)) {}

  /// From now on this device's patch must rebuild this tree.
  void expect(const std::string& device, const std::string& tree) { trees_[device] = tree; }

  /// Main is base + so many patch commits, and everybody's patches rebuild what they must.
  void check(int commits) const {
    const TestRepo fresh = TestRepo::clone_of(upstream_);
    CHECK(fresh.git({"rev-list", "--count", base_ + "..origin/main"}) == std::to_string(commits));
    CHECK(fresh.git({"rev-list", "--min-parents=2", base_ + "..origin/main"}).empty());
    CHECK(
        fresh.git({"diff", "--name-only", base_, "origin/main", "--", ".", ":!hardwares"}).empty());
    for (const auto& expected : trees_) {
      const std::string& device = expected.first;
      CAPTURE(device);
      const auto built = unpatch(
          fresh, {"--device-type", device, "--commit-id", base_, "--dir", make_temp_folder()});
      CHECK(TestRepo::at(built.at(0).folder).tree_of("HEAD") == expected.second);
    }
  }

 private:
  const TestRepo& upstream_;
  std::string base_;
  std::map<std::string, std::string> trees_;
};

/// The people of the story. X is the vendor with a series of versions.
struct Story : Adaptation {
  TestRepo y = TestRepo::clone_of(upstream);
  Publication main{upstream, base};
  Patched last;

  std::string main_tip() const { return upstream.rev("main"); }

  void first_patch_and_push() {
    last = patch(repo, patch_args());
    CHECK(hinted(last, "git push origin") == "git push origin HEAD:main");
    type_ok(repo, hinted(last, "git push origin"));
    main.expect("A_X100", repo.tree_of(current));
    main.check(1);
    CHECK(main_tip() == last.commit);
  }

  /// X goes back to the work, goes on with it, and patches again.
  void next_version(const std::string& file) {
    type_ok(repo, hinted(last, "git switch "));
    CHECK(repo.rev("HEAD") == current);
    current = repo.commit_file("src/x100/" + file, "int " + file + ";\n", "add " + file);
    last = patch(repo, {"patch", "--device-type", "A_X100", "--base-commit-id", base8(base)});
  }

  void second_version_replaces_the_first() {
    const std::string first = main_tip();
    next_version("second.c");
    CHECK(parents_of_head(repo) == base);
    const std::string push = hinted(last, "git push --force-with-lease");
    CHECK(push == "git push --force-with-lease=main:" + first + " origin HEAD:main");
    type_ok(repo, push);
    main.expect("A_X100", repo.tree_of(current));
    main.check(1);
    CHECK(main_tip() == last.commit);
  }

  void y_publishes() {
    y.git({"fetch", "--quiet"});
    y.git({"switch", "--quiet", "-c", "y100", base});
    const std::string work = y.commit_file("src/y100.c", "int y100;\n", "add Y100");
    const Patched made = patch(y, {"patch", "--device-type", "B_Y100", "--base-commit-id", base});
    CHECK(has_text(made.talk, "would drop 1 commit there"));
    CHECK_FALSE(type(y, "git push origin HEAD:main").ok());
    type_ok(y, hinted(made, "git flagscale patch "));
    CHECK(parents_of_head(y) == main_tip());
    type_ok(y, hinted(made, "git push origin"));
    main.expect("B_Y100", y.tree_of(work));
    main.check(2);
  }

  /// X does not know yet what Y did: the lease protects it, and the hinted rebase works.
  void third_version_meets_ys() {
    next_version("third.c");
    const std::string ys = main_tip();
    const Outcome stale = type(repo, hinted(last, "git push --force-with-lease"));
    CHECK_FALSE(stale.ok());
    CHECK(has_text(stale.err, "stale info"));
    CHECK(main_tip() == ys);
    type_ok(repo, hinted(last, "git fetch origin && git rebase"));
    CHECK(parents_of_head(repo) == ys);
    CHECK(repo.head_branch() == branch());
    type_ok(repo, "git push origin HEAD:main");
    main.expect("A_X100", repo.tree_of(current));
    main.check(3);
  }

  void fourth_version_on_top_of_main() {
    next_version("fourth.c");
    CHECK(has_text(last.talk, "would drop 3 commits there"));
    CHECK_FALSE(is_hinted(last, "git push --force-with-lease"));
    const std::string push = hinted(last, "git push origin");
    type_ok(repo, hinted(last, "git flagscale patch "));
    type_ok(repo, push);
    main.expect("A_X100", repo.tree_of(current));
    main.check(4);
    // What the second patch printed leads back to the work as well.
    last.talk = "hint:   git switch work\n";
  }

  /// A colleague builds on X's published version, elsewhere.
  void colleague_publishes() {
    TestRepo colleague = TestRepo::clone_of(upstream);
    colleague.set_env("GIT_AUTHOR_NAME", "Colin Colleague");
    colleague.tick();
    unpatch(colleague, {"--device-type", "A_X100", "--commit-id", base, "--branch", "mine"});
    const std::string work = colleague.commit_file("src/x100/colleague.c", "int c;\n", "tune it");
    const Patched made = patch(colleague, {"patch", "--device-type", "A_X100", "--base-commit-id",
                                           base, "--onto", "origin/main"});
    type_ok(colleague, hinted(made, "git push origin"));
    main.expect("A_X100", colleague.tree_of(work));
    main.check(5);
  }

  void merge_the_work_of_both() {
    repo.git({"fetch", "--quiet"});
    const std::string theirs = main_tip();
    next_version("fifth.c");
    const std::string own_work = current;
    CHECK(has_text(last.talk, "Colin Colleague"));
    CHECK_FALSE(is_hinted(last, "git push --force-with-lease"));
    CHECK_FALSE(is_hinted(last, "git push origin"));
    type_ok(repo, hinted(last, "git flagscale unpatch "));
    CHECK(repo.head_branch() == "theirs");
    type_ok(repo, hinted(last, "git rebase "));
    for (const char* file : {"fifth.c", "fourth.c", "colleague.c", "table.bin"}) {
      CHECK(repo.exists(std::string("src/x100/") + file));
    }
    const std::string both = repo.rev("HEAD");
    CHECK(repo.git({"rev-list", "--count", "theirs..HEAD"}) == "1");
    const Outcome again = type(repo, hinted(last, "git flagscale patch "));
    REQUIRE_MESSAGE(again.ok(), describe(again));
    CHECK(parents_of_head(repo) == theirs);
    last = {repo.rev("HEAD"), {}, again.err};
    type_ok(repo, hinted(last, "git push origin"));
    main.expect("A_X100", repo.tree_of(both));
    main.check(6);
    CHECK(repo.rev("work") == own_work);
  }
};

TEST_CASE("the life of a patch") {
  Story story;
  story.first_patch_and_push();
  story.second_version_replaces_the_first();
  story.y_publishes();
  story.third_version_meets_ys();
  story.fourth_version_on_top_of_main();
  story.colleague_publishes();
  story.merge_the_work_of_both();
}

TEST_CASE("a pull request of another vendor is merged while the patch is under way") {
  Story story;
  story.first_patch_and_push();
  story.second_version_replaces_the_first();
  // Y works on a fork's branch; the maintainer merges it with a merge commit.
  story.y.git({"fetch", "--quiet"});
  story.y.git({"switch", "--quiet", "-c", "y100", story.base});
  const std::string work = story.y.commit_file("src/y100.c", "int y100;\n", "add Y100");
  const Patched ys = patch(story.y, {"patch", "--device-type", "B_Y100", "--base-commit-id",
                                     story.base, "--onto", "origin/main"});
  TestRepo maintainer = TestRepo::clone_of(story.upstream);
  maintainer.git({"fetch", "--quiet", story.y.path(), ys.commit});
  maintainer.git({"merge", "--quiet", "--no-ff", "--no-edit", ys.commit});
  maintainer.git({"push", "--quiet", "origin", "HEAD:main"});

  story.next_version("third.c");
  type_ok(story.repo, hinted(story.last, "git fetch origin && git rebase"));
  type_ok(story.repo, "git push origin HEAD:main");
  TestRepo fresh = TestRepo::clone_of(story.upstream);
  const Args from = {"--commit-id", story.base, "--from", "main"};
  unpatch(fresh, Args{"--device-type", "B_Y100"} + from);
  CHECK(fresh.tree_of("HEAD") == story.y.tree_of(work));
  unpatch(fresh, Args{"--device-type", "A_X100"} + from);
  CHECK(fresh.tree_of("HEAD") == story.repo.tree_of(story.current));
}

TEST_CASE("the unchecked push publishes base and the patch commit, nothing else") {
  Story story;
  story.first_patch_and_push();
  story.y_publishes();
  // As upstream's procedure has it, whatever is there.
  story.next_version("third.c");
  type_ok(story.repo, hinted(story.last, "git push --force origin"));
  CHECK(story.upstream.git({"rev-list", "main"}) == story.last.commit + "\n" + story.base);
}

}  // namespace
}  // namespace flagscale::test
