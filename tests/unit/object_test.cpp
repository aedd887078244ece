// SPDX-License-Identifier: Apache-2.0
#include "git/object.h"

#include <algorithm>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"

using namespace flagscale::git;
using namespace std::string_literals;
using flagscale::Error;

namespace {

const std::string kTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

std::string entry(const std::string& mode, const std::string& name) {
  return mode + " " + name + "\0"s + std::string(20, '\x11');
}

}  // namespace

TEST_CASE("objects are hashed as git hashes them") {
  CHECK(hash_object(ObjectType::blob, "").hex() == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
  CHECK(hash_object(ObjectType::blob, std::string_view()).hex() ==
        "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
  CHECK(hash_object(ObjectType::blob, "hello\n").hex() ==
        "ce013625030ba8dba906f756967f9e9ca394464a");
  CHECK(hash_object(ObjectType::tree, "").hex() == kTree);
  CHECK(type_name(ObjectType::commit) == "commit");
  CHECK(type_name(ObjectType::tag) == "tag");
}

TEST_CASE("modes are brought to the five that git knows") {
  CHECK(canonical_mode(0100664) == Mode::file);
  CHECK(canonical_mode(0100600) == Mode::file);
  CHECK(canonical_mode(0100777) == Mode::executable);
  CHECK(canonical_mode(0100744) == Mode::executable);
  CHECK(canonical_mode(0120777) == Mode::symlink);
  CHECK(canonical_mode(0040755) == Mode::tree);
  CHECK(canonical_mode(0160000) == Mode::gitlink);
  CHECK_FALSE(canonical_mode(0).has_value());
  CHECK_FALSE(canonical_mode(0010644).has_value());
  CHECK(format_mode(Mode::file) == "100644");
  CHECK(format_mode(Mode::tree) == "040000");
  CHECK(is_regular(Mode::executable));
  CHECK_FALSE(is_regular(Mode::symlink));
}

TEST_CASE("a tree's entries are read as they stand") {
  const std::string bytes = entry("100664", "a b") + entry("40000", "dir");
  const std::vector<TreeEntry> entries = parse_tree(bytes);
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].name == "a b");
  CHECK(entries[0].mode_bits == 0100664);
  CHECK(entries[1].name == "dir");
  CHECK(entries[1].mode_bits == 040000);
  CHECK(entries[1].id.hex() == std::string(40, '1'));
  CHECK(parse_tree("").empty());
}

TEST_CASE("a damaged tree is refused") {
  const std::string good = entry("100644", "a");
  for (const std::string& bad :
       {good.substr(0, good.size() - 1), "100644 a"s, "100644"s, "x"s + good, "100844 a"s + good,
        "100644 \0"s + std::string(20, 'x'), good + "1"s, " "s + good}) {
    CAPTURE(bad);
    CHECK_THROWS_WITH_AS((void)parse_tree(bad), "damaged tree object", Error);
  }
}

TEST_CASE("tree entries are ordered with folders as if they ended in a slash") {
  struct Item {
    std::string name;
    bool is_tree;
  };
  const std::vector<Item> sorted{{"a", false},  {"a-b", false}, {"a.c", false}, {"a", true},
                                 {"a0", false}, {"ab", true},   {"\xff", false}};
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    for (std::size_t j = 0; j < sorted.size(); ++j) {
      CAPTURE(sorted[i].name);
      CAPTURE(sorted[j].name);
      CHECK(tree_order(sorted[i].name, sorted[i].is_tree, sorted[j].name, sorted[j].is_tree) ==
            (i < j));
    }
  }
}

TEST_CASE("a signature survives being written and read") {
  const Signature who{"Jos\xe9 <x", "a@b", 1700000000, "-0330"};
  CHECK(format_signature(who) == "Jos\xe9 <x <a@b> 1700000000 -0330");
  const Signature plain{"A U Thor", "a@b", 0, "+0000"};
  CHECK(parse_signature(format_signature(plain)) == plain);
}

TEST_CASE("odd signatures are read leniently") {
  CHECK(parse_signature("<a@b> 1 +0100") == Signature{"", "a@b", 1, "+0100"});
  CHECK(parse_signature("A <a@b>") == Signature{"A", "a@b", 0, "+0000", false});
  CHECK(parse_signature("A <> 5 +0000") == Signature{"A", "", 5, "+0000"});
  CHECK(parse_signature("nobody") == Signature{"nobody", "", 0, "+0000", false});
  CHECK(parse_signature("A <a@b> 7") == Signature{"A", "a@b", 7, "+0000", false});
  CHECK(parse_signature("A <a@b> -7 +0100") == Signature{"A", "a@b", 0, "+0100", false});
  CHECK_FALSE(parse_signature("A <a@b> 99999999999999999999 +0000").has_moment);
}

TEST_CASE("a commit survives being read and written") {
  const std::string parent(40, '2');
  const std::string bytes = "tree " + kTree + "\nparent " + parent + "\nparent " + parent +
                            "\nauthor A <a@b> 1 +0800\ncommitter C <c@d> 2 -0100\n"
                            "encoding GBK\n\nsubject\n\nbody \xc4\xe3";
  const Commit commit = parse_commit(bytes);
  CHECK(commit.tree.hex() == kTree);
  CHECK(commit.parents.size() == 2);
  CHECK(commit.author.name == "A");
  CHECK(commit.committer.seconds == 2);
  CHECK(commit.encoding == "GBK");
  CHECK(commit.message == "subject\n\nbody \xc4\xe3");
  CHECK(format_commit(commit) == bytes);
  CHECK(commit_tree(bytes) == commit.tree);
}

TEST_CASE("headers that are not known are passed over") {
  const Commit commit = parse_commit("tree " + kTree +
                                     "\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n"
                                     "mergetag object x\n type commit\n \n encoding no\n"
                                     "gpgsig -----BEGIN\n \n -----END\nencoding latin1\n\nm\n");
  CHECK(commit.encoding == "latin1");
  CHECK(commit.message == "m\n");
}

TEST_CASE("a damaged commit is refused") {
  for (const std::string& bad : {""s, "tree\n"s, "tree 123\n\n"s, "parent "s + kTree + "\n\n",
                                 "tree "s + kTree + "\nparent 12\n\n"}) {
    CAPTURE(bad);
    CHECK_THROWS_WITH_AS((void)parse_commit(bad), "damaged commit object", Error);
  }
  CHECK_THROWS_AS((void)commit_tree("object x\n"), Error);
}

TEST_CASE("a message's subject is its first paragraph on one line") {
  CHECK(message_subject("\n\n  one \n two\n\nbody\n") == "one two");
  CHECK(message_subject("only") == "only");
  CHECK(message_subject("one\n \t\nbody") == "one");
  CHECK(message_subject("") == "");
  CHECK(message_subject("\n \n") == "");
}
