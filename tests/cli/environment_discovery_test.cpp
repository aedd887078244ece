// SPDX-License-Identifier: Apache-2.0
//
// Where the repository is: git flagscale finds the one that git finds, or says what git says.
// The rows of docs/situations.md under "Finding the repository".
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include <doctest/doctest.h>

#include "base/quote.h"
#include "support/sandbox.h"
#include "support/situation.h"

namespace flagscale::test {
namespace {

namespace fs = std::filesystem;

/// Gives a folder and all in it to somebody else; false where only root could.
bool give_away(const std::string& folder) {
  static constexpr uid_t kSomebody = 12345;
  if (geteuid() != 0) return false;
  REQUIRE(lchown(folder.c_str(), kSomebody, kSomebody) == 0);
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    REQUIRE(lchown(entry.path().c_str(), kSomebody, kSomebody) == 0);
  }
  return true;
}

TEST_CASE("discovery: a subfolder") {
  const Adaptation a;
  check_same_repository(a, {.words = {}, .folder = "src/x100", .env = {}});
}

TEST_CASE("discovery: -C, once and twice") {
  const Adaptation a;
  check_same_repository(a, {.words = {"-C", "repo/src"}, .folder = "..", .env = {}});
  const Adaptation b;
  check_same_repository(b, {.words = {"-C", "repo", "-C", "src"}, .folder = "..", .env = {}});
}

TEST_CASE("discovery: --git-dir and --work-tree, relative ones too") {
  const Adaptation a;
  check_same_repository(
      a, {.words = {"--git-dir=" + a.repo.path(".git"), "--work-tree=" + a.repo.path()},
          .folder = "/",
          .env = {}});
  const Adaptation b;
  check_same_repository(
      b, {.words = {"--git-dir=../.git", "--work-tree=.."}, .folder = "src", .env = {}});
}

TEST_CASE("discovery: GIT_DIR alone makes the current folder the working tree") {
  const Adaptation a;
  const std::string elsewhere = make_temp_folder();
  const Way way{.words = {}, .folder = elsewhere, .env = {{"GIT_DIR", a.repo.path(".git")}}};
  ask_git(a.repo, way, {"reset", "--hard", "--quiet"});
  check_same_repository(a, way);
  CHECK(fs::exists(elsewhere + "/src/x100/kernel.c"));
}

TEST_CASE("discovery: GIT_DIR and GIT_WORK_TREE, from outside of both") {
  const Adaptation a;
  check_same_repository(
      a, {.words = {},
          .folder = make_temp_folder(),
          .env = {{"GIT_DIR", a.repo.path(".git")}, {"GIT_WORK_TREE", a.repo.path()}}});
  const Adaptation b;
  check_same_repository(
      b,
      {.words = {}, .folder = "..", .env = {{"GIT_DIR", "repo/.git"}, {"GIT_WORK_TREE", "repo"}}});
}

TEST_CASE("discovery: GIT_COMMON_DIR") {
  const Adaptation a;
  const std::string tree = make_temp_folder() + "/tree";
  a.repo.git({"worktree", "add", "--quiet", "--detach", tree, "work"});
  const std::string before = a.repo.read(".git/HEAD");
  check_same_repository(a, {.words = {},
                            .folder = tree,
                            .env = {{"GIT_DIR", a.repo.path(".git/worktrees/tree")},
                                    {"GIT_COMMON_DIR", a.repo.path(".git")},
                                    {"GIT_WORK_TREE", tree}}});
  CHECK(a.repo.read(".git/HEAD") == before);
}

TEST_CASE("discovery: GIT_INDEX_FILE, absolute and relative to the top") {
  for (const bool relative : {false, true}) {
    const Adaptation a;
    const std::string index = a.repo.path("other.index");
    const Way way{.words = {},
                  .folder = "src",
                  .env = {{"GIT_INDEX_FILE", relative ? "other.index" : index}}};
    a.repo.write(".git/info/exclude", "other.index*\n");
    ask_git(a.repo, way, {"read-tree", "HEAD"});
    ask_git(a.repo, way, {"update-index", "--refresh"});
    const std::string before = a.repo.read(".git/index");
    check_same_repository(a, way);
    CHECK(a.repo.read(".git/index") == before);
    CHECK_FALSE(a.repo.exists("src/other.index"));
  }
}

TEST_CASE("discovery: GIT_OBJECT_DIRECTORY takes the new objects") {
  const Adaptation a;
  const std::string before = a.repo.objects();
  const std::string folder = make_temp_folder();
  check_same_repository(
      a, {.words = {},
          .folder = {},
          .env = {{"GIT_OBJECT_DIRECTORY", folder},
                  {"GIT_ALTERNATE_OBJECT_DIRECTORIES", a.repo.path(".git/objects")}}});
  CHECK(a.repo.objects() == before);
  CHECK_FALSE(fs::is_empty(folder));
}

TEST_CASE("discovery: GIT_ALTERNATE_OBJECT_DIRECTORIES lends objects") {
  const Published p;
  const std::string folder = make_temp_folder() + "/lent";
  fs::rename(p.repo.path(".git/objects"), folder);
  fs::create_directory(p.repo.path(".git/objects"));
  CHECK(p.repo.flagscale(p.patch_args()).status == 128);
  for (const std::string& list : {folder, "/nonexistent:" + folder, "\"" + folder + "\""}) {
    CAPTURE(list);
    const Way way{.words = {}, .folder = {}, .env = {{"GIT_ALTERNATE_OBJECT_DIRECTORIES", list}}};
    CHECK(ask_git(p.repo, way, {"cat-file", "-t", p.base}) == "commit");
    // What was made needs the loan no longer.
    (void)p.check_output(p.repo, way);
  }
}

TEST_CASE("discovery: GIT_CEILING_DIRECTORIES ends the search") {
  const Adaptation a;
  const Way way{.words = {}, .folder = "src", .env = {{"GIT_CEILING_DIRECTORIES", a.repo.path()}}};
  check_same_refusal(a.repo, way);
  check_same_repository(a, {.words = {}, .folder = {}, .env = way.env});
}

TEST_CASE("discovery: no repository at all") {
  const Adaptation a;
  check_same_refusal(a.repo, {.words = {}, .folder = make_temp_folder(), .env = {}});
  check_same_refusal(a.repo, {.words = {"--git-dir=nowhere"}, .folder = {}, .env = {}});
  check_same_refusal(a.repo, {.words = {}, .folder = {}, .env = {{"GIT_DIR", "/nonexistent"}}});
}

TEST_CASE("discovery: GIT_NAMESPACE hides no refs") {
  const Adaptation a;
  check_same_repository(a, {.words = {"--namespace=mine"}, .folder = {}, .env = {}});
}

TEST_CASE("discovery: inside .git there is no working tree") {
  const Published p;
  const Way inside{.words = {}, .folder = ".git/refs", .env = {}};
  CHECK_FALSE(run_git(p.repo, inside, {"rev-parse", "--show-toplevel"}).ok());
  const std::string before = p.repo.snapshot();
  CHECK(run_flagscale(p.repo, inside, {"list", "--from", p.patch_commit}).ok());
  check_fails(run_flagscale(p.repo, inside, p.unpatch_args()), 1,
              "error: there is no working tree to switch");
  check_fails(run_flagscale(p.repo, inside, p.patch_args()), 1,
              "error: there is no working tree to switch");
  CHECK(p.repo.snapshot() == before);
  CHECK(run_flagscale(p.repo, inside, p.patch_args("B_Y100") + Args{"--no-switch"}).ok());
  (void)p.check_output(p.repo, inside);
}

TEST_CASE("discovery: a bare repository") {
  const Published p;
  p.repo.git({"push", "--quiet", "origin", "HEAD:work", p.patch_commit + ":refs/heads/main"});
  const TestRepo& bare = p.upstream;
  CHECK(bare.flagscale_ok({"verify"}) == p.repo.flagscale_ok({"verify", "--from", p.patch_commit}));
  check_fails(bare.flagscale(p.unpatch_args()), 1, "error: there is no working tree to switch");
  check_fails(bare.flagscale(p.patch_args()), 1, "error: there is no working tree to switch");
  const Patched made = patch(bare, p.patch_args() + Args{"--no-switch"});
  CHECK(bare.tree_of(made.commit) == bare.tree_of(p.patch_commit));
  (void)p.check_output(bare);
  // git --bare says that the current folder is one, whatever it looks like.
  (void)p.check_output(p.repo, {.words = {"--bare"}, .folder = ".git", .env = {}});
}

TEST_CASE("discovery: a linked working tree") {
  const Adaptation a;
  const std::string tree = make_temp_folder() + "/tree";
  a.repo.git({"worktree", "add", "--quiet", "-b", "other", tree, "work"});
  const std::string head = a.repo.rev("HEAD");
  check_same_repository(a, {.words = {"-C", tree}, .folder = {}, .env = {}});
  CHECK(a.repo.head_branch() == "work");
  CHECK(a.repo.rev("HEAD") == head);
  CHECK(a.repo.status().empty());
}

TEST_CASE("discovery: a linked working tree of a bare repository") {
  const Adaptation a;
  a.repo.git({"push", "--quiet", "origin", "work"});
  const std::string tree = make_temp_folder() + "/tree";
  a.upstream.git({"worktree", "add", "--quiet", tree, "work"});
  const Patched made = patch(TestRepo::at(tree), a.patch_args());
  CHECK(ask_git(a.upstream, {.words = {"-C", tree}, .folder = {}, .env = {}},
                {"rev-parse", "HEAD"}) == made.commit);
  CHECK(a.upstream.rev("HEAD") == a.base);
  const auto built =
      unpatch(TestRepo::at(tree), {"--device-type", "A_X100", "--commit-id", a.base});
  CHECK(built.at(0).folder == tree);
  CHECK(TestRepo::at(tree).status().empty());
}

TEST_CASE("discovery: a submodule") {
  const Published p;
  TestRepo super;
  super.git({"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", p.repo.path(),
             "lib/part"});
  super.commit("with a part");
  const TestRepo part = TestRepo::at(super.path("lib/part"));
  part.git({"fetch", "--quiet", "origin", "refs/heads/flagscale/*:refs/heads/flagscale/*"});
  // Relative URLs are what submodules often have.
  part.git({"remote", "set-url", "origin", "../../up"});
  const auto built = unpatch(part, {"--device-type", "A_X100", "--commit-id", p.base});
  CHECK(built.at(0).folder == part.git({"rev-parse", "--show-toplevel"}));
  CHECK(part.rev("HEAD") == p.adapted);
  CHECK(super.rev("HEAD:lib/part") == p.current);
  const TestRepo output = p.check_output(part);
  CHECK(fs::path(output.path()).filename() == "part");
  CHECK(output.git({"config", "remote.origin.url"}) == part.path() + "/../../up");
  const Outcome each = super.try_git(
      {"submodule", "--quiet", "foreach", "git flagscale list --from " + p.patch_commit});
  CHECK_MESSAGE(has_text(each.out, "A_X100"), describe(each));
}

TEST_CASE("discovery: core.worktree") {
  for (const bool relative : {false, true}) {
    const Adaptation a;
    const std::string tree = make_temp_folder();
    a.repo.config("core.worktree",
                  relative ? fs::relative(tree, a.repo.path(".git")).string() : tree);
    const Way way{.words = {"--git-dir=" + a.repo.path(".git")}, .folder = tree, .env = {}};
    ask_git(a.repo, way, {"reset", "--hard", "--quiet"});
    check_same_repository(a, way);
    CHECK(fs::exists(tree + "/src/x100/kernel.c"));
    // From within the git folder it counts, too.
    CHECK(run_flagscale(a.repo, {.words = {}, .folder = ".git", .env = {}}, {"list"}).ok());
  }
}

TEST_CASE("discovery: a .git file") {
  const Adaptation a;
  a.repo.git({"init", "--quiet", "--separate-git-dir", make_temp_folder() + "/apart"});
  REQUIRE(fs::is_regular_file(a.repo.path(".git")));
  check_same_repository(a, {.words = {}, .folder = "src", .env = {}});
}

TEST_CASE("discovery: symlinks on the way") {
  const Adaptation a;
  const std::string folder = make_temp_folder();
  fs::create_directory_symlink(a.repo.path("src"), folder + "/link");
  check_same_repository(a, {.words = {}, .folder = folder + "/link", .env = {}});
  const Adaptation b;
  fs::rename(b.repo.path(".git"), folder + "/moved");
  fs::create_directory_symlink(folder + "/moved", b.repo.path(".git"));
  check_same_repository(b, {.words = {}, .folder = {}, .env = {}});
}

TEST_CASE("discovery: names with LF, blanks and bytes that are no UTF-8") {
  for (const char* name : {"a\nb", "two\n\nlines\n", "\xff\xfe \"x\"", "-C", "tab\there"}) {
    CAPTURE(name);
    const Published p;
    const std::string folder = make_temp_folder() + "/" + name;
    fs::create_directory(folder);
    const TestRepo clone = TestRepo::at(p.repo.path());
    ask_git(clone, {.words = {}, .folder = folder, .env = {}},
            {"clone", "--quiet", p.repo.path(), "./" + std::string(name)});
    const std::string top = folder + "/" + name;
    const Way way{.words = {}, .folder = top + "/src", .env = {}};
    ask_git(clone, way,
            {"fetch", "--quiet", "origin", "refs/heads/flagscale/*:refs/heads/flagscale/*"});
    const Outcome in_place =
        run_flagscale(clone, way, {"unpatch", "--device-type", "A_X100", "--commit-id", p.base});
    REQUIRE_MESSAGE(in_place.ok(), describe(in_place));
    CHECK(in_place.out == "A_X100 " + p.adapted + " " + escaped(top) + "\n");
    CHECK(ask_git(clone, way, {"rev-parse", "HEAD"}) == p.adapted);
    const Outcome built = run_flagscale(
        clone, way,
        {"unpatch", "--device-type", "A_X100", "--commit-id", p.base, "--dir", "../out"});
    REQUIRE_MESSAGE(built.ok(), describe(built));
    CHECK(lines_of(built.out).size() == 1);
    const Way output{.words = {}, .folder = top + "/out/A_X100/" + name, .env = {}};
    CHECK(ask_git(clone, output, {"rev-parse", "HEAD"}) == p.adapted);
    CHECK(ask_git(clone, output, {"status", "--porcelain"}).empty());
  }
}

TEST_CASE("discovery: an owner who is not us") {
  const Adaptation a;
  if (!give_away(a.repo.path())) return;
  check_same_refusal(a.repo, {});
  const Outcome refused = a.repo.flagscale({"list"});
  CHECK_MESSAGE(has_text(refused.err, "git config --global --add safe.directory"),
                describe(refused));
  // Naming the repository is consent, to git.
  check_same_repository(a, {.words = {"--git-dir=.git"}, .folder = {}, .env = {}});
}

TEST_CASE("discovery: safe.directory in all its forms") {
  const Adaptation a;
  if (!give_away(a.repo.path())) return;
  const std::string top = a.repo.path();
  int accepted = 0;
  for (const Args& values : std::vector<Args>{{top},
                                              {"*"},
                                              {top + "/"},
                                              {"."},
                                              {fs::path(top).parent_path()},
                                              {fs::path(top).parent_path().string() + "/*"},
                                              {top + "/.git"},
                                              {"/elsewhere", top},
                                              {top, ""},
                                              {"*", "", "/elsewhere"},
                                              {""}}) {
    const std::string file = make_temp_folder() + "/config";
    for (const std::string& value : values) {
      a.repo.git({"config", "--file", file, "--add", "safe.directory", value});
    }
    Args by_words;
    for (const std::string& value : values)
      by_words = by_words + Args{"-c", "safe.directory=" + value};
    for (const Way& way :
         {Way{{}, {}, {{"GIT_CONFIG_GLOBAL", file}}}, Way{by_words, {}, {}},
          Way{{}, {}, {{"GIT_CONFIG_SYSTEM", file}, {"GIT_CONFIG_NOSYSTEM", "0"}}}}) {
      const bool git = run_git(a.repo, way, {"rev-parse", "--git-dir"}).ok();
      const Outcome ours = run_flagscale(a.repo, way, {"list"});
      CHECK_MESSAGE(ours.status == (git ? 0 : 128), values.front() << ": " << describe(ours));
      accepted += git ? 1 : 0;
    }
  }
  CHECK(accepted > 0);
  // The repository cannot speak for itself.
  a.repo.git({"config", "--file", a.repo.path(".git/config"), "safe.directory", "*"});
  check_same_refusal(a.repo, {});
}

TEST_CASE("discovery: safe.bareRepository") {
  const Published p;
  check_same_refusal(p.upstream,
                     {.words = {"-c", "safe.bareRepository=explicit"}, .folder = {}, .env = {}});
  const Way named{
      .words = {"-c", "safe.bareRepository=explicit", "--git-dir=."}, .folder = {}, .env = {}};
  CHECK(run_flagscale(p.upstream, named, {"list"}).ok());
}

TEST_CASE("discovery: a repository that git cannot read") {
  for (const char* setting : {"core.repositoryFormatVersion=7", "extensions.tomorrow=yes",
                              "extensions.objectFormat=md5"}) {
    CAPTURE(setting);
    const TestRepo repo;
    const std::string text = setting;
    repo.config("core.repositoryFormatVersion", "1");
    repo.config(text.substr(0, text.find('=')), text.substr(text.find('=') + 1));
    check_same_refusal(repo, {});
  }
  const TestRepo repo;
  repo.write(".git/config", "[core\n");
  check_same_refusal(repo, {});
}

TEST_CASE("discovery: from a hook of the same repository") {
  const Published p;
  const std::string out = make_temp_folder();
  std::string words;
  for (const std::string& word : p.unpatch_args()) words += " " + word;
  p.repo.write_executable(".git/hooks/pre-commit",
                          "#!/bin/sh\nenv | grep '^GIT_INDEX_FILE=' >&2\ngit flagscale" + words +
                              " --dir '" + out + "' >&2 &&\n! git flagscale" + words + "\n");
  p.repo.write("src/engine.c", "mine\n");
  // With `commit -a` the index is a lock file, and switching would be a catastrophe.
  const Outcome commit = p.repo.try_git({"commit", "--quiet", "-a", "-m", "more"});
  CHECK_MESSAGE(commit.ok(), describe(commit));
  CHECK(has_text(commit.err, "index.lock"));
  CHECK(has_text(commit.err, "error: the index is locked"));
  CHECK(p.repo.rev("HEAD^") == p.current);
  CHECK(p.repo.show("HEAD:src/engine.c") == "mine\n");
  CHECK(TestRepo::at(out + "/A_X100/repo").rev("HEAD") == p.adapted);
  CHECK(TestRepo::at(out + "/A_X100/repo").status().empty());
  fs::remove(p.repo.path(".git/hooks/pre-commit"));
  p.repo.write_executable(".git/hooks/post-commit", "#!/bin/sh\ngit flagscale" + words + " >&2\n");
  p.repo.git({"commit", "--quiet", "--allow-empty", "-m", "more"});
  CHECK(p.repo.rev("HEAD") == p.adapted);
  CHECK(p.repo.status().empty());
}

TEST_CASE("discovery: variables of a hook in another repository") {
  const Published p;
  TestRepo other;
  other.commit_file("x", "x");
  // What a hook of `other` would hand down counts, as it does for git.
  const Way leaked{
      .words = {},
      .folder = p.repo.path(),
      .env = {{"GIT_DIR", other.path(".git")}, {"GIT_INDEX_FILE", other.path(".git/index")}}};
  CHECK(ask_git(p.repo, leaked, {"rev-parse", "HEAD"}) == other.rev("HEAD"));
  check_fails(run_flagscale(p.repo, leaked, p.patch_args()), 128, "fatal: no such base commit");
  // -C alone does not undo it; what git calls the local variables has to be unset.
  Environment kept_out;
  for (const std::string& name : lines_of(p.repo.git({"rev-parse", "--local-env-vars"})))
    kept_out[name] = std::nullopt;
  (void)p.check_output(p.repo, {.words = {}, .folder = {}, .env = kept_out});
}

TEST_CASE("discovery: aliases without !") {
  const Adaptation a;
  a.repo.config("alias.gf", "flagscale");
  a.repo.config("alias.publish", "flagscale patch --device-type A_X100");
  const Way way{.words = {}, .folder = "src/x100", .env = {}};
  CHECK(run_git(a.repo, way, {"gf", "list"}).ok());
  CHECK(run_git(a.repo, way, {"publish", "--base-commit-id", a.base}).ok());
  CHECK(a.repo.head_branch() == a.branch());
}

TEST_CASE("discovery: aliases with ! run at the top") {
  const Published p;
  p.repo.config("alias.gf", "!git flagscale");
  p.repo.config("alias.direct", "!git-flagscale");
  p.repo.config("alias.where", "!pwd");
  for (const char* alias : {"gf", "direct"}) {
    CAPTURE(alias);
    const Way way{.words = {}, .folder = "src/x100", .env = {}};
    CHECK(ask_git(p.repo, way, {"where"}) == p.repo.path());
    const std::string dir = std::string("out-") + alias;
    const Outcome built = run_git(p.repo, way, Args{alias} + p.unpatch_args() + Args{"--dir", dir});
    REQUIRE_MESSAGE(built.ok(), describe(built));
    // Folders count from where the alias runs, as with every command of git.
    CHECK(TestRepo::at(p.repo.path(dir + "/A_X100/repo")).rev("HEAD") == p.adapted);
  }
  const std::string tree = make_temp_folder() + "/tree";
  p.repo.git({"worktree", "add", "--quiet", "--detach", tree, "work"});
  const Outcome built = run_git(p.repo, {.words = {}, .folder = tree + "/src", .env = {}},
                                Args{"gf"} + p.unpatch_args());
  CHECK_MESSAGE(built.out == "A_X100 " + p.adapted + " " + tree + "\n", describe(built));
  CHECK(p.repo.head_branch() == "work");
}

}  // namespace
}  // namespace flagscale::test
