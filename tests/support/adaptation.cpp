// SPDX-License-Identifier: Apache-2.0
#include "support/adaptation.h"

#include <utility>

#include <doctest/doctest.h>

#include "base/bytes.h"

namespace flagscale::test {
namespace {

std::string numbered_lines(const std::string& word) {
  std::string text;
  for (int i = 1; i <= 30; ++i) text += word + " " + std::to_string(i) + "\n";
  return text;
}

/// The words of a line, the last one taking the rest of it.
std::vector<std::string> split_words(std::string_view line, std::size_t count) {
  std::vector<std::string> words;
  while (words.size() + 1 < count) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos) break;
    words.emplace_back(line.substr(0, blank));
    line.remove_prefix(blank + 1);
  }
  words.emplace_back(line);
  return words;
}

}  // namespace

Adaptation::Adaptation() : upstream(TestRepo::bare()) {
  repo.write("README.md", "# upstream\n");
  repo.write("src/engine.c", numbered_lines("engine"));
  repo.write("src/util.c", numbered_lines("util"));
  repo.write(".gitignore", "*.log\n__pycache__/\n");
  repo.write_executable("run.sh", "#!/bin/sh\nexec true\n");
  base = repo.commit("upstream's own code");
  repo.git({"remote", "add", "origin", upstream.path()});
  repo.git({"push", "--quiet", "origin", "HEAD:main"});
  repo.git({"fetch", "--quiet", "origin"});
  repo.git({"switch", "--quiet", "-c", "work"});
  repo.commit_file("src/engine.c", numbered_lines("engine") + "x100\n", "add the X100 engine");
  repo.write("src/x100/kernel.c", "int x100;\n");
  repo.remove("src/util.c");
  repo.set_executable("run.sh", false);
  repo.commit("add kernels");
  current = repo.commit_file("src/x100/table.bin", std::string("\0\1\2\xff\n\0", 6),
                             "[kernels] add a table\n\nFor speed.");
}

Args Adaptation::patch_args(const std::string& device) const {
  return {"patch", "--device-type",       device, "--base-commit-id",
          base,    "--current-commit-id", current};
}

std::string Adaptation::stored(const std::string& ending, const std::string& device) const {
  return "hardwares/" + device + "/" + base8(base) + "/" + base8(base) + "." + ending;
}

std::string Adaptation::branch(const std::string& device) const {
  return "flagscale/" + device + "/" + base8(base);
}

Args operator+(Args words, const Args& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

Patched patch(const TestRepo& repo, const Args& args, const RunOptions& options) {
  const Outcome outcome = repo.flagscale(args, options);
  if (!outcome.ok()) FAIL("git flagscale patch: " << describe(outcome));
  const auto lines = lines_of(outcome.out);
  REQUIRE_MESSAGE(lines.size() == 1, describe(outcome));
  auto words = split_words(lines.front(), 2);
  REQUIRE_MESSAGE(words.size() == 2, describe(outcome));
  return {std::move(words[0]), std::move(words[1]), outcome.err};
}

std::vector<Unpatched> unpatch(const TestRepo& repo, const Args& args, const RunOptions& options) {
  const Outcome outcome = repo.flagscale(Args{"unpatch"} + args, options);
  if (!outcome.ok()) FAIL("git flagscale unpatch: " << describe(outcome));
  std::vector<Unpatched> all;
  for (const std::string& line : lines_of(outcome.out)) {
    auto words = split_words(line, 3);
    REQUIRE_MESSAGE(words.size() == 3, describe(outcome));
    all.push_back({std::move(words[0]), std::move(words[1]), std::move(words[2])});
  }
  return all;
}

std::string base8(const std::string& id) {
  return id.substr(0, 8);
}

std::string parents_of_head(const TestRepo& repo) {
  return repo.git({"show", "-s", "--format=%P", "HEAD"});
}

Json json_at(const TestRepo& repo, const std::string& revision_and_path) {
  return Json::parse(repo.show(revision_and_path));
}

bool has_text(std::string_view text, std::string_view wanted) {
  return text.find(wanted) != std::string_view::npos;
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::string_view line = without_lf(take_line(text));
    if (!line.empty()) lines.emplace_back(line);
  }
  return lines;
}

std::vector<std::string> hinted_commands(std::string_view talk) {
  static constexpr std::string_view kHint = "hint: ";
  std::vector<std::string> commands;
  for (const std::string& line : lines_of(talk)) {
    if (!line.starts_with(kHint)) continue;
    // On a line of its own, or after a short reason.
    for (const std::string_view before : {"  git ", ": git "}) {
      const std::size_t at = line.find(before, kHint.size());
      if (at == std::string::npos) continue;
      commands.push_back(line.substr(at + before.size() - std::string_view("git ").size()));
      break;
    }
  }
  return commands;
}

}  // namespace flagscale::test
