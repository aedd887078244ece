// SPDX-License-Identifier: Apache-2.0
//
// The index file taken apart and put together: indexes that git has written come out byte for
// byte, changed ones are what git makes of the same changes, and damage does no damage.
#include "git/index_file.h"

#include <doctest/doctest.h>

#include "base/files.h"
#include "support/adaptation.h"
#include "support/test_repo.h"

namespace flagscale::test {
namespace {

using git::IndexChange;
using git::IndexEntry;
using git::IndexFile;

/// Names of all sizes modulo eight, in nested folders; with a long one.
void write_files(const TestRepo& repo) {
  std::string name;
  for (int i = 0; i < 20; ++i) {
    name += static_cast<char>('a' + i);
    repo.write(name, "text\n");
    repo.write("folder/" + std::to_string(i % 4) + "/" + name, "text\n");
  }
  const std::string part(200, 'x');
  std::string deep;
  for (int i = 0; i < 10; ++i) deep += part + "/";
  repo.write(deep + "file", "text\n");
  repo.write_executable("run", "text\n");
  repo.symlink("run", "link");
}

void check_same_bytes(const TestRepo& repo) {
  const std::string bytes = repo.read(".git/index");
  const auto index = IndexFile::parse(bytes);
  REQUIRE(index);
  CHECK(index->bytes() == bytes);
  CHECK(index->with_changes({}, {}, index->tree()) == bytes);
}

TEST_CASE("an index of git's comes out byte for byte") {
  const TestRepo repo;
  repo.config("index.threads", "1");
  write_files(repo);
  repo.git({"add", "--all"});
  check_same_bytes(repo);
  repo.git({"commit", "--quiet", "-m", "all"});
  check_same_bytes(repo);
  repo.write("folder/1/new", "text\n");
  repo.git({"add", "--intent-to-add", "folder/1/new"});
  repo.git({"update-index", "--assume-unchanged", "run"});
  check_same_bytes(repo);
  repo.git({"rm", "--cached", "-r", "--quiet", "."});
  check_same_bytes(repo);
}

TEST_CASE("parts that only help to read are left out") {
  const TestRepo repo;
  write_files(repo);
  repo.git({"add", "--all"});
  repo.git({"write-tree"});
  const std::string plain = repo.read(".git/index");
  repo.config("index.recordOffsetTable", "true");
  repo.config("index.recordEndOfIndexEntries", "true");
  repo.git({"update-index", "--force-write-index"});
  const std::string bytes = repo.read(".git/index");
  REQUIRE(bytes.find("EOIE") != std::string::npos);
  const auto index = IndexFile::parse(bytes);
  REQUIRE(index);
  CHECK(index->with_changes({}, {}, index->tree()) == plain);
}

TEST_CASE("what git has to read is not read") {
  const TestRepo repo;
  write_files(repo);
  repo.git({"add", "--all"});
  repo.git({"commit", "--quiet", "-m", "all"});
  REQUIRE(IndexFile::parse(repo.read(".git/index")));
  SUBCASE("version 4") {
    repo.git({"update-index", "--index-version=4"});
  }
  SUBCASE("split") {
    repo.git({"update-index", "--split-index"});
  }
  SUBCASE("untracked cache") {
    repo.git({"update-index", "--force-untracked-cache"});
  }
  SUBCASE("sparse checkout") {
    repo.git({"sparse-checkout", "set", "--no-cone", "folder/"});
  }
  SUBCASE("resolved conflicts") {
    repo.git({"checkout", "--quiet", "-b", "other"});
    repo.write("a", "other\n");
    repo.git({"commit", "--quiet", "-am", "other"});
    repo.git({"checkout", "--quiet", "-b", "more", "HEAD~1"});
    repo.write("a", "more\n");
    repo.git({"commit", "--quiet", "-am", "more"});
    CHECK(!repo.try_git({"merge", "--quiet", "other"}).ok());
    const auto index = IndexFile::parse(repo.read(".git/index"));
    REQUIRE(index);
    CHECK(index->find("a")->is_in_conflict());
    repo.git({"add", "a"});
  }
  CHECK(!IndexFile::parse(repo.read(".git/index")));
}

TEST_CASE("changes are those that git makes") {
  const TestRepo repo;
  repo.config("index.threads", "1");
  write_files(repo);
  repo.git({"add", "--all"});
  const auto before = IndexFile::parse(repo.read(".git/index"));
  REQUIRE(before);
  const std::string blob =
      repo.git({"hash-object", "-w", "--stdin"}, {.folder = {}, .env = {}, .input = "new\n"});
  IndexEntry entry;
  entry.id = *git::Oid::parse(blob);
  entry.status.mode = 0100644;
  const std::vector<IndexChange> changes = {{"a", std::nullopt},    {"a-new", entry},
                                            {"abc", entry},         {"folder/0/a", std::nullopt},
                                            {"folder/0/a.", entry}, {"zzz", entry}};
  std::string list;
  for (const IndexChange& change : changes) {
    list +=
        (change.entry ? "100644 " + blob : "0 " + std::string(40, '0')) + "\t" + change.path + "\n";
  }
  repo.git({"update-index", "--index-info"}, {.folder = {}, .env = {}, .input = list});
  CHECK(before->with_changes(changes, {}, std::nullopt) == repo.read(".git/index"));
}

TEST_CASE("a marked entry is looked into by git") {
  const TestRepo repo;
  write_files(repo);
  repo.git({"add", "--all"});
  const auto index = IndexFile::parse(repo.read(".git/index"));
  REQUIRE(index);
  const std::string bytes = index->with_changes({}, {0, 7}, std::nullopt);
  const auto marked = IndexFile::parse(bytes);
  REQUIRE(marked);
  for (std::size_t i = 0; i < marked->entries().size(); ++i) {
    const bool is_marked = i == 0 || i == 7;
    CHECK(marked->entries()[i].status.size == (is_marked ? 0 : index->entries()[i].status.size));
  }
}

TEST_CASE("a damaged index is none, or one that can be walked") {
  const TestRepo repo;
  repo.write("folder/inner/file", "text\n");
  repo.write("file", "text\n");
  repo.git({"add", "--all"});
  repo.git({"write-tree"});
  const std::string bytes = repo.read(".git/index");
  const auto walk = [](std::string damaged) {
    const auto index = IndexFile::parse(std::move(damaged));
    if (!index) return;
    std::size_t total = 0;
    for (const IndexEntry& entry : index->entries()) total += entry.path.size();
    total += index->with_changes({{"new", IndexEntry()}}, {}, index->tree()).size();
    CHECK(total > 0);
  };
  for (std::size_t size = 0; size < bytes.size(); ++size) walk(bytes.substr(0, size));
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const unsigned flip : {0x01U, 0x80U, 0xffU}) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(static_cast<unsigned char>(damaged[at]) ^ flip);
      walk(std::move(damaged));
    }
  }
}

}  // namespace
}  // namespace flagscale::test
