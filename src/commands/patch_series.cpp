// SPDX-License-Identifier: Apache-2.0
#include "commands/patch_series.h"

#include "base/error.h"
#include "base/quote.h"
#include "core/series.h"
#include "core/series_proof.h"
#include "core/tree_overlay.h"
#include "git/made_objects.h"
#include "git/tree_diff.h"

namespace flagscale::commands {
namespace {

/// Old trees hold modes such as 100664, which no patch can make; they are no difference.
void check_by_path(git::Repository& repository, const SeriesRange& range, const Content& bytes,
                   const std::string& name) {
  git::MadeObjects made(repository.odb());
  const git::Oid tree = materialise(repository.odb(), range.base, bytes, name, made).tree;
  const auto difference =
      git::diff_trees(made, tree, repository.read_commit(range.current).tree, range.store_folder);
  if (difference.empty()) return;
  throw Error(ErrorKind::bug, "the patch just made does not rebuild " +
                                  in_quotes(difference.front().path) + "; nothing was stored");
}

/// The proof by the whole file, for what cannot be proved mail by mail.
Materialised prove(git::Repository& repository, const SeriesRange& range, const Content& bytes,
                   const std::string& name, const git::Oid& expected_tree) {
  git::NullSink nowhere;
  Materialised adapted;
  try {
    adapted = materialise(repository.odb(), range.base, bytes, name, nowhere,
                          {[&] { return repository.borrow_odb(); }, range.progress});
  } catch (const Error& error) {
    throw Error(ErrorKind::bug, std::string("the patch just made cannot be applied: ") +
                                    error.what() + "; nothing was stored");
  }
  if (adapted.tree != expected_tree) check_by_path(repository, range, bytes, name);
  return adapted;
}

}  // namespace

ProvedSeries make_series(git::Repository& repository, const SeriesRange& range,
                         const std::string& name) {
  const SeriesPlan plan = plan_series(repository, range.base, range.current, range.line,
                                      range.store_folder, range.squash);
  if (plan.steps.empty()) {
    throw_refused("nothing to patch: nothing differs between " + range.base.short_hex() + " and " +
                  range.current.short_hex() + " outside " + in_quotes(range.store_folder));
  }
  const git::Oid base_tree = repository.read_commit(range.base).tree;
  SeriesProof proof(repository.odb(), plan.steps, base_tree, range.store_folder);
  SeriesFile file = format_series(
      repository, plan.steps, range.store_folder,
      [&](std::size_t step, const SeriesMail& mail) { proof.check(step, mail); }, range.progress);
  ProvedSeries series;
  series.bytes = Content(std::move(file.bytes));
  const git::Oid expected_tree = tree_with_store(
      repository.odb(), repository.read_commit(range.current).tree, range.store_folder,
      TreeOverlay(repository.odb(), base_tree).find_tree(range.store_folder));
  auto proved = proof.finish(range.base, series.bytes);
  series.adapted = proved && proved->tree == expected_tree
                       ? *std::move(proved)
                       : prove(repository, range, series.bytes, name, expected_tree);
  series.newest_work = plan.newest_work;
  series.altered = std::move(file.altered);
  return series;
}

}  // namespace flagscale::commands
