// SPDX-License-Identifier: Apache-2.0
#include "core/apply.h"

#include <algorithm>
#include <optional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <doctest/doctest.h>

#include "base/error.h"
#include "core/line_order.h"
#include "core/patched_text.h"
#include "support/memory_objects.h"

using namespace flagscale;
using git::Mode;
using test::MemoryObjects;

namespace {

const std::string kHead = "diff --git a/f b/f\n--- a/f\n+++ b/f\n";

std::string apply_text(const std::string& before, const std::string& hunks) {
  const std::string patch = kHead + hunks;
  return apply_hunks(before, parse_diff(patch, 1).front());
}

std::string refusal(const std::string& before, const std::string& hunks) {
  try {
    (void)apply_text(before, hunks);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::unable);
    return error.what();
  }
  return {};
}

/// A tree in memory to which patches are applied.
struct Fixture {
  MemoryObjects objects;
  TreeOverlay tree{objects, git::Oid()};

  void put(const std::string& path, std::string bytes, Mode mode = Mode::file) {
    tree.put(path, mode, Content(std::move(bytes)));
  }
  void apply(const std::string& patch) {
    apply_diffs(parse_diff(patch, 1), tree, {&objects, {}, false});
  }
  std::string refusal(const std::string& patch) {
    try {
      apply(patch);
    } catch (const Error& error) {
      CHECK(error.kind() == ErrorKind::unable);
      return error.what();
    }
    return {};
  }
  std::string at(const std::string& path) {
    const auto file = tree.find(path);
    if (!file) return "(nothing)";
    return git::format_mode(file->mode) + " " + std::string(tree.read(*file).view());
  }
};

/// The plain way to apply a hunk: a list of lines, some of them new, searched from the wanted
/// line outwards.
struct SlowText {
  struct Line {
    std::string_view text;
    bool is_new;
  };
  std::vector<Line> lines;

  explicit SlowText(std::string_view text) {
    while (!text.empty()) lines.push_back({take_line(text), false});
  }
  bool fits(const OldLines& old, std::size_t at, bool at_start, bool at_end) const {
    if (at + old.lines.size() > lines.size()) return false;
    if ((at_start && at != 0) || (at_end && at + old.lines.size() != lines.size())) return false;
    for (std::size_t i = 0; i < old.lines.size(); ++i) {
      if (lines[at + i].is_new || lines[at + i].text != old.lines[i]) return false;
    }
    return true;
  }
  bool apply(const Hunk& hunk) {
    OldLines old;
    old.read(hunk);
    const std::size_t wanted =
        std::min<std::size_t>(hunk.new_start == 0 ? 0 : hunk.new_start - 1, lines.size());
    std::optional<std::size_t> found;
    const auto attempt = [&](std::size_t at) {
      if (!found && fits(old, at, hunk.old_start <= 1, hunk.trailing == 0)) found = at;
    };
    for (std::size_t distance = 0; distance <= lines.size(); ++distance) {
      if (wanted + distance <= lines.size()) attempt(wanted + distance);
      if (wanted >= distance) attempt(wanted - distance);
    }
    if (!found) return false;
    const auto place = lines.begin() + static_cast<std::ptrdiff_t>(*found);
    std::vector<Line> made;
    for_each_hunk_line(hunk.body, [&](char kind, std::string_view text) {
      if (kind != '-') made.push_back({text, true});
    });
    lines.insert(lines.erase(place, place + static_cast<std::ptrdiff_t>(old.lines.size())),
                 made.begin(), made.end());
    return true;
  }
  std::string text() const {
    std::string out;
    for (const Line& line : lines) out += line.text;
    return out;
  }
};

/// A hunk made of a few random lines of a small alphabet.
std::string random_hunk(std::mt19937& random, std::size_t lines) {
  std::string body;
  std::size_t old_count = 0;
  std::size_t new_count = 0;
  bool changes = false;
  for (std::size_t left = 1 + random() % 5; left > 0 || !changes; left -= left > 0 ? 1 : 0) {
    const char kind = " +-"[random() % 3];
    old_count += kind != '+' ? 1 : 0;
    new_count += kind != '-' ? 1 : 0;
    changes |= kind != ' ';
    body += kind + std::string(1, static_cast<char>('a' + random() % 3)) + "\n";
  }
  const auto range = [&](std::size_t count) {
    return std::to_string(random() % (lines + 3)) + "," + std::to_string(count);
  };
  return "@@ -" + range(old_count) + " +" + range(new_count) + " @@\n" + body;
}

}  // namespace

TEST_CASE("hunks are applied at their line or the nearest place") {
  const std::string block = "1\na\nb\nc\n2\n";
  const std::string hunk = "@@ -12,3 +12,3 @@\n a\n-b\n+B\n c\n";
  const auto with = [&](int at) {
    std::string out;
    for (int i = 0; i < 5; ++i) out += i == at ? "1\na\nB\nc\n2\n" : block;
    return out;
  };
  const std::string text = block + block + block + block + block;
  CHECK(apply_text(text, hunk) == with(2));
  CHECK(apply_text(text, "@@ -13,3 +13,3 @@\n a\n-b\n+B\n c\n") == with(2));
  CHECK(apply_text(text, "@@ -14,3 +14,3 @@\n a\n-b\n+B\n c\n") == with(2));
  CHECK(apply_text(text, "@@ -15,3 +15,3 @@\n a\n-b\n+B\n c\n") == with(3));
  CHECK(apply_text(text, "@@ -9,3 +900,3 @@\n a\n-b\n+B\n c\n") == with(4));
  // The second may not touch what the first has made.
  CHECK(apply_text("a\nb\nc\na\nb\nc\n",
                   "@@ -2,2 +2,2 @@\n-b\n+c\n c\n@@ -2,2 +2,2 @@\n-b\n+x\n c\n") ==
        "a\nc\nc\na\nx\nc\n");
}

TEST_CASE("hunks at the edges") {
  CHECK(apply_text("", "@@ -0,0 +1,2 @@\n+a\n+b\n") == "a\nb\n");
  CHECK(apply_text("a\n", "@@ -1 +0,0 @@\n-a\n").empty());
  CHECK(apply_text("a\nb", "@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n") ==
        "a\nb\n");
  CHECK(apply_text("a\nb\n", "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n") ==
        "a\nb");
  CHECK(refusal("x\na\nb\n", "@@ -1,2 +1,2 @@\n-a\n+A\n b\n")
            .find("expected 'a' at line 1, found 'x'") != std::string::npos);
  CHECK(refusal("a\nb\nx\n", "@@ -1,2 +1,2 @@\n a\n-b\n+B\n").find("goes on after the hunk") !=
        std::string::npos);
}

TEST_CASE("a hunk that does not fit is named") {
  CHECK(refusal("a\nb\nc\n", "@@ -2,2 +2,2 @@\n-B\n+x\n c\n") ==
        "patch does not apply to 'f': hunk 1 (line 4 of the patch): expected 'B' at line 2, found "
        "'b'");
  CHECK(refusal("a\nb\nc\n", "@@ -1,2 +1,2 @@\n-a\n+x\n b\n@@ -7,2 +7,2 @@\n-B\n+x\n c\n") ==
        "patch does not apply to 'f': hunk 2 (line 8 of the patch): expected 'B', but there is no "
        "line 4");
  CHECK(refusal("a\nb\nc\nd\n", "@@ -2,2 +2,2 @@\n-b\n+x\n c\n@@ -3,2 +3,2 @@\n-c\n+x\n d\n")
            .find("belongs to an earlier hunk") != std::string::npos);
}

TEST_CASE("the fast ways to apply hunks do what the slow one does") {
  std::mt19937 random(7);
  int applied = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string before;
    const std::size_t lines = random() % 25;
    for (std::size_t i = 0; i < lines; ++i) {
      before += std::string(1, static_cast<char>('a' + random() % 3)) + "\n";
    }
    std::string patch = kHead;
    for (std::size_t left = 1 + random() % 4; left > 0; --left) patch += random_hunk(random, lines);
    CAPTURE(before);
    CAPTURE(patch);
    const std::vector<FileDiff> diffs = parse_diff(patch, 1);
    SlowText slow(before);
    PatchedText walking(before);
    PatchedText looking_up(before, 0);
    for (const Hunk& hunk : diffs.front().hunks) {
      const bool fits = slow.apply(hunk);
      REQUIRE(walking.apply(hunk) == fits);
      REQUIRE(looking_up.apply(hunk) == fits);
      applied += fits ? 1 : 0;
    }
    REQUIRE(walking.text() == slow.text());
    REQUIRE(looking_up.text() == slow.text());
  }
  CHECK(applied > 5000);
}

TEST_CASE("100,000 hunks far from their place take no time") {
  std::string before;
  std::string patch = kHead;
  std::string after;
  for (int i = 0; i < 100000; ++i) before += "shift " + std::to_string(i) + "\n";
  after = before;
  for (int i = 1; i <= 100000; ++i) {
    const std::string first = "line " + std::to_string(2 * i) + "\n";
    const std::string second = "line " + std::to_string(2 * i + 1) + "\n";
    const std::string start = std::to_string(2 * i);
    before += first + second;
    after += "new\n" + second;
    patch += "@@ -" + start + ",2 +" + start + ",2 @@\n-" + first + "+new\n " + second;
  }
  CHECK(apply_hunks(before, parse_diff(patch, 1).front()) == after);
}

TEST_CASE("the order of lines") {
  LineOrder order(10);
  CHECK(order.total() == 10);
  CHECK(order.number_of(4) == 4);
  CHECK(order.line_at(9) == 9);
  order.replace(3, 2, 5);
  CHECK(order.total() == 13);
  CHECK(order.number_of(5) == 8);
  CHECK(order.line_at(2) == 2);
  CHECK(order.line_at(3) == 3);
  CHECK(order.line_at(7) == 3);
  CHECK(order.line_at(8) == 5);
  CHECK_FALSE(order.is_kept(4));
  CHECK(order.next_kept(3) == 5);
  CHECK(order.previous_kept_end(5) == 3);
  order.replace(0, 3, 0);
  CHECK(order.previous_kept_end(5) == 0);
  CHECK(order.number_of(5) == 5);
  order.replace(10, 0, 2);
  CHECK(order.total() == 12);
  CHECK(order.line_at(11) == 10);
  CHECK(order.next_kept(10) == 10);
}

TEST_CASE("files are made, changed and removed") {
  Fixture made;
  made.put("f", "a\n");
  made.put("gone", "x\n");
  made.put("run", "x\n", Mode::executable);
  made.apply(
      "diff --git a/f b/f\n--- a/f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n"
      "diff --git a/gone b/gone\ndeleted file mode 100644\n--- a/gone\n+++ /dev/null\n@@ -1 +0,0 "
      "@@\n-x\n"
      "diff --git a/run b/d/e/run\nrename from run\nrename to d/e/run\n"
      "diff --git a/d/link b/d/link\nnew file mode 120000\n--- /dev/null\n+++ b/d/link\n@@ -0,0 +1 "
      "@@\n"
      "+f\n\\ No newline at end of file\n");
  CHECK(made.at("f") == "100644 b\n");
  CHECK(made.at("gone") == "(nothing)");
  CHECK(made.at("run") == "(nothing)");
  CHECK(made.at("d/e/run") == "100755 x\n");
  CHECK(made.at("d/link") == "120000 f");
}

TEST_CASE("files trade places") {
  Fixture made;
  made.put("a", "a\n");
  made.put("b", "b\n");
  made.apply(
      "diff --git a/a b/b\nrename from a\nrename to b\ndiff --git a/b b/a\nrename from b\nrename "
      "to a\n"
      "diff --git a/a b/c\ncopy from a\ncopy to c\n");
  CHECK(made.at("a") == "100644 b\n");
  CHECK(made.at("b") == "100644 a\n");
  CHECK(made.at("c") == "100644 a\n");
}

TEST_CASE("refusals say why") {
  Fixture made;
  made.put("f", "a\n");
  made.put("d/x", "x\n");
  made.put("l", "d", Mode::symlink);
  const auto creates = [](const std::string& path) {
    return "diff --git a/" + path + " b/" + path + "\nnew file mode 100644\n";
  };
  const std::string start = "patch does not apply to ";
  CHECK(made.refusal(creates("f")) == start + "'f' (line 1 of the patch): the file exists already");
  CHECK(made.refusal(creates("d")) == start + "'d' (line 1 of the patch): it is a folder");
  CHECK(made.refusal(creates("f/g")) ==
        start + "'f/g' (line 1 of the patch): 'f' is a file and would be a folder");
  CHECK(made.refusal(creates("l/g")) ==
        start + "'l/g' (line 1 of the patch): the path leads through a symlink");
  CHECK(made.refusal(creates("../g")) ==
        start + "'../g' (line 1 of the patch): invalid path '../g'");
  CHECK(made.refusal(kHead + "@@ -1 +1 @@\n-x\n+y\n").find("expected 'x' at line 1, found 'a'") !=
        std::string::npos);
  CHECK(made.refusal("diff --git a/n b/n\nold mode 100644\nnew mode 100755\n") ==
        start + "'n' (line 1 of the patch): there is no 'n'");
  CHECK(made.refusal("diff --git a/l b/l\n--- a/l\n+++ b/l\nold mode 100644\nnew mode 100755\n") ==
        start + "'l' (line 1 of the patch): it is another type of file");
  CHECK(made.refusal("diff --git a/n b/n\nnew file mode 040000\n") ==
        start + "'n' (line 1 of the patch): a diff cannot make a folder");
}

TEST_CASE("a binary file without data comes from known objects only") {
  Fixture made;
  const std::string old_bytes("a\0b", 3);
  const std::string new_bytes("a\0c", 3);
  made.put("f", old_bytes);
  const git::Oid old_id = git::hash_object(git::ObjectType::blob, old_bytes);
  const git::Oid new_id = git::hash_object(git::ObjectType::blob, new_bytes);
  const std::string patch = "diff --git a/f b/f\nindex " + old_id.hex() + ".." + new_id.hex() +
                            " 100644\nBinary files a/f and b/f differ\n";
  CHECK(made.refusal(patch).find("lacks the binary file's data") != std::string::npos);
  made.objects.add(git::ObjectType::blob, new_bytes);
  made.apply(patch);
  CHECK(made.at("f") == "100644 " + new_bytes);
  git::NullSink nowhere;
  made.tree.flush(nowhere);
  CHECK(made.tree.find("f")->id == new_id);
}
