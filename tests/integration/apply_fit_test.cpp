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

/// A patch that was made for one tree and is applied to another.
struct FitCase {
  std::string name;
  /// What the patch is applied to.
  TestTree base;
  /// What it is made of.
  TestTree before;
  TestTree after;
  Args options;
};

TestTree one(const std::string& bytes) {
  return {{"f", plain(bytes)}};
}

/// Lines 1 to `count`, some replaced: a number and what stands there instead.
std::string lines(int count, const std::vector<std::pair<int, std::string>>& changes = {}) {
  std::string out;
  for (int i = 1; i <= count; ++i) {
    std::string line = "line " + std::to_string(i) + "\n";
    for (const auto& [number, by] : changes) {
      if (number == i) line = by;
    }
    out += line;
  }
  return out;
}

std::string repeated(const std::string& text, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += text;
  return out;
}

void add_offsets(std::vector<FitCase>& cases) {
  const std::string before = lines(60);
  const std::string after = lines(60, {{30, "new\n"}});
  const auto add = [&](const std::string& name, const std::string& base, const std::string& from,
                       const std::string& to, const Args& options = {}) {
    cases.push_back({name, one(base), one(from), one(to), options});
  };
  add("shifted down", numbered(7, "extra") + before, before, after);
  add("shifted up", before.substr(21), before, after);
  add("shifted by thousands", numbered(5000, "extra") + before, before, after);
  add("context changed", lines(60, {{28, "other\n"}}), before, after);
  add("context far away changed", lines(60, {{5, "other\n"}, {55, ""}}), before, after);
  add("changed line differs", lines(60, {{30, "other\n"}}), before, after);
  add("applied already", after, before, after);
  add("white space differs", lines(60, {{29, "line  29\n"}}), before, after);
  add("line end differs", lines(60, {{29, "line 29\r\n"}}), before, after);
  add("two places fit", before + before, before, after);
  add("equally far places", repeated(lines(9), 3), lines(9, {{5, "line 5\n"}}),
      lines(9, {{5, "x\n"}}));
  const std::string block = "a\nb\nc\nd\ne\nf\ng\n";
  add("nearest of many", repeated(block, 50), repeated(block, 20),
      repeated(block, 9) + "a\nb\nc\nD\ne\nf\ng\n" + repeated(block, 10));
  add("nearest of many, shifted", "x\ny\nz\n" + repeated(block, 50), repeated(block, 20),
      repeated(block, 9) + "a\nb\nc\nD\ne\nf\ng\n" + repeated(block, 10));
  add("nearest of many, shifted up", repeated(block, 50).substr(6), repeated(block, 20),
      repeated(block, 9) + "a\nb\nc\nD\ne\nf\ng\n" + repeated(block, 10));
  add("a hunk takes the place of another", repeated(block, 3), repeated(block, 2),
      "a\nb\nc\nD\ne\nf\ng\na\nb\nc\nE\ne\nf\ng\n");
  add("hunks out of order after a move", numbered(10, "tail") + before,
      before + numbered(10, "tail"),
      lines(60, {{30, "new\n"}}) + "tail 1\n" + numbered(10, "tail").substr(7) + "more\n");
  add("several shifts", numbered(3, "p") + lines(60, {{20, "q\nr\ns\n"}, {40, ""}}), before,
      lines(60, {{10, "new\n"}, {30, "new\n"}, {50, "new\n"}}));
  add("end shifted", before + "more\n", before, before + "new\n");
  add("end shifted, no context there", before + "more\n", before, lines(60, {{60, ""}}));
  add("start shifted", "more\n" + before, before, "new\n" + before);
  add("start shifted, line changed", "more\n" + before, before, lines(60, {{1, "new\n"}}));
  add("second line changed, shifted", "more\n" + before, before, lines(60, {{2, "new\n"}}));
  add("fifth line changed, shifted", "more\n" + before, before, lines(60, {{5, "new\n"}}));
  add("end lost its newline", before.substr(0, before.size() - 1), before,
      lines(60, {{58, "new\n"}}));
  add("end won a newline", before, before.substr(0, before.size() - 1),
      lines(60, {{58, "new\n"}}).substr(0, before.size() - 2));
  const std::string open = before.substr(0, before.size() - 1);
  add("open end meets white space", open + " \t \n", open,
      lines(60, {{57, "new\n"}}).substr(0, open.size() - 3));
  add("open end meets more lines", open + "\nmore\n", open,
      lines(60, {{58, "x\n"}}).substr(0, open.size() - 6));
  add("file emptied", "", before, after);
  add("file of one line", "line 30\n", before, after);
  for (const char* const unified :
       {"-U0", "-U1", "-U2", "-U10", "-U1000", "-W", "-B", "-B10%/10%"}) {
    const std::string two = lines(60, {{30, "new\n"}, {50, ""}, {10, "line 10\nadded\n"}});
    add(std::string("exact ") + unified, before, before, two, {unified});
    add(std::string("shifted ") + unified, "x\n" + before, before, two, {unified});
    add(std::string("insertion ") + unified, before, before, lines(60, {{30, "line 30\nnew\n"}}),
        {unified});
    add(std::string("rewritten ") + unified, numbered(40, "old"), numbered(40, "old"),
        numbered(30, "new"), {unified});
    add(std::string("first and last ") + unified, before, before,
        lines(60, {{1, "new\n"}, {60, "new\n"}}), {unified});
  }
}

void add_files(std::vector<FitCase>& cases) {
  const std::string text = numbered(20);
  const std::string edited = lines(20, {{10, "new\n"}});
  const auto add = [&](const std::string& name, TestTree base, TestTree before, TestTree after,
                       const Args& options = {"--binary"}) {
    cases.push_back({name, std::move(base), std::move(before), std::move(after), options});
  };
  add("base is executable", {{"f", executable(text)}}, one(text), one(edited));
  add("base is executable, mode and edit", {{"f", executable(text)}}, one(text),
      {{"f", executable(edited)}});
  add("base is not executable", one(text), {{"f", executable(text)}}, {{"f", executable(edited)}});
  add("mode change of what has it", {{"f", executable(text)}}, one(text),
      {{"f", executable(text)}});
  add("base is a symlink", {{"f", link("line 1")}}, one("line 1"), one("line 2"));
  add("patch is for a symlink", one("line 1"), {{"f", link("line 1")}}, {{"f", link("line 2")}});
  add("base is a submodule", {{"f", submodule('1')}}, one(text), one(edited));
  add("other submodule commit", {{"s", submodule('3')}}, {{"s", submodule('1')}},
      {{"s", submodule('2')}});
  add("missing file", {{"g", plain("g\n")}}, one(text), one(edited));
  add("new file exists", one("other\n"), {}, one(text));
  add("new empty file exists", one("other\n"), {}, one(""));
  add("new file exists as a folder", {{"f/x", plain("x\n")}}, {}, one(text));
  add("new file below a file", one("x\n"), {}, {{"f/g", plain("g\n")}});
  add("new file below a symlink", {{"f", link("d")}, {"d/x", plain("x\n")}}, {},
      {{"f/g", plain("g\n")}});
  add("new file below a submodule", {{"f", submodule('1')}}, {}, {{"f/g", plain("g\n")}});
  add("deleted file differs", one(edited), one(text), {});
  add("deleted file has more", one(text + "more\n"), one(text), {});
  add("deleted empty file is not empty", one("x\n"), one(""), {});
  add("deleted file is missing", {}, one(text), {});
  add("renamed file is missing", {}, one(text), {{"g", plain(text)}});
  add("renamed file differs", one(edited), one(text), {{"g", plain(text)}});
  add("rename onto what exists", {{"f", plain(text)}, {"g", plain("g\n")}}, one(text),
      {{"g", plain(text)}});
  add("rename below a file", {{"f", plain(text)}, {"d", plain("d\n")}}, one(text),
      {{"d/g", plain(text)}});
  add("rename of what became executable", {{"f", executable(text)}}, one(text),
      {{"g", plain(text)}});
  add("rename of what became a symlink", {{"f", link("x")}}, one(text), {{"g", plain(text)}});
  add("rename of what became a submodule", {{"f", submodule('4')}}, one(text),
      {{"g", plain(text)}});
  add("copy of what changed", one(edited), one(text), {{"f", plain(text)}, {"g", plain(text)}},
      {"-C", "--find-copies-harder"});
  add("binary differs", one(noise(300, 5)), one(noise(300, 4)), one(noise(300, 6)));
  add("binary is the same", one(noise(310, 4)), one(noise(310, 4)), one(noise(310, 6)));
  add("binary delta on another base", one(noise(30000, 5)), one(noise(30000, 4)),
      one(noise(30000, 4) + "x"));
  add("binary without full index", one(noise(320, 4)), one(noise(320, 4)), one(noise(320, 6)), {});
  add("binary without data, target known", one(noise(330, 4)), one(noise(330, 4)),
      one(noise(330, 6)), {"--full-index"});
  add("binary deleted without data", one(noise(340, 4)), one(noise(340, 4)), {}, {"--full-index"});
  add("binary deleted differs", one(noise(340, 9)), one(noise(340, 4)), {});
  add("binary rename without data", one(noise(350, 4)), one(noise(350, 4)),
      {{"g", plain(noise(350, 4))}}, {});
  add("text to binary differs", one(edited), one(text), one(noise(360, 1)));
  add("text file instead of binary", one(text), one(noise(370, 1)), one(noise(370, 2)));
  add("swap with one changed", {{"a", plain(edited)}, {"b", plain("b\n" + numbered(20, "other"))}},
      {{"a", plain(text)}, {"b", plain(numbered(20, "other"))}},
      {{"a", plain(numbered(20, "other"))}, {"b", plain(text)}});
  add("other prefixes", one(text), one(text), one(edited),
      {"--src-prefix=old/", "--dst-prefix=new/"});
  add("long prefixes", one(text), one(text), one(edited),
      {"--src-prefix=x/y/", "--dst-prefix=z/y/"});
  add("mnemonic prefixes", one(text), one(text), one(edited),
      {"--src-prefix=i/", "--dst-prefix=w/"});
  add("mnemonic prefixes, new", {}, {}, {{"d/f", plain(text)}, {"e", plain("")}},
      {"--src-prefix=c/", "--dst-prefix=i/"});
  add("numbers for prefixes", one(text), one(text), {{"d/g", plain(edited)}},
      {"--src-prefix=1/", "--dst-prefix=2/"});
  add("line prefix", one(text), one(text), one(edited), {"--line-prefix=> "});
  add("word diff", one(text), one(text), one(edited), {"--word-diff"});
  add("colours", one(text), one(text), one(edited), {"--color=always"});
  add("output markers", one(text), one(text), one(edited), {"--output-indicator-new=>"});
  add("white space ignored", one(lines(20, {{5, "line  5\n"}})),
      one(lines(20, {{5, "line   5\n"}})), one(lines(20, {{5, "line 5\n"}, {7, "new\n"}})), {"-w"});
  add("patience", one(text), one(text), one(edited + text),
      {"--patience", "--inter-hunk-context=9"});
  add("irreversible delete", one(text), one(text), {}, {"-D"});
  add("stat before the patch", one(text), one(text), one(edited),
      {"--patch-with-stat", "--summary"});
  add("raw before the patch", one(text), one(text), one(edited),
      {"--patch-with-raw", "--abbrev=8"});
  add("submodule as a log", {{"s", submodule('1')}}, {{"s", submodule('1')}},
      {{"s", submodule('2')}}, {"--submodule=log"});
}

/// A patch as text, applied to a base.
struct TextCase {
  std::string name;
  std::string patch;
  TestTree base;
};

const TestTree kBase = {{"f", plain(numbered(20))},
                        {"d/f", plain(numbered(20))},
                        {"x.sh", executable("#!/bin/sh\n")},
                        {"e", plain("")},
                        {"l", link("f")},
                        {"s", submodule('1')},
                        {"open", plain("a\nb")}};

const std::string kHunk = "@@ -8,5 +8,5 @@\n line 8\n line 9\n-line 10\n+new\n line 11\n line 12\n";
const std::string kNames = "--- a/f\n+++ b/f\n";
const std::string kGit = "diff --git a/f b/f\nindex 1..2 100644\n" + kNames;

void add_plain_diffs(std::vector<TextCase>& cases) {
  const auto add = [&](const std::string& name, const std::string& patch) {
    cases.push_back({name, patch, kBase});
  };
  add("plain", kNames + kHunk);
  add("plain, time stamps",
      "--- a/f\t2010-07-05 19:41:17.620000023 -0500\n+++ b/f\t2010-07-05 19:41:17\n" + kHunk);
  add("plain, zone with colon",
      "--- a/f\t2010-07-05 19:41:17 +01:00\n+++ b/f\t10-07-05 19:41:17 +0100\n" + kHunk);
  add("plain, date after blanks", "--- a/f   2010-07-05\n+++ b/f   2010-07-05 19:41:17\n" + kHunk);
  add("plain, odd stamps", "--- a/f\tSun Jan 1\n+++ b/f\t(working copy)\n" + kHunk);
  add("plain, old name longer", "--- a/f.orig\n+++ b/f\n" + kHunk);
  add("plain, new name longer", "--- a/f\n+++ b/f.new\n" + kHunk);
  add("plain, other folder", "--- old-1.0/f\n+++ new-1.1/f\n" + kHunk);
  add("plain, top folder", "--- f\n+++ f\n" + kHunk);
  add("plain, top folder and then deeper",
      "--- f\n+++ f\n" + kHunk + "--- a/d/f\n+++ b/d/f\n" + kHunk);
  add("plain, top folder on one side", "--- a/f\n+++ f\n" + kHunk);
  add("plain, top folder on the old side", "--- f\n+++ b/f\n" + kHunk);
  add("plain, top folder, old name longer", "--- f.orig\n+++ f\n" + kHunk);
  add("plain, git after top folder",
      "--- f\n+++ f\n" + kHunk + "diff --git a/e b/e\nold mode 100644\nnew mode 100755\n");
  add("plain, Index", "Index: f\n=======\n" + kNames + kHunk);
  add("plain, absolute", "--- /a/f\n+++ /b/f\n" + kHunk);
  add("plain, double slash", "--- a//f\n+++ b//f\n" + kHunk);
  add("plain, slashes inside", "--- a/d//f\n+++ b/d///f\n" + kHunk);
  add("plain, quoted", "--- \"a/f\"\n+++ \"b/\\146\"\n" + kHunk);
  add("plain, CR after names", "--- a/f\r\n+++ b/f\r\n" + kHunk);
  add("plain, new by /dev/null", "--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+x\n+y\n");
  add("plain, new by epoch",
      "--- a/n\t1970-01-01 00:00:00.000000000 +0000\n+++ b/n\t2010-07-05 19:41:17\n@@ -0,0 +1 "
      "@@\n+x\n");
  add("plain, new by epoch, west",
      "--- a/n\t1969-12-31 19:00:00 -0500\n+++ b/n\t2010-07-05 19:41:17\n@@ -0,0 +1 @@\n+x\n");
  add("plain, new by epoch, east",
      "--- a/n\t1970-01-01 05:30:00 +05:30\n+++ b/n\t2010-07-05 19:41:17\n@@ -0,0 +1 @@\n+x\n");
  add("plain, nearly epoch",
      "--- a/n\t1970-01-01 05:30:01 +05:30\n+++ b/n\t2010-07-05 19:41:17\n@@ -0,0 +1 @@\n+x\n");
  add("plain, epoch over existing",
      "--- a/f\t1970-01-01 00:00:00 +0000\n+++ b/f\t2010-07-05 19:41:17\n@@ -0,0 +1 @@\n+x\n");
  add("plain, epoch with old lines",
      "--- a/f\t1970-01-01 00:00:00 +0000\n+++ b/f\t2010-07-05 19:41:17\n" + kHunk);
  add("plain, new without saying", "--- a/n\n+++ b/n\n@@ -0,0 +1 @@\n+x\n");
  add("plain, new below new", "--- a/n/o/p\n+++ b/n/o/p\n@@ -0,0 +1 @@\n+x\n");
  add("plain, fill an empty file", "--- a/e\n+++ b/e\n@@ -0,0 +1 @@\n+x\n");
  add("plain, add to a full file", "--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+x\n");
  add("plain, new in two hunks", "--- a/n\n+++ b/n\n@@ -0,0 +1 @@\n+x\n@@ -0,0 +2 @@\n+y\n");
  const std::string gone = "@@ -1,2 +0,0 @@\n-a\n-b\n\\ No newline at end of file\n";
  add("plain, deleted by /dev/null", "--- a/open\n+++ /dev/null\n" + gone);
  add("plain, deleted by epoch", "--- a/open\n+++ b/open\t1970-01-01 00:00:00 +0000\n" + gone);
  add("plain, emptied", "--- a/open\n+++ b/open\n" + gone);
  add("plain, deleted leaves something", "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-line 1\n");
  add("plain, deleted, in top folder", "--- open\n+++ /dev/null\n" + gone);
  add("plain, new in top folder", "--- /dev/null\n+++ n\n@@ -0,0 +1 @@\n+x\n");
  add("plain, symlink",
      "--- a/l\n+++ b/l\n@@ -1 +1 @@\n-f\n\\ No newline at end of file\n+g\n\\ No newline at end "
      "of file\n");
  add("plain, executable", "--- a/x.sh\n+++ b/x.sh\n@@ -1 +1 @@\n-#!/bin/sh\n+#!/bin/bash\n");
  add("plain, no hunk", kNames);
  add("plain, then nothing", kNames + "text\n");
  add("plain, twice", kNames + kHunk + kNames +
                          "@@ -8,5 +8,5 @@\n line 8\n line 9\n-new\n+newer\n line 11\n line 12\n");
  add("plain, context diff", "*** a/f\n--- b/f\n***************\n*** 8,12 ****\n");
  add("combined diff",
      "diff --cc f\nindex 1,2..3\n--- a/f\n+++ b/f\n@@@ -1,1 -1,1 +1,1 @@@\n  x\n");
}

void add_git_headers(std::vector<TextCase>& cases) {
  const auto add = [&](const std::string& name, const std::string& patch) {
    cases.push_back({name, patch, kBase});
  };
  const std::string head = "diff --git a/f b/f\n";
  add("git", kGit + kHunk);
  add("git, no index line", head + kNames + kHunk);
  add("git, names alone", head);
  add("git, names and text", head + "some text follows here\n");
  add("git, names, then itself", head + "text text text\n" + kGit + kHunk);
  add("git, names, then plain", head + "text text text\n--- a/d/f\n+++ b/d/f\n" + kHunk);
  add("git, names, then a rename",
      head + "text text text\ndiff --git a/f b/g\nrename from f\nrename to g\n");
  add("git, names, then a new file",
      head + "text text text\ndiff --git a/n b/n\nnew file mode 100644\n");
  add("git, index line only", head + "index 1..2 100644\n");
  add("git, index line and names only", kGit);
  add("git, index without mode", head + "index 1..2\n" + kNames + kHunk);
  add("git, odd index line", head + "index xyz\n" + kNames + kHunk);
  add("git, long index line", head + "index " + std::string(50, '1') + ".." + std::string(50, '2') +
                                  " 100644\n" + kNames + kHunk);
  add("git, index mode says symlink", head + "index 1..2 120000\n" + kNames + kHunk);
  add("git, index mode says executable", head + "index 1..2 100755\n" + kNames + kHunk);
  add("git, unknown mode", head + "index 1..2 100600\n" + kNames + kHunk);
  add("git, no mode", head + "index 1..2 x\n" + kNames + kHunk);
  add("git, names differ from header", "diff --git a/x b/x\n" + kNames + kHunk);
  add("git, old name differs", head + "--- a/d/f\n+++ b/f\n" + kHunk);
  add("git, header has two names", "diff --git a/f b/g\n" + kNames + kHunk);
  add("git, moves without saying", "diff --git a/f b/g\n--- a/f\n+++ b/g\n" + kHunk);
  add("git, moves onto a file without saying", "diff --git a/f b/e\n--- a/f\n+++ b/e\n" + kHunk);
  add("git, header unreadable", "diff --git f g\n" + kNames + kHunk);
  add("git, header without names", "diff --git \n" + kNames + kHunk);
  add("git, only old name", head + "--- a/f\n" + kHunk);
  add("git, no names", head + "index 1..2 100644\n" + kHunk);
  add("git, new name /dev/null", head + "--- a/f\n+++ /dev/null\n" + kHunk);
  add("git, old name /dev/null", head + "--- /dev/null\n+++ b/f\n" + kHunk);
  add("git, tabs after names", head + "--- a/f\t\n+++ b/f\tx\n" + kHunk);
  add("git, CRs in headers", "diff --git a/f b/f\r\n--- a/f\r\n+++ b/f\r\n" + kHunk);
  add("git, CR after index", head + "index 1..2 100644\r\n" + kNames + kHunk);
  add("git, quoted", "diff --git \"a/f\" \"b/f\"\nold mode 100644\nnew mode 100755\n");
  add("git, half quoted", "diff --git a/f \"b/f\"\nold mode 100644\nnew mode 100755\n");
  add("git, half quoted the other way",
      "diff --git \"a/f\" b/f\nold mode 100644\nnew mode 100755\n");
  add("git, badly quoted", "diff --git \"a/f b/f\"\nold mode 100644\nnew mode 100755\n");
  add("git, bad escape",
      "diff --git \"a/\\477f\" \"b/\\477f\"\nold mode 100644\nnew mode 100755\n");
  add("git, two tabs", "diff --git a/f\tb/f\nold mode 100644\nnew mode 100755\n");
  add("git, blank at end", "diff --git a/f b/f \nold mode 100644\nnew mode 100755\n");
  add("git, old mode only", head + "old mode 100644\n");
  add("git, new mode only", head + "new mode 100755\n");
  add("git, new mode and hunk", head + "new mode 100755\n" + kNames + kHunk);
  add("git, same modes", head + "old mode 100644\nnew mode 100644\n");
  add("git, modes without type", head + "old mode 644\nnew mode 755\n");
  add("git, mode with 9", head + "old mode 100649\nnew mode 100755\n");
  add("git, mode of another type", head + "old mode 100644\nnew mode 120000\n");
  add("git, mode with blanks", head + "old mode  100644\nnew mode \t100755 \n");
  add("git, odd modes", head + "old mode 100664\nnew mode 100775\n");
  add("git, new file, odd mode", "diff --git a/n b/n\nnew file mode 100664\n");
  add("git, new file, mode 0", "diff --git a/n b/n\nnew file mode 0\n");
  add("git, new file, mode 755", "diff --git a/n b/n\nnew file mode 755\n");
  add("git, new file, mode of a device", "diff --git a/n b/n\nnew file mode 060644\n");
  add("git, new symlink",
      "diff --git a/n b/n\nnew file mode 120000\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n\\ No "
      "newline at end of file\n");
  add("git, new submodule",
      "diff --git a/n b/n\nnew file mode 160000\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 "
      "@@\n+Subproject commit 2222222222222222222222222222222222222222\n");
  add("git, bad submodule",
      "diff --git a/n b/n\nnew file mode 160000\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 "
      "@@\n+Subproject commit 222\n");
  add("git, submodule of nothing", "diff --git a/n b/n\nnew file mode 160000\n");
  add("git, submodule null",
      "diff --git a/n b/n\nnew file mode 160000\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 "
      "@@\n+Subproject commit 0000000000000000000000000000000000000000\n");
  add("git, submodule and more",
      "diff --git a/n b/n\nnew file mode 160000\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 "
      "@@\n+Subproject commit 2222222222222222222222222222222222222222-dirty\n+x\n");
  add("git, submodule bumped dirty",
      "diff --git a/s b/s\nindex 1111111..2222222 160000\n--- a/s\n+++ b/s\n@@ -1 +1 "
      "@@\n-Subproject commit 1111111111111111111111111111111111111111\n+Subproject commit "
      "2222222222222222222222222222222222222222-dirty\n");
  add("git, new and deleted",
      "diff --git a/f b/f\nnew file mode 100644\ndeleted file mode 100644\n");
  add("git, new and rename",
      "diff --git a/f b/n\nnew file mode 100644\nrename from f\nrename to n\n");
  add("git, rename and copy", "diff --git a/f b/n\nrename from f\ncopy to n\n");
  add("git, rename from only", "diff --git a/f b/n\nrename from f\n");
  add("git, rename to only", "diff --git a/f b/n\nrename to n\n");
  add("git, rename from only, same", head + "rename from f\n");
  add("git, rename to itself", head + "rename from f\nrename to f\n");
  add("git, old-style rename",
      "diff --git a/f b/n\nsimilarity index 100%\nrename old f\nrename new n\n");
  add("git, rename with prefixes", "diff --git a/f b/n\nrename from a/f\nrename to b/n\n");
  add("git, rename with a tab", "diff --git a/f b/n\nrename from f\nrename to n\tm\n");
  add("git, rename and CR", "diff --git a/f b/n\nrename from f\r\nrename to n\r\n");
  add("git, rename with other names below",
      "diff --git a/f b/n\nrename from f\nrename to n\n--- a/e\n+++ b/n\n" + kHunk);
  add("git, rename of a folder", "diff --git a/d b/n\nrename from d\nrename to n\n");
  add("git, rename into d/f", "diff --git a/e b/d/f\nrename from e\nrename to d/f\n");
  add("git, copy onto itself", head + "copy from f\ncopy to f\n");
  add("git, copy over a file", "diff --git a/f b/e\ncopy from f\ncopy to e\n");
  add("git, similarity of 300%",
      "diff --git a/f b/n\nsimilarity index 300%\nrename from f\nrename to n\n");
  add("git, deleted file without hunks", head + "deleted file mode 100644\nindex 1..0\n");
  add("git, deleted empty file",
      "diff --git a/e b/e\ndeleted file mode 100644\nindex e69de29..0\n");
  add("git, deleted submodule without hunks", "diff --git a/s b/s\ndeleted file mode 160000\n");
  add("git, deleted by mode of another type", "diff --git a/e b/e\ndeleted file mode 120000\n");
  add("git, deleted with new lines",
      "diff --git a/f b/f\ndeleted file mode 100644\n--- a/f\n+++ /dev/null\n" + kHunk);
  add("git, new with old lines",
      "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n" + kHunk);
  add("git, new twice",
      "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n"
      "diff --git a/n b/n\nnew file mode 100755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+y\n");
  add("git, new and then edited",
      "diff --git a/n b/n\nnew file mode 100755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n"
      "diff --git a/n b/n\n--- a/n\n+++ b/n\n@@ -1 +1 @@\n-x\n+y\n");
  add("git, edited twice",
      kGit + kHunk + kGit +
          "@@ -8,5 +8,5 @@\n line 8\n line 9\n-new\n+newer\n line 11\n line 12\n");
  add(
      "git, edited and then deleted",
      kGit + kHunk + head +
          "deleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1,20 +0,0 @@\n-" + [] {
            std::string text = lines(20, {{10, "new\n"}});
            std::string out;
            for (const char c : text.substr(0, text.size() - 1))
              out += c == '\n' ? "\n-" : std::string(1, c);
            return out + "\n";
          }());
  add("git, deleted and then edited",
      "diff --git a/e b/e\ndeleted file mode 100644\ndiff --git a/e b/e\n--- a/e\n+++ b/e\n@@ -0,0 "
      "+1 @@\n+x\n");
  add("git, deleted and then new",
      "diff --git a/e b/e\ndeleted file mode 100644\ndiff --git a/e b/e\nnew file mode 100755\n");
  add("git, new and then deleted",
      "diff --git a/n b/n\nnew file mode 100644\ndiff --git a/n b/n\ndeleted file mode 100644\n");
  add("git, edited and then renamed",
      kGit + kHunk + "diff --git a/f b/n\nrename from f\nrename to n\n");
  add("git, renamed and then edited",
      "diff --git a/f b/n\nrename from f\nrename to n\ndiff --git a/n b/n\n--- a/n\n+++ b/n\n" +
          kHunk);
  add("git, renamed and then old edited",
      "diff --git a/f b/n\nrename from f\nrename to n\n" + kGit + kHunk);
  add("git, renamed twice",
      "diff --git a/f b/n\nrename from f\nrename to n\ndiff --git a/f b/m\nrename from f\nrename "
      "to m\n");
  add("git, chained in one patch",
      "diff --git a/f b/n\nrename from f\nrename to n\ndiff --git a/n b/m\nrename from n\nrename "
      "to m\n");
  add("git, file and folder",
      "diff --git a/n b/n\nnew file mode 100644\ndiff --git a/n/m b/n/m\nnew file mode 100644\n");
  add("git, folder and file",
      "diff --git a/n/m b/n/m\nnew file mode 100644\ndiff --git a/n b/n\nnew file mode 100644\n");
  add("git, folder replaced by a file",
      "diff --git a/d/f b/x\nrename from d/f\nrename to x\ndiff --git a/d b/d\nnew file mode "
      "100644\n");
  add("git, mode changed twice",
      "diff --git a/e b/e\nold mode 100644\nnew mode 100755\ndiff --git a/e b/e\nold mode "
      "100755\nnew mode 100644\n");
}

void add_hunks(std::vector<TextCase>& cases) {
  const auto add = [&](const std::string& name, const std::string& patch) {
    cases.push_back({name, patch, kBase});
  };
  const std::string body = " line 8\n line 9\n-line 10\n+new\n line 11\n line 12\n";
  add("hunk, long heading", kGit + "@@ -8,5 +8,5 @@ " + std::string(500, 'x') + "\n" + body);
  add("hunk, heading stuck on", kGit + "@@ -8,5 +8,5 @@x\n" + body);
  add("hunk, too few old lines", kGit + "@@ -8,4 +8,5 @@\n" + body);
  add("hunk, too many old lines", kGit + "@@ -8,6 +8,5 @@\n" + body);
  add("hunk, too few lines", kGit + "@@ -8,4 +8,4 @@\n" + body);
  add("hunk, too many lines", kGit + "@@ -8,6 +8,6 @@\n" + body);
  add("hunk, huge counts", kGit + "@@ -8,99999999999999999999 +8,5 @@\n" + body);
  add("hunk, no counts", kGit + "@@ -8 +8 @@\n" + body);
  add("hunk, odd header", kGit + "@@ -8,5 + 8,5 @@\n" + body);
  add("hunk, header cut", kGit + "@@ -8,5 +8,5");
  add("hunk, no numbers", kGit + "@@ -a,b +c,d @@\n" + body);
  add("hunk, new start 0", kGit + "@@ -8,5 +0,5 @@\n" + body);
  add("hunk, old start 0", kGit + "@@ -0,5 +8,5 @@\n" + body);
  add("hunk, old start 1", kGit + "@@ -1,5 +8,5 @@\n" + body);
  add("hunk, start beyond the end", kGit + "@@ -800,5 +800,5 @@\n" + body);
  add("hunk, nothing changes", kGit + "@@ -8,2 +8,2 @@\n line 8\n line 9\n");
  add("hunk, no lines", kGit + "@@ -8,0 +8,0 @@\n");
  add("hunk, cut in the middle", kGit + "@@ -8,5 +8,5 @@\n line 8\n line 9\n-line 10\n");
  add("hunk, cut in a line",
      kGit + "@@ -8,5 +8,5 @@\n line 8\n line 9\n-line 10\n+new\n line 11\n line 12");
  add("hunk, odd first letter",
      kGit + "@@ -8,5 +8,5 @@\n line 8\n line 9\n-line 10\n*new\n line 11\n line 12\n");
  add("hunk, tab for blank",
      kGit + "@@ -8,5 +8,5 @@\n\tline 8\n line 9\n-line 10\n+new\n line 11\n line 12\n");
  add("hunk, only removals",
      kGit + "@@ -8,5 +8,4 @@\n line 8\n line 9\n-line 10\n line 11\n line 12\n");
  add("hunk, no context", kGit + "@@ -10 +10 @@\n-line 10\n+new\n");
  add("hunk, no context at start", kGit + "@@ -1 +1 @@\n-line 1\n+new\n");
  add("hunk, no context at end", kGit + "@@ -20 +20 @@\n-line 20\n+new\n");
  add("hunk, no leading context", kGit + "@@ -10,3 +10,3 @@\n-line 10\n+new\n line 11\n line 12\n");
  add("hunk, no trailing context", kGit + "@@ -8,3 +8,3 @@\n line 8\n line 9\n-line 10\n+new\n");
  add("hunk, insertion only", kGit + "@@ -10,0 +11 @@\n+new\n");
  add("hunk, insertion only into nothing",
      "diff --git a/e b/e\n--- a/e\n+++ b/e\n@@ -0,0 +1 @@\n+new\n");
  add("hunk, insertion only at 1", kGit + "@@ -1,0 +2 @@\n+new\n");
  add("hunk, removal at the end, then more",
      kGit + "@@ -19,2 +19,0 @@\n-line 19\n-line 20\n@@ -18 +18 @@\n-line 18\n+new\n");
  add("hunks, backwards", kGit +
                              "@@ -15,3 +15,3 @@\n line 15\n-line 16\n+x\n line 17\n@@ -5,3 +5,3 "
                              "@@\n line 5\n-line 6\n+y\n line 7\n");
  add("hunks, overlapping", kGit +
                                "@@ -5,3 +5,3 @@\n line 5\n-line 6\n+x\n line 7\n@@ -7,3 +7,3 @@\n "
                                "line 7\n-line 8\n+y\n line 9\n");
  add("hunks, adjacent", kGit +
                             "@@ -5,3 +5,3 @@\n line 5\n-line 6\n+x\n line 7\n@@ -8,3 +8,3 @@\n "
                             "line 8\n-line 9\n+y\n line 10\n");
  add("hunks, one place twice", kGit + kHunk + kHunk);
  add("hunks, text between", kGit + kHunk + "text\n" + kHunk);
  add("hunks, text between and header",
      kGit + kHunk + "text\n\n" + "diff --git a/d/f b/d/f\n--- a/d/f\n+++ b/d/f\n" + kHunk);
  add("hunk without header", kHunk);
  add("hunk without header after text", "text\n\n" + kHunk + kGit + kHunk);
  add("no hunk, looks like one", "@@ -x\n" + kGit + kHunk);
  const std::string note = "\\ No newline at end of file\n";
  const std::string open = "diff --git a/open b/open\n--- a/open\n+++ b/open\n";
  add("note", open + "@@ -1,2 +1,2 @@\n a\n-b\n" + note + "+c\n");
  add("note, both", open + "@@ -1,2 +1,2 @@\n a\n-b\n" + note + "+c\n" + note);
  add("note, in another language", open + "@@ -1,2 +1,2 @@\n a\n-b\n\\ Kein Zeilenumbruch\n+c\n");
  add("note, short", open + "@@ -1,2 +1,2 @@\n a\n-b\n\\ No\n+c\n");
  add("note, no blank", open + "@@ -1,2 +1,2 @@\n a\n-b\n\\No newline at end of file\n+c\n");
  add("note, missing", open + "@@ -1,2 +1,2 @@\n a\n-b\n+c\n");
  add("note, cut", open + "@@ -1,2 +1,2 @@\n a\n-b\n" + note + "+c\n\\ No");
  add("note, cut later", open + "@@ -1,2 +1,2 @@\n a\n-b\n" + note + "+c\n\\ No newline at e");
  add("note, twice", open + "@@ -1,2 +1,2 @@\n a\n-b\n" + note + note + "+c\n");
  add("note, at the start", open + "@@ -1,2 +1,2 @@\n" + note + " a\n-b\n" + note + "+c\n");
  add("note, after context", open + "@@ -1,2 +1,3 @@\n+x\n a\n b\n" + note);
  add("note, in the middle of the old",
      kGit + "@@ -8,3 +8,3 @@\n line 8\n" + note + "-line 9\n+new\n line 10\n");
  add("note, in the middle of the new",
      kGit + "@@ -8,3 +8,4 @@\n line 8\n-line 9\n+new\n" + note + "+newer\n line 10\n");
  add("note, file has an end",
      kGit + "@@ -18,3 +18,3 @@\n line 18\n line 19\n-line 20\n" + note + "+new\n");
  add("note, on context before the end",
      kGit + "@@ -8,3 +8,3 @@\n-line 8\n+new\n line 9\n line 10\n" + note);
  add("empty line for context",
      "diff --git a/g b/g\n--- a/g\n+++ b/g\n@@ -1,4 +1,4 @@\n\n-a\n+b\n\n\n");
  cases.back().base["g"] = plain("\na\n\n\n");
  add("empty line and note",
      "diff --git a/g b/g\n--- a/g\n+++ b/g\n@@ -1,2 +1,2 @@\n-a\n+b\n\n" + note);
  cases.back().base["g"] = plain("a\n");
  add("open line meets blanks",
      "diff --git a/g b/g\n--- a/g\n+++ b/g\n@@ -1,3 +1,3 @@\n-a\n+b\n x\n y\n" + note);
  cases.back().base["g"] = plain("a\nx\ny \t\nz\n");
  add("open line meets blanks, at 2",
      "diff --git a/g b/g\n--- a/g\n+++ b/g\n@@ -2,3 +2,3 @@\n-a\n+b\n x\n y\n" + note);
  cases.back().base["g"] = plain("0\na\nx\ny \t\nz\n");
  add("open lines in a row meet blanks",
      "diff --git a/g b/g\n--- a/g\n+++ b/g\n@@ -2,3 +2,3 @@\n-a\n+b\n x\n" + note + "  \n");
  cases.back().base["g"] = plain("0\na\nx \n\nz\n");
  add("open line meets text",
      "diff --git a/g b/g\n--- a/g\n+++ b/g\n@@ -2,3 +2,3 @@\n-a\n+b\n x\n y\n" + note);
  cases.back().base["g"] = plain("0\na\nx\nyy\nz\n");
  add("open line meets NULs",
      "diff --git a/g b/g\n--- a/g\n+++ b/g\n@@ -2,3 +2,3 @@\n-a\n+b\n x\n \n" + note);
  cases.back().base["g"] = plain(std::string("0\na\nx\n\0\0\nz\n", 11));
  add("open empty line",
      "diff --git a/g b/g\n--- a/g\n+++ b/g\n@@ -2,3 +2,3 @@\n-a\n+b\n x\n \n" + note);
  cases.back().base["g"] = plain("0\na\nx\n\nz\n");
}

void add_garbage(std::vector<TextCase>& cases) {
  const auto add = [&](const std::string& name, const std::string& patch) {
    cases.push_back({name, patch, kBase});
  };
  add("nothing", "");
  add("text", "just some text\nand more of it\n");
  add("one letter", "d");
  add("text around", "some text\n\n" + kGit + kHunk + "\nmore text\n-- \n2.39.5\n\n");
  add("dashes behind", kGit + kHunk + "---\nmore text\n");
  add("dashes and a stat behind", kGit + kHunk + "---\n f | 2 +-\n 1 file changed\n\ntext\n");
  add("header behind", kGit + kHunk + "diff --git a/x b/x");
  add("header behind, with an end", kGit + kHunk + "diff --git a/e b/e\n");
  add("header behind, with two lines", kGit + kHunk + "diff --git a/e b/e\n-- \n2.39.5\n");
  add("mode change at the very end",
      kGit + kHunk + "diff --git a/e b/e\nold mode 100644\nnew mode 100755\n");
  add("mode change cut", kGit + kHunk + "diff --git a/e b/e\nold mode 100644\nnew mode 100755");
  add("mode change, only its first line cut", kGit + kHunk + "diff --git a/e b/e\nold m");
  add("hunk behind", kGit + kHunk + "\n" + kHunk);
  add("dashes before",
      "---\n f | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n\n" + kGit + kHunk);
  add("dashes twice before",
      "---\ntext\n---\n f | 2 +-\n 1 file changed, 1 insertion(+)\n\n" + kGit + kHunk);
  add("binary files differ",
      "diff --git a/f b/f\nindex 1..2 100644\nBinary files a/f and b/f differ\n");
  add("files differ", "diff --git a/f b/f\nindex 1..2 100644\nFiles a/f and b/f differ\n");
  add("binary without anything", "diff --git a/f b/f\nindex 1..2 100644\nGIT binary patch\n");
  add("binary and text", "diff --git a/f b/f\nindex 1..2 100644\nGIT binary patch\nnonsense\n");
  const std::string empty_id = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
  const std::string zeros(40, '0');
  add("binary, to nothing", "diff --git a/f b/f\nindex " +
                                git::hash_object(git::ObjectType::blob, numbered(20)).hex() + ".." +
                                empty_id + " 100644\nGIT binary patch\nliteral 0\nHcmV?d00001\n\n");
  add("binary, deleted without data",
      "diff --git a/f b/f\ndeleted file mode 100644\nindex " +
          git::hash_object(git::ObjectType::blob, numbered(20)).hex() + ".." + zeros +
          "\nBinary files a/f and /dev/null differ\n");
  add("binary, ids in capitals", "diff --git a/f b/f\nindex " + std::string(40, 'A') + ".." +
                                     empty_id +
                                     " 100644\nGIT binary patch\nliteral 0\nHcmV?d00001\n\n");
  add("binary new, empty",
      "diff --git a/n b/n\nnew file mode 100644\nindex " + zeros + ".." + empty_id +
          "\nGIT binary patch\nliteral 0\nHcmV?d00001\n\nliteral 0\nHcmV?d00001\n\n");
  add("NUL in a hunk", kGit + "@@ -8,5 +8,5 @@\n line 8\n line 9\n-line 10\n+" +
                           std::string("n\0w", 3) + "\n line 11\n line 12\n");
  add("NULs around",
      std::string("\0\0\n\0\0\0\0\0\0\n", 10) + kGit + kHunk + std::string(20, '\0'));
}

void add_hostile(std::vector<TextCase>& cases) {
  const auto add = [&](const std::string& name, const std::string& path,
                       const TestTree& more = {}) {
    TestTree base = kBase;
    base.insert(more.begin(), more.end());
    cases.push_back({"hostile new, " + name,
                     "diff --git a/" + path + " b/" + path +
                         "\nnew file mode 100644\n--- /dev/null\n+++ b/" + path +
                         "\n@@ -0,0 +1 @@\n+x\n",
                     base});
    cases.push_back({"hostile symlink, " + name,
                     "diff --git a/" + path + " b/" + path +
                         "\nnew file mode 120000\n--- /dev/null\n+++ b/" + path +
                         "\n@@ -0,0 +1 @@\n+x\n\\ No newline at end of file\n",
                     base});
    cases.push_back({"hostile rename, " + name,
                     "diff --git a/f b/" + path + "\nrename from f\nrename to " + path + "\n",
                     base});
    cases.push_back(
        {"hostile plain, " + name, "--- /dev/null\n+++ b/" + path + "\n@@ -0,0 +1 @@\n+x\n", base});
  };
  for (const char* const path : {"../x",
                                 "../../x",
                                 "d/../x",
                                 "d/./x",
                                 "./x",
                                 ".",
                                 "..",
                                 "d/..",
                                 "/x",
                                 "//x",
                                 "d//x",
                                 "d/",
                                 ".git/x",
                                 ".git",
                                 ".GIT/config",
                                 "d/.git/x",
                                 ".git./x",
                                 ".git /x",
                                 ".git...",
                                 "git~1/x",
                                 "GIT~1",
                                 "git~2/x",
                                 ".git::$INDEX_ALLOCATION/x",
                                 ".git\\x",
                                 "d\\.git\\x",
                                 "..\\x",
                                 "a\\..\\b",
                                 ".gitmodules",
                                 ".GitModules",
                                 "gitmod~1",
                                 "gitmod~5",
                                 "gi7eba~1",
                                 "GI7EB~10",
                                 "gi7eba~9/x",
                                 ".gitmodules .",
                                 ".gitmodules:x",
                                 "d/.gitmodules",
                                 ".gitattributes",
                                 ".gitignore",
                                 ".mailmap",
                                 "C:/x",
                                 "con",
                                 "l/x",
                                 "s/x",
                                 "e/x",
                                 "...",
                                 ".gitx",
                                 "x.git",
                                 ".git~1"}) {
    add(path, path);
  }
  add("through a symlink", "p/q/x", {{"p/q", link("..")}});
  const auto text = [&](const std::string& name, const std::string& patch) {
    cases.push_back({"hostile, " + name, patch, kBase});
  };
  const std::string new_link =
      "diff --git a/n b/n\nnew file mode 120000\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+..\n\\ No "
      "newline at end of file\n";
  const std::string below =
      "diff --git a/n/x b/n/x\nnew file mode 100644\n--- /dev/null\n+++ b/n/x\n@@ -0,0 +1 @@\n+x\n";
  text("through a new symlink", new_link + below);
  text("through a later symlink", below + new_link);
  text("through a renamed symlink", "diff --git a/l b/n\nrename from l\nrename to n\n" + below);
  text("through a renamed symlink, later",
       below + "diff --git a/l b/n\nrename from l\nrename to n\n");
  text("through a copied symlink", "diff --git a/l b/n\ncopy from l\ncopy to n\n" + below);
  text("in place of a symlink",
       "diff --git a/l b/l\ndeleted file mode 120000\n--- a/l\n+++ /dev/null\n@@ -1 +0,0 "
       "@@\n-f\n\\ No newline at end of file\n"
       "diff --git a/l/x b/l/x\nnew file mode 100644\n");
  text("in place of a symlink, first",
       "diff --git a/l/x b/l/x\nnew file mode 100644\ndiff --git a/l b/l\ndeleted file mode "
       "120000\n--- a/l\n+++ /dev/null\n@@ -1 +0,0 @@\n-f\n\\ No newline at end of file\n");
  text("symlink at .gitmodules by rename",
       "diff --git a/l b/.gitmodules\nrename from l\nrename to .gitmodules\n");
  text("reading .git", "diff --git a/.git/config b/n\ncopy from .git/config\ncopy to n\n");
  text("editing .git", "--- a/.git/config\n+++ b/.git/config\n@@ -1 +1 @@\n-x\n+y\n");
}

struct Tally {
  std::size_t compared = 0;
  std::size_t refused = 0;

  void check(const Comparison& result) {
    CAPTURE(result.git_says);
    CAPTURE(result.own_says);
    CHECK(result.own_tree == result.git_tree);
    ++compared;
    if (result.git_tree.empty()) ++refused;
  }
};

}  // namespace

TEST_CASE("patches that were made for another tree do what they do with git") {
  std::vector<FitCase> cases;
  add_offsets(cases);
  add_files(cases);
  TestRepo repo;
  CommitBuilder builder;
  for (const FitCase& fit : cases) {
    builder.add(fit.base);
    builder.add(fit.before);
    builder.add(fit.after);
  }
  const std::vector<std::string> commits = builder.import(repo);
  ApplyOracle oracle(repo);
  Tally tally;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    CAPTURE(cases[i].name);
    Args args{"diff", "-M"};
    args.insert(args.end(), cases[i].options.begin(), cases[i].options.end());
    args.insert(args.end(), {commits[3 * i + 1], commits[3 * i + 2]});
    tally.check(oracle.compare(commits[3 * i], oracle.output(args)));
  }
  MESSAGE(tally.compared << " comparisons, " << tally.refused << " refused by both");
}

TEST_CASE("patches that are written oddly do what they do with git") {
  std::vector<TextCase> cases;
  add_plain_diffs(cases);
  add_git_headers(cases);
  add_hunks(cases);
  add_garbage(cases);
  add_hostile(cases);
  TestRepo repo;
  CommitBuilder builder;
  for (const TextCase& text : cases) builder.add(text.base);
  const std::vector<std::string> commits = builder.import(repo);
  ApplyOracle oracle(repo);
  Tally tally;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    CAPTURE(cases[i].name);
    tally.check(oracle.compare(commits[i], cases[i].patch));
  }
  MESSAGE(tally.compared << " comparisons, " << tally.refused << " refused by both");
}

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
  builder.add(kBase);
  const std::string base = builder.import(repo).front();
  ApplyOracle oracle(repo);
  const std::string zeros(40, '0');
  const std::string damaged = "diff --git a/n b/n\nnew file mode 100644\nindex " + zeros + ".." +
                              std::string(40, '1') + "\nGIT binary patch\nliteral 5\nMcmZ\n\n";
  for (const std::string& patch :
       {kGit + kHunk + damaged,
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
