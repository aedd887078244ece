// SPDX-License-Identifier: Apache-2.0
#include "git/loose_writer.h"

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"
#include "base/files.h"
#include "base/parallel.h"
#include "git/odb.h"
#include "support/test_repo.h"

namespace fs = std::filesystem;
using namespace flagscale;
using git::ObjectType;
using git::Oid;
using test::TestRepo;

namespace {

std::string objects_dir(const TestRepo& repo) {
  return repo.path(".git/objects");
}

std::string path_of(const TestRepo& repo, const Oid& id) {
  return objects_dir(repo) + "/" + id.hex().substr(0, 2) + "/" + id.hex().substr(2);
}

Oid put(const TestRepo& repo, const std::string& bytes, ObjectType type = ObjectType::blob) {
  const Oid id = git::hash_object(type, bytes);
  git::Odb odb(objects_dir(repo));
  odb.put(id, type, Content(std::string(bytes)));
  return id;
}

/// Files that nobody but git prune would take away.
std::size_t count_temporary(const TestRepo& repo) {
  std::size_t count = 0;
  for (const auto& entry : fs::recursive_directory_iterator(objects_dir(repo))) {
    if (entry.path().filename().string().starts_with("tmp_")) ++count;
  }
  return count;
}

bool is_sound(const TestRepo& repo) {
  const test::Outcome checked = repo.try_git({"fsck", "--strict", "--no-dangling"});
  return checked.ok() && checked.err.find("error") == std::string::npos &&
         checked.err.find("bad") == std::string::npos;
}

mode_t mode_of(const std::string& path) {
  return find_status(path)->st_mode & 07777U;
}

struct Mask {
  explicit Mask(mode_t mask) : before(umask(mask)) {}
  Mask(const Mask&) = delete;
  Mask& operator=(const Mask&) = delete;
  ~Mask() { umask(before); }
  mode_t before;
};

}  // namespace

TEST_CASE("loose objects are as git reads them") {
  const TestRepo repo;
  std::string large;
  for (std::uint32_t i = 0; large.size() <= git::LooseWriter::kMaxSize; ++i) {
    large += std::to_string(i * i);
  }
  const std::string most = large.substr(0, git::LooseWriter::kMaxSize);
  for (const std::string& bytes : {std::string(), std::string("text\n"), std::string(5, '\0'),
                                   std::string(200000, 'x'), most, most + "x"}) {
    const Oid id = put(repo, bytes);
    CHECK(repo.try_git({"cat-file", "blob", id.hex()}).out == bytes);
    CHECK(mode_of(path_of(repo, id)) == mode_of(path_of(repo, put(repo, "text\n"))));
  }
  const Oid tree = put(repo, "", ObjectType::tree);
  CHECK(repo.git({"cat-file", "-t", tree.hex()}) == "tree");
  const Oid commit = put(repo,
                         "tree " + tree.hex() +
                             "\nauthor A <a@a.example> 1700000000 +0000\n"
                             "committer A <a@a.example> 1700000000 +0000\n\nsubject\n",
                         ObjectType::commit);
  CHECK(repo.git({"log", "-1", "--format=%s", commit.hex()}) == "subject");
  CHECK(is_sound(repo));
  CHECK(count_temporary(repo) == 0);
}

TEST_CASE("an object that is there stays as it is") {
  TestRepo repo;
  repo.commit_file("a.txt", "a\n");
  const Oid id = Oid::parse(repo.rev("HEAD:a.txt")).value();
  const std::string path = path_of(repo, id);
  const std::string before = *find_file(path);
  const auto inode = find_status(path)->st_ino;
  CHECK(put(repo, "a\n") == id);
  // Past the first look, as when another process is quicker.
  git::LooseWriter(objects_dir(repo)).write(id, ObjectType::blob, "a\n");
  CHECK(find_status(path)->st_ino == inode);
  CHECK(*find_file(path) == before);
  CHECK(count_temporary(repo) == 0);
  repo.git({"repack", "-adq"});
  REQUIRE_FALSE(find_status(path));
  put(repo, "a\n");
  CHECK_FALSE(find_status(path));
}

TEST_CASE("loose objects and their folders have the permissions that git gives them") {
  for (const mode_t mask : {0022U, 0077U, 0002U, 0000U}) {
    const Mask set(mask);
    const TestRepo repo;
    const std::string by_git = path_of(
        repo, Oid::parse(repo.git({"hash-object", "-w", "--stdin"}, {{}, {}, "git\n"})).value());
    const std::string by_us = path_of(repo, put(repo, "ours\n"));
    CHECK(mode_of(by_us) == mode_of(by_git));
    CHECK(mode_of(dir_name(by_us)) == mode_of(dir_name(by_git)));
  }
}

TEST_CASE("what cannot be written is told with its name and leaves nothing behind") {
  const TestRepo repo;
  const Oid id = git::hash_object(ObjectType::blob, "x");
  const std::string folder = dir_name(path_of(repo, id));
  const auto said = [&] {
    try {
      put(repo, "x");
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::io);
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  write_new_file(folder, "a file is in the way");
  CHECK(said() == "cannot make '" + path_of(repo, id) + "': Not a directory");
  fs::remove(folder);
  // A folder at the object's place counts as the object, as it does for libgit2: nothing is asked.
  fs::rename(objects_dir(repo), repo.path("gone"));
  CHECK_THROWS_AS(git::LooseWriter(objects_dir(repo)).write(id, ObjectType::blob, "x"), Error);
  fs::rename(repo.path("gone"), objects_dir(repo));
  put(repo, "x");
  CHECK(count_temporary(repo) == 0);
}

TEST_CASE("many threads may write the same objects") {
  const TestRepo repo;
  std::vector<std::string> contents;
  contents.reserve(200);
  for (int i = 0; i < 200; ++i) contents.push_back("content " + std::to_string(i / 4));
  parallel_for(
      contents.size(), [&] { return std::make_unique<git::LooseWriter>(objects_dir(repo)); },
      [&](auto& writer, std::size_t i) {
        writer->write(git::hash_object(ObjectType::blob, contents[i]), ObjectType::blob,
                      contents[i]);
      });
  CHECK(is_sound(repo));
  CHECK(count_temporary(repo) == 0);
  for (const std::string& bytes : contents) {
    CHECK(find_status(path_of(repo, git::hash_object(ObjectType::blob, bytes))));
  }
}
