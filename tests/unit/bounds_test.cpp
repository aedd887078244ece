// SPDX-License-Identifier: Apache-2.0
//
// What a patch file may take at most, beyond what the tests of its parts say.
#include <string>

#include <doctest/doctest.h>

#include "base/error.h"
#include "core/apply.h"
#include "core/materialise.h"
#include "core/patch_file.h"
#include "core/store_files.h"
#include "support/memory_objects.h"

using namespace flagscale;

namespace {

using test::MemoryObjects;

/// A diff that makes a file with one line of so many bytes, its LF included.
std::string new_file(const std::string& name, std::size_t size) {
  return "diff --git a/" + name + " b/" + name + "\nnew file mode 100644\n--- /dev/null\n+++ b/" +
         name + "\n@@ -0,0 +1 @@\n+" + std::string(size - 1, 'x') + "\n";
}

std::string mail(const std::string& patch) {
  return "From 0 Mon Sep 17 00:00:00 2001\nFrom: A <a@example.com>\n"
         "Date: Wed, 1 Jan 2025 00:00:00 +0000\nSubject: s\n\n---\n" +
         patch + "\n";
}

/// Says that a blob is huge, and fails the test when it is read all the same.
class HugeBlob final : public git::ObjectSource {
 public:
  HugeBlob(MemoryObjects& objects, std::uint64_t size) : objects_(objects), size_(size) {}

  [[nodiscard]] std::optional<Content> find(const git::Oid& id, git::ObjectType type) override {
    if (type == git::ObjectType::blob) FAIL_CHECK("the blob was read");
    return objects_.find(id, type);
  }
  [[nodiscard]] std::optional<std::uint64_t> find_blob_size(const git::Oid&) override {
    return size_;
  }

 private:
  MemoryObjects& objects_;
  std::uint64_t size_;
};

}  // namespace

TEST_CASE("the files of one mail have an end together") {
  const std::string patch = new_file("a", 100) + new_file("b", 50);
  const auto diffs = parse_diff(patch, 1);
  const auto apply = [&](std::uint64_t most) {
    MemoryObjects objects;
    TreeOverlay tree(objects, git::Oid());
    ApplyHelp help;
    help.max_made = most;
    apply_diffs(diffs, tree, help);
  };
  CHECK_NOTHROW(apply(150));
  CHECK_THROWS_WITH_AS(apply(149),
                       "patch does not apply to 'b' (line 7 of the patch): "
                       "the changed files are too large together",
                       Error);
}

TEST_CASE("on threads the same file is the one too much") {
  std::string patch;
  for (const char* name : {"a", "b", "c", "d", "e", "f"}) patch += new_file(name, 100);
  const auto diffs = parse_diff(patch, 1);
  for (const bool on_threads : {false, true}) {
    MemoryObjects objects;
    TreeOverlay tree(objects, git::Oid());
    ApplyHelp help;
    help.max_made = 350;
    if (on_threads) help.borrow = [] { return std::make_shared<MemoryObjects>(); };
    CHECK_THROWS_WITH_AS(apply_diffs(diffs, tree, help),
                         "patch does not apply to 'd' (line 19 of the patch): "
                         "the changed files are too large together",
                         Error);
  }
}

TEST_CASE("the files of all mails have an end together, as they stand") {
  MemoryObjects objects;
  TreeOverlay tree(objects, git::Oid());
  const auto apply = [&](const std::string& patch) {
    ApplyHelp help;
    help.max_made = 100;
    apply_diffs(parse_diff(patch, 1), tree, help);
    (void)tree.flush(objects);
  };
  const std::string gone =
      "diff --git a/d/a b/d/a\ndeleted file mode 100644\n--- a/d/a\n"
      "+++ /dev/null\n@@ -1 +0,0 @@\n-" +
      std::string(59, 'x') + "\n";
  apply(new_file("d/a", 60));
  CHECK(tree.held() == 60);
  apply(gone);
  CHECK(tree.held() == 0);
  apply(new_file("d/a", 60));
  apply(new_file("b", 40));
  CHECK_THROWS_WITH_AS(apply(new_file("c", 1)),
                       doctest::Contains("the changed files are too large together"), Error);
}

TEST_CASE("of binary files that are too large together none is unpacked") {
  std::string patch;
  for (const char* name : {"a", "b"}) {
    patch += std::string("diff --git a/") + name + " b/" + name + "\nnew file mode 100644\nindex " +
             std::string(40, '0') + ".." + std::string(40, '1') +
             "\nGIT binary patch\nliteral 100\nD|NsC0\n\n";
  }
  const auto diffs = parse_diff(patch, 1);
  MemoryObjects objects;
  TreeOverlay tree(objects, git::Oid());
  ApplyHelp help;
  help.max_made = 199;
  CHECK_THROWS_WITH_AS(apply_diffs(diffs, tree, help),
                       "patch does not apply to 'b' (line 8 of the patch): "
                       "the changed files are too large together",
                       Error);
}

TEST_CASE("the objects of one patch file have an end together") {
  MemoryObjects objects;
  const git::Oid tree = objects.add(git::ObjectType::tree, "");
  git::Commit commit;
  commit.tree = tree;
  commit.author = commit.committer = {"A", "a@example.com", 0, "+0000"};
  const git::Oid base = objects.add(git::ObjectType::commit, git::format_commit(commit));
  const Content patch(mail(new_file("a", 100)) + mail(new_file("b", 100)));
  git::NullSink nowhere;
  const auto make = [&](std::uint64_t most) {
    MaterialiseHelp help;
    help.max_made = most;
    return materialise(objects, base, patch, "p", nowhere, help).commits.size();
  };
  CHECK(make(10000) == 2);
  CHECK_THROWS_WITH_AS(make(300), "p: its commits are too large all together", Error);
}

TEST_CASE("a file of the store that is too large is not read") {
  MemoryObjects objects;
  TreeOverlay tree(objects, git::Oid());
  tree.put("s/p", git::Mode::file, Content(std::string("x")));
  const git::Oid root = tree.flush(objects);
  HugeBlob huge(objects, kMaxPatchFile + 1);
  CHECK_THROWS_WITH_AS((void)TreeFiles(huge, root).find("s/p"), "s/p: larger than 1023 MiB", Error);
}
