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
    if (!parent || git::trees_differ(repository.odb(), git::commit_tree(parent->view()),
                                     commit.tree, store_folder)) {
      return id;
    }
  }
  return current;
}

MailHead head_of(const SeriesStep& step) {
  try {
    return format_mail_head(step.author, step.message);
  } catch (const Error& error) {
    throw Error(error.kind(), "commit " + step.commit.hex() + ": " + error.what(), error.hints());
  }
}

using Changes = std::vector<PairedChange>;

Changes changes_of(git::Odb& odb, const SeriesStep& step, std::string_view store_folder) {
  return find_renames(odb, git::diff_trees(odb, step.before, step.after, store_folder));
}

/// A large commit keeps all cores busy just as many small ones do.
std::string format_in_parallel(git::Repository& repository, const Changes& changes,
                               StageProgress& stage) {
  static constexpr std::size_t kPerPiece = 16;
  std::vector<std::string> pieces((changes.size() + kPerPiece - 1) / kPerPiece);
  parallel_for(
      pieces.size(), [&] { return repository.borrow_odb(); },
      [&](const std::shared_ptr<git::Odb>& odb, std::size_t i) {
        const std::size_t begin = i * kPerPiece;
        const std::size_t count = std::min(kPerPiece, changes.size() - begin);
        pieces[i] = format_diff(*odb, std::span(changes).subspan(begin, count));
        stage.step(count);
      });
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  return text;
}

/// Lets a repository that has to fetch get the contents of all changed files at once.
void fetch_together(git::ObjectSource& source, const std::vector<SeriesStep>& steps,
                    std::string_view store_folder) {
  std::vector<git::Oid> ids;
  const auto add = [&](const std::optional<git::TreeItem>& item) {
    if (item && item->mode != git::Mode::gitlink) ids.push_back(item->id);
  };
  for (const SeriesStep& step : steps) {
    for (const auto& change : git::diff_trees(source, step.before, step.after, store_folder)) {
      add(change.before);
      add(change.after);
    }
  }
  source.expect(ids);
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
    if (git::trees_differ(repository.odb(), before, commit.tree, store_folder)) {
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
  if (git::trees_differ(repository.odb(), base_tree, after, store_folder)) {
    plan.steps.push_back(
        make_step(plan.newest_work, repository.read_commit(plan.newest_work), base_tree, after));
  }
  return plan;
}

SeriesFile format_series(git::Repository& repository, const std::vector<SeriesStep>& steps,
                         std::string_view store_folder, const MailObserver& observer,
                         const ProgressCallback& progress) {
  if (repository.odb().fetches()) fetch_together(repository.odb(), steps, store_folder);
  // An empty line between mails.
  const auto end_of = [&](std::size_t i) { return i + 1 < steps.size() ? "\n" : ""; };
  const git::BorrowSource borrow = [&] { return repository.borrow_odb(); };
  std::vector<Content> mails(steps.size());
  std::vector<char> exact(steps.size());
  const auto finish = [&](std::size_t i, const MailHead& head, const std::string& diffs,
                          git::Odb& odb, const git::BorrowSource& idle) {
    exact[i] = head.exact ? 1 : 0;
    mails[i] = Content(head.text + diffs + end_of(i));
    observer(i, {mails[i], odb, idle});
  };
  static constexpr std::size_t kMany = 8;
  if (steps.size() >= kMany) {
    StageProgress stage(progress, "Comparing commits", steps.size());
    parallel_for(
        steps.size(), [&] { return repository.borrow_odb(); },
        [&](const std::shared_ptr<git::Odb>& odb, std::size_t i) {
          const MailHead head = head_of(steps[i]);
          finish(i, head, format_diff(*odb, changes_of(*odb, steps[i], store_folder)), *odb, {});
          stage.step();
        });
  } else {
    std::vector<Changes> changes;
    std::size_t files = 0;
    for (const SeriesStep& step : steps) {
      changes.push_back(changes_of(repository.odb(), step, store_folder));
      files += changes.back().size();
    }
    StageProgress stage(progress, "Comparing files", files);
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const MailHead head = head_of(steps[i]);
      finish(i, head, format_in_parallel(repository, changes[i], stage), repository.odb(), borrow);
    }
  }
  SeriesFile file;
  std::size_t size = 0;
  for (const Content& mail : mails) size += mail.size();
  file.bytes.reserve(size);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    file.bytes += mails[i].view();
    if (exact[i] == 0) file.altered.push_back(steps[i].commit);
  }
  return file;
}

}  // namespace flagscale
