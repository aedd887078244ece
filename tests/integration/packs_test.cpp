// SPDX-License-Identifier: Apache-2.0
//
// Packs as git makes them: our reader gives what `git cat-file` gives, object by object.
#include "git/packs.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/files.h"
#include "git/odb.h"
#include "git/pack_reader.h"
#include "support/test_repo.h"

namespace fs = std::filesystem;
using namespace flagscale;
using git::Odb;
using git::Oid;
using test::TestRepo;

namespace {

struct Object {
  std::string type;
  std::string bytes;
  friend bool operator==(const Object&, const Object&) = default;
};
using Objects = std::map<Oid, Object>;

std::string objects_dir(const TestRepo& repo) {
  return repo.path(".git/objects");
}

/// All objects, as git itself reads them.
Objects objects_by_git(const TestRepo& repo) {
  Objects objects;
  const test::Outcome all = repo.try_git({"cat-file", "--batch-all-objects", "--batch"});
  REQUIRE(all.ok());
  for (std::string_view rest = all.out; !rest.empty();) {
    const std::string head(without_lf(take_line(rest)));
    const std::size_t blank = head.rfind(' ');
    std::uint64_t size = 0;
    REQUIRE(parse_decimal(head.substr(blank + 1), size));
    objects[Oid::parse(head.substr(0, 40)).value()] = {head.substr(41, blank - 41),
                                                       std::string(rest.substr(0, size))};
    rest.remove_prefix(size + 1);
  }
  REQUIRE(objects.size() > 3);
  return objects;
}

std::optional<Object> read(git::PackReader& reader, const Oid& id) {
  const auto found = reader.read(id);
  if (!found) return std::nullopt;
  Object object;
  object.type = git::type_name(found->type);
  object.bytes = found->bytes.view();
  return object;
}

std::optional<Object> read(Odb& odb, const Oid& id) {
  const auto type = odb.find_type(id);
  if (!type) return std::nullopt;
  const auto bytes = odb.find(id, *type);
  if (!bytes) return std::nullopt;
  return Object{std::string(git::type_name(*type)), std::string(bytes->view())};
}

/// How many objects a source gives; each must be git's.
template <typename Source>
std::size_t count_right(Source& source, const Objects& objects) {
  std::size_t count = 0;
  for (const auto& [id, object] : objects) {
    const auto found = read(source, id);
    if (!found) continue;
    CHECK((*found == object));
    ++count;
  }
  return count;
}

std::unique_ptr<git::PackReader> reader_of(std::vector<std::string> folders) {
  return std::make_unique<git::PackReader>(std::make_shared<const git::Packs>(std::move(folders)));
}

/// How many objects our reader finds; whatever it does not, the object database does.
std::size_t count_packed(const TestRepo& repo) {
  const Objects objects = objects_by_git(repo);
  const auto reader = reader_of({objects_dir(repo)});
  const std::size_t count = count_right(*reader, objects);
  // Once more, with what is kept from the first time.
  CHECK(count_right(*reader, objects) == count);
  Odb odb(objects_dir(repo));
  CHECK(count_right(odb, objects) == objects.size());
  return count;
}

std::size_t count_all(const TestRepo& repo) {
  return objects_by_git(repo).size();
}

std::string noise(std::size_t size, std::uint32_t state) {
  std::string bytes;
  while (bytes.size() < size) {
    state = state * 1664525U + 1013904223U;
    bytes += static_cast<char>(state >> 24U);
  }
  return bytes;
}

/// Commits `count` versions of a few files of all kinds.
void add_history(const TestRepo& repo, int count, const std::string& branch = "main") {
  std::vector<std::string> lines;
  lines.reserve(300);
  for (int i = 0; i < 300; ++i) lines.push_back("line " + std::to_string(i * 7919) + "\n");
  const auto data = [](const std::string& bytes) {
    return "data " + std::to_string(bytes.size()) + "\n" + bytes + "\n";
  };
  std::string stream;
  for (int i = 0; i < count; ++i) {
    const std::string number = std::to_string(i);
    lines[static_cast<std::size_t>(i * 31 % 300)] = branch + " " + number + "\n";
    std::string text;
    for (const std::string& line : lines) text += line;
    stream += "commit refs/heads/" + branch + "\ncommitter A <a@a.example> " +
              std::to_string(1700000000 + i) + " +0000\n" + data("change " + number) +
              "M 100644 inline src/deep.txt\n" + data(text) + "M 100644 inline new/" + number +
              ".txt\n" + data("new in " + branch + number);
    if (i == 0) {
      stream += "M 100644 inline empty\n" + data("") + "M 120000 inline link\n" + data("src");
    }
    if (i % 10 == 0) {
      stream += "M 100644 inline data.bin\n" +
                data(noise(70000, 1) + number + noise(2000, static_cast<std::uint32_t>(i)));
    }
  }
  stream += "tag v-" + branch + "\nfrom refs/heads/" + branch +
            "\ntagger A <a@a.example> 1700000000 +0000\n" + data("a tag");
  repo.git({"-c", "fastimport.unpackLimit=1", "fast-import", "--quiet"},
           {.folder = {}, .env = {}, .input = stream});
}

/// The one file of objects/pack with an ending.
std::string packed_file(const TestRepo& repo, const std::string& ending) {
  std::string found;
  for (const std::string& name : list_folder(objects_dir(repo) + "/pack")) {
    if (!name.ends_with(ending)) continue;
    REQUIRE(found.empty());
    found = objects_dir(repo) + "/pack/" + name;
  }
  REQUIRE_FALSE(found.empty());
  return found;
}

void overwrite(const std::string& path, std::string_view bytes) {
  fs::remove(path);
  write_new_file(path, bytes);
}

}  // namespace

TEST_CASE("packs: all objects of a history") {
  const TestRepo repo;
  add_history(repo, 60);
  CHECK(count_packed(repo) == count_all(repo));
  repo.git({"repack", "-adfq", "--depth=250", "--window=250"});
  CHECK(count_packed(repo) == count_all(repo));
}

TEST_CASE("packs: deltas that name their bases, and long chains of them") {
  const TestRepo repo;
  add_history(repo, 60);
  repo.git({"-c", "repack.useDeltaBaseOffset=false", "repack", "-adfq", "--depth=50"});
  CHECK(count_packed(repo) == count_all(repo));
}

TEST_CASE("packs: some objects loose, others in several packs") {
  TestRepo repo;
  add_history(repo, 12);
  add_history(repo, 12, "other");
  repo.commit_file("loose.txt", "loose\n");
  const std::size_t packed = count_packed(repo);
  CHECK(packed < count_all(repo));
  CHECK(packed > 20);
  repo.git({"multi-pack-index", "write"});
  CHECK(count_packed(repo) == packed);
  const fs::path keep = fs::path(packed_file(repo, "multi-pack-index")).replace_filename("x.keep");
  overwrite(keep.string(), "");
  repo.git({"repack", "-adq", "--write-bitmap-index"});
  CHECK(count_packed(repo) == count_all(repo));
}

TEST_CASE("packs: those of alternates") {
  const TestRepo repo;
  add_history(repo, 12);
  const TestRepo clone = TestRepo::clone_of(repo, {"--shared", "--no-checkout"});
  const Objects objects = objects_by_git(clone);
  CHECK(count_right(*reader_of({objects_dir(clone)}), objects) == 0);
  const std::vector<std::string> both = {objects_dir(clone), objects_dir(repo)};
  CHECK(count_right(*reader_of(both), objects) == objects.size());
  Odb odb(both[0], {both[1]});
  CHECK(count_right(odb, objects) == objects.size());
}

TEST_CASE("packs: a thin pack that was fetched is completed by git") {
  const TestRepo repo;
  add_history(repo, 30);
  const TestRepo clone = TestRepo::clone_of(repo, {"--no-checkout", "--no-local"});
  repo.git({"checkout", "-q", "main"});
  repo.write("src/deep.txt", repo.read("src/deep.txt") + "one more\n");
  repo.git({"commit", "-qam", "one more"});
  clone.git({"-c", "fetch.unpackLimit=1", "fetch", "-q"});
  CHECK(count_packed(clone) == count_all(clone));
}

TEST_CASE("packs: indexes of other forms") {
  const TestRepo repo;
  add_history(repo, 12);
  const std::string pack = packed_file(repo, ".pack");
  const std::string index = packed_file(repo, ".idx");
  const auto remake = [&](const std::string& version) {
    fs::remove(index);
    repo.git({"index-pack", "--index-version=" + version, "-o", index, pack});
  };
  const std::size_t all = count_all(repo);
  SUBCASE("all offsets but the first with 64 bits") {
    remake("2,0x0c");
    CHECK(count_packed(repo) == all);
  }
  SUBCASE("some offsets with 64 bits") {
    remake("2,0x1000");
    CHECK(count_packed(repo) == all);
  }
  SUBCASE("the first version is left to libgit2") {
    remake("1");
    CHECK(count_packed(repo) == 0);
  }
}

TEST_CASE("packs: large objects are left to libgit2") {
  TestRepo repo;
  const std::size_t limit = std::size_t{64} << 20U;
  repo.write("fits", std::string(limit, 'x'));
  repo.write("large", std::string(limit + 1, 'x'));
  repo.commit("large");
  repo.git({"repack", "-adq"});
  const auto reader = reader_of({objects_dir(repo)});
  const auto fits = read(*reader, Oid::parse(repo.rev("HEAD:fits")).value());
  REQUIRE(fits);
  CHECK(fits->bytes.size() == limit);
  const Oid large = Oid::parse(repo.rev("HEAD:large")).value();
  CHECK_FALSE(read(*reader, large));
  Odb odb(objects_dir(repo));
  CHECK(odb.read(large, git::ObjectType::blob).size() == limit + 1);
}

TEST_CASE("packs: what comes and goes while they are open") {
  const TestRepo repo;
  add_history(repo, 6);
  const Objects before = objects_by_git(repo);
  Odb odb(objects_dir(repo));
  CHECK(count_right(odb, before) == before.size());
  add_history(repo, 6, "other");
  const Objects after = objects_by_git(repo);
  CHECK(count_right(odb, after) == after.size());
  repo.git({"repack", "-adfq"});
  CHECK(count_right(odb, after) == after.size());
}

TEST_CASE("packs: a pack or index that is cut") {
  const TestRepo repo;
  add_history(repo, 3);
  const Objects objects = objects_by_git(repo);
  for (const char* const ending : {".pack", ".idx"}) {
    const std::string path = packed_file(repo, ending);
    const std::string bytes = *find_file(path);
    const std::size_t step = bytes.size() / 40 + 1;
    for (std::size_t cut = 0; cut < bytes.size(); cut += step) {
      CAPTURE(cut);
      overwrite(path, std::string_view(bytes).substr(0, cut));
      CHECK(count_right(*reader_of({objects_dir(repo)}), objects) == 0);
      Odb odb(objects_dir(repo));
      // Not found or an error; it is libgit2's word that counts.
      for (const auto& [id, object] : objects) {
        try {
          CHECK_FALSE(odb.find(id, git::ObjectType::blob));
        } catch (const Error&) {
          continue;
        }
      }
    }
    overwrite(path, bytes);
  }
  CHECK(count_packed(repo) == objects.size());
}

TEST_CASE("packs: folders that cannot be read are left out") {
  const TestRepo repo;
  add_history(repo, 3);
  const Objects objects = objects_by_git(repo);
  const std::vector<std::string> folders = {repo.path("none"), repo.path(".git/HEAD"),
                                            objects_dir(repo)};
  CHECK(count_right(*reader_of(folders), objects) == objects.size());
  fs::create_directory(objects_dir(repo) + "/pack/pack-folder.idx");
  overwrite(objects_dir(repo) + "/pack/pack-empty.idx", "");
  CHECK(count_right(*reader_of(folders), objects) == objects.size());
}
