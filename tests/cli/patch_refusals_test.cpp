// SPDX-License-Identifier: Apache-2.0
//
// What `git flagscale patch` refuses: with which exit status, in which words, and that nothing
// has changed then.
#include <algorithm>

#include <doctest/doctest.h>

#include "support/adaptation.h"
#include "support/sandbox.h"

namespace flagscale::test {
namespace {

/// Only git itself can tell what is in the way of a commit, and needs the commit for that.
enum class Objects { must_stay, may_be_added };

/// Runs a command that must fail with `status`, saying all of `texts`, and changes nothing.
void check_refused(const TestRepo& repo, const Args& args, int status,
                   const std::vector<std::string>& texts, Objects rule = Objects::must_stay) {
  const std::string snapshot = repo.snapshot();
  const std::string objects = repo.objects();
  const Outcome outcome = repo.flagscale(args);
  CHECK_MESSAGE(outcome.status == status, describe(outcome));
  CHECK(outcome.out.empty());
  for (const std::string& text : texts) {
    CHECK_MESSAGE(has_text(outcome.err, text), text << " is not in: " << outcome.err);
  }
  const std::string prefix = status == 128 ? "fatal: " : "error: ";
  CHECK_MESSAGE(outcome.err.starts_with(prefix), outcome.err);
  const auto lines = lines_of(outcome.err);
  CHECK(std::count_if(lines.begin(), lines.end(),
                      [](const std::string& line) { return !line.starts_with("hint: "); }) <= 6);
  CHECK(repo.snapshot() == snapshot);
  if (rule == Objects::must_stay) CHECK((repo.objects() == objects));
}

TEST_CASE("wrong usage is 129") {
  Adaptation a;
  check_refused(a.repo, {"patch"}, 129, {"--device-type"});
  check_refused(a.repo, {"patch", "--device-type", "A_X100"}, 129, {"--base-commit-id"});
  check_refused(a.repo, {"patch", "--device-type"}, 129, {"--device-type"});
  check_refused(a.repo, a.patch_args() + Args{"--no-such"}, 129, {"--no-such"});
  check_refused(a.repo, a.patch_args() + Args{"-z"}, 129, {"-z"});
  check_refused(a.repo, a.patch_args() + Args{"word"}, 129, {"word"});
  check_refused(a.repo, a.patch_args() + Args{"--squash=1"}, 129, {"--squash"});
  check_refused(a.repo, a.patch_args() + Args{"--device-type", "A_X100"}, 129, {"A_X100", "twice"});
  check_refused(a.repo, a.patch_args("A_X100") + Args{"--onto"}, 129, {"--onto"});
  check_refused(a.repo, {"petch"}, 129, {"petch", "patch"});
}

TEST_CASE("device types must be Vendor_Chip") {
  Adaptation a;
  for (const char* bad :
       {"", "A", "_X100", "A_", "A__B", "A-X100", "A_X100/..", "A_X100 ", "a_\xc3\xa4", "A_X\n1"}) {
    CAPTURE(bad);
    const Outcome outcome = a.repo.flagscale(a.patch_args(bad));
    CHECK((outcome.status == 128 || outcome.status == 129));
    CHECK(lines_of(outcome.err).size() <= 6);
    CHECK_FALSE(a.repo.has("HEAD:hardwares"));
  }
}

TEST_CASE("commits that are unknown, or no commits, are 128") {
  Adaptation a;
  a.repo.git({"tag", "a-file", "HEAD:README.md"});
  const auto with_base = [](const std::string& base) {
    return Args{"patch", "--device-type", "A_X100", "--base-commit-id", base};
  };
  check_refused(a.repo, with_base("no-such"), 128, {"no-such"});
  check_refused(a.repo, with_base("0123456789abcdef0123456789abcdef01234567"), 128, {"01234567"});
  check_refused(a.repo, with_base("a-file"), 128, {"a-file"});
  check_refused(a.repo, with_base("--all"), 128, {"--all"});
  check_refused(a.repo, with_base(a.base) + Args{"--current-commit-id", "no-such"}, 128,
                {"no-such"});
  check_refused(a.repo, a.patch_args() + Args{"--onto", "no-such"}, 128, {"no-such"});
}

TEST_CASE("no repository is 128") {
  const Outcome outcome = run_command(
      {"git", "flagscale", "patch", "--device-type", "A_X100", "--base-commit-id", "HEAD"},
      make_temp_folder());
  CHECK(outcome.status == 128);
  CHECK(has_text(outcome.err, "not a git repository"));
}

TEST_CASE("base must be an ancestor of current, and another commit") {
  Adaptation a;
  check_refused(a.repo, {"patch", "--device-type", "A_X100", "--base-commit-id", "HEAD"}, 1,
                {"nothing to patch"});
  a.repo.git({"switch", "--quiet", "main"});
  const std::string newer = a.repo.commit_file("README.md", "# newer\n");
  check_refused(a.repo,
                {"patch", "--device-type", "A_X100", "--base-commit-id", newer,
                 "--current-commit-id", "work"},
                1, {"not an ancestor", "merge base is " + base8(a.base)});
}

TEST_CASE("nothing but the store changed: nothing to patch") {
  Adaptation a;
  a.repo.git({"switch", "--quiet", "main"});
  a.repo.commit_file("hardwares/C_Z1/vendor.json", "{}\n");
  a.repo.git({"commit", "--quiet", "--allow-empty", "-m", "empty"});
  check_refused(a.repo, {"patch", "--device-type", "A_X100", "--base-commit-id", a.base}, 1,
                {"nothing to patch"});
}

TEST_CASE("work that was taken back again") {
  Adaptation a;
  a.repo.git({"revert", "--no-edit", "main..work"});
  const Args args = {"patch", "--device-type", "A_X100", "--base-commit-id", a.base};
  // The series does and undoes; one mail has nothing to say.
  check_refused(a.repo, args + Args{"--squash"}, 1, {"nothing to patch"});
}

TEST_CASE("HEAD on the patch commit is no work") {
  Adaptation a;
  patch(a.repo, a.patch_args());
  const Args args = {"patch", "--device-type", "A_X100", "--base-commit-id", a.base};
  check_refused(a.repo, args, 1,
                {"the patch commit itself", "--current-commit-id " + a.current.substr(0, 10)});
  a.repo.git({"switch", "--quiet", "--detach"});
  check_refused(a.repo, args, 1, {"--current-commit-id " + a.current.substr(0, 10)});
}

TEST_CASE("commits on top of the patch commit are not lost") {
  Adaptation a;
  const Patched made = patch(a.repo, a.patch_args());
  const std::string own = a.repo.commit_file("src/x100/fix.c", "int fix;\n", "a fix, misplaced");
  const Args args = {"patch", "--device-type", "A_X100", "--base-commit-id", a.base};
  const std::string rebase =
      "git rebase --onto " + a.current.substr(0, 10) + " " + made.commit.substr(0, 10);
  const std::string put_back = "git branch -f " + a.branch() + " " + made.commit.substr(0, 10);
  check_refused(a.repo, args, 1, {made.commit.substr(0, 10), rebase, put_back});
  // With another current the branch would have to move: the misplaced commit is named.
  check_refused(a.repo, a.patch_args() + Args{"--squash"}, 1,
                {own.substr(0, 10), "a fix, misplaced", "git switch -c"});

  // The way out that was told.
  const Outcome told = run_command(
      {"sh", "-c", "git switch -q -c kept && " + rebase + " && " + put_back}, a.repo.path());
  REQUIRE_MESSAGE(told.ok(), describe(told));
  CHECK(a.repo.rev("HEAD^") == a.current);
  CHECK(a.repo.exists("src/x100/fix.c"));
  const std::string tree = a.repo.tree_of("HEAD");
  patch(a.repo, args);
  CHECK(json_at(a.repo, "HEAD:" + a.stored("json")).at("tree") == tree);
}

TEST_CASE("a branch of that name with work of its own is not moved") {
  Adaptation a;
  a.repo.git({"switch", "--quiet", "-c", a.branch()});
  const std::string own = a.repo.commit_file("own.c", "int own;\n");
  a.repo.git({"switch", "--quiet", "work"});
  check_refused(a.repo, a.patch_args(), 1, {a.branch(), own.substr(0, 10), "git switch -c"});
  // Another branch has them as well: nothing would be lost.
  a.repo.git({"branch", "kept", a.branch()});
  patch(a.repo, a.patch_args());
}

TEST_CASE("a branch that is checked out elsewhere is not moved") {
  Adaptation a;
  patch(a.repo, a.patch_args());
  a.repo.git({"switch", "--quiet", "work"});
  a.current = a.repo.commit_file("src/x100/more.c", "int more;\n");
  const std::string other = TestRepo().path("other");
  a.repo.git({"worktree", "add", "--quiet", other, a.branch()});
  check_refused(a.repo, a.patch_args(), 1, {a.branch(), other});
  check_refused(a.repo, a.patch_args() + Args{"--no-switch"}, 1, {a.branch(), other});
}

TEST_CASE("--no-switch does not move the branch under HEAD") {
  Adaptation a;
  patch(a.repo, a.patch_args());
  const std::string more =
      a.repo.git({"commit-tree", "-p", a.current, "-m", "more", a.base + "^{tree}"});
  const std::string snapshot = a.repo.snapshot();
  const Outcome outcome =
      a.repo.flagscale({"patch", "--device-type", "A_X100", "--base-commit-id", a.base,
                        "--current-commit-id", more + "~0", "--squash", "--no-switch", "-m", "x"});
  CHECK(outcome.status == 1);
  CHECK(a.repo.snapshot() == snapshot);
}

TEST_CASE("what git switch would refuse is refused before anything has changed") {
  Adaptation a;
  std::vector<std::string> texts = {"--no-switch"};
  SUBCASE("an edit in the way") {
    a.repo.write("src/engine.c", "edited\n");
    texts.emplace_back("src/engine.c");
  }
  SUBCASE("a staged edit in the way") {
    a.repo.write("src/engine.c", "edited\n");
    a.repo.git({"add", "src/engine.c"});
    texts.emplace_back("src/engine.c");
  }
  SUBCASE("an untracked file in the way") {
    a.repo.write(a.stored("patch"), "mine\n");
    texts.push_back(a.stored("patch"));
  }
  SUBCASE("an ignored file in the way") {
    a.repo.write(".git/info/exclude", "*.patch\n");
    a.repo.write(a.stored("patch"), "mine\n");
    texts.push_back(a.stored("patch"));
  }
  SUBCASE("a merge going on") {
    a.repo.git({"switch", "--quiet", "main"});
    a.repo.commit_file("README.md", "# newer\n");
    a.repo.git({"merge", "--quiet", "--no-commit", "work"});
    texts.emplace_back("merge");
  }
  SUBCASE("a cherry-pick going on") {
    a.repo.git({"switch", "--quiet", "main"});
    a.repo.commit_file("src/engine.c", "other\n");
    CHECK_FALSE(a.repo.try_git({"cherry-pick", "work~2"}).ok());
    a.repo.git({"add", "--all"});
    texts.emplace_back("cherry-pick");
  }
  SUBCASE("a rebase going on") {
    CHECK_FALSE(a.repo.try_git({"rebase", "--quiet", "--exec", "false", "main"}).ok());
    texts.emplace_back("rebase");
  }
  SUBCASE("an am going on") {
    a.repo.write("bad.patch",
                 "From x\nFrom: A <a@b>\nDate: Tue, 1 Jan 2030 00:00:00 +0000\n"
                 "Subject: x\n\n---\ndiff --git a/n b/n\n--- a/n\n+++ b/n\n"
                 "@@ -1 +1 @@\n-a\n+b\n");
    CHECK_FALSE(a.repo.try_git({"am", "bad.patch"}).ok());
    texts.emplace_back("am");
  }
  SUBCASE("the index locked") {
    a.repo.write(".git/index.lock", "");
    texts.emplace_back("index.lock");
  }
  check_refused(a.repo, a.patch_args(), 1, texts, Objects::may_be_added);
  CHECK(a.repo.flagscale(a.patch_args() + Args{"--no-switch"}).ok());
}

TEST_CASE("--onto a commit that contains the work") {
  Adaptation a;
  check_refused(a.repo, a.patch_args() + Args{"--onto", "work"}, 1, {"work", "--onto"});
}

TEST_CASE("device types that differ in case only") {
  Adaptation a;
  patch(a.repo, a.patch_args());
  a.repo.git({"switch", "--quiet", "work"});
  check_refused(a.repo, a.patch_args("a_x100") + Args{"--onto", a.branch()}, 1,
                {"A_X100", "a_x100", "case"});
}

TEST_CASE("a second base with the same first digits") {
  Adaptation a;
  patch(a.repo, a.patch_args());
  Json sidecar = json_at(a.repo, "HEAD:" + a.stored("json"));
  const std::string other = base8(a.base) + std::string(32, '0');
  sidecar["base"] = other;
  a.repo.write(a.stored("json"), format_json(sidecar));
  a.repo.git({"commit", "--quiet", "--all", "--amend", "--no-edit"});
  a.repo.git({"switch", "--quiet", "work"});
  a.current = a.repo.commit_file("src/x100/more.c", "int more;\n");
  check_refused(a.repo, a.patch_args(), 1, {other});
}

TEST_CASE("a file where the store should be") {
  Adaptation a;
  a.repo.git({"switch", "--quiet", "main"});
  a.repo.commit_file("hardwares", "a file\n");
  a.repo.git({"switch", "--quiet", "work"});
  check_refused(a.repo, a.patch_args() + Args{"--onto", "main"}, 1,
                {"hardwares", "--hardware-dir"});
}

TEST_CASE("dates that git am would turn into others") {
  Adaptation a;
  a.repo.write("src/late.c", "int late;\n");
  a.repo.git({"add", "--all"});
  a.repo.git({"commit", "--quiet", "-m", "late"},
             {.folder = {}, .env = {{"GIT_AUTHOR_DATE", "@4102444800 +0000"}}, .input = {}});
  a.current = a.repo.rev("HEAD");
  check_refused(a.repo, a.patch_args(), 1, {a.current.substr(0, 10), "2099"});
}

TEST_CASE("a bare repository has nothing to switch") {
  Adaptation a;
  a.repo.git({"push", "--quiet", "origin", "work"});
  check_refused(a.upstream, a.patch_args(), 1, {"--no-switch"});
  const std::string made = patch(a.upstream, a.patch_args() + Args{"--no-switch"}).commit;
  CHECK(a.upstream.rev(a.branch()) == made);
}

TEST_CASE("errors as JSON") {
  Adaptation a;
  const Outcome outcome =
      a.repo.flagscale({"patch", "--json", "--device-type", "A_X100", "--base-commit-id", "HEAD"});
  CHECK(outcome.status == 1);
  CHECK(outcome.err.empty());
  const Json report = Json::parse(outcome.out);
  CHECK(report.at("status") == "error");
  CHECK(has_text(report.at("error").at("message").get<std::string>(), "nothing to patch"));
}

TEST_CASE("upstream's commits inside the work are warned about") {
  Adaptation a;
  a.repo.git({"switch", "--quiet", "main"});
  const std::string newer = a.repo.commit_file("README.md", "# newer\n");
  a.repo.git({"push", "--quiet", "origin", "main"});
  a.repo.git({"switch", "--quiet", "work"});
  a.repo.git({"merge", "--quiet", "--no-edit", "main"});
  const Patched made =
      patch(a.repo, {"patch", "--device-type", "A_X100", "--base-commit-id", a.base});
  CHECK(has_text(made.talk, "warning: "));
  CHECK(has_text(made.talk, newer.substr(0, 10)));
  a.repo.git({"switch", "--quiet", "work"});
  CHECK_FALSE(
      has_text(patch(a.repo, {"patch", "--device-type", "A_X100", "--base-commit-id", newer}).talk,
               "warning: "));
}

}  // namespace
}  // namespace flagscale::test
