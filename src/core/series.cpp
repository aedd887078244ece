// SPDX-License-Identifier: Apache-2.0
#include "core/series.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/parallel.h"
#include "base/quote.h"
#include "core/diff_writer.h"
#include "core/mail_decode.h"
#include "core/mail_writer.h"
#include "git/history.h"
#include "git/tree_diff.h"

namespace flagscale {
namespace {

bool changes_something(git::ObjectSource& source, const git::Oid& before, const git::Oid& after,
                       std::string_view store_folder) {
  return !git::diff_trees(source, before, after, store_folder).empty();
}

std::string in_utf8(const std::string& text, const std::string& encoding) {
  if (encoding.empty() || CharsetConverter::is_utf8_name(encoding)) return text;
  return CharsetConverter().to_utf8(text, encoding).value_or(text);
}

SeriesStep make_step(const git::Oid& id, const git::Commit& commit, const git::Oid& before,
                     const git::Oid& after) {
  SeriesStep step{id, commit.author, message_in_utf8(commit), before, after};
  step.author.name = in_utf8(commit.author.name, commit.encoding);
  step.author.email = in_utf8(commit.author.email, commit.encoding);
  return step;
}

/// See SeriesPlan.
git::Oid newest_work(git::Repository& repository, const git::Oid& base, const git::Oid& current,
                     std::string_view store_folder) {
  const auto commits =
      git::rev_list({"--no-merges", "--topo-order", current.hex(), "^" + base.hex()});
  for (const git::Oid& id : commits) {
    const git::Commit commit = repository.read_commit(id);
    // Without its parent (a shallow clone) there is nothing to tell; it is work, most likely.
    if (commit.parents.empty()) return id;
    const auto parent = repository.odb().find(commit.parents.front(), git::ObjectType::commit);
    if (!parent || changes_something(repository.odb(), git::commit_tree(parent->view()),
                                     commit.tree, store_folder)) {
      return id;
    }
  }
  return current;
}

constexpr std::size_t kChangesPerPiece = 16;

/// A step on its way to a mail.
struct StepParts {
  MailHead head;
  std::vector<PairedChange> changes;
  /// The formatted changes, kChangesPerPiece at a time.
  std::vector<std::string> diffs;
};

MailHead head_of(const SeriesStep& step) {
  try {
    return format_mail_head(step.author, step.message);
  } catch (const Error& error) {
    throw Error(error.kind(), "commit " + step.commit.hex() + ": " + error.what(), error.hints());
  }
}

}  // namespace

std::string message_in_utf8(const git::Commit& commit) {
  return in_utf8(commit.message, commit.encoding);
}

SeriesPlan plan_series(git::Repository& repository, const git::Oid& base, const git::Oid& current,
                       const std::optional<std::vector<git::Oid>>& line,
                       std::string_view store_folder, bool squash) {
  const git::Oid base_tree = repository.read_commit(base).tree;
  SeriesPlan plan;
  bool straight = line.has_value();
  git::Oid before = base_tree;
  for (const git::Oid& id : line.value_or(std::vector<git::Oid>())) {
    const git::Commit commit = repository.read_commit(id);
    straight = straight && commit.parents.size() == 1;
    if (changes_something(repository.odb(), before, commit.tree, store_folder)) {
      plan.steps.push_back(make_step(id, commit, before, commit.tree));
    }
    before = commit.tree;
  }
  // On a line without merges the steps tell which commits are work.
  plan.newest_work = straight && !plan.steps.empty()
                         ? plan.steps.back().commit
                         : newest_work(repository, base, current, store_folder);
  if (line && !squash) return plan;
  plan.steps.clear();
  const git::Oid after = repository.read_commit(current).tree;
  if (changes_something(repository.odb(), base_tree, after, store_folder)) {
    plan.steps.push_back(
        make_step(plan.newest_work, repository.read_commit(plan.newest_work), base_tree, after));
  }
  return plan;
}

SeriesFile format_series(git::Repository& repository, const std::vector<SeriesStep>& steps,
                         std::string_view store_folder) {
  const auto open_odb = [&] { return repository.open_odb(); };
  std::vector<StepParts> parts(steps.size());
  parallel_for(steps.size(), open_odb, [&](std::unique_ptr<git::Odb>& odb, std::size_t i) {
    const SeriesStep& step = steps[i];
    parts[i].head = head_of(step);
    parts[i].changes =
        find_renames(*odb, git::diff_trees(*odb, step.before, step.after, store_folder));
    parts[i].diffs.resize((parts[i].changes.size() + kChangesPerPiece - 1) / kChangesPerPiece);
  });
  // One large commit keeps all cores busy just as many small ones do.
  std::vector<std::pair<std::size_t, std::size_t>> pieces;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    for (std::size_t p = 0; p < parts[i].diffs.size(); ++p) pieces.emplace_back(i, p);
  }
  parallel_for(pieces.size(), open_odb, [&](std::unique_ptr<git::Odb>& odb, std::size_t at) {
    StepParts& step = parts[pieces[at].first];
    const std::size_t begin = pieces[at].second * kChangesPerPiece;
    const std::size_t count = std::min(kChangesPerPiece, step.changes.size() - begin);
    step.diffs[pieces[at].second] =
        format_diff(*odb, std::span(step.changes).subspan(begin, count));
  });
  SeriesFile file;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (i > 0) file.bytes += '\n';
    file.bytes += parts[i].head.text;
    for (const std::string& diff : parts[i].diffs) file.bytes += diff;
    if (!parts[i].head.exact) file.altered.push_back(steps[i].commit);
    parts[i] = StepParts();
  }
  return file;
}

}  // namespace flagscale
