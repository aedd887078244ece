// SPDX-License-Identifier: Apache-2.0
#include "commands/list.h"

#include <algorithm>

#include "base/error.h"
#include "base/parallel.h"
#include "base/quote.h"
#include "core/patch_file.h"

namespace flagscale::commands {
namespace {

/// Reads what one patch file says about itself.
void summarise(ListedPatch& row, const Content& bytes) {
  try {
    PatchCounter counter;
    const PatchFile file = parse_patch_file(bytes);
    for (const Mail& mail : file.mails) counter.add_commit(parse_mail_diffs(mail));
    row.counts = counter.counts();
    if (file.is_bare_diff) return;
    row.author = file.mails.back().author;
    row.subject = git::message_subject(file.mails.back().message);
  } catch (const Error& error) {
    row.problem = error.what();
  }
}

ListedPatch start_row(StoreSearch& search, const StoredPatch& patch,
                      const std::vector<RecordedCombination>& combinations) {
  Store& store = search.at(patch.place);
  ListedPatch row(patch);
  row.path = store.paths().patch(patch.device, patch.base8);
  row.encrypted = store.is_encrypted(patch.device, patch.base8);
  row.combinations = combinations_of(patch, combinations);
  try {
    if (const auto sidecar = store.find_sidecar(patch.device, patch.base8)) {
      row.base = sidecar->base;
      row.commit = sidecar->commit;
    }
  } catch (const Error& error) {
    row.problem = error.what();
  }
  return row;
}

}  // namespace

ListReport run_list(const ListRequest& request) {
  git::Repository repository = git::Repository::open();
  StoreSearch search(repository, StoreSearch::wanted_folder(repository, request.hardware_dir));
  StoreView view(repository, search, request.from);
  ListReport report;
  const std::vector<StoredPatch> patches = view.select(request.selection);
  if (patches.empty()) report.hints = view.hints_elsewhere();
  const auto combinations = view.combinations(report.warnings);

  std::vector<Content> files;
  for (const StoredPatch& patch : patches) {
    report.patches.push_back(start_row(search, patch, combinations));
    files.push_back(
        search.at(patch.place).find_patch(patch.device, patch.base8).value_or(Content()));
  }
  parallel_for(
      patches.size(), [] { return 0; },
      [&](int, std::size_t i) {
        ListedPatch& row = report.patches[i];
        if (!row.encrypted && row.problem.empty()) summarise(row, files[i]);
      });
  for (const RecordedCombination& c : combinations) {
    if (std::any_of(patches.begin(), patches.end(), [&](const StoredPatch& patch) {
          return is_for_base8(c, patch.base8) && contains(c.devices, {patch.device});
        })) {
      report.combinations.push_back(c);
    }
  }
  return report;
}

}  // namespace flagscale::commands
