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
                       const std::string& to) {
    cases.push_back({name, one(base), one(from), one(to), {}});
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
}

void add_edges(std::vector<FitCase>& cases) {
  const std::string before = lines(60);
  const std::string after = lines(60, {{30, "new\n"}});
  const auto add = [&](const std::string& name, const std::string& base, const std::string& from,
                       const std::string& to) {
    cases.push_back({name, one(base), one(from), one(to), {}});
  };
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
}

void add_contexts(std::vector<FitCase>& cases) {
  const std::string before = lines(60);
  const auto add = [&](const std::string& name, const std::string& base, const std::string& from,
                       const std::string& to, const Args& options) {
    cases.push_back({name, one(base), one(from), one(to), options});
  };
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
  const auto add = [&](const std::string& name, const TestTree& base, const TestTree& before,
                       const TestTree& after, const Args& options = {"--binary"}) {
    cases.push_back({name, base, before, after, options});
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
}

void add_binaries(std::vector<FitCase>& cases) {
  const std::string text = numbered(20);
  const std::string edited = lines(20, {{10, "new\n"}});
  const auto add = [&](const std::string& name, const TestTree& base, const TestTree& before,
                       const TestTree& after, const Args& options = {"--binary"}) {
    cases.push_back({name, base, before, after, options});
  };
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
}

void add_forms(std::vector<FitCase>& cases) {
  const std::string text = numbered(20);
  const std::string edited = lines(20, {{10, "new\n"}});
  const auto add = [&](const std::string& name, const TestTree& base, const TestTree& before,
                       const TestTree& after, const Args& options = {"--binary"}) {
    cases.push_back({name, base, before, after, options});
  };
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

}  // namespace

TEST_CASE("patches that were made for another tree do what they do with git") {
  std::vector<FitCase> cases;
  add_offsets(cases);
  add_edges(cases);
  add_contexts(cases);
  add_files(cases);
  add_binaries(cases);
  add_forms(cases);
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
  MESSAGE(tally.text());
}
