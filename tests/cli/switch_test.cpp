// SPDX-License-Identifier: Apache-2.0
//
// How HEAD, index and working tree move: the quick way leaves what `git checkout` leaves, and
// where it cannot, `git checkout` does it; a failure leaves everything as it was.
#include <doctest/doctest.h>

#include "support/adaptation.h"
#include "support/sandbox.h"

namespace flagscale::test {
namespace {

/// Index, files and HEAD's own log, as far as they do not name a moment.
std::string state_of(const TestRepo& repo) {
  return repo.git({"ls-files", "--stage", "-v"}) + repo.git({"status", "--porcelain"}) +
         repo.head_branch() + repo.git({"reflog", "-2", "--format=%gs %H"});
}

void make_hook(const TestRepo& repo, const std::string& name, const std::string& text) {
  repo.write_executable(".git/hooks/" + name, "#!/bin/sh\n" + text);
}

TEST_CASE("a patch leaves what git checkout leaves") {
  Adaptation ours;
  Adaptation theirs;
  SUBCASE("from the work") {}
  SUBCASE("with edits elsewhere") {
    for (const Adaptation* a : {&ours, &theirs}) {
      a->repo.write("README.md", "edited\n");
      a->repo.write("untracked", "mine\n");
      a->repo.write("staged", "mine\n");
      a->repo.git({"add", "staged"});
    }
  }
  SUBCASE("from no branch") {
    for (const Adaptation* a : {&ours, &theirs}) a->repo.git({"checkout", "--quiet", "--detach"});
  }
  const Patched made = patch(ours.repo, ours.patch_args());
  const Patched same = patch(theirs.repo, theirs.patch_args() + Args{"--no-switch"});
  REQUIRE(made.commit == same.commit);
  theirs.repo.git({"checkout", "--quiet", "-B", theirs.branch(), same.commit});
  CHECK(state_of(ours.repo) == state_of(theirs.repo));
  CHECK(ours.repo.git({"reflog", "-1", "--format=%gs", ours.branch()})
            .starts_with("flagscale patch: [A_X100] "));
  ours.repo.git({"fsck", "--strict"});
}

TEST_CASE("unpatch in place leaves what git checkout leaves") {
  Adaptation ours;
  Adaptation theirs;
  for (const Adaptation* a : {&ours, &theirs}) (void)patch(a->repo, a->patch_args());
  const Args words = {"--device-type", "A_X100", "--commit-id", ours.base};
  SUBCASE("without a branch") {
    const auto made = unpatch(ours.repo, words);
    theirs.repo.git({"fetch", "--quiet", ours.repo.path(), "HEAD"});
    theirs.repo.git({"checkout", "--quiet", "--detach", made.front().commit});
  }
  SUBCASE("on a branch") {
    const auto made = unpatch(ours.repo, words + Args{"--branch", "again"});
    theirs.repo.git({"fetch", "--quiet", ours.repo.path(), "HEAD"});
    theirs.repo.git({"checkout", "--quiet", "-b", "again", made.front().commit});
  }
  CHECK(state_of(ours.repo) == state_of(theirs.repo));
}

TEST_CASE("the hook post-checkout runs, and its failure is only told") {
  Adaptation a;
  SUBCASE("in the repository") {
    make_hook(a.repo, "post-checkout", "echo \"$3 $2\" >.git/hook-ran\nexit 3\n");
  }
  SUBCASE("in a folder of hooks") {
    a.repo.write_executable(".git/my hooks/post-checkout",
                            "#!/bin/sh\necho \"$3 $2\" >.git/hook-ran\nexit 3\n");
    a.repo.config("core.hooksPath", a.repo.path(".git/my hooks"));
  }
  const Patched made = patch(a.repo, a.patch_args());
  CHECK(a.repo.read(".git/hook-ran") == "1 " + made.commit + "\n");
  CHECK(has_text(made.talk, "post-checkout"));
}

TEST_CASE("what is in the way is found wherever the repository stands") {
  Adaptation a;
  const std::string folder = make_temp_folder() + "/a:b \"c\" d";
  a.repo.git({"clone", "--quiet", "--branch", "work", a.repo.path(), folder});
  const TestRepo repo = TestRepo::at(folder);
  repo.write("src/engine.c", "edited\n");
  const Outcome outcome = repo.flagscale(a.patch_args());
  CHECK_MESSAGE(outcome.status == 1, describe(outcome));
  CHECK(has_text(outcome.err, "local changes would be overwritten"));
  CHECK(has_text(outcome.err, "src/engine.c"));
}

TEST_CASE("what hinders git from moving refs leaves everything as it was") {
  Adaptation a;
  const auto fails = [&] {
    const std::string snapshot = a.repo.snapshot();
    const Outcome outcome = a.repo.flagscale(a.patch_args());
    CHECK_MESSAGE(outcome.status != 0, describe(outcome));
    CHECK(has_text(outcome.err, ".lock"));
    CHECK(a.repo.snapshot() == snapshot);
    CHECK(a.repo.git({"status", "--porcelain", "--untracked-files=no"}).empty());
  };
  SUBCASE("the branch") {
    const std::string lock = ".git/refs/heads/" + a.branch() + ".lock";
    a.repo.write(lock, "");
    fails();
    a.repo.remove(lock);
  }
  SUBCASE("HEAD") {
    a.repo.write(".git/HEAD.lock", "");
    fails();
    a.repo.remove(".git/HEAD.lock");
  }
  CHECK(a.repo.flagscale(a.patch_args()).ok());
}

/// Stages what the switch would write, and goes on working on it: git carries both along.
void work_on_top(const TestRepo& repo, const std::string& bytes) {
  repo.write("src/engine.c", bytes);
  repo.git({"add", "src/engine.c"});
  repo.write("src/engine.c", bytes + "an hour of work\n");
}

TEST_CASE("edits on top of what the switch would write are never put back") {
  Adaptation a;
  Args words = a.patch_args();
  std::string text = a.repo.show(a.base + ":src/engine.c");
  SUBCASE("a hook forbids the branch") {
    make_hook(a.repo, "reference-transaction",
              "test \"$1\" != prepared || ! grep -q refs/heads/flagscale\n");
  }
  SUBCASE("HEAD is locked") {
    a.repo.write(".git/HEAD.lock", "");
  }
  SUBCASE("a new branch cannot be made") {
    (void)patch(a.repo, a.patch_args());
    text = a.repo.show("work:src/engine.c");
    words = {"unpatch", "--device-type", "A_X100", "--commit-id", a.base, "--branch", "main/x"};
  }
  SUBCASE("a new branch is forbidden") {
    (void)patch(a.repo, a.patch_args());
    make_hook(a.repo, "reference-transaction",
              "test \"$1\" != prepared || ! grep -q refs/heads/new\n");
    text = a.repo.show("work:src/engine.c");
    words = {"unpatch", "--device-type", "A_X100", "--commit-id", a.base, "--branch", "new"};
  }
  work_on_top(a.repo, text);
  const std::string head = a.repo.rev("HEAD");
  const Outcome outcome = a.repo.flagscale(words);
  CHECK_MESSAGE(outcome.status == 1, describe(outcome));
  CHECK(a.repo.rev("HEAD") == head);
  CHECK(a.repo.read("src/engine.c") == text + "an hour of work\n");
}

TEST_CASE("the message of a squashed merge does not outlive the switch") {
  Adaptation a;
  (void)patch(a.repo, a.patch_args());
  a.repo.write(".git/SQUASH_MSG", "Squashed commit of the following:\n");
  unpatch(a.repo, {"--device-type", "A_X100", "--commit-id", a.base});
  CHECK_FALSE(a.repo.exists(".git/SQUASH_MSG"));
}

TEST_CASE("a filter that must work and fails is a failure, not a refusal") {
  Adaptation a;
  (void)patch(a.repo, a.patch_args());
  a.repo.config("filter.f.clean", "cat");
  a.repo.config("filter.f.smudge", "false");
  a.repo.config("filter.f.required", "true");
  a.repo.write(".git/info/attributes", "src/engine.c filter=f\n");
  const std::string head = a.repo.rev("HEAD");
  const Outcome outcome =
      a.repo.flagscale({"unpatch", "--device-type", "A_X100", "--commit-id", a.base});
  CHECK_MESSAGE(outcome.status == 128, describe(outcome));
  CHECK(has_text(outcome.err, "git restore"));
  CHECK(a.repo.rev("HEAD") == head);
}

}  // namespace
}  // namespace flagscale::test
