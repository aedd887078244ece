// SPDX-License-Identifier: Apache-2.0
#include "git/path_rules.h"

#include <string>

#include <doctest/doctest.h>

using namespace flagscale;

TEST_CASE("paths that are safe") {
  for (const char* const path : {"a",           "a/b",          ".hidden",    "a/.b",
                                 "...",         "a/...",        ".gitignore", ".gitattributes",
                                 ".gitmodules", ".gitx",        "git",        "git~2",
                                 "git~11",      "x.git",        "a b",        " ",
                                 "a\\b",        "\xff",         "CON",        ".gi",
                                 ".gitt",       "\xe2\x80\x8c", "a\n",        "..a",
                                 "a..",         ".git-x",       "c:x"}) {
    CAPTURE(path);
    CHECK(git::is_safe_path(path));
  }
  CHECK(git::is_safe_path(std::string(git::kMaxPathSize, 'a')));
}

TEST_CASE("paths that are not") {
  for (const char* const path :
       {"", "/", "/a", "a/", "a//b", ".", "..", "../a", "a/..", "a/../b", "a/./b", "./a", ".git",
        ".GIT", ".gIt/config", "a/.git", "a/.git/b", "git~1", "GIT~1", "a/git~1/b", ".git.",
        ".git ", ".git . .", "git~1 .", ".git::$INDEX_ALLOCATION", ".git:x", "git~1:x", ".git\\x",
        "a\\.git", "a\\git~1\\b", ".g\xe2\x80\x8cit", "\xef\xbb\xbf.git", ".git\xe2\x80\x8f",
        // NOLINTNEXTLINE(misc-misleading-bidirectional): on purpose.
        ".\xe2\x81\xaaG\xe2\x80\xaeIT", "a/.gi\xe2\x80\x8dt/b"}) {
    CAPTURE(path);
    CHECK_FALSE(git::is_safe_path(path));
    CHECK_FALSE(git::is_safe_symlink_path(path));
  }
  CHECK_FALSE(git::is_safe_path(std::string(git::kMaxPathSize + 1, 'a')));
  CHECK_FALSE(git::is_safe_path(std::string("a\0b", 3)));
}

TEST_CASE("spellings of .gitmodules") {
  for (const char* const name :
       {".gitmodules", ".GITMODULES", ".gitmodules ", ".gitmodules. .", ".gitmodules:x", "gitmod~1",
        "GITMOD~4", "gitmod~2 .", "gi7eba~1", "GI7EBA~9", "gi7eb~10", "gi7e~123", "~1000000",
        "gi7eba~1 .", ".git\xe2\x80\x8cmodules", "a\\.gitmodules"}) {
    CAPTURE(name);
    CHECK(git::folds_to_gitmodules(name));
    CHECK_FALSE(git::is_safe_symlink_path(name));
    CHECK_FALSE(git::is_safe_symlink_path("a/" + std::string(name)));
    CHECK(git::is_safe_path(name));
  }
  for (const char* const name :
       {"gitmodules", ".gitmodule", ".gitmodulesx", "gitmod~5", "gitmod~0", "gitmod~11", "gi7eba~0",
        "gi7eb~1", "gi7eba~1x", "gi7ebaa~1", "~0000000", ".gitmodules\\x", "gi7eba1~"}) {
    CAPTURE(name);
    const bool is_folder_on_windows = std::string_view(name) == ".gitmodules\\x";
    CHECK(git::folds_to_gitmodules(name) == is_folder_on_windows);
  }
}
