// SPDX-License-Identifier: Apache-2.0
#include "cli/table.h"

#include <doctest/doctest.h>

using namespace flagscale::cli;

TEST_CASE("text takes as many columns as a terminal needs for it") {
  CHECK(display_width("") == 0);
  CHECK(display_width("plain") == 5);
  CHECK(display_width("caf\xc3\xa9") == 4);
  // The accent as a mark of its own.
  CHECK(display_width("cafe\xcc\x81") == 4);
  CHECK(display_width("\xe9\x87\x8d\xe5\x91\xbd") == 4);
  CHECK(display_width("\xf0\x9f\x98\x80") == 2);
}

TEST_CASE("text is cut between letters") {
  CHECK(cut_to_width("plain", 5) == "plain");
  CHECK(cut_to_width("plain text", 7) == "plain..");
  CHECK(cut_to_width("\xe9\x87\x8d\xe5\x91\xbd\xe5\x90\x8d", 5) == "\xe9\x87\x8d..");
  CHECK(cut_to_width("\xe9\x87\x8d\xe5\x91\xbd\xe5\x90\x8d", 6).size() == 9);
  CHECK(cut_to_width("cafe\xcc\x81 au lait", 6) == "cafe\xcc\x81..");
  CHECK(cut_to_width("abc", 2) == "..");
  CHECK(cut_to_width("abc", 0).empty());
}

TEST_CASE("columns line up and the last one is cut") {
  Table table({{"NAME"}, {"N", true}, {"TEXT"}});
  table.add({"a", "100", "some words"});
  table.add({"\xe9\x87\x8d\xe5\x91\xbd\xe5\x90\x8d", "1", ""});
  CHECK(table.format_titles(std::nullopt) == "NAME      N  TEXT");
  CHECK(table.format_rows(std::nullopt) ==
        "a       100  some words\n\xe9\x87\x8d\xe5\x91\xbd\xe5\x90\x8d    1\n");
  CHECK(table.format_rows(21).starts_with("a       100  some w..\n"));
  // Something is always left of it.
  CHECK(table.format_rows(3).starts_with("a       100  some w..\n"));
}

TEST_CASE("a long error is folded at colons, not within a quoted name") {
  const std::string text =
      "fatal: a.patch: mail 2 of 3, 'fix: it': it's wrong: expected 'x: y' here";
  CHECK(fold_at_colons(text, 80) == text);
  CHECK(fold_at_colons(text, 40) ==
        "fatal: a.patch: mail 2 of 3, 'fix: it':\n  it's wrong: expected 'x: y' here");
  CHECK(fold_at_colons(text, 20) ==
        "fatal: a.patch:\n  mail 2 of 3, 'fix: it':\n  it's wrong:\n  expected 'x: y' here");
  CHECK(fold_at_colons("", 20).empty());
}
