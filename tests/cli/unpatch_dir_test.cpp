// SPDX-License-Identifier: Apache-2.0
//
// `git flagscale unpatch --dir`: repositories of their own, whole or not at all, and nothing that
// stands there is lost.
#include <sys/stat.h>

#include <filesystem>

#include <doctest/doctest.h>

#include "support/adaptation.h"
#include "support/sandbox.h"

namespace flagscale::test {
namespace {

namespace fs = std::filesystem;

/// A repository with the patches of A_X100 and B_Y100, and the combination of both, in HEAD.
struct TwoDevices : Adaptation {
  std::string x100;
  std::string y100;
  std::string y100_current;

  TwoDevices() {
    patch(repo, patch_args());
    repo.git({"switch", "--quiet", "-c", "y100", base});
    y100_current = repo.commit_file("src/y100.c", "int y100;\n", "add Y100");
    patch(repo, {"patch", "--device-type", "A_X100", "B_Y100", "--base-commit-id", base});
    x100 = json_at(repo, "HEAD:" + stored("json", "A_X100")).at("commit");
    y100 = json_at(repo, "HEAD:" + stored("json", "B_Y100")).at("commit");
  }

  [[nodiscard]] Args args(const Args& devices, const Args& more) const {
    return Args{"--device-type"} + devices + Args{"--commit-id", base8(base)} + more;
  }
  /// Builds A_X100 into `build`.
  std::string build(const Args& more = {}) const {
    return unpatch(repo, args({"A_X100"}, Args{"--dir", "build"} + more)).at(0).folder;
  }
  /// Building A_X100 into `build` is refused, and leaves all as it is.
  void check_refused(const std::vector<std::string>& texts) const {
    const std::string before = repo.snapshot();
    const Outcome outcome = repo.flagscale(Args{"unpatch"} + args({"A_X100"}, {"--dir", "build"}));
    CHECK_MESSAGE(outcome.status == 1, describe(outcome));
    for (const std::string& text : texts) CHECK_MESSAGE(has_text(outcome.err, text), outcome.err);
    CHECK(repo.snapshot() == before);
  }
};

mode_t mode_of(const std::string& path) {
  struct stat info {};
  REQUIRE(stat(path.c_str(), &info) == 0);
  return info.st_mode & 0777U;
}

TEST_CASE("the output is a repository of its own") {
  const TwoDevices d;
  const std::string before = d.repo.snapshot();
  const std::string folder = d.build();
  CHECK(folder == d.repo.path("build/A_X100/repo"));
  const TestRepo out = TestRepo::at(folder);
  CHECK(out.rev("HEAD") == d.x100);
  CHECK(out.head_branch().empty());
  CHECK(out.tree_of("HEAD") == d.repo.tree_of(d.current));
  CHECK(out.git({"status", "--porcelain", "--ignored"}).empty());
  CHECK(out.git({"fsck", "--strict", "--no-dangling"}).empty());
  CHECK_FALSE(out.exists(".git/objects/info/alternates"));
  CHECK_FALSE(out.exists(".git/commondir"));
  CHECK(out.git({"remote", "get-url", "origin"}) == d.upstream.path());
  CHECK(d.repo.read("build/A_X100/.gitignore") == "*\n");
  // The source is as it was, but for the folder asked for, which git does not see.
  CHECK(d.repo.status().empty());
  d.repo.remove("build");
  CHECK(d.repo.snapshot() == before);
}

TEST_CASE("the output can be worked in, and outlives its source") {
  const TwoDevices d;
  TestRepo out = TestRepo::at(d.build({"--quiet"}));
  const std::string elsewhere = make_temp_folder() + "/kept";
  fs::rename(out.path(), elsewhere);
  fs::remove_all(d.repo.path());
  out = TestRepo::at(elsewhere);
  CHECK(out.git({"fsck", "--strict", "--no-dangling"}).empty());
  CHECK(out.status().empty());
  out.git({"fetch", "--quiet", "origin"});
  out.git({"switch", "--quiet", "-c", "own"});
  out.commit_file("own.c", "int own;\n");
  CHECK(out.git({"rev-list", "--count", d.base + "..HEAD"}) == "4");
}

TEST_CASE("a relative --dir counts from the current folder") {
  const TwoDevices d;
  const auto built = unpatch(d.repo, d.args({"A_X100"}, {"--dir", "../out/"}),
                             {.folder = "src", .env = {}, .input = {}});
  CHECK(built.at(0).folder == d.repo.path("out/A_X100/repo"));
  CHECK(TestRepo::at(d.repo.path("out/A_X100/repo")).rev("HEAD") == d.x100);
}

TEST_CASE("permission bits follow the umask") {
  const TwoDevices d;
  const std::string run =
      "umask 027; exec git flagscale unpatch --device-type A_X100"
      " --commit-id " +
      d.base + " --dir build";
  const Outcome outcome = run_command({"sh", "-c", run}, d.repo.path());
  REQUIRE_MESSAGE(outcome.ok(), describe(outcome));
  const std::string folder = d.repo.path("build/A_X100/repo");
  CHECK(mode_of(d.repo.path("build")) == 0750);
  CHECK(mode_of(d.repo.path("build/A_X100")) == 0750);
  CHECK(mode_of(folder) == 0750);
  CHECK(mode_of(folder + "/src") == 0750);
  CHECK(mode_of(folder + "/README.md") == 0640);
  CHECK(mode_of(folder + "/run.sh") == 0640);
  CHECK(mode_of(folder + "/.git") == 0750);
  CHECK(mode_of(folder + "/.git/config") == 0640);
}

TEST_CASE("an earlier output is replaced") {
  const TwoDevices d;
  const std::string folder = d.build();
  const TestRepo out = TestRepo::at(folder);
  SUBCASE("as it is") {}
  SUBCASE("with Python's caches") {
    out.write("src/__pycache__/x.pyc", "cache");
    out.write("__pycache__/y.pyc", "cache");
  }
  SUBCASE("after somebody looked at it") {
    out.git({"log", "--oneline"});
    out.git({"status"});
    out.git({"diff", "HEAD~1"});
  }
  struct stat before {};
  REQUIRE(stat(folder.c_str(), &before) == 0);
  CHECK(d.build() == folder);
  struct stat after {};
  REQUIRE(stat(folder.c_str(), &after) == 0);
  CHECK(before.st_ino != after.st_ino);
  CHECK_FALSE(out.exists("src/__pycache__"));
  CHECK(out.status().empty());
  CHECK(d.repo.git({"ls-files", "--others", "--directory", "build/A_X100"}) == "build/A_X100/");
  CHECK(std::distance(fs::directory_iterator(d.repo.path("build/A_X100")), {}) == 2);
}

TEST_CASE("anything else that stands there is refused, or set aside with --force") {
  const TwoDevices d;
  const std::string folder = d.repo.path("build/A_X100/repo");
  SUBCASE("an edit") {
    TestRepo::at(d.build()).write("README.md", "edited\n");
  }
  SUBCASE("a staged edit") {
    const TestRepo out = TestRepo::at(d.build());
    out.write("README.md", "edited\n");
    out.git({"add", "README.md"});
  }
  SUBCASE("a commit") {
    TestRepo out = TestRepo::at(d.build());
    out.commit_file("own.c", "int own;\n");
  }
  SUBCASE("a commit that HEAD has left again") {
    TestRepo out = TestRepo::at(d.build());
    out.commit_file("own.c", "int own;\n");
    out.git({"checkout", "--quiet", d.x100});
  }
  SUBCASE("a branch") {
    TestRepo::at(d.build()).git({"branch", "own"});
  }
  SUBCASE("a tag") {
    TestRepo::at(d.build()).git({"tag", "own"});
  }
  SUBCASE("a stash") {
    const TestRepo out = TestRepo::at(d.build());
    out.write("README.md", "edited\n");
    out.git({"stash", "--quiet"});
  }
  SUBCASE("another file") {
    TestRepo::at(d.build()).write("notes.txt", "mine\n");
  }
  SUBCASE("an ignored file") {
    TestRepo::at(d.build()).write("train.log", "loss\n");
  }
  SUBCASE("a removed file") {
    TestRepo::at(d.build()).remove("README.md");
  }
  SUBCASE("a changed mode") {
    TestRepo::at(d.build()).set_executable("README.md", true);
  }
  SUBCASE("a folder that is no output") {
    d.repo.write("build/A_X100/repo/thesis.txt", "mine\n");
  }
  SUBCASE("a repository that is no output") {
    fs::create_directories(d.repo.path("build/A_X100"));
    d.repo.git({"clone", "--quiet", d.upstream.path(), folder});
  }
  SUBCASE("a file") {
    d.repo.write("build/A_X100/repo", "mine\n");
  }
  SUBCASE("a symbolic link") {
    d.repo.symlink(d.upstream.path(), "build/A_X100/repo");
  }
  d.check_refused({folder, "--force"});

  const auto state = [](const std::string& path) {
    static constexpr const char* kScript =
        "cd \"$1/..\" && find \"${1##*/}\" -printf '%y %m %s %T@ %l %P\\n' | sort";
    const Outcome outcome = run_command({"sh", "-c", kScript, "-", path}, "/");
    CHECK_MESSAGE(outcome.ok(), describe(outcome));
    return outcome.out;
  };
  const std::string before = state(folder);
  d.build({"--force"});
  CHECK(state(folder + ".1") == before);
  CHECK(TestRepo::at(folder).rev("HEAD") == d.x100);
  CHECK(TestRepo::at(folder).status().empty());
  // And once more: nothing set aside earlier is overwritten.
  TestRepo::at(folder).write("notes.txt", "mine\n");
  d.build({"--force"});
  CHECK(state(folder + ".1") == before);
  CHECK(fs::exists(folder + ".2/notes.txt"));
  CHECK(TestRepo::at(folder).status().empty());
}

TEST_CASE("an empty folder may be used") {
  const TwoDevices d;
  fs::create_directories(d.repo.path("build/A_X100/repo"));
  CHECK(TestRepo::at(d.build()).rev("HEAD") == d.x100);
}

TEST_CASE("inside the git folder is no place for it") {
  const TwoDevices d;
  const Outcome outcome =
      d.repo.flagscale(Args{"unpatch"} + d.args({"A_X100"}, {"--dir", ".git/x"}));
  CHECK(outcome.status == 1);
  CHECK_FALSE(d.repo.exists(".git/x"));
}

TEST_CASE("a recorded combination, in any order and in part") {
  const TwoDevices d;
  const std::string dir = make_temp_folder() + "/out";
  const auto built = unpatch(d.repo, d.args({"B_Y100", "A_X100"}, {"--dir", dir}));
  REQUIRE(built.size() == 2);
  CHECK(built[0].device == "B_Y100");
  CHECK(TestRepo::at(dir + "/A_X100/repo").rev("HEAD") == d.x100);
  CHECK(TestRepo::at(dir + "/B_Y100/repo").rev("HEAD") == d.y100);
  CHECK(TestRepo::at(dir + "/B_Y100/repo").tree_of("HEAD") == d.repo.tree_of(d.y100_current));
}

TEST_CASE("a combination that is not recorded is refused, listing those that are") {
  TwoDevices d;
  d.repo.git({"switch", "--quiet", "--detach", "y100"});
  patch(d.repo, {"patch", "--device-type", "C_Z1", "--base-commit-id", d.base});
  const Outcome outcome =
      d.repo.flagscale(Args{"unpatch"} + d.args({"A_X100", "C_Z1"}, {"--dir", "build"}));
  CHECK(outcome.status == 1);
  CHECK(has_text(outcome.err, "A_X100 C_Z1"));
  CHECK(has_text(outcome.err, "A_X100 B_Y100"));
  CHECK_FALSE(d.repo.exists("build"));
}

/// Building two devices of which the second is damaged leaves nothing, or what was there.
void check_all_or_nothing(bool earlier, bool blob_matches) {
  const TwoDevices d;
  const Args both = d.args({"A_X100", "B_Y100"}, {"--dir", "build"});
  if (earlier) {
    unpatch(d.repo, both);
    TestRepo::at(d.repo.path("build/A_X100/repo")).write("__pycache__/x.pyc", "cache");
  }
  std::string series = d.repo.read(d.stored("patch", "B_Y100"));
  series.replace(series.find("+int y100;"), 10, "+int y101;");
  d.repo.write(d.stored("patch", "B_Y100"), series);
  if (blob_matches) {
    Json sidecar = json_at(d.repo, "HEAD:" + d.stored("json", "B_Y100"));
    sidecar["patch"]["blob"] = d.repo.git({"hash-object", d.stored("patch", "B_Y100")});
    d.repo.write(d.stored("json", "B_Y100"), format_json(sidecar));
  }
  d.repo.git({"commit", "--quiet", "--all", "-m", "damage"});
  const std::string before = d.repo.snapshot();
  const Outcome outcome = d.repo.flagscale(Args{"unpatch"} + both);
  CHECK(outcome.status == 128);
  CHECK(has_text(outcome.err, d.stored("patch", "B_Y100")));
  CHECK(d.repo.snapshot() == before);
  CHECK(d.repo.exists("build") == earlier);
}

TEST_CASE("if one of several fails, none is left half made") {
  for (const bool earlier : {false, true}) {
    for (const bool blob_matches : {false, true}) {
      CAPTURE(earlier);
      CAPTURE(blob_matches);
      check_all_or_nothing(earlier, blob_matches);
    }
  }
}

TEST_CASE("from a linked worktree, a bare repository and a subfolder's name") {
  const TwoDevices d;
  const std::string worktree = make_temp_folder() + "/linked";
  d.repo.git({"worktree", "add", "--quiet", "--detach", worktree});
  const auto built =
      unpatch(TestRepo::at(worktree), d.args({"A_X100"}, {"--dir", make_temp_folder()}));
  CHECK(built.at(0).folder.ends_with("/A_X100/linked"));
  CHECK(TestRepo::at(built.at(0).folder).git({"fsck", "--strict", "--no-dangling"}).empty());

  d.repo.git({"push", "--quiet", "origin", "HEAD:main"});
  const auto from_bare = unpatch(d.upstream, d.args({"A_X100"}, {"--dir", make_temp_folder()}));
  CHECK(TestRepo::at(from_bare.at(0).folder).rev("HEAD") == d.x100);
}

TEST_CASE("from a shallow clone") {
  const TwoDevices d;
  d.repo.git({"push", "--quiet", "origin", "HEAD:main"});
  const TestRepo shallow = TestRepo::clone_of(d.upstream, {"--depth=2", "--no-local"});
  const auto built = unpatch(shallow, d.args({"A_X100"}, {"--dir", "build"}));
  const TestRepo out = TestRepo::at(built.at(0).folder);
  CHECK(out.rev("HEAD") == d.x100);
  CHECK(out.git({"fsck", "--strict", "--no-dangling"}).empty());
}

}  // namespace
}  // namespace flagscale::test
