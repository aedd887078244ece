// SPDX-License-Identifier: Apache-2.0
#include "core/series_proof.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/tree_overlay.h"
#include "support/memory_objects.h"

using namespace flagscale;
using git::Mode;
using test::MemoryObjects;

namespace {

/// A series of two steps, each of which edits a file, and the mails that say so.
struct Fixture {
  MemoryObjects objects;
  git::Oid base_tree;
  git::Oid base;
  std::vector<SeriesStep> steps;
  std::vector<std::string> mails;

  Fixture() {
    const git::Oid first = tree("one\n", "old\n");
    const git::Oid second = tree("two\n", "old\n");
    const git::Oid third = tree("three\n", "new\n");
    base_tree = first;
    base = git::hash_object(git::ObjectType::commit, "any");
    steps = {step(first, second), step(second, third)};
    mails = {mail("first", "one", "two") + "\n", mail("second", "two", "three")};
  }

  /// A file, and a store in which `stored` stands.
  git::Oid tree(const std::string& text, const std::string& stored) {
    TreeOverlay overlay(objects, git::Oid());
    overlay.put("f", Mode::file, Content(std::string(text)));
    overlay.put("hardwares/note", Mode::file, Content(std::string(stored)));
    return overlay.flush(objects);
  }

  static SeriesStep step(const git::Oid& before, const git::Oid& after) {
    return {git::Oid(), {"A", "a@a.example", 1700000000, "+0000"}, "m\n", before, after};
  }

  static std::string mail(const std::string& subject, const std::string& before,
                          const std::string& after) {
    return "From 1111111111111111111111111111111111111111 Mon Sep 17 00:00:00 2001\n"
           "From: A <a@a.example>\nDate: Tue, 14 Nov 2023 22:13:20 +0000\nSubject: " +
           subject + "\n\n---\n\ndiff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-" + before +
           "\n+" + after + "\n-- \n1\n";
  }

  std::optional<Materialised> prove(const std::vector<std::size_t>& order) {
    SeriesProof proof(objects, steps, base_tree, "hardwares");
    for (const std::size_t i : order) {
      proof.check(i, {Content(std::string(mails[i])), objects, {}});
    }
    return proof.finish(base, Content(file.empty() ? mails[0] + mails[1] : std::string(file)),
                        max_held);
  }

  /// "two\n" and "three\n".
  std::uint64_t max_held = 10;

  std::string file;
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "a series proved mail by mail gives what the whole file gives") {
  const git::Oid commit = objects.add(
      git::ObjectType::commit,
      "tree " + base_tree.hex() + "\nauthor A <a> 1 +0000\ncommitter A <a> 1 +0000\n\nbase\n");
  base = commit;
  const auto proved = prove({1, 0});
  REQUIRE(proved);
  git::NullSink nowhere;
  const Materialised whole =
      materialise(objects, commit, Content(mails[0] + mails[1]), "p", nowhere);
  CHECK(proved->commits == whole.commits);
  CHECK(proved->tree == whole.tree);
  CHECK(proved->counts == whole.counts);
  // The store stays as the base has it.
  CHECK(proved->tree == tree("three\n", "old\n"));
}

TEST_CASE_FIXTURE(Fixture, "nothing is proved by mails that give something else") {
  SUBCASE("a mail that was never shown") {
    CHECK_FALSE(prove({0}));
  }
  SUBCASE("a mail that gives another tree") {
    mails[1] = mail("second", "two", "four");
    CHECK_FALSE(prove({0, 1}));
  }
  SUBCASE("a mail that does not apply") {
    mails[0] = mail("first", "zero", "two") + "\n";
    CHECK_FALSE(prove({0, 1}));
  }
  SUBCASE("a mail that cannot be read") {
    file = mails[0] + mails[1];
    mails[0] = "no mail\n";
    CHECK_FALSE(prove({0, 1}));
  }
  SUBCASE("two mails for one step") {
    mails[0] += mails[1];
    file = mails[0];
    CHECK_FALSE(prove({0, 1}));
  }
  SUBCASE("a file with other bytes") {
    file = mails[0] + mail("sekond", "two", "three");
    CHECK_FALSE(prove({0, 1}));
  }
  SUBCASE("a file with fewer mails") {
    file = mails[0];
    CHECK_FALSE(prove({0, 1}));
  }
  SUBCASE("a file in another order") {
    file = mails[1] + mails[0];
    CHECK_FALSE(prove({0, 1}));
  }
  SUBCASE("steps that do not follow each other") {
    steps[1].before = steps[0].before;
    mails[1] = mail("second", "one", "three");
    CHECK_FALSE(prove({0, 1}));
  }
  SUBCASE("more than a patch file may change") {
    max_held = 9;
    CHECK_FALSE(prove({0, 1}));
  }
  SUBCASE("a base that is not where the first step starts") {
    base_tree = tree("else\n", "old\n");
    CHECK_FALSE(prove({0, 1}));
  }
}
