// SPDX-License-Identifier: Apache-2.0
#include "core/diff.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"
#include "core/diff_names.h"

using namespace flagscale;

namespace {

const std::string kEdit =
    "diff --git a/d/f.c b/d/f.c\n"
    "old mode 100644\n"
    "new mode 100755\n"
    "index 0123456..89abcde\n"
    "--- a/d/f.c\n"
    "+++ b/d/f.c\n"
    "@@ -1,4 +1,5 @@ int main()\n"
    " one\n"
    "-two\n"
    "+TWO\n"
    "+and a half\n"
    " three\n"
    " four\n"
    "\\ No newline at end of file\n";

/// The message with which a patch is refused; empty when it is not.
std::string refusal(const std::string& patch, std::size_t first_line = 1) {
  try {
    (void)parse_diff(patch, first_line);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::unable);
    return error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("a diff is read into its parts") {
  const std::string patch = "some text\n" + kEdit + "-- \n2.39.5\n\n";
  const std::vector<FileDiff> diffs = parse_diff(patch, 11);
  REQUIRE(diffs.size() == 1);
  const FileDiff& diff = diffs.front();
  CHECK(diff.old_path == "d/f.c");
  CHECK(diff.new_path == "d/f.c");
  CHECK(diff.old_mode == 0100644);
  CHECK(diff.new_mode == 0100755);
  CHECK(diff.old_id == "0123456");
  CHECK(diff.new_id == "89abcde");
  CHECK(diff.kind == FileDiff::Kind::change);
  CHECK(diff.insertions == 2);
  CHECK(diff.deletions == 1);
  CHECK(diff.line == 12);
  REQUIRE(diff.hunks.size() == 1);
  const Hunk& hunk = diff.hunks.front();
  CHECK(hunk.line == 18);
  CHECK(hunk.old_start == 1);
  CHECK(hunk.old_lines == 4);
  CHECK(hunk.new_lines == 5);
  CHECK(hunk.leading == 1);
  CHECK(hunk.trailing == 2);
  CHECK(hunk.body.starts_with(" one\n"));
  CHECK(hunk.body.ends_with("\\ No newline at end of file\n"));
}

TEST_CASE("no diff at all is an empty list") {
  CHECK(parse_diff("", 1).empty());
  CHECK(parse_diff("text\nand more\n", 1).empty());
  CHECK(parse_diff("---\n f | 0\n", 1).empty());
}

TEST_CASE("kinds of diffs") {
  const std::string patch =
      "diff --git a/new b/new\nnew file mode 100755\nindex 0000000..e69de29\n"
      "diff --git a/gone b/gone\ndeleted file mode 100644\nindex e69de29..0000000\n"
      "diff --git a/x b/y\nsimilarity index 100%\nrename from x\nrename to y\n"
      "diff --git a/x b/z\nsimilarity index 100%\ncopy from x\ncopy to z\n"
      "diff --git a/b b/b\nindex 1..2 100644\nGIT binary patch\nliteral 3\nCcmZ>A\n\nliteral "
      "0\n\n\n"
      "diff --git a/c b/c\nindex 1..2 100644\nBinary files a/c and b/c differ\n"
      "--- a/plain\n+++ b/plain\n@@ -0,0 +1 @@\n+x\n";
  const std::vector<FileDiff> diffs = parse_diff(patch, 1);
  REQUIRE(diffs.size() == 7);
  CHECK(diffs[0].kind == FileDiff::Kind::create);
  CHECK_FALSE(diffs[0].old_path);
  CHECK(diffs[0].new_mode == 0100755);
  CHECK(diffs[1].kind == FileDiff::Kind::remove);
  CHECK_FALSE(diffs[1].new_path);
  CHECK(diffs[1].path() == "gone");
  CHECK(diffs[2].kind == FileDiff::Kind::rename);
  CHECK(diffs[3].kind == FileDiff::Kind::copy);
  CHECK(diffs[3].old_path == "x");
  REQUIRE(diffs[4].binary);
  CHECK(diffs[4].binary->size == 3);
  CHECK(diffs[4].binary->line == 18);
  CHECK(diffs[4].binary->data == "CcmZ>A\n");
  CHECK(diffs[5].binary_without_data);
  CHECK(diffs[6].creates_if_absent);
}

TEST_CASE("refusals name the line") {
  const std::string head = "diff --git a/f b/f\n--- a/f\n+++ b/f\n";
  CHECK(refusal(head + "@@ -1,2 +1,2 @@\n-a\n+b\n", 100) == "corrupt patch at line 106");
  CHECK(refusal(head + "@@ -1 +1 @@\n-a\n*b\n") == "corrupt patch at line 6");
  CHECK(refusal(head + "@@ -1,99999999999 +1 @@\n-a\n+b\n") == "corrupt patch at line 4");
  CHECK(refusal(head + "@@ -1,2 +1,2 @@\n a\n b\n") == "corrupt patch at line 4");
  CHECK(refusal("@@ -1 +1 @@\n-a\n+b\n") == "hunk without a diff header at line 1");
  CHECK(refusal("diff --git a/f b/g\nold mode 1\n") == "diff header without a file name at line 1");
  CHECK(refusal("diff --git a/f b/f\nold mode x\n") == "invalid file mode at line 2");
  CHECK(refusal("diff --git a/f b/f\nindex 1..2 100644\n\n") ==
        "diff without any change at line 1");
  CHECK(refusal("diff --git a/f b/f\nnew file mode 100644\ndeleted file mode 100644\n") ==
        "inconsistent diff header at line 3");
  CHECK(refusal("diff --git a/f b/f\n--- a/g\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n").empty());
  CHECK(refusal("diff --git a/f b/f\nnew file mode 100644\n--- a/f\n") ==
        "inconsistent diff header, expected /dev/null at line 3");
  CHECK(refusal("diff --git a/f b/f\nindex 1..2\nGIT binary patch\nliteral 3\nshort\n\n") ==
        "corrupt binary patch at line 5");
  CHECK(refusal("diff --git a/f b/f\nindex 1..2\nGIT binary patch\nfoo\n\n") ==
        "unrecognized binary patch at line 4");
  CHECK(refusal(std::string("diff --git a/f\0 b/f\0\nnew file mode 100644\n", 41)) ==
        "file name with a NUL at line 1");
  CHECK(refusal("diff --git a/" + std::string(70000, 'f') + " b/f\nold mode 100644\n") ==
        "overlong diff header at line 1");
}

TEST_CASE("absurd headers take no time") {
  // Each blank may be the one between the two names.
  std::string blanks = "diff --git a/";
  for (int i = 0; i < 30000; ++i) blanks += " /"[i % 2];
  CHECK_FALSE(refusal(blanks + "\nold mode 100644\n").empty());
  std::string patch;
  for (int i = 0; i < 2000; ++i) patch += "--- a\n";
  CHECK(parse_diff(patch, 1).empty());
}

TEST_CASE("a message's diffs are dropped where a diffstat follows, else refused") {
  const std::string example = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-x\n+y\n";
  const std::string stat = "---\n d/f.c | 2 +-\n 1 file changed, 1 insertion(+)\n mode change\n\n";
  CHECK(parse_diff(example + "text\n" + stat + kEdit, 1).size() == 1);
  CHECK(parse_diff(example + "---\ntext\n" + example + stat + kEdit, 1).size() == 1);
  CHECK(parse_diff("---\n" + example + stat + kEdit, 1).front().path() == "d/f.c");
  CHECK(refusal(example + "text\n---\n" + kEdit) ==
        "cannot tell message from patch: diffs before and after the line '---' (line 8)");
  // Nothing follows: it was no message.
  CHECK(parse_diff(kEdit + "---\ntext\n", 1).size() == 1);
  // A removed line `--` and context that looks like a diffstat belong to their hunk.
  const std::string inside =
      "diff --git a/m b/m\n--- a/m\n+++ b/m\n@@ -1,4 +1,3 @@\n---\n a | 2 +-\n"
      " 1 file changed, 1 insertion(+)\n\n";
  CHECK(parse_diff(inside + kEdit, 1).size() == 2);
}

TEST_CASE("names") {
  CHECK(parse_name("a/f\n", 1, NameEnd::tab) == "f");
  CHECK(parse_name("a/f g\tx\n", 1, NameEnd::tab) == "f g");
  CHECK(parse_name("f\tg\n", 0, NameEnd::line) == "f\tg");
  CHECK(parse_name("\"a/\\303\\244\\n\"\n", 1, NameEnd::tab) == "\xc3\xa4\n");
  CHECK(parse_name("a//d///f\n", 1, NameEnd::tab) == "/d/f");
  CHECK_FALSE(parse_name("f\n", 1, NameEnd::tab));
  CHECK(parse_common_name("a/f b/f\n", 1) == "f");
  CHECK(parse_common_name("a/f b/f b/f b/f\n", 1) == "f b/f");
  CHECK(parse_common_name("\"a/\\t\" \"b/\\t\"\n", 1) == "\t");
  CHECK_FALSE(parse_common_name("a/f b/g\n", 1));
  CHECK_FALSE(parse_common_name("/a/f /b/f\n", 1));
  CHECK(parse_common_name("d/f d/f\n", 0) == "d/f");
  CHECK(parse_plain_name("a/f\t2010-07-05 19:41:17.620000023 -0500\n", 1, nullptr) == "f");
  CHECK(parse_plain_name("a/f  10-07-05 19:41:17 +05:00\n", 1, nullptr) == "f");
  CHECK(parse_plain_name("a/f g\n", 1, nullptr) == "f g");
  const std::string shorter = "f";
  CHECK(parse_plain_name("b/f.orig\n", 1, &shorter) == "f");
  CHECK(is_dev_null("/dev/null\n"));
  CHECK_FALSE(is_dev_null("/dev/nulls\n"));
}

TEST_CASE("the start of 1970") {
  CHECK(has_epoch_time("a/f\t1970-01-01 00:00:00 +0000\n"));
  CHECK(has_epoch_time("a/f\t1970-01-01 00:00:00.000 +0000\n"));
  CHECK(has_epoch_time("a/f\t1970-01-01 05:30:00 +05:30\n"));
  CHECK(has_epoch_time("a/f\t1969-12-31 16:00:00.0 -0800\n"));
  CHECK_FALSE(has_epoch_time("a/f\t1970-01-01 00:00:01 +0000\n"));
  CHECK_FALSE(has_epoch_time("a/f\t1970-01-01 00:00:00.5 +0000\n"));
  CHECK_FALSE(has_epoch_time("a/f\t1970-01-01 00:00:00. +0000\n"));
  CHECK_FALSE(has_epoch_time("a/f\t1970-01-01 00:00:00\n"));
  CHECK_FALSE(has_epoch_time("a/f\t1970-01-01 00:00 +0000\n"));
  CHECK_FALSE(has_epoch_time("a/f\t1969-12-31 00:00:00 +0000\n"));
  CHECK_FALSE(has_epoch_time("a/f 1970-01-01 00:00:00 +0000\n"));
  CHECK_FALSE(has_epoch_time("a/f\t\n"));
}
