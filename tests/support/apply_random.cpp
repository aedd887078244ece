// SPDX-License-Identifier: Apache-2.0
#include "support/apply_random.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "base/bytes.h"

namespace flagscale::test {
namespace {

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) lines.emplace_back(take_line(text));
  return lines;
}

std::string join(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line;
  return out;
}

}  // namespace

std::string RandomTrees::name() {
  static const std::vector<std::string> kFolders = {"", "", "", "d/", "d/e/", "a/", "b/", "x y/"};
  static const std::vector<std::string> kNames = {"a",   "b",   "c",        "d",    "e",   "f g",
                                                  "h\t", "\"q", "\xc3\xa9", "z.sh", "a-b", "a.b"};
  return kFolders[below(kFolders.size())] + kNames[below(kNames.size())];
}

std::string RandomTrees::line() {
  static const std::vector<std::string> kLines = {
      "\n",    "a\n",   "b\n",  "c\n",    "}\n",    " \n",          "\t\n",         "a \n",
      "a\r\n", "-- \n", "--\n", "-- a\n", "++ b\n", "\\ no line\n", "@@ -1 +1 @@\n"};
  return one_in(3) ? std::to_string(below(50)) + "\n" : kLines[below(kLines.size())];
}

std::string RandomTrees::text() {
  std::string out;
  for (std::size_t left = below(one_in(4) ? 200 : 25); left > 0; --left) out += line();
  if (one_in(5) && !out.empty()) out.pop_back();
  return out;
}

TestFile RandomTrees::file() {
  if (one_in(20)) return submodule(static_cast<char>('1' + below(4)));
  if (one_in(15)) return link("to/" + std::to_string(below(4)));
  TestFile out = one_in(10) ? plain(noise(50 + below(300), static_cast<unsigned>(below(1000000))))
                            : plain(text());
  if (one_in(4)) out.mode = "100755";
  return out;
}

// NOLINTNEXTLINE(readability-convert-member-functions-to-static): beside its relatives.
void RandomTrees::put(TestTree& tree, const std::string& path, const TestFile& file) {
  // What stands in the way goes: folders on the path that are files, a folder at the path.
  for (std::size_t slash = path.find('/'); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    tree.erase(path.substr(0, slash));
  }
  std::erase_if(tree, [&](const auto& entry) { return entry.first.starts_with(path + "/"); });
  tree[path] = file;
}

TestTree RandomTrees::tree() {
  TestTree out;
  for (std::size_t left = 1 + below(9); left > 0; --left) put(out, name(), file());
  return out;
}

std::string RandomTrees::edited(const std::string& bytes) {
  std::vector<std::string> lines = split_lines(bytes);
  for (std::size_t left = 1 + below(3); left > 0; --left) {
    const std::size_t at = below(lines.size() + 1);
    const auto place = lines.begin() + static_cast<std::ptrdiff_t>(at);
    switch (below(4)) {
      case 0:
        if (place != lines.end()) lines.erase(place);
        break;
      case 1:
        if (place != lines.end()) *place = line();
        break;
      case 2:
        if (place != lines.begin() && !std::prev(place)->ends_with('\n')) *std::prev(place) += '\n';
        lines.insert(place, line());
        break;
      default:
        if (lines.empty()) break;
        if (lines.back().ends_with('\n')) {
          lines.back().pop_back();
        } else {
          lines.back() += '\n';
        }
        break;
    }
  }
  return join(lines);
}

TestTree::iterator RandomTrees::any(TestTree& tree) {
  return std::next(tree.begin(), static_cast<std::ptrdiff_t>(below(tree.size())));
}

void RandomTrees::change(TestTree& tree) {
  if (tree.empty()) return put(tree, name(), file());
  const auto [path, old] = *any(tree);
  switch (below(10)) {
    case 0:
      return put(tree, name(), file());
    case 1:
      tree.erase(path);
      return;
    case 2:
      tree.erase(path);
      return put(tree, name(), old);
    case 3:
      return put(tree, name(), old);
    case 4: {
      const auto other = any(tree);
      std::swap(tree[path], other->second);
      return;
    }
    case 5:
      return put(tree, path, file());
    case 6:
      if (old.mode == "100644") tree[path].mode = "100755";
      if (old.mode == "100755") tree[path].mode = "100644";
      return;
    default:
      if (old.mode.starts_with("100")) tree[path].bytes = edited(old.bytes);
      return;
  }
}

TestTree RandomTrees::changed(TestTree tree, int changes) {
  for (; changes > 0; --changes) change(tree);
  return tree;
}

std::string RandomTrees::damaged(const std::string& patch) {
  std::vector<std::string> lines = split_lines(patch);
  if (lines.empty()) return patch;
  const std::size_t at = below(lines.size());
  const auto place = lines.begin() + static_cast<std::ptrdiff_t>(at);
  switch (below(7)) {
    case 0:
      lines.erase(place);
      break;
    case 1:
      lines.insert(place, lines[below(lines.size())]);
      break;
    case 2:
      std::swap(*place, lines[below(lines.size())]);
      break;
    case 3:
      lines.erase(place, lines.end());
      break;
    case 4:
      lines.insert(place, line());
      break;
    case 5: {
      char& byte = (*place)[below(place->size())];
      byte = static_cast<char>(one_in(2) ? '0' + below(10) : 32 + below(95));
      break;
    }
    default:
      place->erase(below(place->size()));
      break;
  }
  return join(lines);
}

Args RandomTrees::diff_options() {
  static const std::vector<std::string> kContexts = {"-U0", "-U1", "-U2", "-U3", "-U8", "-W"};
  static const std::vector<std::string> kMoves = {"--no-renames", "-M", "-M20%", "-C", "-C", "-B"};
  Args out{kMoves[below(kMoves.size())]};
  if (out.back() == "-C") out.emplace_back("--find-copies-harder");
  if (one_in(2)) out.push_back(kContexts[below(kContexts.size())]);
  if (!one_in(8)) out.emplace_back("--binary");
  if (one_in(2)) out.emplace_back("--full-index");
  if (one_in(8)) out.emplace_back("--patience");
  if (one_in(10)) out.emplace_back("--inter-hunk-context=3");
  return out;
}

}  // namespace flagscale::test
