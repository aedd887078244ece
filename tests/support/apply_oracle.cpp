// SPDX-License-Identifier: Apache-2.0
#include "support/apply_oracle.h"

#include <filesystem>
#include <random>
#include <stdexcept>
#include <utility>

#include <doctest/doctest.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/quote.h"
#include "core/diff.h"

namespace flagscale::test {
namespace {

/// A path as fast-import reads any path: always quoted, so that blanks at its ends survive.
std::string import_path(const std::string& path) {
  const std::string quoted = format_c_quoted(path);
  return quoted.starts_with('"') ? quoted : '"' + quoted + '"';
}

}  // namespace

TestFile plain(std::string bytes) {
  return {std::move(bytes), "100644"};
}
TestFile executable(std::string bytes) {
  return {std::move(bytes), "100755"};
}
TestFile link(std::string target) {
  return {std::move(target), "120000"};
}
TestFile submodule(char digit) {
  return {std::string(git::Oid::kHexSize, digit), "160000"};
}

std::string numbered(int count, const std::string& word) {
  std::string out;
  for (int i = 1; i <= count; ++i) out += word + " " + std::to_string(i) + "\n";
  return out;
}

std::string noise(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::string out(size, '\0');
  for (std::size_t i = 1; i < size; ++i) out[i] = static_cast<char>(random() & 0xffU);
  return out;
}

std::size_t CommitBuilder::add(const TestTree& tree, std::optional<std::size_t> parent) {
  const std::string mark = std::to_string(++count_);
  stream_ += "commit refs/heads/c" + mark + "\nmark :" + mark +
             "\ncommitter A U Thor <author@example.com> 1700000000 +0000\ndata 7\nchange\n\n";
  if (parent) stream_ += "from :" + std::to_string(*parent + 1) + "\n";
  stream_ += "deleteall\n";
  for (const auto& [path, file] : tree) {
    const bool is_gitlink = file.mode == "160000";
    stream_ += "M " + file.mode + " " + (is_gitlink ? file.bytes : "inline") + " " +
               import_path(path) + "\n";
    if (!is_gitlink) {
      stream_ += "data " + std::to_string(file.bytes.size()) + "\n" + file.bytes + "\n";
    }
  }
  stream_ += "\nget-mark :" + mark + "\n";
  return count_ - 1;
}

std::vector<std::string> CommitBuilder::import(const TestRepo& repo) const {
  RunOptions options;
  options.input = stream_;
  const Outcome outcome = repo.try_git({"fast-import", "--quiet", "--force"}, options);
  if (!outcome.ok()) throw std::runtime_error(describe(outcome));
  std::vector<std::string> ids;
  std::string_view rest = outcome.out;
  while (!rest.empty()) ids.emplace_back(without_lf(take_line(rest)));
  if (ids.size() != count_) throw std::runtime_error("fast-import made too few commits");
  return ids;
}

ApplyOracle::ApplyOracle(const TestRepo& repo) : repo_(repo), odb_(repo.path(".git/objects")) {}

std::string ApplyOracle::output(const Args& args) const {
  Outcome outcome = repo_.try_git(args);
  if (!outcome.ok()) throw std::runtime_error(describe(outcome));
  return std::move(outcome.out);
}

Comparison ApplyOracle::compare(const std::string& commit, std::string_view patch) {
  Comparison result;
  RunOptions options;
  const std::string index = repo_.path(".git/oracle-index");
  options.env["GIT_INDEX_FILE"] = index;
  // Left behind where a patch makes git abort.
  std::filesystem::remove(index + ".lock");
  repo_.git({"read-tree", commit}, options);
  options.input = patch;
  const Outcome applied =
      repo_.try_git({"-c", "apply.whitespace=nowarn", "apply", "--cached", "-"}, options);
  options.input.clear();
  result.git_says = applied.err;
  if (applied.ok()) {
    const Outcome written = repo_.try_git({"write-tree"}, options);
    if (written.ok()) result.git_tree = without_lf(written.out);
    result.git_says += written.err;
  }
  apply_ourselves(commit, patch, {&odb_, {}, false}, result);
  // On threads, and with ids looked up instead of computed, it must come out the same.
  Comparison again;
  const git::BorrowSource borrow = [&] {
    return std::make_shared<git::Odb>(repo_.path(".git/objects"));
  };
  apply_ourselves(commit, patch, {&odb_, borrow, true}, again);
  if (again.own_tree != result.own_tree || again.own_says != result.own_says) {
    result.own_tree = "not the same on threads: " + again.own_tree + again.own_says;
  }
  return result;
}

void ApplyOracle::apply_ourselves(const std::string& commit, std::string_view patch,
                                  const ApplyHelp& help, Comparison& result) {
  try {
    const Content bytes = odb_.read(*git::Oid::parse(commit), git::ObjectType::commit);
    TreeOverlay tree(odb_, git::commit_tree(bytes.view()));
    const std::vector<FileDiff> diffs = parse_diff(patch, 1);
    if (diffs.empty()) throw_unable("no diff");
    apply_diffs(diffs, tree, help);
    git::NullSink nowhere;
    result.own_tree = tree.flush(nowhere).hex();
  } catch (const Error& error) {
    result.own_says = error.what();
    if (error.kind() != ErrorKind::unable) result.own_tree = "error of another kind";
  }
}

void Tally::check(const Comparison& result) {
  CAPTURE(result.git_says);
  CAPTURE(result.own_says);
  CHECK(result.own_tree == result.git_tree);
  ++compared;
  if (result.git_tree.empty()) ++refused;
}

std::string Tally::text() const {
  return std::to_string(compared) + " comparisons, " + std::to_string(refused) + " refused by both";
}

std::string patch_part(const std::string& mail) {
  const std::size_t at = mail.find("\n---\n");
  if (at == std::string::npos) throw std::runtime_error("no patch in the mail");
  return mail.substr(at + 1);
}

}  // namespace flagscale::test
