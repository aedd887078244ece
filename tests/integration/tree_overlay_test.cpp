// SPDX-License-Identifier: Apache-2.0
#include "core/tree_overlay.h"

#include <string>

#include <doctest/doctest.h>

#include "git/odb.h"
#include "support/test_repo.h"

using namespace flagscale;
using git::Mode;
using git::Oid;
using test::TestRepo;

namespace {

Content text(const std::string& bytes) {
  return Content(std::string(bytes));
}

Oid tree_id(const TestRepo& repo, const std::string& revision) {
  return *Oid::parse(repo.tree_of(revision));
}

}  // namespace

TEST_CASE("the overlay makes the trees that git makes") {
  TestRepo repo;
  repo.write("a.txt", "1\n");
  repo.write("a/b/c.txt", "2\n");
  repo.write("a/b-c.txt", "3\n");
  repo.write("a-b", "4\n");
  repo.write("gone/only.txt", "5\n");
  repo.write("caf\xe9 \xe6\x97\xa5.txt", "6\n");
  repo.symlink("a/b", "link");
  repo.commit("base");
  const Oid base = tree_id(repo, "HEAD");

  repo.write("a/b/c.txt", "changed\n");
  repo.write_executable("a/b/new/deep.sh", "#!/bin/sh\n");
  repo.set_executable("a.txt", true);
  repo.remove("gone");
  repo.write("gone", "a file now\n");
  repo.remove("a-b");
  repo.write("a-b/x", "a folder now\n");
  repo.symlink("elsewhere", "link");
  repo.commit("work");

  git::Odb odb(repo.path(".git/objects"));
  TreeOverlay tree(odb, base);
  tree.put("a/b/c.txt", Mode::file, text("changed\n"));
  tree.put("a/b/new/deep.sh", Mode::executable, text("#!/bin/sh\n"));
  tree.put("a.txt", Mode::executable, tree.find("a.txt")->id);
  REQUIRE(tree.remove("gone/only.txt"));
  tree.put("gone", Mode::file, text("a file now\n"));
  REQUIRE(tree.remove("a-b"));
  tree.put("a-b/x", Mode::file, text("a folder now\n"));
  tree.put("link", Mode::symlink, text("elsewhere"));
  git::NullSink nowhere;
  CHECK(tree.flush(nowhere).hex() == repo.tree_of("HEAD"));
}

TEST_CASE("flushed objects are whole and git can read them") {
  TestRepo repo;
  repo.commit_file("a", "a\n");
  git::Odb odb(repo.path(".git/objects"));
  TreeOverlay tree(odb, tree_id(repo, "HEAD"));
  tree.put("dir/new.txt", Mode::file, text("new\n"));
  const std::string id = tree.flush(odb).hex();
  CHECK(repo.git({"ls-tree", "-r", "--name-only", id}) == "a\ndir/new.txt");
  CHECK(repo.show(id + ":dir/new.txt") == "new\n");
  CHECK(repo.git({"fsck", "--strict"}).find("error") == std::string::npos);
}

TEST_CASE("a proof stores nothing") {
  TestRepo repo;
  repo.commit_file("a", "a\n");
  const std::string before = repo.objects();
  git::Odb odb(repo.path(".git/objects"));
  TreeOverlay tree(odb, tree_id(repo, "HEAD"));
  tree.put("b", Mode::file, text("b\n"));
  git::NullSink nowhere;
  CHECK_FALSE(tree.flush(nowhere).is_null());
  CHECK(repo.objects() == before);
}
