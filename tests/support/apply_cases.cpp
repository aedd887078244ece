// SPDX-License-Identifier: Apache-2.0
#include "support/apply_cases.h"

#include <utility>

namespace flagscale::test {
namespace {

using Cases = std::vector<ChangeCase>;

const std::string kText = numbered(20);

/// `text` with one line replaced.
std::string edited(std::string text, const std::string& line = "line 10\n",
                   const std::string& by = "changed\n") {
  text.replace(text.find(line), line.size(), by);
  return text;
}

/// `text` with every `from` replaced.
std::string replaced(const std::string& text, const std::string& from, const std::string& to) {
  std::string out;
  std::size_t start = 0;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, start)) {
    out += text.substr(start, at - start) + to;
    start = at + from.size();
  }
  return out + text.substr(start);
}

std::string without_end(std::string text) {
  text.pop_back();
  return text;
}

void add_plain(Cases& cases) {
  cases.push_back({"edit", {{"f", plain(kText)}}, {{"f", plain(edited(kText))}}});
  cases.push_back({"edit first line", {{"f", plain(kText)}}, {{"f", plain("new\n" + kText)}}});
  cases.push_back({"edit last line", {{"f", plain(kText)}}, {{"f", plain(kText + "new\n")}}});
  cases.push_back({"drop first line", {{"f", plain(kText)}}, {{"f", plain(kText.substr(7))}}});
  cases.push_back({"one line file", {{"f", plain("a\n")}}, {{"f", plain("b\n")}}});
  cases.push_back({"two hunks",
                   {{"f", plain(numbered(60))}},
                   {{"f", plain(edited(edited(numbered(60)), "line 50\n", "x\ny\n"))}}});
  cases.push_back({"new", {{"f", plain("a\n")}}, {{"f", plain("a\n")}, {"d/e/new", plain(kText)}}});
  cases.push_back(
      {"new in top", {{"f", plain("a\n")}}, {{"f", plain("a\n")}, {"g", plain("x\n")}}});
  cases.push_back({"new executable",
                   {{"f", plain("a\n")}},
                   {{"f", plain("a\n")}, {"run.sh", executable("#!/bin/sh\n")}}});
  cases.push_back({"deleted", {{"f", plain(kText)}, {"g", plain("x\n")}}, {{"g", plain("x\n")}}});
  cases.push_back({"deleted executable",
                   {{"f", executable(kText)}, {"g", plain("x\n")}},
                   {{"g", plain("x\n")}}});
  cases.push_back({"deleted folder",
                   {{"d/a", plain("1\n")}, {"d/b/c", plain("2\n")}, {"g", plain("x\n")}},
                   {{"g", plain("x\n")}}});
  cases.push_back({"everything deleted", {{"d/a", plain("1\n")}, {"g", plain("x\n")}}, {}});
  cases.push_back({"everything new", {}, {{"d/a", plain("1\n")}, {"g", plain("x\n")}}});
  cases.push_back({"emptied", {{"f", plain(kText)}}, {{"f", plain("")}}});
  cases.push_back({"filled", {{"f", plain("")}}, {{"f", plain(kText)}}});
  cases.push_back({"many files at once",
                   {{"a", plain(kText)}, {"b", plain(kText)}, {"c/d", executable(kText)}},
                   {{"a", plain(edited(kText))},
                    {"b", plain("new\n")},
                    {"c/d", plain(kText)},
                    {"c/e", plain("e\n")}}});
}

void add_empty(Cases& cases) {
  const TestTree base{{"m", plain(kText)}, {"n", plain("n\n")}};
  const auto with = [&](TestTree more) {
    more.insert(base.begin(), base.end());
    return more;
  };
  const auto changed = [&](TestTree more) {
    more["m"] = plain(edited(kText));
    more.insert(base.begin(), base.end());
    return more;
  };
  cases.push_back({"empty new alone", base, with({{"e", plain("")}})});
  cases.push_back({"empty new first", base, changed({{"a", plain("")}})});
  cases.push_back({"empty new last", base, changed({{"z", plain("")}})});
  cases.push_back({"empty new in the middle", base,
                   changed({{"a", plain("a\n")}, {"mm", plain("")}, {"z", plain("z\n")}})});
  cases.push_back({"empty new twice", base, with({{"e", plain("")}, {"f", plain("")}})});
  cases.push_back({"empty new executable", base, with({{"e", executable("")}})});
  cases.push_back({"empty deleted alone", with({{"e", plain("")}}), base});
  cases.push_back({"empty deleted first", with({{"a", plain("")}}), changed({})});
  cases.push_back({"empty deleted last", with({{"z", plain("")}}), changed({})});
  cases.push_back({"empty renamed", with({{"e", plain("")}}), with({{"f", plain("")}})});
  cases.push_back(
      {"empty made executable", with({{"e", plain("")}}), with({{"e", executable("")}})});
}

void add_modes(Cases& cases) {
  cases.push_back({"mode on", {{"f", plain(kText)}}, {{"f", executable(kText)}}});
  cases.push_back({"mode off", {{"f", executable(kText)}}, {{"f", plain(kText)}}});
  cases.push_back({"mode and edit", {{"f", plain(kText)}}, {{"f", executable(edited(kText))}}});
  cases.push_back(
      {"edit of an executable", {{"f", executable(kText)}}, {{"f", executable(edited(kText))}}});
  cases.push_back({"modes of two",
                   {{"f", plain(kText)}, {"g", executable("x\n")}},
                   {{"f", executable(kText)}, {"g", plain("x\n")}}});
  cases.push_back({"symlink new", {{"f", plain("a\n")}}, {{"f", plain("a\n")}, {"l", link("f")}}});
  cases.push_back({"symlink changed", {{"l", link("f")}}, {{"l", link("elsewhere")}}});
  cases.push_back(
      {"symlink deleted", {{"f", plain("a\n")}, {"l", link("f")}}, {{"f", plain("a\n")}}});
  cases.push_back({"symlink with a newline", {{"l", link("f")}}, {{"l", link("a\nb")}}});
  cases.push_back({"symlink that leaves",
                   {{"f", plain("a\n")}},
                   {{"f", plain("a\n")}, {"l", link("../../etc/passwd")}}});
  cases.push_back({"file to symlink", {{"f", plain(kText)}}, {{"f", link("target")}}});
  cases.push_back({"symlink to file", {{"f", link("target")}}, {{"f", plain(kText)}}});
  cases.push_back({"symlink to executable", {{"f", link("target")}}, {{"f", executable(kText)}}});
  cases.push_back({"file to folder",
                   {{"p", plain(kText)}, {"q", plain("q\n")}},
                   {{"p/a", plain("a\n")}, {"p/b", plain("b\n")}, {"q", plain("q\n")}}});
  cases.push_back(
      {"folder to file", {{"p/a", plain("a\n")}, {"p/b", plain("b\n")}}, {{"p", plain(kText)}}});
  cases.push_back({"folder to symlink",
                   {{"p/a", plain("a\n")}, {"q/a", plain("a\n")}},
                   {{"p", link("q")}, {"q/a", plain("a\n")}}});
  cases.push_back({"symlink to folder",
                   {{"p", link("q")}, {"q/a", plain("a\n")}},
                   {{"p/a", plain("new\n")}, {"q/a", plain("a\n")}}});
  cases.push_back(
      {"file moved into a folder of its name", {{"p", plain(kText)}}, {{"p/p", plain(kText)}}});
  cases.push_back(
      {"file moved out of a folder of its name", {{"p/p", plain(kText)}}, {{"p", plain(kText)}}});
  cases.push_back({"names around a slash",
                   {{"a", plain(kText)}, {"a-b", plain("1\n")}},
                   {{"a/b", plain(kText)}, {"a-b", plain("2\n")}, {"a.b", plain("3\n")}}});
}

void add_renames(Cases& cases) {
  const std::string other = numbered(20, "other");
  cases.push_back({"rename", {{"a", plain(kText)}}, {{"b", plain(kText)}}});
  cases.push_back({"rename across folders",
                   {{"d/a", plain(kText)}, {"k", plain("k\n")}},
                   {{"e/f/b", plain(kText)}, {"k", plain("k\n")}}});
  cases.push_back({"rename and edit", {{"a", plain(kText)}}, {{"b", plain(edited(kText))}}});
  cases.push_back({"rename and mode", {{"a", plain(kText)}}, {{"b", executable(kText)}}});
  cases.push_back(
      {"rename, mode and edit", {{"a", plain(kText)}}, {{"b", executable(edited(kText))}}});
  cases.push_back(
      {"rename of an executable", {{"a", executable(kText)}}, {{"b", executable(kText)}}});
  cases.push_back({"rename of a symlink",
                   {{"a", link("some/target/far/away")}},
                   {{"b", link("some/target/far/away")}}});
  cases.push_back({"swap",
                   {{"a", plain(kText)}, {"b", plain(other)}},
                   {{"a", plain(other)}, {"b", plain(kText)}}});
  cases.push_back({"swap and edit",
                   {{"a", plain(kText)}, {"b", plain(other)}},
                   {{"a", plain(edited(other, "other 3\n"))}, {"b", plain(edited(kText))}}});
  cases.push_back({"chain",
                   {{"a", plain(kText)}, {"b", plain(other)}},
                   {{"b", plain(kText)}, {"c", plain(other)}}});
  cases.push_back({"chain of three with edits",
                   {{"a", plain(kText)}, {"b", plain(other)}, {"c", plain(numbered(20, "third"))}},
                   {{"b", plain(edited(kText))},
                    {"c", plain(edited(other, "other 3\n"))},
                    {"a", plain(numbered(20, "third"))}}});
  cases.push_back({"rename into own folder", {{"a", plain(kText)}}, {{"a/b/c", plain(kText)}}});
  cases.push_back({"rename out of own folder", {{"a/b/c", plain(kText)}}, {{"a", plain(kText)}}});
  cases.push_back({"rename and a new file at the old name",
                   {{"a", plain(kText)}},
                   {{"a", plain("quite different\n")}, {"b", plain(kText)}}});
  cases.push_back({"rename and a symlink at the old name",
                   {{"a", plain(kText)}},
                   {{"a", link("b")}, {"b", plain(kText)}}});
  cases.push_back({"rename onto a deleted name",
                   {{"a", plain(kText)}, {"b", plain("other\n")}},
                   {{"b", plain(kText)}}});
  cases.push_back(
      {"rename of a folder",
       {{"old/a", plain(kText)}, {"old/b", plain(other)}, {"old/c/d", plain("1\n2\n3\n")}},
       {{"new/a", plain(kText)}, {"new/b", plain(other)}, {"new/c/d", plain("1\n2\n3\n")}}});
  cases.push_back({"case-only rename", {{"Readme", plain(kText)}}, {{"README", plain(kText)}}});
  cases.push_back(
      {"names that differ in case",
       {{"f", plain("1\n")}, {"F", plain("2\n")}},
       {{"f", plain("3\n")}, {"F", plain("4\n")}, {"D/x", plain("5\n")}, {"d/x", plain("6\n")}}});
}

void add_copies(Cases& cases) {
  const std::string other = numbered(20, "other");
  cases.push_back({"copy", {{"a", plain(kText)}}, {{"a", plain(kText)}, {"b", plain(kText)}}});
  cases.push_back(
      {"copy and edit", {{"a", plain(kText)}}, {{"a", plain(kText)}, {"b", plain(edited(kText))}}});
  cases.push_back({"copy of an executable",
                   {{"a", executable(kText)}},
                   {{"a", executable(kText)}, {"b", executable(kText)}}});
  cases.push_back({"copy of a symlink",
                   {{"a", link("some/target/far/away")}},
                   {{"a", link("some/target/far/away")}, {"b", link("some/target/far/away")}}});
  cases.push_back({"copy, source edited too",
                   {{"a", plain(kText)}},
                   {{"a", plain(edited(kText, "line 3\n"))}, {"b", plain(edited(kText))}}});
  cases.push_back({"copy before its source",
                   {{"m", plain(kText)}},
                   {{"a", plain(edited(kText))},
                    {"m", plain(edited(kText, "line 3\n"))},
                    {"z", plain(edited(kText, "line 4\n"))}}});
  cases.push_back({"copy, source renamed too",
                   {{"a", plain(kText)}},
                   {{"b", plain(kText)}, {"c", plain(edited(kText))}}});
  cases.push_back({"copy, source deleted and made anew",
                   {{"a", plain(kText)}},
                   {{"a", executable("other\n")}, {"b", plain(kText)}, {"c", plain(kText)}}});
  cases.push_back({"copy of two and mode",
                   {{"a", plain(kText)}, {"b", plain(other)}},
                   {{"a", plain(kText)},
                    {"b", executable(other)},
                    {"c", executable(kText)},
                    {"d", plain(other)}}});
}

void add_binary(Cases& cases) {
  const std::string small = noise(300);
  const std::string big = noise(40000);
  std::string big_edited = big;
  big_edited.replace(20000, 5, "hello");
  std::string big_moved = big.substr(20000) + big.substr(0, 20000);
  cases.push_back(
      {"binary new", {{"t", plain("t\n")}}, {{"t", plain("t\n")}, {"b", plain(small)}}});
  cases.push_back({"binary new executable", {}, {{"b", executable(small)}}});
  cases.push_back({"binary delta", {{"b", plain(big)}}, {{"b", plain(big_edited)}}});
  cases.push_back({"binary delta that copies", {{"b", plain(big)}}, {{"b", plain(big_moved)}}});
  cases.push_back({"binary literal", {{"b", plain(small)}}, {{"b", plain(noise(200, 7))}}});
  cases.push_back({"binary grows", {{"b", plain(small)}}, {{"b", plain(small + big)}}});
  cases.push_back({"binary shrinks", {{"b", plain(small + big)}}, {{"b", plain(small)}}});
  cases.push_back(
      {"binary deleted", {{"t", plain("t\n")}, {"b", plain(small)}}, {{"t", plain("t\n")}}});
  cases.push_back({"binary renamed", {{"b", plain(big)}}, {{"c", plain(big)}}});
  cases.push_back({"binary renamed and edited", {{"b", plain(big)}}, {{"c", plain(big_edited)}}});
  cases.push_back({"binary copied and edited",
                   {{"b", plain(big)}},
                   {{"b", plain(big)}, {"c", plain(big_edited)}}});
  cases.push_back({"binary and mode", {{"b", plain(big)}}, {{"b", executable(big_edited)}}});
  cases.push_back({"binary to text", {{"b", plain(small)}}, {{"b", plain(kText)}}});
  cases.push_back({"text to binary", {{"b", plain(kText)}}, {{"b", plain(small)}}});
  cases.push_back({"binary to empty", {{"b", plain(small)}}, {{"b", plain("")}}});
  cases.push_back({"empty to binary", {{"b", plain("")}}, {{"b", plain(small)}}});
  cases.push_back({"binary to symlink", {{"b", plain(small)}}, {{"b", link("x")}}});
  cases.push_back({"symlink to binary", {{"b", link("x")}}, {{"b", plain(small)}}});
  cases.push_back({"binary of zeros", {}, {{"b", plain(std::string(100000, '\0'))}}});
  cases.push_back({"binary of megabytes",
                   {{"b", plain(noise(3000000))}},
                   {{"b", plain(noise(3000000) + "tail")}, {"c", plain(noise(1500000, 3))}}});
  cases.push_back({"binary of one byte", {}, {{"b", plain(std::string(1, '\0'))}}});
  cases.push_back(
      {"binary between texts",
       {{"a", plain(kText)}, {"c", plain(kText)}},
       {{"a", plain(edited(kText))}, {"b", plain(small)}, {"c", plain(edited(kText))}}});
}

void add_submodules(Cases& cases) {
  const TestTree base{{"f", plain("a\n")}};
  const auto with = [&](TestTree more) {
    more.insert(base.begin(), base.end());
    return more;
  };
  const std::string modules = "[submodule \"s\"]\n\tpath = s\n\turl = https://example.com/s\n";
  cases.push_back(
      {"submodule added", base, with({{"s", submodule('1')}, {".gitmodules", plain(modules)}})});
  cases.push_back(
      {"submodule bumped", with({{"s", submodule('1')}}), with({{"s", submodule('2')}})});
  cases.push_back({"submodule removed", with({{"d/s", submodule('1')}}), base});
  cases.push_back(
      {"submodule renamed", with({{"s", submodule('1')}}), with({{"d/t", submodule('1')}})});
  cases.push_back({"submodules swapped", with({{"s", submodule('1')}, {"t", submodule('2')}}),
                   with({{"s", submodule('2')}, {"t", submodule('1')}})});
  cases.push_back(
      {"submodule to file", with({{"s", submodule('1')}}), with({{"s", plain("file\n")}})});
  cases.push_back(
      {"file to submodule", with({{"s", plain("file\n")}}), with({{"s", submodule('1')}})});
  cases.push_back(
      {"submodule to folder", with({{"s", submodule('1')}}), with({{"s/a", plain("a\n")}})});
  cases.push_back(
      {"folder to submodule", with({{"s/a", plain("a\n")}}), with({{"s", submodule('1')}})});
}

void add_line_ends(Cases& cases) {
  const std::string open = without_end(kText);
  cases.push_back({"end lost", {{"f", plain(kText)}}, {{"f", plain(open)}}});
  cases.push_back({"end won", {{"f", plain(open)}}, {{"f", plain(kText)}}});
  cases.push_back({"no end, edit far away", {{"f", plain(open)}}, {{"f", plain(edited(open))}}});
  cases.push_back(
      {"no end, edit near", {{"f", plain(open)}}, {{"f", plain(edited(open, "line 19\n"))}}});
  cases.push_back({"no end, last line edited", {{"f", plain(open)}}, {{"f", plain(open + "x")}}});
  cases.push_back({"no end, lines added", {{"f", plain(open)}}, {{"f", plain(kText + "more")}}});
  cases.push_back(
      {"no end, last line dropped", {{"f", plain(kText + "more")}}, {{"f", plain(kText)}}});
  cases.push_back({"new without end", {}, {{"f", plain("x")}}});
  cases.push_back(
      {"deleted without end", {{"f", plain("x")}, {"g", plain("y")}}, {{"g", plain("y")}}});
  cases.push_back({"filled without end", {{"f", plain("")}}, {{"f", plain("x")}}});
  cases.push_back({"emptied without end", {{"f", plain("x")}}, {{"f", plain("")}}});
  cases.push_back({"one line, no end", {{"f", plain("x")}}, {{"f", plain("y")}}});
  cases.push_back({"only newlines", {{"f", plain("\n\n\n")}}, {{"f", plain("\n\n\n\n\n")}}});
  const std::string crlf = replaced(kText, "\n", "\r\n");
  cases.push_back(
      {"CRLF", {{"f", plain(crlf)}}, {{"f", plain(edited(crlf, "line 10\r\n", "changed\r\n"))}}});
  cases.push_back({"CRLF new", {}, {{"f", plain(crlf)}}});
  cases.push_back({"LF to CRLF", {{"f", plain(kText)}}, {{"f", plain(crlf)}}});
  cases.push_back({"CRLF to LF", {{"f", plain(crlf)}}, {{"f", plain(kText)}}});
  cases.push_back({"CRLF without end", {{"f", plain(crlf)}}, {{"f", plain(without_end(crlf))}}});
  cases.push_back({"mixed ends",
                   {{"f", plain(crlf + kText + crlf)}},
                   {{"f", plain(crlf + edited(kText) + crlf)}}});
  cases.push_back({"lone CRs",
                   {{"f", plain(replaced(kText, "\n", "\r"))}},
                   {{"f", plain(replaced(edited(kText), "\n", "\r"))}}});
  cases.push_back({"CR inside lines",
                   {{"f", plain(replaced(kText, " ", "\r"))}},
                   {{"f", plain(replaced(kText, " ", "\r") + "x\ry\n")}}});
  cases.push_back({"double CR",
                   {{"f", plain(replaced(kText, "\n", "\r\r\n"))}},
                   {{"f", plain(replaced(edited(kText), "\n", "\r\r\n"))}}});
}

void add_odd_text(Cases& cases) {
  const std::string late_nul = numbered(1000) + std::string("a\0b\n", 4) + numbered(10);
  cases.push_back(
      {"NUL late in a text",
       {{"f", plain(late_nul)}},
       {{"f", plain(edited(late_nul, std::string("a\0b\n", 4), std::string("c\0\0d\n", 5)))}}});
  cases.push_back({"form feeds",
                   {{"f", plain(replaced(kText, "line", "\f\v"))}},
                   {{"f", plain(replaced(kText, "line", "\f\v") + "\f\n\v\n")}}});
  const std::string headers =
      "--- a/x\n+++ b/x\n@@ -1 +1 @@\ndiff --git a/f b/f\n-- \n2.39.5\n--\n---\n++\n+++\n"
      "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001\n"
      "From: A <a@b>\nSubject: x\n\\ No newline at end of file\nGIT binary patch\nliteral 3\n"
      "Binary files a and b differ\nrename from x\nindex 1..2\n";
  cases.push_back(
      {"lines like headers added", {{"f", plain(kText)}}, {{"f", plain(headers + kText)}}});
  cases.push_back(
      {"lines like headers removed", {{"f", plain(kText + headers)}}, {{"f", plain(kText)}}});
  cases.push_back({"lines like headers around",
                   {{"f", plain(headers + kText + headers)}},
                   {{"f", plain(headers + edited(kText) + headers)}}});
  cases.push_back({"lines like headers around nothing else",
                   {{"f", plain(headers + headers)}},
                   {{"f", plain(headers + "x\n" + headers)}}});
  cases.push_back(
      {"a patch in a file",
       {{"p.patch", plain(headers)}},
       {{"p.patch", plain("---\n f | 2 +-\n 1 file changed, 1 insertion(+)\n\n" + headers)}}});
  const std::string stat = "--\na | 2 +-\n1 file changed, 1 insertion(+)\nlast\n";
  cases.push_back({"a diffstat in a file",
                   {{"p.patch", plain("x\n" + stat)}, {"q", plain("q\n")}},
                   {{"p.patch", plain("x\na | 2 +-\n1 file changed, 1 insertion(+)\nlast\n")},
                    {"q", plain("r\n")}}});
}

void add_large_text(Cases& cases) {
  const std::string wide(300000, 'w');
  cases.push_back({"very long lines",
                   {{"f", plain(wide + "\n" + wide + "\n")}},
                   {{"f", plain(wide + "\n" + wide + "!\nend\n")}}});
  cases.push_back({"repeated context",
                   {{"f", plain(replaced(numbered(300), "line 1", "same\nsame\nsame\n1"))}},
                   {{"f", plain(edited(replaced(numbered(300), "line 1", "same\nsame\nsame\n1"),
                                       "line 222\n"))}}});
  cases.push_back(
      {"blank lines only", {{"f", plain("\n\n \n\t\n\n")}}, {{"f", plain("\n \n \n\t\t\n\n")}}});
  cases.push_back({"white space at line ends",
                   {{"f", plain(replaced(kText, "\n", " \t\n"))}},
                   {{"f", plain(replaced(edited(kText), "\n", "\t \n"))}}});
  std::string many;
  std::string many_edited;
  for (int i = 0; i < 1500; ++i) {
    const std::string block = numbered(8, "block " + std::to_string(i));
    many += block;
    many_edited += block.substr(0, 20) + "!" + block.substr(20);
  }
  cases.push_back({"1,500 hunks", {{"f", plain(many)}}, {{"f", plain(many_edited)}}});
  cases.push_back({"200,000 lines",
                   {{"f", plain(numbered(200000))}},
                   {{"f", plain(edited(numbered(200000), "line 150000\n"))}}});
  cases.push_back({"200,000 new lines", {}, {{"f", plain(numbered(200000))}}});
}

void add_encodings(Cases& cases) {
  const std::string gbk = "\xd6\xd0\xce\xc4\xc4\xda\xc8\xdd\n";
  cases.push_back({"GBK", {{"f", plain(gbk + kText)}}, {{"f", plain(gbk + gbk + kText)}}});
  cases.push_back({"Latin-1",
                   {{"f", plain("caf\xe9\n" + kText)}},
                   {{"f", plain("na\xefve caf\xe9\n" + kText)}}});
  std::string utf16 = "\xff\xfe";
  for (const char c : kText) utf16 += {c, '\0'};
  cases.push_back(
      {"UTF-16", {{"f", plain(utf16)}}, {{"f", plain(utf16 + std::string("x\0\n\0", 4))}}});
  cases.push_back({"attributes",
                   {{".gitattributes", plain("*.c eol=crlf\n*.d -diff\n*.i ident\n")},
                    {"a.c", plain(kText)},
                    {"a.d", plain(kText)},
                    {"a.i", plain("$Id$\n")}},
                   {{".gitattributes", plain("*.c eol=crlf\n*.d -diff\n*.i ident\n# more\n")},
                    {"a.c", plain(edited(kText))},
                    {"a.d", plain(edited(kText))},
                    {"a.i", plain("$Id$\nx\n")}}});
  const std::string rules =
      "*.c eol=crlf\n*.d -diff\n*.i ident\n*.w working-tree-encoding=UTF-16LE-BOM\n"
      "*.b binary\n*.t text=auto\n*.x -text\n*.p diff=cpp\n*.f filter=nobody\n*.s export-subst\n";
  const std::string first = "$Id$ $Format:%H$ caf\xc3\xa9\n" + kText;
  TestTree ruled;
  TestTree ruled_edited;
  for (const char kind : std::string("cdiwbtxpfs")) {
    ruled[std::string("f.") + kind] = plain(first);
    ruled_edited[std::string("f.") + kind] = plain(edited(first) + "more\n");
  }
  const auto with_rules = [&](TestTree tree, const std::string& text) {
    tree[".gitattributes"] = plain(text);
    return tree;
  };
  cases.push_back({"all attributes new", ruled, with_rules(ruled_edited, rules)});
  cases.push_back(
      {"all attributes there", with_rules(ruled, rules), with_rules(ruled_edited, rules)});
  cases.push_back({"all attributes gone", with_rules(ruled, rules), ruled_edited});
  cases.push_back({"all attributes changed", with_rules(ruled, "* text\n"),
                   with_rules(ruled_edited, rules + "f.* -working-tree-encoding -ident\n")});
  cases.push_back(
      {"attributes and their files new", {{"k", plain("k\n")}}, with_rules(ruled_edited, rules)});
  TestTree before;
  TestTree after;
  for (int i = 0; i < 2000; ++i) {
    const std::string name = "d" + std::to_string(i % 40) + "/file " + std::to_string(i);
    before[name] = plain("one\n" + std::to_string(i) + "\n");
    after[name] = plain("two\n" + std::to_string(i) + "\n");
  }
  cases.push_back({"2,000 files", std::move(before), std::move(after)});
}

/// Every kind of change to one file of a difficult name.
void add_names(Cases& cases) {
  const std::vector<std::pair<std::string, std::string>> names = {
      {"space", "with space"},
      {"many spaces", "a b a b c  d"},
      {"leading space", " f"},
      {"trailing space", "f "},
      {"tab", "with\ttab"},
      {"newline", "with\nnewline"},
      {"CR", "with\rcr"},
      {"quote", "with\"quote"},
      {"leading quote", "\"f"},
      {"backslash", "with\\backslash"},
      {"UTF-8", "\xe4\xb8\xad\xe6\x96\x87/\xc3\xa9"},
      {"invalid UTF-8", "\xd6\xd0\xff/\xfe"},
      {"leading dash", "-- f"},
      {"a/", "a/f"},
      {"b/", "b/f"},
      {"a/ twice", "a/a/f"},
      {"a b/a", "a b/a"},
      {"dev/null", "dev/null"},
      {"hidden", ".hidden/.f"},
      {"control", "\x01\x7f\x1b[31m"},
      {"like a time stamp", "f\t2010-07-05 19:41:17"},
      {"like a rename", "f => g"},
      {"deep", "1/2/3/4/5/6/7/8/9/0/1/2/3/4/5/6/7/8/9/0"},
  };
  for (const auto& [what, name] : names) {
    const TestFile keep = plain("keep\n");
    const std::string other = name + "2";
    cases.push_back(
        {what + " in a name: edit", {{name, plain(kText)}}, {{name, plain(edited(kText))}}});
    cases.push_back({what + " in a name: new and deleted",
                     {{"keep", keep}, {other, plain("gone\n")}},
                     {{"keep", keep}, {name, plain(kText)}}});
    cases.push_back({what + " in a name: empty, mode, binary",
                     {{name + "/m", plain("m\n")}, {name + "/b", plain(noise(100))}},
                     {{name + "/m", executable("m\n")},
                      {name + "/b", plain(noise(90, 2))},
                      {name + "/e", plain("")}}});
    cases.push_back(
        {what + " in a name: rename", {{name, plain(kText)}}, {{"x/" + other, plain(kText)}}});
    cases.push_back({what + " in a name: rename back and edit",
                     {{other, plain(kText)}},
                     {{name, plain(edited(kText))}}});
  }
}

}  // namespace

std::vector<ChangeCase> change_cases() {
  Cases cases;
  add_plain(cases);
  add_empty(cases);
  add_modes(cases);
  add_renames(cases);
  add_copies(cases);
  add_binary(cases);
  add_submodules(cases);
  add_line_ends(cases);
  add_odd_text(cases);
  add_large_text(cases);
  add_encodings(cases);
  add_names(cases);
  return cases;
}

}  // namespace flagscale::test
