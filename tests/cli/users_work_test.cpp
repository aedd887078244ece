// SPDX-License-Identifier: Apache-2.0
//
// The user's own work, in every form that git knows, through every command that writes: what was
// there is there afterwards, whether the command did its job or refused it.
#include <unistd.h>

#include <filesystem>
#include <functional>

#include <doctest/doctest.h>

#include "support/adaptation.h"
#include "support/sandbox.h"

namespace flagscale::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDevice = "A_X100";

/// A vendor on the branch with the work, whose patch is published on a branch of its own.
struct Workplace : Adaptation {
  Workplace() { patch(repo, patch_args(kDevice) + Args{"--no-switch"}); }

  [[nodiscard]] std::vector<Args> commands() const {
    const Args unpatch = {"unpatch", "--device-type", kDevice, "--commit-id", base};
    return {patch_args("N_Ew"),
            patch_args("N_Ew") + Args{"--no-switch"},
            patch_args(kDevice) + Args{"--squash"},
            unpatch,
            unpatch + Args{"--branch", "adapted"},
            unpatch + Args{"--dir", "build"}};
  }
};

/// Work of one kind: how it comes to be, and the files that it is about.
struct Work {
  const char* name;
  Args paths;
  std::function<void(TestRepo&)> begin;
};

void begin_am(TestRepo& repo) {
  const std::string mail =
      "From x\nFrom: A <a@b>\nDate: Tue, 1 Jan 2030 00:00:00 +0000\nSubject: x\n\n---\n"
      "diff --git a/n b/n\n--- a/n\n+++ b/n\n@@ -1 +1 @@\n-a\n+b\n";
  CHECK_FALSE(repo.try_git({"am"}, {.folder = {}, .env = {}, .input = mail}).ok());
}

void add_submodule(TestRepo& repo) {
  TestRepo other;
  other.commit_file("inside.c", "int inside;\n");
  repo.git(
      {"-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.path(), "sub"});
  repo.commit("a submodule");
  TestRepo::at(repo.path("sub")).write("inside.c", "edited\n");
  TestRepo::at(repo.path("sub")).write("untracked.c", "mine\n");
}

const std::vector<Work> kWorks = {
    {"an edit", {"README.md"}, [](TestRepo& repo) { repo.write("README.md", "mine\n"); }},
    {"an edit in the way",
     {"src/engine.c"},
     [](TestRepo& repo) { repo.write("src/engine.c", "mine\n"); }},
    {"a staged edit",
     {"README.md"},
     [](TestRepo& repo) {
       repo.write("README.md", "mine\n");
       repo.git({"add", "README.md"});
     }},
    {"a staged edit, edited again",
     {"README.md"},
     [](TestRepo& repo) {
       repo.write("README.md", "staged\n");
       repo.git({"add", "README.md"});
       repo.write("README.md", "mine\n");
     }},
    {"a staged edit in the way",
     {"src/engine.c"},
     [](TestRepo& repo) {
       repo.write("src/engine.c", "mine\n");
       repo.git({"add", "src/engine.c"});
     }},
    {"a staged new file",
     {"src/new.c"},
     [](TestRepo& repo) {
       repo.write("src/new.c", "mine\n");
       repo.git({"add", "src/new.c"});
     }},
    {"a staged removal",
     {"README.md"},
     [](TestRepo& repo) {
       repo.git({"rm", "--quiet", "--cached", "README.md"});
     }},
    {"a file that is to be added",
     {"src/new.c"},
     [](TestRepo& repo) {
       repo.write("src/new.c", "mine\n");
       repo.git({"add", "--intent-to-add", "src/new.c"});
     }},
    {"a file that is to be added, in the way",
     {"src/util.c"},
     [](TestRepo& repo) {
       repo.write("src/util.c", "mine\n");
       repo.git({"add", "--intent-to-add", "src/util.c"});
     }},
    {"an untracked file", {"notes.txt"}, [](TestRepo& repo) { repo.write("notes.txt", "mine\n"); }},
    {"an untracked file in the way",
     {"src/util.c"},
     [](TestRepo& repo) { repo.write("src/util.c", "mine\n"); }},
    {"an untracked folder in the way",
     {"src/util.c/x", "hardwares/N_Ew"},
     [](TestRepo& repo) {
       repo.write("src/util.c/x", "mine\n");
       repo.write("hardwares/N_Ew", "mine\n");
     }},
    {"an ignored file", {"a.log"}, [](TestRepo& repo) { repo.write("a.log", "mine\n"); }},
    {"an ignored file in the way",
     {"src/util.c"},
     [](TestRepo& repo) {
       repo.write(".git/info/exclude", "util.c\n");
       repo.write("src/util.c", "mine\n");
     }},
    {"a mode", {"README.md"}, [](TestRepo& repo) { repo.set_executable("README.md", true); }},
    {"a removed file", {"README.md"}, [](TestRepo& repo) { repo.remove("README.md"); }},
    {"an edit that git is told not to see",
     {"README.md"},
     [](TestRepo& repo) {
       repo.git({"update-index", "--assume-unchanged", "README.md"});
       repo.write("README.md", "mine\n");
     }},
    {"work in a submodule", {"sub/inside.c", "sub/untracked.c", "sub/.git"}, add_submodule},
    {"a repository of its own inside",
     {"own/.git/HEAD", "own/x"},
     [](TestRepo& repo) {
       repo.git({"init", "--quiet", "own"});
       repo.write("own/x", "mine\n");
     }},
    {"stashes",
     {},
     [](TestRepo& repo) {
       repo.write("README.md", "mine\n");
       repo.git({"stash", "--quiet"});
       repo.write("src/engine.c", "mine, too\n");
       repo.git({"stash", "--quiet"});
     }},
    {"notes",
     {},
     [](TestRepo& repo) {
       repo.git({"notes", "add", "-m", "mine", "HEAD"});
     }},
    {"an am", {}, begin_am},
    {"a merge",
     {"README.md"},
     [](TestRepo& repo) {
       repo.git({"switch", "--quiet", "main"});
       repo.commit_file("README.md", "# newer\n");
       repo.git({"merge", "--quiet", "--no-commit", "work"});
     }},
    {"a merge with conflicts",
     {"src/engine.c"},
     [](TestRepo& repo) {
       repo.git({"switch", "--quiet", "main"});
       repo.commit_file("src/engine.c", "other\n");
       CHECK_FALSE(repo.try_git({"merge", "--quiet", "work"}).ok());
     }},
    {"a rebase",
     {},
     [](TestRepo& repo) {
       CHECK_FALSE(repo.try_git({"rebase", "--quiet", "--exec", "false", "main"}).ok());
     }},
    {"a cherry-pick",
     {"src/engine.c"},
     [](TestRepo& repo) {
       repo.git({"switch", "--quiet", "main"});
       repo.commit_file("src/engine.c", "other\n");
       CHECK_FALSE(repo.try_git({"cherry-pick", "work~2"}).ok());
     }},
    {"a revert",
     {"README.md"},
     [](TestRepo& repo) {
       repo.git({"revert", "--no-commit", "HEAD"});
     }},
    {"a bisect",
     {},
     [](TestRepo& repo) {
       repo.git({"bisect", "start", "HEAD", "HEAD~2"});
     }},
};

/// All that the work is: files, what the index says of them, and what is under way.
std::string facts(const TestRepo& repo, const Args& paths) {
  std::string text;
  for (const std::string& path : paths) {
    text += path + ": " + (repo.exists(path) ? repo.read(path) : "(none)") + "\n";
    if (!path.starts_with("sub/") && !path.starts_with("own/")) {
      text += repo.git({"status", "--porcelain", "--ignored", "--untracked-files=all", "--", path});
      text += repo.git({"ls-files", "--stage", "-v", "--", path}) + "\n";
    }
  }
  text += repo.git({"for-each-ref", "refs/heads/main", "refs/heads/work", "refs/stash",
                    "refs/notes", "refs/bisect", "refs/tags"});
  text += repo.git({"stash", "list"});
  for (const char* name :
       {"MERGE_HEAD", "MERGE_MSG", "CHERRY_PICK_HEAD", "REVERT_HEAD", "BISECT_LOG", "BISECT_START",
        "BISECT_EXPECTED_REV", "REBASE_HEAD", "rebase-merge/git-rebase-todo", "rebase-merge/onto",
        "rebase-apply/next", "rebase-apply/0001"}) {
    const std::string path = std::string(".git/") + name;
    text += std::string(name) + ": " + (repo.exists(path) ? repo.read(path) : "(none)") + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("no work of the user's is lost") {
  const std::size_t count = Workplace().commands().size();
  for (const Work& work : kWorks) {
    CAPTURE(work.name);
    for (std::size_t i = 0; i < count; ++i) {
      CAPTURE(i);
      Workplace place;
      work.begin(place.repo);
      const std::string before = facts(place.repo, work.paths);
      const std::string head = place.repo.rev("HEAD");
      const Outcome outcome = place.repo.flagscale(place.commands()[i]);
      CHECK_MESSAGE((outcome.ok() || outcome.status == 1), describe(outcome));
      CHECK_MESSAGE(facts(place.repo, work.paths) == before, describe(outcome));
      if (!outcome.ok()) CHECK(place.repo.rev("HEAD") == head);
      // Without a switch there is nothing that could be in the way.
      if (i == 1 || i == 5) CHECK_MESSAGE(outcome.ok(), describe(outcome));
    }
  }
}

TEST_CASE("while something is under way HEAD is not moved") {
  for (const Work& work : kWorks) {
    if (!has_text("an am, a merge, a rebase, a cherry-pick, a revert, a bisect", work.name))
      continue;
    CAPTURE(work.name);
    Workplace place;
    work.begin(place.repo);
    for (const std::size_t i : {0U, 2U, 3U, 4U}) {
      const Outcome outcome = place.repo.flagscale(place.commands()[i]);
      CHECK_MESSAGE(outcome.status == 1, describe(outcome));
      CHECK_MESSAGE(has_text(outcome.err, work.name), outcome.err);
    }
  }
}

TEST_CASE("--dir may be any folder, and takes nothing of what is in it") {
  const Workplace place;
  const auto build = [&](const std::string& dir) {
    return place.repo.flagscale(
        {"unpatch", "--device-type", kDevice, "--commit-id", place.base, "--dir", dir});
  };
  place.repo.write("notes.txt", "mine\n");
  fs::create_directories(place.repo.path("other"));
  place.repo.write("other/x", "mine\n");
  place.repo.symlink("other", "link");
  place.repo.symlink("nowhere", "dangling");
  const std::string before = place.repo.snapshot();
  for (const char* dir :
       {".", "src", "other", "link", "new/er", place.repo.path().c_str(), "./src/.."}) {
    CAPTURE(dir);
    const Outcome outcome = build(dir);
    REQUIRE_MESSAGE(outcome.ok(), describe(outcome));
    const std::string folder = lines_of(outcome.out)
                                   .front()
                                   .substr(std::string(kDevice).size() + place.current.size() + 2);
    CHECK(TestRepo::at(folder).tree_of("HEAD") == place.repo.tree_of(place.current));
    fs::remove_all(fs::path(folder).parent_path());
    fs::remove_all(place.repo.path("new"));
    CHECK(place.repo.snapshot() == before);
  }
  for (const char* dir : {"notes.txt", "notes.txt/x", ".git", ".git/x", "hardwares", "run.sh"}) {
    CAPTURE(dir);
    const Outcome outcome = build(dir);
    CHECK_MESSAGE((outcome.status == 1 || outcome.status == 128), describe(outcome));
    CHECK(place.repo.snapshot() == before);
  }
}

TEST_CASE("above the working tree and at the root nothing is touched") {
  const Workplace place;
  const Args args = {"unpatch", "--device-type", kDevice, "--commit-id", place.base, "--dir"};
  const fs::path above = fs::path(place.repo.path()).parent_path();
  const std::string before = place.repo.snapshot();
  REQUIRE(place.repo.flagscale(args + Args{".."}).ok());
  CHECK(fs::exists(above / kDevice / "repo/README.md"));
  CHECK(place.repo.snapshot() == before);
  const Outcome root = place.repo.flagscale(args + Args{"/", "-n"});
  CHECK_MESSAGE(root.ok(), describe(root));
  CHECK_MESSAGE(has_text(root.err, "'/A_X100/repo'"), root.err);
  CHECK_FALSE(fs::exists(std::string("/") + kDevice));
}

TEST_CASE("the repository itself is never the place") {
  const Workplace place;
  // So that --dir <top> means the working tree.
  const std::string top = make_temp_folder();
  fs::create_directories(top + "/" + kDevice);
  const std::string folder = top + "/" + kDevice + "/repo";
  fs::rename(place.repo.path(), folder);
  const TestRepo repo = TestRepo::at(folder);
  repo.git({"worktree", "add", "--quiet", "--detach", top + "/linked/A_X100/repo", place.base});
  const std::string before = repo.snapshot();
  for (const std::string& dir : {top, top + "/linked"}) {
    for (const Args& more : {Args{}, Args{"--force"}}) {
      const Outcome outcome = TestRepo::at(dir + "/A_X100/repo")
                                  .flagscale(Args{"unpatch", "--device-type", kDevice,
                                                  "--commit-id", place.base, "--dir", dir} +
                                             more);
      CHECK_MESSAGE(outcome.status == 1, describe(outcome));
      CHECK(repo.snapshot() == before);
      CHECK_FALSE(fs::exists(folder + ".1"));
    }
  }
}

TEST_CASE("a mount is no place for an output") {
  if (geteuid() != 0) return;
  const Workplace place;
  const std::string folder = place.repo.path("build/A_X100/repo");
  fs::create_directories(folder);
  const std::string script =
      "mount -t tmpfs none \"$1\" || exit 77; git flagscale unpatch --device-type A_X100"
      " --commit-id \"$2\" --dir build; status=$?; mountpoint -q \"$1\" || exit 99; exit $status";
  const Outcome outcome = run_command(
      {"unshare", "--mount", "sh", "-c", script, "sh", folder, place.base}, place.repo.path());
  if (outcome.status == 77 || has_text(outcome.err, "unshare")) return;
  CHECK_MESSAGE(outcome.status == 128, describe(outcome));
  CHECK(fs::is_empty(folder));
  CHECK(std::distance(fs::directory_iterator(place.repo.path("build/A_X100")), {}) == 1);
}

TEST_CASE("another user's folder is left alone, and no command in it is run") {
  if (geteuid() != 0) return;
  const Workplace place;
  const Args args = {"unpatch",  "--device-type", kDevice, "--commit-id",
                     place.base, "--dir",         "build"};
  REQUIRE(place.repo.flagscale(args).ok());
  const std::string folder = place.repo.path("build/A_X100/repo");
  const TestRepo out = TestRepo::at(folder);
  const std::string canary = make_temp_folder() + "/owned";
  // An output as we make it, but for a filter that git would run to see whether there are edits.
  out.config("filter.x.clean", "touch " + canary);
  out.write(".git/info/attributes", "* filter=x\n");
  fs::remove_all(folder + "/.git/info");
  fs::create_directory(folder + "/.git/info");
  out.write(".gitattributes", "* filter=x\n");
  const std::string config = out.git({"hash-object", ".git/config"});
  out.write(".git/flagscale-output", out.read(".git/HEAD") + "config " + config + "\n");
  out.write("README.md", "# upstream\n\n");
  for (const char* name : {"", "/.git/config"}) {
    CAPTURE(name);
    REQUIRE(chown((folder + name).c_str(), 12345, 12345) == 0);
    const Outcome outcome = place.repo.flagscale(args);
    CHECK_MESSAGE(outcome.status == 1, describe(outcome));
    CHECK_MESSAGE(has_text(outcome.err, "belongs to another user"), outcome.err);
    REQUIRE(chown((folder + name).c_str(), geteuid(), getegid()) == 0);
  }
  CHECK_FALSE(fs::exists(canary));
}

}  // namespace flagscale::test
