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

const TestTree& base_tree() {
  static const TestTree kTree = {{"f", plain(numbered(20))},
                                 {"d/f", plain(numbered(20))},
                                 {"x.sh", executable("#!/bin/sh\n")},
                                 {"e", plain("")},
                                 {"l", link("f")},
                                 {"s", submodule('1')},
                                 {"open", plain("a\nb")}};
  return kTree;
}

/// The base with one more file.
TestTree with_g(const std::string& bytes) {
  TestTree tree = base_tree();
  tree["g"] = plain(bytes);
  return tree;
}

/// A patch as text, applied to a base.
struct TextCase {
  std::string name;
  std::string patch;
  TestTree base = base_tree();
};

const std::string kHunk = "@@ -8,5 +8,5 @@\n line 8\n line 9\n-line 10\n+new\n line 11\n line 12\n";
const std::string kNames = "--- a/f\n+++ b/f\n";
const std::string kGit = "diff --git a/f b/f\nindex 1..2 100644\n" + kNames;

const std::string kGone = "@@ -1,2 +0,0 @@\n-a\n-b\n\\ No newline at end of file\n";

const std::vector<TextCase> kPlainDiffs = {
    {"plain", kNames + kHunk},
    {"plain, time stamps",
     "--- a/f\t2010-07-05 19:41:17.620000023 -0500\n+++ b/f\t2010-07-05 19:41:17\n" + kHunk},
    {"plain, zone with colon",
     "--- a/f\t2010-07-05 19:41:17 +01:00\n+++ b/f\t10-07-05 19:41:17 +0100\n" + kHunk},
    {"plain, date after blanks", "--- a/f   2010-07-05\n+++ b/f   2010-07-05 19:41:17\n" + kHunk},
    {"plain, odd stamps", "--- a/f\tSun Jan 1\n+++ b/f\t(working copy)\n" + kHunk},
    {"plain, old name longer", "--- a/f.orig\n+++ b/f\n" + kHunk},
    {"plain, new name longer", "--- a/f\n+++ b/f.new\n" + kHunk},
    {"plain, other folder", "--- old-1.0/f\n+++ new-1.1/f\n" + kHunk},
    {"plain, top folder", "--- f\n+++ f\n" + kHunk},
    {"plain, top folder and then deeper",
     "--- f\n+++ f\n" + kHunk + "--- a/d/f\n+++ b/d/f\n" + kHunk},
    {"plain, top folder on one side", "--- a/f\n+++ f\n" + kHunk},
    {"plain, top folder on the old side", "--- f\n+++ b/f\n" + kHunk},
    {"plain, top folder, old name longer", "--- f.orig\n+++ f\n" + kHunk},
    {"plain, git after top folder",
     "--- f\n+++ f\n" + kHunk + "diff --git a/e b/e\nold mode 100644\nnew mode 100755\n"},
    {"plain, Index", "Index: f\n=======\n" + kNames + kHunk},
    {"plain, absolute", "--- /a/f\n+++ /b/f\n" + kHunk},
    {"plain, double slash", "--- a//f\n+++ b//f\n" + kHunk},
    {"plain, slashes inside", "--- a/d//f\n+++ b/d///f\n" + kHunk},
    {"plain, quoted", "--- \"a/f\"\n+++ \"b/\\146\"\n" + kHunk},
    {"plain, CR after names", "--- a/f\r\n+++ b/f\r\n" + kHunk},
    {"plain, new by /dev/null", "--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 @@\n+x\n+y\n"},
    {"plain, new by epoch",
     "--- a/n\t1970-01-01 00:00:00.000000000 +0000\n+++ b/n\t2010-07-05 19:41:17\n@@ -0,0 +1 "
     "@@\n+x\n"},
    {"plain, new by epoch, west",
     "--- a/n\t1969-12-31 19:00:00 -0500\n+++ b/n\t2010-07-05 19:41:17\n@@ -0,0 +1 @@\n+x\n"},
    {"plain, new by epoch, east",
     "--- a/n\t1970-01-01 05:30:00 +05:30\n+++ b/n\t2010-07-05 19:41:17\n@@ -0,0 +1 @@\n+x\n"},
    {"plain, nearly epoch",
     "--- a/n\t1970-01-01 05:30:01 +05:30\n+++ b/n\t2010-07-05 19:41:17\n@@ -0,0 +1 @@\n+x\n"},
    {"plain, epoch over existing",
     "--- a/f\t1970-01-01 00:00:00 +0000\n+++ b/f\t2010-07-05 19:41:17\n@@ -0,0 +1 @@\n+x\n"},
    {"plain, epoch with old lines",
     "--- a/f\t1970-01-01 00:00:00 +0000\n+++ b/f\t2010-07-05 19:41:17\n" + kHunk},
    {"plain, new without saying", "--- a/n\n+++ b/n\n@@ -0,0 +1 @@\n+x\n"},
    {"plain, new below new", "--- a/n/o/p\n+++ b/n/o/p\n@@ -0,0 +1 @@\n+x\n"},
    {"plain, fill an empty file", "--- a/e\n+++ b/e\n@@ -0,0 +1 @@\n+x\n"},
    {"plain, add to a full file", "--- a/f\n+++ b/f\n@@ -0,0 +1 @@\n+x\n"},
    {"plain, new in two hunks", "--- a/n\n+++ b/n\n@@ -0,0 +1 @@\n+x\n@@ -0,0 +2 @@\n+y\n"},
    {"plain, deleted by /dev/null", "--- a/open\n+++ /dev/null\n" + kGone},
    {"plain, deleted by epoch", "--- a/open\n+++ b/open\t1970-01-01 00:00:00 +0000\n" + kGone},
    {"plain, emptied", "--- a/open\n+++ b/open\n" + kGone},
    {"plain, deleted leaves something", "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-line 1\n"},
    {"plain, deleted, in top folder", "--- open\n+++ /dev/null\n" + kGone},
    {"plain, new in top folder", "--- /dev/null\n+++ n\n@@ -0,0 +1 @@\n+x\n"},
    {"plain, symlink",
     "--- a/l\n+++ b/l\n@@ -1 +1 @@\n-f\n\\ No newline at end of file\n+g\n\\ No newline at end "
     "of file\n"},
    {"plain, executable", "--- a/x.sh\n+++ b/x.sh\n@@ -1 +1 @@\n-#!/bin/sh\n+#!/bin/bash\n"},
    {"plain, no hunk", kNames},
    {"plain, then nothing", kNames + "text\n"},
    {"plain, twice", kNames + kHunk + kNames +
                         "@@ -8,5 +8,5 @@\n line 8\n line 9\n-new\n+newer\n line 11\n line 12\n"},
    {"plain, context diff", "*** a/f\n--- b/f\n***************\n*** 8,12 ****\n"},
    {"combined diff", "diff --cc f\nindex 1,2..3\n--- a/f\n+++ b/f\n@@@ -1,1 -1,1 +1,1 @@@\n  x\n"},
};

const std::string kHead = "diff --git a/f b/f\n";

/// A diff that removes `f` after the hunk above has changed it.
std::string removal_of_changed() {
  std::string out =
      "diff --git a/f b/f\ndeleted file mode 100644\n--- a/f\n+++ /dev/null\n@@ -1,20 +0,0 @@\n";
  for (int i = 1; i <= 20; ++i) out += i == 10 ? "-new\n" : "-line " + std::to_string(i) + "\n";
  return out;
}

const std::vector<TextCase> kGitHeaders = {
    {"git", kGit + kHunk},
    {"git, no index line", kHead + kNames + kHunk},
    {"git, names alone", kHead},
    {"git, names and text", kHead + "some text follows here\n"},
    {"git, names, then itself", kHead + "text text text\n" + kGit + kHunk},
    {"git, names, then plain", kHead + "text text text\n--- a/d/f\n+++ b/d/f\n" + kHunk},
    {"git, names, then a rename",
     kHead + "text text text\ndiff --git a/f b/g\nrename from f\nrename to g\n"},
    {"git, names, then a new file",
     kHead + "text text text\ndiff --git a/n b/n\nnew file mode 100644\n"},
    {"git, index line only", kHead + "index 1..2 100644\n"},
    {"git, index line and names only", kGit},
    {"git, index without mode", kHead + "index 1..2\n" + kNames + kHunk},
    {"git, odd index line", kHead + "index xyz\n" + kNames + kHunk},
    {"git, long index line", kHead + "index " + std::string(50, '1') + ".." + std::string(50, '2') +
                                 " 100644\n" + kNames + kHunk},
    {"git, index mode says symlink", kHead + "index 1..2 120000\n" + kNames + kHunk},
    {"git, index mode says executable", kHead + "index 1..2 100755\n" + kNames + kHunk},
    {"git, unknown mode", kHead + "index 1..2 100600\n" + kNames + kHunk},
    {"git, no mode", kHead + "index 1..2 x\n" + kNames + kHunk},
    {"git, names differ from header", "diff --git a/x b/x\n" + kNames + kHunk},
    {"git, old name differs", kHead + "--- a/d/f\n+++ b/f\n" + kHunk},
    {"git, header has two names", "diff --git a/f b/g\n" + kNames + kHunk},
    {"git, moves without saying", "diff --git a/f b/g\n--- a/f\n+++ b/g\n" + kHunk},
    {"git, moves onto a file without saying", "diff --git a/f b/e\n--- a/f\n+++ b/e\n" + kHunk},
    {"git, header unreadable", "diff --git f g\n" + kNames + kHunk},
    {"git, header without names", "diff --git \n" + kNames + kHunk},
    {"git, only old name", kHead + "--- a/f\n" + kHunk},
    {"git, no names", kHead + "index 1..2 100644\n" + kHunk},
    {"git, new name /dev/null", kHead + "--- a/f\n+++ /dev/null\n" + kHunk},
    {"git, old name /dev/null", kHead + "--- /dev/null\n+++ b/f\n" + kHunk},
    {"git, tabs after names", kHead + "--- a/f\t\n+++ b/f\tx\n" + kHunk},
    {"git, CRs in headers", "diff --git a/f b/f\r\n--- a/f\r\n+++ b/f\r\n" + kHunk},
    {"git, CR after index", kHead + "index 1..2 100644\r\n" + kNames + kHunk},
    {"git, quoted", "diff --git \"a/f\" \"b/f\"\nold mode 100644\nnew mode 100755\n"},
    {"git, half quoted", "diff --git a/f \"b/f\"\nold mode 100644\nnew mode 100755\n"},
    {"git, half quoted the other way",
     "diff --git \"a/f\" b/f\nold mode 100644\nnew mode 100755\n"},
    {"git, badly quoted", "diff --git \"a/f b/f\"\nold mode 100644\nnew mode 100755\n"},
    {"git, bad escape", "diff --git \"a/\\477f\" \"b/\\477f\"\nold mode 100644\nnew mode 100755\n"},
    {"git, two tabs", "diff --git a/f\tb/f\nold mode 100644\nnew mode 100755\n"},
    {"git, blank at end", "diff --git a/f b/f \nold mode 100644\nnew mode 100755\n"},
    {"git, old mode only", kHead + "old mode 100644\n"},
    {"git, new mode only", kHead + "new mode 100755\n"},
    {"git, new mode and hunk", kHead + "new mode 100755\n" + kNames + kHunk},
    {"git, same modes", kHead + "old mode 100644\nnew mode 100644\n"},
    {"git, modes without type", kHead + "old mode 644\nnew mode 755\n"},
    {"git, mode with 9", kHead + "old mode 100649\nnew mode 100755\n"},
    {"git, mode of another type", kHead + "old mode 100644\nnew mode 120000\n"},
    {"git, mode with blanks", kHead + "old mode  100644\nnew mode \t100755 \n"},
    {"git, odd modes", kHead + "old mode 100664\nnew mode 100775\n"},
    {"git, new file, odd mode", "diff --git a/n b/n\nnew file mode 100664\n"},
    {"git, new file, mode 0", "diff --git a/n b/n\nnew file mode 0\n"},
    {"git, new file, mode 755", "diff --git a/n b/n\nnew file mode 755\n"},
    {"git, new file, mode of a device", "diff --git a/n b/n\nnew file mode 060644\n"},
    {"git, new symlink",
     "diff --git a/n b/n\nnew file mode 120000\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n\\ No "
     "newline at end of file\n"},
    {"git, new submodule",
     "diff --git a/n b/n\nnew file mode 160000\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 "
     "@@\n+Subproject commit 2222222222222222222222222222222222222222\n"},
    {"git, bad submodule",
     "diff --git a/n b/n\nnew file mode 160000\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 "
     "@@\n+Subproject commit 222\n"},
    {"git, submodule of nothing", "diff --git a/n b/n\nnew file mode 160000\n"},
    {"git, submodule null",
     "diff --git a/n b/n\nnew file mode 160000\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 "
     "@@\n+Subproject commit 0000000000000000000000000000000000000000\n"},
    {"git, submodule and more",
     "diff --git a/n b/n\nnew file mode 160000\n--- /dev/null\n+++ b/n\n@@ -0,0 +1,2 "
     "@@\n+Subproject commit 2222222222222222222222222222222222222222-dirty\n+x\n"},
    {"git, submodule bumped dirty",
     "diff --git a/s b/s\nindex 1111111..2222222 160000\n--- a/s\n+++ b/s\n@@ -1 +1 "
     "@@\n-Subproject commit 1111111111111111111111111111111111111111\n+Subproject commit "
     "2222222222222222222222222222222222222222-dirty\n"},
    {"git, new and deleted",
     "diff --git a/f b/f\nnew file mode 100644\ndeleted file mode 100644\n"},
    {"git, new and rename",
     "diff --git a/f b/n\nnew file mode 100644\nrename from f\nrename to n\n"},
    {"git, rename and copy", "diff --git a/f b/n\nrename from f\ncopy to n\n"},
    {"git, rename from only", "diff --git a/f b/n\nrename from f\n"},
    {"git, rename to only", "diff --git a/f b/n\nrename to n\n"},
    {"git, rename from only, same", kHead + "rename from f\n"},
    {"git, rename to itself", kHead + "rename from f\nrename to f\n"},
    {"git, old-style rename",
     "diff --git a/f b/n\nsimilarity index 100%\nrename old f\nrename new n\n"},
    {"git, rename with prefixes", "diff --git a/f b/n\nrename from a/f\nrename to b/n\n"},
    {"git, rename with a tab", "diff --git a/f b/n\nrename from f\nrename to n\tm\n"},
    {"git, rename and CR", "diff --git a/f b/n\nrename from f\r\nrename to n\r\n"},
    {"git, rename with other names below",
     "diff --git a/f b/n\nrename from f\nrename to n\n--- a/e\n+++ b/n\n" + kHunk},
    {"git, rename of a folder", "diff --git a/d b/n\nrename from d\nrename to n\n"},
    {"git, rename into d/f", "diff --git a/e b/d/f\nrename from e\nrename to d/f\n"},
    {"git, copy onto itself", kHead + "copy from f\ncopy to f\n"},
    {"git, copy over a file", "diff --git a/f b/e\ncopy from f\ncopy to e\n"},
    {"git, similarity of 300%",
     "diff --git a/f b/n\nsimilarity index 300%\nrename from f\nrename to n\n"},
    {"git, deleted file without hunks", kHead + "deleted file mode 100644\nindex 1..0\n"},
    {"git, deleted empty file", "diff --git a/e b/e\ndeleted file mode 100644\nindex e69de29..0\n"},
    {"git, deleted submodule without hunks", "diff --git a/s b/s\ndeleted file mode 160000\n"},
    {"git, deleted by mode of another type", "diff --git a/e b/e\ndeleted file mode 120000\n"},
    {"git, deleted with new lines",
     "diff --git a/f b/f\ndeleted file mode 100644\n--- a/f\n+++ /dev/null\n" + kHunk},
    {"git, new with old lines",
     "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n" + kHunk},
    {"git, new twice",
     "diff --git a/n b/n\nnew file mode 100644\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n"
     "diff --git a/n b/n\nnew file mode 100755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+y\n"},
    {"git, new and then edited",
     "diff --git a/n b/n\nnew file mode 100755\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+x\n"
     "diff --git a/n b/n\n--- a/n\n+++ b/n\n@@ -1 +1 @@\n-x\n+y\n"},
    {"git, edited twice",
     kGit + kHunk + kGit + "@@ -8,5 +8,5 @@\n line 8\n line 9\n-new\n+newer\n line 11\n line 12\n"},
    {"git, edited and then deleted", kGit + kHunk + removal_of_changed()},
    {"git, deleted and then edited",
     "diff --git a/e b/e\ndeleted file mode 100644\ndiff --git a/e b/e\n--- a/e\n+++ b/e\n@@ -0,0 "
     "+1 @@\n+x\n"},
    {"git, deleted and then new",
     "diff --git a/e b/e\ndeleted file mode 100644\ndiff --git a/e b/e\nnew file mode 100755\n"},
    {"git, new and then deleted",
     "diff --git a/n b/n\nnew file mode 100644\ndiff --git a/n b/n\ndeleted file mode 100644\n"},
    {"git, edited and then renamed",
     kGit + kHunk + "diff --git a/f b/n\nrename from f\nrename to n\n"},
    {"git, renamed and then edited",
     "diff --git a/f b/n\nrename from f\nrename to n\ndiff --git a/n b/n\n--- a/n\n+++ b/n\n" +
         kHunk},
    {"git, renamed and then old edited",
     "diff --git a/f b/n\nrename from f\nrename to n\n" + kGit + kHunk},
    {"git, renamed twice",
     "diff --git a/f b/n\nrename from f\nrename to n\ndiff --git a/f b/m\nrename from f\nrename "
     "to m\n"},
    {"git, chained in one patch",
     "diff --git a/f b/n\nrename from f\nrename to n\ndiff --git a/n b/m\nrename from n\nrename "
     "to m\n"},
    {"git, file and folder",
     "diff --git a/n b/n\nnew file mode 100644\ndiff --git a/n/m b/n/m\nnew file mode 100644\n"},
    {"git, folder and file",
     "diff --git a/n/m b/n/m\nnew file mode 100644\ndiff --git a/n b/n\nnew file mode 100644\n"},
    {"git, folder replaced by a file",
     "diff --git a/d/f b/x\nrename from d/f\nrename to x\ndiff --git a/d b/d\nnew file mode "
     "100644\n"},
    {"git, mode changed twice",
     "diff --git a/e b/e\nold mode 100644\nnew mode 100755\ndiff --git a/e b/e\nold mode "
     "100755\nnew mode 100644\n"},
};

const std::string kBody = " line 8\n line 9\n-line 10\n+new\n line 11\n line 12\n";
const std::string kNote = "\\ No newline at end of file\n";
const std::string kOpen = "diff --git a/open b/open\n--- a/open\n+++ b/open\n";

const std::vector<TextCase> kHunkCases = {
    {"hunk, long heading", kGit + "@@ -8,5 +8,5 @@ " + std::string(500, 'x') + "\n" + kBody},
    {"hunk, heading stuck on", kGit + "@@ -8,5 +8,5 @@x\n" + kBody},
    {"hunk, too few old lines", kGit + "@@ -8,4 +8,5 @@\n" + kBody},
    {"hunk, too many old lines", kGit + "@@ -8,6 +8,5 @@\n" + kBody},
    {"hunk, too few lines", kGit + "@@ -8,4 +8,4 @@\n" + kBody},
    {"hunk, too many lines", kGit + "@@ -8,6 +8,6 @@\n" + kBody},
    {"hunk, huge counts", kGit + "@@ -8,99999999999999999999 +8,5 @@\n" + kBody},
    {"hunk, no counts", kGit + "@@ -8 +8 @@\n" + kBody},
    {"hunk, odd header", kGit + "@@ -8,5 + 8,5 @@\n" + kBody},
    {"hunk, header cut", kGit + "@@ -8,5 +8,5"},
    {"hunk, no numbers", kGit + "@@ -a,b +c,d @@\n" + kBody},
    {"hunk, new start 0", kGit + "@@ -8,5 +0,5 @@\n" + kBody},
    {"hunk, old start 0", kGit + "@@ -0,5 +8,5 @@\n" + kBody},
    {"hunk, old start 1", kGit + "@@ -1,5 +8,5 @@\n" + kBody},
    {"hunk, start beyond the end", kGit + "@@ -800,5 +800,5 @@\n" + kBody},
    {"hunk, nothing changes", kGit + "@@ -8,2 +8,2 @@\n line 8\n line 9\n"},
    {"hunk, no lines", kGit + "@@ -8,0 +8,0 @@\n"},
    {"hunk, cut in the middle", kGit + "@@ -8,5 +8,5 @@\n line 8\n line 9\n-line 10\n"},
    {"hunk, cut in a line",
     kGit + "@@ -8,5 +8,5 @@\n line 8\n line 9\n-line 10\n+new\n line 11\n line 12"},
    {"hunk, odd first letter",
     kGit + "@@ -8,5 +8,5 @@\n line 8\n line 9\n-line 10\n*new\n line 11\n line 12\n"},
    {"hunk, tab for blank",
     kGit + "@@ -8,5 +8,5 @@\n\tline 8\n line 9\n-line 10\n+new\n line 11\n line 12\n"},
    {"hunk, only removals",
     kGit + "@@ -8,5 +8,4 @@\n line 8\n line 9\n-line 10\n line 11\n line 12\n"},
    {"hunk, no context", kGit + "@@ -10 +10 @@\n-line 10\n+new\n"},
    {"hunk, no context at start", kGit + "@@ -1 +1 @@\n-line 1\n+new\n"},
    {"hunk, no context at end", kGit + "@@ -20 +20 @@\n-line 20\n+new\n"},
    {"hunk, no leading context", kGit + "@@ -10,3 +10,3 @@\n-line 10\n+new\n line 11\n line 12\n"},
    {"hunk, no trailing context", kGit + "@@ -8,3 +8,3 @@\n line 8\n line 9\n-line 10\n+new\n"},
    {"hunk, insertion only", kGit + "@@ -10,0 +11 @@\n+new\n"},
    {"hunk, insertion only into nothing",
     "diff --git a/e b/e\n--- a/e\n+++ b/e\n@@ -0,0 +1 @@\n+new\n"},
    {"hunk, insertion only at 1", kGit + "@@ -1,0 +2 @@\n+new\n"},
    {"hunk, removal at the end, then more",
     kGit + "@@ -19,2 +19,0 @@\n-line 19\n-line 20\n@@ -18 +18 @@\n-line 18\n+new\n"},
    {"hunks, backwards", kGit + "@@ -15,3 +15,3 @@\n line 15\n-line 16\n+x\n line 17\n@@ -5,3 +5,3 "
                                "@@\n line 5\n-line 6\n+y\n line 7\n"},
    {"hunks, overlapping", kGit +
                               "@@ -5,3 +5,3 @@\n line 5\n-line 6\n+x\n line 7\n@@ -7,3 +7,3 @@\n "
                               "line 7\n-line 8\n+y\n line 9\n"},
    {"hunks, adjacent", kGit + "@@ -5,3 +5,3 @@\n line 5\n-line 6\n+x\n line 7\n@@ -8,3 +8,3 @@\n "
                               "line 8\n-line 9\n+y\n line 10\n"},
    {"hunks, one place twice", kGit + kHunk + kHunk},
    {"hunks, text between", kGit + kHunk + "text\n" + kHunk},
    {"hunks, text between and header",
     kGit + kHunk + "text\n\n" + "diff --git a/d/f b/d/f\n--- a/d/f\n+++ b/d/f\n" + kHunk},
    {"hunk without header", kHunk},
    {"hunk without header after text", "text\n\n" + kHunk + kGit + kHunk},
    {"no hunk, looks like one", "@@ -x\n" + kGit + kHunk},
    {"note", kOpen + "@@ -1,2 +1,2 @@\n a\n-b\n" + kNote + "+c\n"},
    {"note, both", kOpen + "@@ -1,2 +1,2 @@\n a\n-b\n" + kNote + "+c\n" + kNote},
    {"note, in another language", kOpen + "@@ -1,2 +1,2 @@\n a\n-b\n\\ Kein Zeilenumbruch\n+c\n"},
    {"note, short", kOpen + "@@ -1,2 +1,2 @@\n a\n-b\n\\ No\n+c\n"},
    {"note, no blank", kOpen + "@@ -1,2 +1,2 @@\n a\n-b\n\\No newline at end of file\n+c\n"},
    {"note, missing", kOpen + "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"},
    {"note, cut", kOpen + "@@ -1,2 +1,2 @@\n a\n-b\n" + kNote + "+c\n\\ No"},
    {"note, cut later", kOpen + "@@ -1,2 +1,2 @@\n a\n-b\n" + kNote + "+c\n\\ No newline at e"},
    {"note, twice", kOpen + "@@ -1,2 +1,2 @@\n a\n-b\n" + kNote + kNote + "+c\n"},
    {"note, at the start", kOpen + "@@ -1,2 +1,2 @@\n" + kNote + " a\n-b\n" + kNote + "+c\n"},
    {"note, after context", kOpen + "@@ -1,2 +1,3 @@\n+x\n a\n b\n" + kNote},
    {"note, in the middle of the old",
     kGit + "@@ -8,3 +8,3 @@\n line 8\n" + kNote + "-line 9\n+new\n line 10\n"},
    {"note, in the middle of the new",
     kGit + "@@ -8,3 +8,4 @@\n line 8\n-line 9\n+new\n" + kNote + "+newer\n line 10\n"},
    {"note, file has an end",
     kGit + "@@ -18,3 +18,3 @@\n line 18\n line 19\n-line 20\n" + kNote + "+new\n"},
    {"note, on context before the end",
     kGit + "@@ -8,3 +8,3 @@\n-line 8\n+new\n line 9\n line 10\n" + kNote},
    {"empty line for context",
     "diff --git a/g b/g\n--- a/g\n+++ b/g\n@@ -1,4 +1,4 @@\n\n-a\n+b\n\n\n", with_g("\na\n\n\n")},
    {"empty line and note",
     "diff --git a/g b/g\n--- a/g\n+++ b/g\n@@ -1,2 +1,2 @@\n-a\n+b\n\n" + kNote, with_g("a\n")},
    {"open line meets blanks",
     "diff --git a/g b/g\n--- a/g\n+++ b/g\n@@ -1,3 +1,3 @@\n-a\n+b\n x\n y\n" + kNote,
     with_g("a\nx\ny \t\nz\n")},
    {"open line meets blanks, at 2",
     "diff --git a/g b/g\n--- a/g\n+++ b/g\n@@ -2,3 +2,3 @@\n-a\n+b\n x\n y\n" + kNote,
     with_g("0\na\nx\ny \t\nz\n")},
    {"open lines in a row meet blanks",
     "diff --git a/g b/g\n--- a/g\n+++ b/g\n@@ -2,3 +2,3 @@\n-a\n+b\n x\n" + kNote + "  \n",
     with_g("0\na\nx \n\nz\n")},
    {"open line meets text",
     "diff --git a/g b/g\n--- a/g\n+++ b/g\n@@ -2,3 +2,3 @@\n-a\n+b\n x\n y\n" + kNote,
     with_g("0\na\nx\nyy\nz\n")},
    {"open line meets NULs",
     "diff --git a/g b/g\n--- a/g\n+++ b/g\n@@ -2,3 +2,3 @@\n-a\n+b\n x\n \n" + kNote,
     with_g(std::string("0\na\nx\n\0\0\nz\n", 11))},
    {"open empty line",
     "diff --git a/g b/g\n--- a/g\n+++ b/g\n@@ -2,3 +2,3 @@\n-a\n+b\n x\n \n" + kNote,
     with_g("0\na\nx\n\nz\n")},
};

const std::string kEmptyId = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391";
const std::string kZeros(40, '0');

const std::vector<TextCase> kGarbage = {
    {"nothing", ""},
    {"text", "just some text\nand more of it\n"},
    {"one letter", "d"},
    {"text around", "some text\n\n" + kGit + kHunk + "\nmore text\n-- \n2.39.5\n\n"},
    {"dashes behind", kGit + kHunk + "---\nmore text\n"},
    {"dashes and a stat behind", kGit + kHunk + "---\n f | 2 +-\n 1 file changed\n\ntext\n"},
    {"header behind", kGit + kHunk + "diff --git a/x b/x"},
    {"header behind, with an end", kGit + kHunk + "diff --git a/e b/e\n"},
    {"header behind, with two lines", kGit + kHunk + "diff --git a/e b/e\n-- \n2.39.5\n"},
    {"mode change at the very end",
     kGit + kHunk + "diff --git a/e b/e\nold mode 100644\nnew mode 100755\n"},
    {"mode change cut", kGit + kHunk + "diff --git a/e b/e\nold mode 100644\nnew mode 100755"},
    {"mode change, only its first line cut", kGit + kHunk + "diff --git a/e b/e\nold m"},
    {"hunk behind", kGit + kHunk + "\n" + kHunk},
    {"dashes before",
     "---\n f | 2 +-\n 1 file changed, 1 insertion(+), 1 deletion(-)\n\n" + kGit + kHunk},
    {"dashes twice before",
     "---\ntext\n---\n f | 2 +-\n 1 file changed, 1 insertion(+)\n\n" + kGit + kHunk},
    {"binary files differ",
     "diff --git a/f b/f\nindex 1..2 100644\nBinary files a/f and b/f differ\n"},
    {"files differ", "diff --git a/f b/f\nindex 1..2 100644\nFiles a/f and b/f differ\n"},
    {"binary without anything", "diff --git a/f b/f\nindex 1..2 100644\nGIT binary patch\n"},
    {"binary and text", "diff --git a/f b/f\nindex 1..2 100644\nGIT binary patch\nnonsense\n"},
    {"binary, to nothing", "diff --git a/f b/f\nindex " +
                               git::hash_object(git::ObjectType::blob, numbered(20)).hex() + ".." +
                               kEmptyId + " 100644\nGIT binary patch\nliteral 0\nHcmV?d00001\n\n"},
    {"binary, deleted without data",
     "diff --git a/f b/f\ndeleted file mode 100644\nindex " +
         git::hash_object(git::ObjectType::blob, numbered(20)).hex() + ".." + kZeros +
         "\nBinary files a/f and /dev/null differ\n"},
    {"binary, ids in capitals", "diff --git a/f b/f\nindex " + std::string(40, 'A') + ".." +
                                    kEmptyId +
                                    " 100644\nGIT binary patch\nliteral 0\nHcmV?d00001\n\n"},
    {"binary new, empty",
     "diff --git a/n b/n\nnew file mode 100644\nindex " + kZeros + ".." + kEmptyId +
         "\nGIT binary patch\nliteral 0\nHcmV?d00001\n\nliteral 0\nHcmV?d00001\n\n"},
    {"NUL in a hunk", kGit + "@@ -8,5 +8,5 @@\n line 8\n line 9\n-line 10\n+" +
                          std::string("n\0w", 3) + "\n line 11\n line 12\n"},
    {"NULs around", std::string("\0\0\n\0\0\0\0\0\0\n", 10) + kGit + kHunk + std::string(20, '\0')},
};

/// Paths that lead, or look as if they led, to where no patch may write.
const std::vector<std::string> kHostilePaths = {
    "../x",
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
    ".git~1",
};

const std::string kNewLink =
    "diff --git a/n b/n\nnew file mode 120000\n--- /dev/null\n+++ b/n\n@@ -0,0 +1 @@\n+..\n\\ No "
    "newline at end of file\n";
const std::string kBelow =
    "diff --git a/n/x b/n/x\nnew file mode 100644\n--- /dev/null\n+++ b/n/x\n@@ -0,0 +1 @@\n+x\n";

const std::vector<TextCase> kSymlinkCases = {
    {"through a new symlink", kNewLink + kBelow},
    {"through a later symlink", kBelow + kNewLink},
    {"through a renamed symlink", "diff --git a/l b/n\nrename from l\nrename to n\n" + kBelow},
    {"through a renamed symlink, later",
     kBelow + "diff --git a/l b/n\nrename from l\nrename to n\n"},
    {"through a copied symlink", "diff --git a/l b/n\ncopy from l\ncopy to n\n" + kBelow},
    {"in place of a symlink",
     "diff --git a/l b/l\ndeleted file mode 120000\n--- a/l\n+++ /dev/null\n@@ -1 +0,0 "
     "@@\n-f\n\\ No newline at end of file\n"
     "diff --git a/l/x b/l/x\nnew file mode 100644\n"},
    {"in place of a symlink, first",
     "diff --git a/l/x b/l/x\nnew file mode 100644\ndiff --git a/l b/l\ndeleted file mode "
     "120000\n--- a/l\n+++ /dev/null\n@@ -1 +0,0 @@\n-f\n\\ No newline at end of file\n"},
    {"symlink at .gitmodules by rename",
     "diff --git a/l b/.gitmodules\nrename from l\nrename to .gitmodules\n"},
    {"reading .git", "diff --git a/.git/config b/n\ncopy from .git/config\ncopy to n\n"},
    {"editing .git", "--- a/.git/config\n+++ b/.git/config\n@@ -1 +1 @@\n-x\n+y\n"},
};

/// Each kind of diff that can bring a file to a path.
void add_arrivals(std::vector<TextCase>& cases, const std::string& path, const TestTree& base) {
  const std::string header = "diff --git a/" + path + " b/" + path + "\nnew file mode ";
  const std::string names = "--- /dev/null\n+++ b/" + path + "\n@@ -0,0 +1 @@\n+x\n";
  cases.push_back({"new, " + path, header + "100644\n" + names, base});
  cases.push_back({"new symlink, " + path,
                   header + "120000\n" + names + "\\ No newline at end of file\n", base});
  cases.push_back({"rename, " + path,
                   "diff --git a/f b/" + path + "\nrename from f\nrename to " + path + "\n", base});
  cases.push_back({"plain, " + path, names, base});
}

std::vector<TextCase> hostile_cases() {
  std::vector<TextCase> cases = kSymlinkCases;
  for (const std::string& path : kHostilePaths) add_arrivals(cases, path, base_tree());
  TestTree with_link = base_tree();
  with_link["p/q"] = link("..");
  add_arrivals(cases, "p/q/x", with_link);
  return cases;
}

}  // namespace

TEST_CASE("patches that are written oddly do what they do with git") {
  std::vector<TextCase> cases = hostile_cases();
  for (const auto* const table : {&kPlainDiffs, &kGitHeaders, &kHunkCases, &kGarbage}) {
    cases.insert(cases.end(), table->begin(), table->end());
  }
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
  MESSAGE(tally.text());
}
