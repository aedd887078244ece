// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"
#include "core/apply.h"
#include "core/diff.h"
#include "support/apply_oracle.h"

using namespace flagscale;
using namespace flagscale::test;

namespace {

/// The patch part of a mail as `git mailinfo` finds it: from the first line that may start a diff.
std::string from_first_diff_line(const std::string& mail) {
  std::size_t first = mail.size();
  for (const char* const start : {"\n---\n", "\ndiff -", "\nIndex: ", "\n--- "}) {
    first = std::min(first, mail.find(start));
  }
  return mail.substr(first + 1);
}

/// A repository with one commit on another, and the mail that `git format-patch` makes of it.
struct MailRepo {
  TestRepo repo;
  std::string before;
  std::string after;

  MailRepo() {
    repo.write("f", numbered(20));
    repo.write("x", "x\n");
    repo.write("src/old", "old\n");
    before = repo.commit("base");
  }
  std::string mail(const std::string& message, const Args& options = {}) {
    repo.write("f", numbered(21));
    repo.write("src/dir/new", "new\n");
    repo.write("src/empty", "");
    repo.write("src/binary", noise(100));
    repo.set_executable("src/old", true);
    after = repo.commit(message);
    Args args{"format-patch", "--stdout", "--binary"};
    args.insert(args.end(), options.begin(), options.end());
    args.push_back(before + ".." + after);
    return ApplyOracle(repo).output(args);
  }
};

const std::string kEdit =
    "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -8,5 +8,5 @@\n line 8\n line 9\n-line 10\n+new\n"
    " line 11\n line 12\n";

const std::string kExample =
    "embeds a diff\n\nlike so:\n\n"
    "diff --git a/x b/x\nindex 587be6b..975fbec 100644\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-x\n+y\n";

}  // namespace

TEST_CASE("diffs inside a message are not applied") {
  for (const std::string& message :
       {kExample, kExample + "\nmore text\n", kExample + "---\nnot yet\n" + kExample,
        std::string("plain\n\nIndex: x\n=====\n--- x\n+++ x\n@@ -1 +1 @@\n-x\n+y\n"),
        std::string("no header\n\n---\nold text\n\n") + kExample,
        kExample + "@@ -1 +1 @@\n-x\n+y\n"}) {
    CAPTURE(message);
    MailRepo made;
    const std::string patch = from_first_diff_line(made.mail(message));
    ApplyOracle oracle(made.repo);
    const Comparison result = oracle.compare(made.before, patch);
    CAPTURE(result.own_says);
    CHECK(result.git_tree != made.repo.tree_of(made.after));
    CHECK(result.own_tree == made.repo.tree_of(made.after));
  }
}

TEST_CASE("diffs that may belong to a message are refused") {
  MailRepo made;
  const std::string mail = made.mail(kExample, {"--no-stat"});
  const std::string patch = from_first_diff_line(mail);
  ApplyOracle oracle(made.repo);
  const std::string real = patch.substr(patch.find("diff --git a/f"));
  const std::string example = patch.substr(0, patch.find("+y\n") + 3);
  const Comparison result = oracle.compare(made.before, example + "---\n" + real);
  CHECK(result.own_tree.empty());
  CHECK(result.own_says.find("message") != std::string::npos);
  CHECK(!result.git_tree.empty());
  CHECK(oracle.compare(made.before, "---\n" + real).own_tree == made.repo.tree_of(made.after));
  // Damaged examples are refused, as git refuses them.
  CHECK(
      oracle.compare(made.before, example + "@@ -1,9 +1,9 @@\n...\n---\n" + real).own_tree.empty());
}

TEST_CASE("a patch without prefixes is read as it is meant") {
  MailRepo made;
  const std::string mail = made.mail("change", {"--no-prefix"});
  ApplyOracle oracle(made.repo);
  const Comparison result = oracle.compare(made.before, patch_part(mail));
  CAPTURE(result.own_says);
  CHECK(result.own_tree == made.repo.tree_of(made.after));
  CHECK(result.git_tree.empty());
}

TEST_CASE("prefixes that cannot be made out are refused") {
  const std::string hunk = "@@ -0,0 +1 @@\n+x\n";
  const auto creates = [&](const std::string& left, const std::string& right) {
    return "diff --git " + left + " " + right + "\nnew file mode 100644\n--- /dev/null\n+++ " +
           right + "\n" + hunk;
  };
  const auto parses = [](const std::string& patch) {
    try {
      return !parse_diff(patch, 1).empty();
    } catch (const Error&) {
      return false;
    }
  };
  const auto path = [](const std::string& patch) { return parse_diff(patch, 1).back().path(); };
  CHECK(path(creates("src/x", "src/x")) == "src/x");
  CHECK(path(creates("x", "x")) == "x");
  CHECK(path(creates("c/x", "i/x")) == "x");
  CHECK(path(creates("a/a/x", "b/a/x")) == "a/x");
  CHECK(path(creates("a/b/x", "b/b/x")) == "b/x");
  CHECK(path(creates("a b", "a b")) == "a b");
  CHECK(path(creates("\"d/\\t\"", "\"d/\\t\"")) == "d/\t");
  CHECK_FALSE(parses(creates("a/x", "a/x")));
  CHECK_FALSE(parses(creates("b/x", "b/x") + creates("b/y", "b/y")));
  CHECK(path(creates("a/x", "a/x") + creates("b/y", "b/y")) == "b/y");
  CHECK(path(creates("a/x", "a/x") + creates("src/y", "src/y")) == "src/y");
  CHECK_FALSE(parses(creates("a/x", "b/x") + creates("src/y", "src/y")));
  CHECK_FALSE(parses(creates("src/y", "src/y") + creates("a/x", "b/x")));
  CHECK_FALSE(parses("--- src/x\n+++ src/x\n@@ -1 +1 @@\n-x\n+y\n"));
  CHECK_FALSE(parses("--- /dev/null\n+++ src/x\n" + hunk));
  CHECK(path("--- /dev/null\n+++ b/src/x\n" + hunk) == "src/x");
  CHECK(path(creates("a/x", "b/x") + "--- /dev/null\n+++ new/src/x\n" + hunk) == "src/x");
  CHECK(path(creates("d/x", "d/x") + "--- /dev/null\n+++ d/y\n" + hunk) == "d/y");
  const std::string moved =
      "diff --git d/x e/y\nsimilarity index 100%\nrename from d/x\nrename to e/y\n";
  CHECK(path(moved) == "e/y");
  CHECK(path("diff --git d/x e/x\nsimilarity index 100%\nrename from x\nrename to x\n") == "x");
}

TEST_CASE("where git half applies a damaged patch it is refused as a whole") {
  TestRepo repo;
  CommitBuilder builder;
  builder.add({{"f", plain(numbered(20))}, {"e", plain("")}});
  const std::string base = builder.import(repo).front();
  ApplyOracle oracle(repo);
  const std::string zeros(40, '0');
  const std::string damaged = "diff --git a/n b/n\nnew file mode 100644\nindex " + zeros + ".." +
                              std::string(40, '1') + "\nGIT binary patch\nliteral 5\nMcmZ\n\n";
  for (const std::string& patch :
       {kEdit + damaged,
        // Without anything behind them git keeps these names for the next diff.
        std::string(
            "diff --git a/f b/f\ndiff --git a/e b/e\nold mode 100644\nnew mode 100755\n")}) {
    CAPTURE(patch);
    const Comparison result = oracle.compare(base, patch);
    CHECK_FALSE(result.git_tree.empty());
    CHECK(result.own_tree.empty());
  }
}

TEST_CASE("what a working tree cannot hold is refused") {
  TestRepo repo;
  repo.write("f", "x\n");
  const std::string base = repo.commit("base");
  ApplyOracle oracle(repo);
  const auto mail = [](const std::string& path, const std::string& mode) {
    return "From: A <a@example.com>\nDate: Mon, 1 Jan 2024 00:00:00 +0000\nSubject: x\n\n---\n"
           "diff --git a/" +
           path + " b/" + path + "\nnew file mode " + mode + "\n-- \n2\n\n";
  };
  std::string deep = "d";
  while (deep.size() < 5000) deep += "/d";
  for (const std::string& text : {mail("l", "120000"), mail(deep, "100644")}) {
    CHECK_FALSE(repo.am(text, base).outcome.ok());
    CHECK(oracle.compare(base, text.substr(text.find("---\n"))).own_tree.empty());
  }
}

TEST_CASE("folders that are written anew come out as with git") {
  TestRepo repo;
  const std::string blob = repo.git({"hash-object", "-w", "--stdin"}, {{}, {}, "hello\n"});
  const auto tree = [&](const std::string& entries) {
    return repo.git({"hash-object", "-w", "-t", "tree", "--literally", "--stdin"},
                    {{}, {}, entries});
  };
  const auto entry = [](const std::string& mode, const std::string& name, const std::string& id) {
    return mode + " " + name + std::string(1, '\0') + std::string(git::Oid::parse(id)->raw_view());
  };
  const std::string old_mode = tree(entry("100664", "f", blob));
  const std::string empty = repo.git({"mktree"});
  const std::string root = tree(entry("100664", "a", blob) + entry("40000", "clean", old_mode) +
                                entry("40000", "dirty", old_mode) + entry("40000", "empty", empty));
  const std::string base = repo.git({"commit-tree", "-m", "base", root});
  const std::string patch =
      "diff --git a/dirty/g b/dirty/g\nnew file mode 100644\n--- /dev/null\n+++ b/dirty/g\n"
      "@@ -0,0 +1 @@\n+x\n";
  const Comparison result = ApplyOracle(repo).compare(base, patch);
  CHECK_FALSE(result.git_tree.empty());
  CHECK(result.own_tree == result.git_tree);
}
