// SPDX-License-Identifier: Apache-2.0
#include "git/history.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/files.h"
#include "git/command.h"

namespace flagscale::git {
namespace {

std::optional<Oid> first_parent(Odb& odb, const Oid& commit) {
  const Content bytes = odb.read(commit, ObjectType::commit);
  std::string_view rest = bytes.view();
  take_line(rest);
  const std::string_view line = without_lf(take_line(rest));
  static constexpr std::string_view kKey = "parent ";
  return line.starts_with(kKey) ? Oid::parse(line.substr(kKey.size())) : std::nullopt;
}

/// The same as find_first_parent_line, by git.
std::optional<std::vector<Oid>> ask_for_line(const Oid& base, const Oid& tip) {
  const std::string output =
      read_git({"rev-list", "--first-parent", "--parents", tip.hex(), "^" + base.hex()});
  std::vector<Oid> line;
  std::optional<Oid> before;
  std::string_view rest = output;
  while (!rest.empty()) {
    const std::string_view words = without_lf(take_line(rest));
    const auto id = Oid::parse(words.substr(0, Oid::kHexSize));
    if (!id) continue;
    line.push_back(*id);
    before = words.size() > Oid::kHexSize
                 ? Oid::parse(words.substr(Oid::kHexSize + 1, Oid::kHexSize))
                 : std::nullopt;
  }
  if (line.empty() || before != std::optional(base)) return std::nullopt;
  std::reverse(line.begin(), line.end());
  return line;
}

}  // namespace

bool is_ancestor(const Oid& ancestor, const Oid& tip) {
  const ProcessResult result = run_git({"merge-base", "--is-ancestor", ancestor.hex(), tip.hex()});
  if (result.status > 1) {
    throw error_from_git(ErrorKind::unable, "cannot walk the history", result.err);
  }
  return result.status == 0;
}

std::optional<Oid> find_merge_base(const Oid& a, const Oid& b) {
  const ProcessResult result = run_git({"merge-base", a.hex(), b.hex()});
  if (result.status != 0) return std::nullopt;
  return Oid::parse(without_lf(result.out));
}

std::vector<Oid> rev_list(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "rev-list");
  const std::string output = read_git(arguments);
  std::vector<Oid> ids;
  std::string_view rest = output;
  while (!rest.empty()) {
    if (const auto id = Oid::parse(without_lf(take_line(rest)))) ids.push_back(*id);
  }
  return ids;
}

std::size_t count_commits(const std::vector<Oid>& tips, const std::vector<Oid>& excluded) {
  std::vector<std::string> arguments = {"rev-list", "--count"};
  for (const Oid& id : tips) arguments.push_back(id.hex());
  for (const Oid& id : excluded) arguments.push_back("^" + id.hex());
  std::uint64_t count = 0;
  const std::string output = read_git(arguments);
  return parse_decimal(without_lf(output), count) ? count : 0;
}

std::optional<std::vector<Oid>> find_first_parent_line(Repository& repository, const Oid& base,
                                                       const Oid& tip) {
  // The usual case: base is a few commits down the line.
  std::vector<Oid> line;
  if (!repository.is_shallow() && !find_status(repository.common_dir() + "/info/grafts")) {
    static constexpr std::size_t kLongWalk = 4096;
    std::optional<Oid> at = tip;
    while (at && *at != base && line.size() < kLongWalk) {
      line.push_back(*at);
      at = first_parent(repository.odb(), *at);
    }
    if (!at) return std::nullopt;
    if (*at == base) {
      if (line.empty()) return std::nullopt;
      std::reverse(line.begin(), line.end());
      return line;
    }
  }
  return ask_for_line(base, tip);
}

}  // namespace flagscale::git
