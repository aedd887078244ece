// SPDX-License-Identifier: Apache-2.0
//
// Kinds of repository, by what their index, working tree and HEAD are like. The rows of
// docs/situations.md under "Index and working tree". The other kinds: environment_objects_test.
#include <algorithm>
#include <filesystem>

#include <doctest/doctest.h>

#include "support/sandbox.h"
#include "support/situation.h"

namespace flagscale::test {
namespace {

namespace fs = std::filesystem;

/// patch, unpatch in place and the way back leave what `git checkout` leaves between the same
/// commits: the same entries with the same marks in the index, the same files on disk.
void check_switches_as_git(const Adaptation& a, const Way& way = {}) {
  const auto look = [&] {
    std::string files = ask_git(a.repo, way, {"ls-files", "-t", "-s"}) + "\n" +
                        ask_git(a.repo, way, {"status", "--porcelain"}) + "\n";
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(a.repo.path())) {
      const std::string name = entry.path().lexically_relative(a.repo.path()).string();
      if (!name.starts_with(".git/") && entry.is_regular_file()) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) files += name + "\n";
    return files;
  };
  const Outcome made = run_flagscale(a.repo, way, a.patch_args());
  REQUIRE_MESSAGE(made.ok(), describe(made));
  const std::string after_patch = look();
  const Outcome built =
      run_flagscale(a.repo, way, {"unpatch", "--device-type", "A_X100", "--commit-id", a.base});
  REQUIRE_MESSAGE(built.ok(), describe(built));
  const std::string after_unpatch = look();
  ask_git(a.repo, way, {"checkout", "--quiet", a.branch()});
  CHECK(look() == after_patch);
  ask_git(a.repo, way,
          {"checkout", "--quiet", "--detach", ask_git(a.repo, way, {"rev-parse", "@{-1}"})});
  CHECK(look() == after_unpatch);
}

/// The first word of each line of `git ls-files -t`, for a path.
std::string mark_of(const TestRepo& repo, const std::string& path) {
  return repo.git({"ls-files", "-t", path}).substr(0, 1);
}

/// Whatever is going on, a switch is refused and --no-switch is not.
void check_busy(const Adaptation& a, const std::string& what) {
  const std::string before = a.repo.snapshot();
  const std::string message = "error: in the middle of " + what + "\n";
  const Outcome git = a.repo.try_git({"switch", "main"});
  CHECK_MESSAGE(has_text(git.err, "cannot switch branch"), describe(git));
  check_fails(a.repo.flagscale(a.patch_args()), 1, message);
  CHECK(a.repo.snapshot() == before);
  const Patched made = patch(a.repo, a.patch_args() + Args{"--no-switch"});
  check_fails(a.repo.flagscale({"unpatch", "--device-type", "A_X100", "--commit-id", a.base,
                                "--from", made.commit}),
              1, message);
  unpatch(a.repo, {"--device-type", "A_X100", "--commit-id", a.base, "--from", made.commit, "--dir",
                   make_temp_folder()});
  a.repo.git({"update-ref", "-d", "refs/heads/" + a.branch()});
  fs::remove(a.repo.path(".git/logs/refs/heads/" + a.branch()));
}

/// A commit that conflicts with the work.
std::string make_conflict(Adaptation& a) {
  a.repo.git({"switch", "--quiet", "-c", "other", a.base});
  std::string id = a.repo.commit_file("src/engine.c", "other\n", "another engine");
  a.repo.git({"switch", "--quiet", "work"});
  return id;
}

TEST_CASE("kinds: a sparse checkout by folders") {
  const Adaptation a;
  a.repo.git({"sparse-checkout", "set", "--cone", "docs"});
  CHECK(mark_of(a.repo, "src/engine.c") == "S");
  check_switches_as_git(a);
  CHECK(mark_of(a.repo, "src/engine.c") == "S");
  CHECK_FALSE(a.repo.exists("src"));
  CHECK_FALSE(a.repo.exists("hardwares"));
}

TEST_CASE("kinds: a sparse checkout by patterns") {
  const Adaptation a;
  a.repo.git({"sparse-checkout", "set", "--no-cone", "/*", "!/src/*.c", "!*.bin"});
  CHECK(mark_of(a.repo, "src/engine.c") == "S");
  check_switches_as_git(a);
  CHECK(mark_of(a.repo, "src/engine.c") == "S");
  CHECK_FALSE(a.repo.exists("src/engine.c"));
  CHECK(a.repo.exists("src/x100/kernel.c"));
}

TEST_CASE("kinds: a sparse index") {
  const Adaptation a;
  a.repo.git({"sparse-checkout", "set", "--cone", "--sparse-index", "docs"});
  CHECK(has_text(a.repo.git({"ls-files", "--sparse", "-t"}), "S src/"));
  check_switches_as_git(a);
  CHECK(has_text(a.repo.git({"ls-files", "--sparse", "-t"}), "S src/"));
}

TEST_CASE("kinds: a split index") {
  const Adaptation a;
  a.repo.git({"update-index", "--split-index"});
  check_switches_as_git(a);
  // Looking for what is in the way leaves no shared index behind.
  const Adaptation b;
  b.repo.git({"update-index", "--split-index"});
  b.repo.config("core.splitIndex", "true");
  b.repo.write("src/engine.c", "mine\n");
  const std::string before = b.repo.snapshot();
  CHECK(b.repo.flagscale(b.patch_args()).status == 1);
  CHECK(b.repo.snapshot() == before);
}

TEST_CASE("kinds: index version 4") {
  const Adaptation a;
  a.repo.git({"update-index", "--index-version", "4"});
  check_switches_as_git(a);
  CHECK(a.repo.read(".git/index").substr(4, 4) == std::string("\0\0\0\4", 4));
}

TEST_CASE("kinds: the untracked cache and a file system monitor") {
  const Adaptation a;
  a.repo.write_executable(".git/hooks/query", "#!/bin/sh\nprintf 'token\\0/\\0'\n");
  a.repo.config("core.fsmonitor", ".git/hooks/query");
  a.repo.git({"update-index", "--untracked-cache", "--fsmonitor"});
  a.repo.git({"status"});
  check_switches_as_git(a);
}

TEST_CASE("kinds: files marked as unchanged") {
  const Adaptation a;
  a.repo.git({"update-index", "--assume-unchanged", "README.md"});
  a.repo.write("README.md", "mine, for ever\n");
  patch(a.repo, a.patch_args());
  CHECK(a.repo.read("README.md") == "mine, for ever\n");
  unpatch(a.repo, {"--device-type", "A_X100", "--commit-id", a.base});
  CHECK(a.repo.read("README.md") == "mine, for ever\n");
}

TEST_CASE("kinds: submodules in the tree stay as they are") {
  const Adaptation a;
  TestRepo part;
  part.commit_file("x", "x");
  a.repo.git(
      {"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", part.path(), "part"});
  a.repo.git({"commit", "--quiet", "-m", "with a part"});
  const std::string current = a.repo.rev("HEAD");
  TestRepo::at(a.repo.path("part")).write("y", "mine\n");
  patch(a.repo, {"patch", "--device-type", "A_X100", "--base-commit-id", a.base});
  CHECK(a.repo.read("part/y") == "mine\n");
  unpatch(a.repo, {"--device-type", "A_X100", "--commit-id", a.base});
  CHECK(a.repo.tree_of("HEAD") == a.repo.tree_of(current));
  CHECK(a.repo.read("part/y") == "mine\n");
}

TEST_CASE("kinds: no commits at all") {
  const TestRepo repo;
  check_fails(repo.flagscale({"patch", "--device-type", "A_X100", "--base-commit-id", "HEAD"}), 128,
              "fatal: no such base commit: 'HEAD'\n");
  check_fails(repo.flagscale({"unpatch", "--device-type", "A_X100", "--commit-id", "aaaa"}), 1,
              "error: no patch of device type 'A_X100' found\n");
  CHECK(repo.flagscale({"list"}).ok());
  CHECK(repo.flagscale({"verify"}).ok());
}

TEST_CASE("kinds: an unborn HEAD") {
  const Adaptation a;
  a.repo.git({"switch", "--quiet", "--orphan", "empty"});
  const Outcome made = a.repo.flagscale(a.patch_args());
  REQUIRE_MESSAGE(made.ok(), describe(made));
  CHECK(a.repo.head_branch() == a.branch());
  CHECK(a.repo.status().empty());
  // The way back that is told is one.
  CHECK(hinted_commands(made.err).back() == "git switch --orphan empty");
  a.repo.git({"switch", "--quiet", "--orphan", "empty"});
  const Outcome built = a.repo.flagscale(
      {"unpatch", "--device-type", "A_X100", "--commit-id", a.base, "--from", a.branch()});
  CHECK_MESSAGE(has_text(built.err, "git switch --orphan empty"), describe(built));
  CHECK(a.repo.tree_of("HEAD") == a.repo.tree_of(a.current));
  // Without a commit that is named HEAD cannot be the work.
  a.repo.git({"switch", "--quiet", "--orphan", "empty"});
  check_fails(a.repo.flagscale({"patch", "--device-type", "A_X100", "--base-commit-id", a.base}),
              128, "fatal: no such current commit: 'HEAD'\n");
}

TEST_CASE("kinds: in the middle of a merge") {
  Adaptation a;
  const std::string other = make_conflict(a);
  CHECK_FALSE(a.repo.try_git({"merge", other}).ok());
  check_busy(a, "a merge");
}

TEST_CASE("kinds: in the middle of a rebase") {
  Adaptation a;
  const std::string other = make_conflict(a);
  CHECK_FALSE(a.repo.try_git({"rebase", other}).ok());
  check_busy(a, "a rebase");
  a.repo.git({"rebase", "--abort"});
  CHECK_FALSE(a.repo.try_git({"rebase", "--apply", other}).ok());
  check_busy(a, "a rebase");
}

TEST_CASE("kinds: in the middle of git am") {
  Adaptation a;
  const std::string other = make_conflict(a);
  const std::string mail = a.repo.git({"format-patch", "--stdout", "-1", other});
  CHECK_FALSE(a.repo.try_git({"am"}, {.folder = {}, .env = {}, .input = mail}).ok());
  check_busy(a, "an am session");
}

TEST_CASE("kinds: in the middle of a cherry-pick or a revert") {
  Adaptation a;
  const std::string other = make_conflict(a);
  CHECK_FALSE(a.repo.try_git({"cherry-pick", other}).ok());
  check_busy(a, "a cherry-pick");
  a.repo.git({"cherry-pick", "--abort"});
  a.repo.commit_file("src/engine.c", "again\n", "again");
  CHECK_FALSE(a.repo.try_git({"revert", "--no-edit", "HEAD~3"}).ok());
  check_busy(a, "a revert");
}

TEST_CASE("kinds: in the middle of a bisection") {
  const Adaptation a;
  a.repo.git({"bisect", "start", "work", a.base});
  const Outcome git = a.repo.try_git({"switch", "main"});
  CHECK(git.ok());
  CHECK(has_text(git.err, "warning: you are switching branch while bisecting"));
  const std::string before = a.repo.snapshot();
  check_fails(a.repo.flagscale(a.patch_args()), 1, "error: in the middle of a bisect\n");
  CHECK(a.repo.snapshot() == before);
  CHECK(a.repo.flagscale(a.patch_args() + Args{"--no-switch"}).ok());
  a.repo.git({"bisect", "reset"});
  CHECK(a.repo.head_branch() == "work");
  CHECK(a.repo.flagscale(a.patch_args()).ok());
}

TEST_CASE("kinds: something going on in another working tree") {
  Adaptation a;
  const std::string other = make_conflict(a);
  CHECK_FALSE(a.repo.try_git({"merge", other}).ok());
  const std::string tree = make_temp_folder() + "/tree";
  a.repo.git({"worktree", "add", "--quiet", "--detach", tree, a.current});
  check_same_repository(a, {.words = {"-C", tree}, .folder = {}, .env = {}});
}

TEST_CASE("kinds: a locked index") {
  const Adaptation a;
  a.repo.write(".git/index.lock", "");
  const std::string before = a.repo.snapshot();
  CHECK(a.repo.try_git({"switch", "main"}).status == 128);
  check_fails(a.repo.flagscale(a.patch_args()), 1,
              "error: the index is locked: '" + a.repo.path(".git/index.lock") + "' exists\n");
  CHECK(a.repo.snapshot() == before);
}

TEST_CASE("kinds: HEAD as a symlink") {
  const Adaptation a;
  a.repo.config("core.preferSymlinkRefs", "true");
  a.repo.git({"symbolic-ref", "HEAD", "refs/heads/main"});
  a.repo.git({"symbolic-ref", "HEAD", "refs/heads/work"});
  REQUIRE(fs::is_symlink(a.repo.path(".git/HEAD")));
  const Outcome made = a.repo.flagscale(a.patch_args());
  REQUIRE_MESSAGE(made.ok(), describe(made));
  CHECK(hinted_commands(made.err).back() == "git switch work");
  CHECK(a.repo.head_branch() == a.branch());
  // HEAD on the patch branch is known for that.
  check_fails(a.repo.flagscale(a.patch_args() + Args{"--no-switch", "--squash"}), 1,
              "error: HEAD is on branch");
}

TEST_CASE("kinds: damaged refs") {
  const Adaptation a;
  a.repo.write(".git/refs/heads/empty", "");
  a.repo.write(".git/refs/heads/flagscale/other", "garbage\n");
  a.repo.write(".git/refs/heads/x.lock", "");
  a.repo.write(".git/refs/remotes/origin/HEAD", "ref: refs/remotes/origin/gone\n");
  // git ignores them where it is not about them, with warnings.
  CHECK(a.repo.try_git({"for-each-ref"}).ok());
  CHECK(a.repo.flagscale(a.patch_args() + Args{"--no-switch"}).ok());
  for (const char* text : {"", "garbage\n"}) {
    const Adaptation b;
    b.repo.write(".git/refs/heads/" + b.branch(), text);
    CHECK_FALSE(b.repo.try_git({"checkout", "-B", b.branch(), "work"}).ok());
    check_fails(b.repo.flagscale(b.patch_args()), 128,
                "fatal: ref 'refs/heads/" + b.branch() + "' is damaged\n");
    b.repo.write(".git/refs/heads/work", text);
    CHECK_FALSE(b.repo.try_git({"log", "-1"}).ok());
    check_fails(b.repo.flagscale({"list"}), 128, "fatal: ref 'refs/heads/work' is damaged\n");
  }
}

TEST_CASE("kinds: refs in a packed file only") {
  const Published p;
  p.repo.git({"pack-refs", "--all", "--prune"});
  CHECK_FALSE(p.repo.exists(".git/refs/heads/" + p.branch()));
  CHECK(has_text(p.repo.flagscale(p.patch_args()).err, "unchanged"));
  CHECK(p.repo.flagscale(p.unpatch_args()).ok());
}

}  // namespace
}  // namespace flagscale::test
