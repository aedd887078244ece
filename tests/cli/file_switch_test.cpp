// SPDX-License-Identifier: Apache-2.0
//
// Files and index moved by ourselves: what comes out is what git's own `read-tree -m -u` makes of
// the same two trees, down to the index's cache of trees; what stands in the way is noticed, at
// the last moment too; and wherever git would do more, git does it.
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <random>

#include <doctest/doctest.h>

#include "base/files.h"
#include "git/index_file.h"
#include "support/adaptation.h"
#include "support/sandbox.h"
#include "support/situation.h"

namespace flagscale::test {
namespace {

/// Every file and folder of the working tree.
std::string listing(const TestRepo& repo) {
  const Outcome found = run_command(
      {"find", ".", "-path", "./.git", "-prune", "-o", "-printf", "%P %y %m %l\\n"}, repo.path());
  std::vector<std::string> lines = lines_of(found.out);
  std::sort(lines.begin(), lines.end());
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

/// What the index knows of trees.
std::string cached_trees(const TestRepo& repo) {
  const auto index = git::IndexFile::parse(repo.read(".git/index"));
  REQUIRE(index);
  return index->tree() ? index->tree()->format() : "";
}

/// Git notes which programs it starts.
class Traced {
 public:
  Outcome run(const TestRepo& repo, const Args& words, Environment env = {}) {
    const std::string log = make_temp_folder() + "/trace";
    env["GIT_TRACE2_EVENT"] = log;
    Outcome outcome = repo.flagscale(words, {.folder = {}, .env = env, .input = {}});
    log_ = find_file(log).value_or("");
    return outcome;
  }
  /// Whether git had a part in writing files.
  [[nodiscard]] bool by_git() const {
    return has_text(log_, "\"read-tree\"") || has_text(log_, "\"checkout\"");
  }

 private:
  std::string log_;
};

/// Writes random files, some of them under names that others use as folders.
void write_random_tree(const TestRepo& repo, std::mt19937& random, bool files_become_folders) {
  static const std::array<const char*, 25> kPaths{
      "a",     "a/b",   "a/b/c",     "a.b",       "a-b/x",       "d/e/f/g", "d/e/f/h",
      "d/e.f", "d/i",   "k l/m n",   "\xc3\xbc",  "\xff/\xfe",   "o/p/q",   "o/p/r",
      "o/s",   "o/p.q", "two/one/x", "two/two/x", "two/two/y/z", "z/\"q\"", "z/tab\there",
      "zz/1",  "zz/2",  "zz/3/4",    "file"};
  for (const std::string path :
       {"a", "a.b", "a-b", "d", "k l", "\xc3\xbc", "\xff", "o", "two", "z", "zz", "file"}) {
    if (repo.exists(path)) repo.remove(path);
  }
  const auto below = [&](unsigned limit) { return random() % limit; };
  for (const char* path : kPaths) {
    const std::string name = path;
    if (below(3) == 0 || (!files_become_folders && (name == "a" || name == "a/b"))) continue;
    // Whatever came first, file or folder, stays.
    if (repo.exists(name)) continue;
    bool is_blocked = false;
    for (std::size_t slash = name.find('/'); slash != std::string::npos;
         slash = name.find('/', slash + 1)) {
      struct stat status {};
      is_blocked = is_blocked || (lstat(repo.path(name.substr(0, slash)).c_str(), &status) == 0 &&
                                  !S_ISDIR(status.st_mode));
    }
    if (is_blocked) continue;
    const std::string text = "text " + std::to_string(below(3)) + "\n";
    switch (below(5)) {
      case 0:
        repo.write_executable(name, text);
        break;
      case 1:
        repo.write(name, "");
        repo.remove(name);
        repo.symlink("target " + std::to_string(below(2)), name);
        break;
      default:
        repo.write(name, text);
    }
  }
  if (repo.git({"ls-files", "--others"}).empty()) repo.write("file", "something\n");
}

/// A published adaptation, and a clone that is somewhere else altogether.
struct RandomSwitch {
  TestRepo source;
  std::string base;
  std::string adapted;
  std::string published;
  std::string elsewhere;

  explicit RandomSwitch(unsigned seed) {
    std::mt19937 random(seed);
    const auto commit = [&](const char* message) {
      write_random_tree(source, random, seed % 2 == 0);
      return source.commit(message);
    };
    base = commit("base");
    const std::string work = commit("work");
    published =
        patch(source, {"patch", "--device-type", "R_X1", "--base-commit-id", base, "--no-switch"})
            .commit;
    elsewhere = commit("elsewhere");
    source.git({"branch", "--quiet", "published", published});
  }
  [[nodiscard]] TestRepo clone() const {
    TestRepo repo = TestRepo::clone_of(source);
    repo.git({"checkout", "--quiet", "--detach", elsewhere});
    return repo;
  }
  [[nodiscard]] Args words() const {
    return {"unpatch", "--device-type", "R_X1", "--commit-id", base, "--from", published};
  }
};

TEST_CASE("a file switch leaves what git read-tree leaves") {
  int by_us = 0;
  for (unsigned seed = 1; seed <= 24; ++seed) {
    CAPTURE(seed);
    const RandomSwitch s(seed);
    const TestRepo ours = s.clone();
    const TestRepo theirs = s.clone();
    for (const TestRepo* repo : {&ours, &theirs}) {
      repo->write("untracked/file", "mine\n");
      repo->write("own", "staged\n");
      if (seed % 3 == 0) repo->git({"add", "own"});
      if (seed % 4 == 0) repo->git({"add", "--intent-to-add", "untracked"});
    }
    Traced trace;
    const Outcome outcome = trace.run(ours, s.words());
    REQUIRE_MESSAGE(outcome.ok(), describe(outcome));
    // A file in the place of a folder, or the other way round, is left to git.
    if (!trace.by_git()) ++by_us;
    const std::string adapted = ours.rev("HEAD");
    theirs.git({"fetch", "--quiet", ours.path(), "HEAD"});
    theirs.git({"read-tree", "-m", "-u", "HEAD", adapted});
    theirs.git({"update-ref", "--no-deref", "HEAD", adapted});
    CHECK(listing(ours) == listing(theirs));
    CHECK(ours.git({"ls-files", "--stage", "-v"}) == theirs.git({"ls-files", "--stage", "-v"}));
    CHECK(ours.status() == theirs.status());
    CHECK(ours.git({"diff-files", "--name-status"}) == theirs.git({"diff-files", "--name-status"}));
    ours.git({"fsck", "--strict"});
    if (seed % 3 != 0 && seed % 4 != 0) {
      CHECK(cached_trees(ours) == cached_trees(theirs));
      CHECK(ours.git({"write-tree"}) == ours.tree_of("HEAD"));
    }
    // The index's trees are right for the next commit, too.
    ours.git({"add", "--all"});
    const std::string with_cache = ours.git({"write-tree"});
    ours.remove(".git/index");
    ours.git({"add", "--all"});
    CHECK(with_cache == ours.git({"write-tree"}));
  }
  CHECK(by_us >= 12);
}

TEST_CASE("a file that was edited into what comes is in nobody's way") {
  const Adaptation a;
  const Patched published = patch(a.repo, a.patch_args() + Args{"--no-switch"});
  a.repo.git({"checkout", "--quiet", "--detach", a.base});
  // As a switch that was killed leaves it: some files new, some gone, the index as before.
  const std::vector<std::string> changed =
      lines_of(a.repo.git({"diff", "--name-only", "--no-renames", a.base, a.current}));
  REQUIRE(changed.size() > 2);
  for (std::size_t i = 0; i < changed.size(); i += 2) {
    if (a.repo.has(a.current + ":" + changed[i])) {
      const Environment index{{"GIT_INDEX_FILE", a.repo.path(".git/other-index")}};
      const RunOptions options{.folder = {}, .env = index, .input = {}};
      a.repo.git({"read-tree", a.current}, options);
      a.repo.git({"checkout-index", "--force", "--", changed[i]}, options);
    } else {
      a.repo.remove(changed[i]);
    }
  }
  Traced trace;
  const Outcome outcome =
      trace.run(a.repo, {"unpatch", "--device-type", "A_X100", "--commit-id", a.base});
  CHECK_MESSAGE(outcome.ok(), describe(outcome));
  CHECK(!trace.by_git());
  CHECK(a.repo.status().empty());
  CHECK(a.repo.tree_of("HEAD") == a.repo.tree_of(a.current));
}

TEST_CASE("an edit in the second of the index stays seen") {
  const Adaptation a;
  // The same size and, as far as git looks, the same times.
  const std::string before = a.repo.read("README.md");
  std::string after = before;
  after.front() = after.front() == 'x' ? 'y' : 'x';
  bool is_seen_again = false;
  for (int attempt = 0; attempt < 20 && !is_seen_again; ++attempt) {
    a.repo.write("README.md", before);
    a.repo.git({"add", "README.md"});
    a.repo.write("README.md", after);
    const auto file = find_status(a.repo.path("README.md"));
    const auto index = find_status(a.repo.path(".git/index"));
    REQUIRE(file);
    REQUIRE(index);
    is_seen_again = file->st_mtim.tv_sec == index->st_mtim.tv_sec;
  }
  REQUIRE(is_seen_again);
  Traced trace;
  const Outcome outcome = trace.run(a.repo, a.patch_args());
  REQUIRE_MESSAGE(outcome.ok(), describe(outcome));
  CHECK(!trace.by_git());
  CHECK(a.repo.status() == " M README.md");
}

TEST_CASE("an edit that is made while we work is noticed") {
  const Adaptation a;
  const std::string victim =
      lines_of(a.repo.git({"diff", "--name-only", "--diff-filter=M", a.base, a.current})).front();
  std::string edit;
  SUBCASE("to a file that changes") {
    edit = "echo mine >>" + victim;
  }
  SUBCASE("a new file where one comes") {
    edit = "mkdir -p " + dir_name(a.stored("patch")) + " && echo mine >" + a.stored("patch");
  }
  SUBCASE("to the index") {
    edit = "echo mine >staged && git add staged && echo mine >>" + victim;
  }
  CAPTURE(edit);
  run_while_signing(a.repo, edit);
  const std::string head = a.repo.rev("HEAD");
  const Outcome outcome = a.repo.flagscale(a.patch_args());
  CHECK_MESSAGE(outcome.status == 1, describe(outcome));
  CHECK(a.repo.rev("HEAD") == head);
  CHECK(!a.repo.has(a.branch()));
  CHECK(has_text(a.repo.read(has_text(edit, "mkdir") ? a.stored("patch") : victim), "mine"));
  CHECK(a.repo.status().find(" D") == std::string::npos);
  for (const std::string& name : list_folder(a.repo.path(".git"))) {
    CHECK(!name.starts_with("flagscale-"));
    CHECK(!name.ends_with(".lock"));
  }
}

TEST_CASE("of many files that were moved each comes back") {
  TestRepo repo;
  const auto name = [](int folder, const char* file) {
    return "d" + std::to_string(folder) + "/e/" + file;
  };
  static constexpr int kFolders = 60;
  const auto write_all = [&](const std::string& text) {
    for (int i = 0; i < kFolders; ++i) {
      for (const char* file : {"one", "two", "three"}) repo.write(name(i, file), text + file);
    }
  };
  write_all("before ");
  for (int i = 0; i < kFolders; ++i) repo.write(name(i, "gone/x"), "x\n");
  const std::string base = repo.commit("base");
  write_all("after ");
  for (int i = 0; i < kFolders; ++i) {
    repo.remove(name(i, "gone"));
    repo.write(name(i, "new/x"), "x\n");
  }
  repo.commit("work");
  std::string victim;
  SUBCASE("the first is in the way") {
    victim = name(0, "one");
  }
  SUBCASE("one in the middle is in the way") {
    victim = name(33, "two");
  }
  SUBCASE("the last is in the way") {
    victim = name(9, "two");
  }
  SUBCASE("a new file is in the way") {
    victim = name(57, "gone/x");
  }
  run_while_signing(repo, "mkdir -p " + dir_name(victim) + " && echo mine >>" + victim);
  const Outcome outcome =
      repo.flagscale({"patch", "--device-type", "A_X100", "--base-commit-id", base});
  CHECK_MESSAGE(outcome.status == 1, describe(outcome));
  CHECK(has_text(repo.read(victim), "mine"));
  const bool is_new = has_text(victim, "gone");
  CHECK(repo.status() == (is_new ? "?? " + dir_name(victim) + "/" : " M " + victim));
  // Without a look at the files' contents, too.
  CHECK(repo.git({"diff-files", "--name-only"}) == (is_new ? "" : victim));
  repo.remove(is_new ? dir_name(victim) : victim);
  repo.git({"checkout", "--quiet", "HEAD", "--", "."});
  CHECK(!has_text(listing(repo), "gone"));
  for (int i = 0; i < kFolders; ++i) CHECK(repo.read(name(i, "new/x")) == "x\n");
}

TEST_CASE("git writes the files where it would do more") {
  Adaptation a;
  Traced trace;
  bool by_git = true;
  Environment env;
  SUBCASE("as it is") {
    by_git = false;
  }
  SUBCASE("attributes in the tree") {
    a.repo.commit_file(".gitattributes", "*.none text\n");
  }
  SUBCASE("attributes that are not tracked") {
    a.repo.write("src/.gitattributes", "*.none text\n");
  }
  SUBCASE("attributes of the repository") {
    make_folder(a.repo.path(".git/info"));
    a.repo.write(".git/info/attributes", "*.none text\n");
  }
  SUBCASE("line ends") {
    a.repo.config("core.autocrlf", "true");
  }
  SUBCASE("a split index") {
    a.repo.git({"update-index", "--split-index"});
  }
  SUBCASE("an untracked cache") {
    a.repo.git({"update-index", "--untracked-cache"});
  }
  SUBCASE("an index of version 4") {
    a.repo.git({"update-index", "--index-version=4"});
  }
  SUBCASE("a hook") {
    a.repo.write_executable(".git/hooks/post-index-change", "#!/bin/sh\n");
  }
  SUBCASE("a group that folders hand down") {
    chmod(a.repo.path("src").c_str(), 02755);
  }
  SUBCASE("a shared repository") {
    a.repo.config("core.sharedRepository", "group");
  }
  SUBCASE("times that do not count") {
    a.repo.config("core.checkStat", "minimal");
  }
  REQUIRE(a.repo.exists("src"));
  const Outcome outcome =
      trace.run(a.repo, {"patch", "--device-type", "A_X100", "--base-commit-id", a.base});
  CHECK_MESSAGE(outcome.ok(), describe(outcome));
  CHECK(trace.by_git() == by_git);
  CHECK(a.repo.git({"diff", "HEAD", "--stat"}).empty());
}

TEST_CASE("the folder we stand in stays, as with git") {
  TestRepo repo;
  repo.commit_file("file", "text\n");
  const std::string base = repo.rev("HEAD");
  repo.commit_file("deep/er/file", "text\n");
  const Outcome outcome =
      repo.flagscale({"patch", "--device-type", "A_X100", "--base-commit-id", base},
                     {.folder = "deep/er", .env = {}, .input = {}});
  CHECK_MESSAGE(outcome.ok(), describe(outcome));
  CHECK(repo.exists("deep/er"));
  CHECK(!repo.exists("deep/er/file"));
  CHECK(repo.status().empty());
}

TEST_CASE("folders that hold nothing but emptied folders go") {
  TestRepo repo;
  repo.commit_file("file", "text\n");
  const std::string base = repo.rev("HEAD");
  for (const char* name : {"top/a/1/x", "top/a/2/x", "top/b/1/x", "top/b/1/2/x"}) {
    repo.write(name, "text\n");
  }
  repo.commit("work");
  const Outcome outcome =
      repo.flagscale({"patch", "--device-type", "A_X100", "--base-commit-id", base});
  CHECK_MESSAGE(outcome.ok(), describe(outcome));
  CHECK(!repo.exists("top"));
}

TEST_CASE("what a killed switch has left is cleaned up by the next") {
  const Adaptation a;
  int status = 0;
  SUBCASE("by our own") {}
  SUBCASE("where git has to judge") {
    a.repo.write("run.sh", "an edit\n");
    status = 1;
  }
  make_folder(a.repo.path(".git/flagscale-Ab12Cd"));
  a.repo.write(".git/flagscale-Ab12Cd/n0", "left over\n");
  const Outcome outcome = a.repo.flagscale(a.patch_args());
  CHECK_MESSAGE(outcome.status == status, describe(outcome));
  CHECK(!a.repo.exists(".git/flagscale-Ab12Cd"));
}

TEST_CASE("conflicts in the index are refused, wherever they are") {
  const Adaptation a;
  std::string path;
  SUBCASE("where nothing changes") {
    path = "README.md";
  }
  SUBCASE("where a file comes") {
    path = a.stored("patch");
  }
  SUBCASE("where a file changes") {
    path = "run.sh";
  }
  const std::string blob = a.repo.rev("HEAD:README.md");
  std::string entries = "0 " + std::string(40, '0') + "\t" + path + "\n";
  for (const char* stage : {"1", "2", "3"}) {
    entries += "100644 " + blob + " " + stage + "\t" + path + "\n";
  }
  a.repo.git({"update-index", "--index-info"}, {.folder = {}, .env = {}, .input = entries});
  const std::string before = a.repo.snapshot();
  const Outcome outcome = a.repo.flagscale(a.patch_args());
  CHECK_MESSAGE(outcome.status == 1, describe(outcome));
  CHECK(has_text(outcome.err, "conflicts that are not resolved:\n  " + path + "\nhint: "));
  CHECK(a.repo.snapshot() == before);
}

TEST_CASE("a locked branch is told in few words") {
  const Adaptation a;
  const std::string lock = ".git/refs/heads/" + a.branch() + ".lock";
  make_folders(dir_name(a.repo.path(lock)));
  a.repo.write(lock, "");
  const std::string before = a.repo.snapshot();
  const Outcome outcome = a.repo.flagscale(a.patch_args());
  CHECK_MESSAGE(outcome.status == 1, describe(outcome));
  CHECK(lines_of(outcome.err).size() <= 3);
  CHECK(has_text(outcome.err, "hint: another git process is at work here, or one has crashed\n"));
  CHECK(a.repo.snapshot() == before);
}

}  // namespace
}  // namespace flagscale::test
