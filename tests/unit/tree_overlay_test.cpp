// SPDX-License-Identifier: Apache-2.0
#include "core/tree_overlay.h"

#include <string>

#include <doctest/doctest.h>

#include "base/error.h"
#include "support/memory_objects.h"

using namespace flagscale;
using git::Mode;
using git::ObjectType;
using git::Oid;
using test::MemoryObjects;

namespace {

const std::string kEmptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

Content text(const std::string& bytes) {
  return Content(std::string(bytes));
}

/// `README`, `src/a.py`, `src/deep/b.py`, `link` (to src) and `sub` (a gitlink).
Oid make_base(MemoryObjects& objects) {
  TreeOverlay tree(objects, Oid());
  tree.put("README", Mode::file, text("read me\n"));
  tree.put("src/a.py", Mode::executable, text("a\n"));
  tree.put("src/deep/b.py", Mode::file, text("b\n"));
  tree.put("link", Mode::symlink, text("src"));
  tree.put("sub", Mode::gitlink, *Oid::parse(std::string(40, '5')));
  return tree.flush(objects);
}

}  // namespace

TEST_CASE("an overlay over nothing is the empty tree") {
  MemoryObjects objects;
  TreeOverlay tree(objects, Oid());
  CHECK(tree.kind("a") == PathKind::absent);
  CHECK_FALSE(tree.remove("a"));
  CHECK(tree.flush(objects).hex() == kEmptyTree);
}

TEST_CASE("what stands at a path is told") {
  MemoryObjects objects;
  TreeOverlay tree(objects, make_base(objects));
  CHECK(tree.kind("README") == PathKind::file);
  CHECK(tree.kind("src") == PathKind::folder);
  CHECK(tree.kind("src/deep/b.py") == PathKind::file);
  CHECK(tree.kind("src/deep/none") == PathKind::absent);
  CHECK(tree.kind("README/none") == PathKind::absent);
  CHECK_FALSE(tree.find("src").has_value());

  const auto file = tree.find("src/a.py");
  REQUIRE(file.has_value());
  CHECK(file->mode == Mode::executable);
  CHECK_FALSE(file->content.has_value());
  CHECK(tree.read(*file).view() == "a\n");
  CHECK(tree.find("link")->mode == Mode::symlink);
  CHECK(tree.find("sub")->mode == Mode::gitlink);
}

TEST_CASE("a file on the way is found") {
  MemoryObjects objects;
  TreeOverlay tree(objects, make_base(objects));
  CHECK(tree.find_symlink_on_the_way("link/a.py") == "link");
  CHECK_FALSE(tree.find_symlink_on_the_way("README/x").has_value());
  CHECK_FALSE(tree.find_symlink_on_the_way("link").has_value());
  CHECK(tree.find_file_on_the_way("README/x/y") == "README");
  CHECK(tree.find_file_on_the_way("src/a.py/x") == "src/a.py");
  CHECK_FALSE(tree.find_file_on_the_way("src/deep/b.py").has_value());
  CHECK_FALSE(tree.find_file_on_the_way("new/folder/x").has_value());
}

TEST_CASE("changes that undo themselves give the same tree") {
  MemoryObjects objects;
  const Oid base = make_base(objects);
  TreeOverlay tree(objects, base);
  tree.put("new/folder/file", Mode::file, text("x"));
  CHECK(tree.flush(objects) != base);
  CHECK(tree.remove("new/folder/file"));
  CHECK(tree.kind("new") == PathKind::absent);
  CHECK(tree.flush(objects) == base);
}

TEST_CASE("removing the last file of a folder removes the folder") {
  MemoryObjects objects;
  TreeOverlay tree(objects, make_base(objects));
  CHECK(tree.remove("src/deep/b.py"));
  CHECK(tree.kind("src/deep") == PathKind::absent);
  CHECK(tree.kind("src") == PathKind::folder);
  CHECK_FALSE(tree.remove("src/deep/b.py"));
  CHECK(tree.remove("src"));
  CHECK_FALSE(tree.find_tree("src").has_value());
}

TEST_CASE("what was put is read back before and after a flush") {
  MemoryObjects objects;
  TreeOverlay tree(objects, make_base(objects));
  tree.put("src/a.py", Mode::file, text("changed\n"));
  CHECK(tree.read(*tree.find("src/a.py")).view() == "changed\n");
  const Oid changed = tree.flush(objects);
  CHECK(tree.read(*tree.find("src/a.py")).view() == "changed\n");
  CHECK(tree.find("src/a.py")->mode == Mode::file);

  TreeOverlay again(objects, changed);
  CHECK(again.read(*again.find("src/a.py")).view() == "changed\n");
}

TEST_CASE("a file of the same name as a folder sorts elsewhere and both are found") {
  MemoryObjects objects;
  TreeOverlay tree(objects, Oid());
  tree.put("a/x", Mode::file, text("1"));
  tree.put("a.b", Mode::file, text("2"));
  tree.put("a-b", Mode::file, text("3"));
  CHECK(tree.kind("a") == PathKind::folder);
  CHECK(tree.remove("a"));
  tree.put("a", Mode::file, text("4"));
  CHECK(tree.kind("a") == PathKind::file);
  const Oid id = tree.flush(objects);
  const auto bytes = objects.read(id, ObjectType::tree);
  const auto entries = git::parse_tree(bytes.view());
  REQUIRE(entries.size() == 3);
  CHECK(entries[0].name == "a");
  CHECK(entries[1].name == "a-b");
  CHECK(entries[2].name == "a.b");
}

TEST_CASE("a file in the way of a folder is a mistake of the caller, and the reverse") {
  MemoryObjects objects;
  TreeOverlay tree(objects, make_base(objects));
  CHECK_THROWS_AS(tree.put("README/x", Mode::file, text("")), Error);
  CHECK_THROWS_AS(tree.put("src", Mode::file, text("")), Error);
}

TEST_CASE("whole trees can be put") {
  MemoryObjects objects;
  const Oid base = make_base(objects);
  TreeOverlay tree(objects, base);
  const auto source = tree.find_tree("src");
  REQUIRE(source.has_value());
  tree.put_tree("copy/of/src", *source);
  CHECK(tree.find_tree("copy/of/src") == source);
  CHECK(tree.kind("copy/of/src/deep/b.py") == PathKind::file);
  tree.remove("copy");
  CHECK(tree.flush(objects) == base);
}

TEST_CASE("folders that nobody asks for are not read") {
  MemoryObjects objects;
  const Oid base = make_base(objects);
  const int before = objects.reads();
  TreeOverlay tree(objects, base);
  tree.put("README", Mode::file, text("new"));
  CHECK(tree.flush(objects) != base);
  CHECK(objects.reads() == before + 1);
}

TEST_CASE("old modes survive in untouched folders and become canonical in those written anew") {
  MemoryObjects objects;
  const auto tree_with = [&](const char* mode) {
    std::string bytes = std::string(mode) + " old";
    bytes += '\0';
    bytes += objects.add(ObjectType::blob, "x").raw_view();
    return objects.add(ObjectType::tree, bytes);
  };
  const Oid base = tree_with("100664");
  TreeOverlay tree(objects, base);
  CHECK(tree.find("old")->mode == Mode::file);
  CHECK(tree.flush(objects) == base);
  tree.put("zz", Mode::file, text("z"));
  tree.remove("zz");
  CHECK(tree.flush(objects) == tree_with("100644"));
}

TEST_CASE("a missing object is an error that names it") {
  MemoryObjects objects;
  const Oid nowhere = *Oid::parse(std::string(40, '7'));
  TreeOverlay tree(objects, nowhere);
  const std::string message = "missing tree " + nowhere.hex();
  CHECK_THROWS_WITH_AS((void)tree.kind("a"), message.c_str(), Error);
}
