// SPDX-License-Identifier: Apache-2.0
#include "commands/store_check.h"

#include <utility>

#include "base/error.h"
#include "base/parallel.h"
#include "base/quote.h"
#include "commands/base_lookup.h"

namespace flagscale::commands {
namespace {

std::string format_counts(const PatchCounts& counts) {
  return std::to_string(counts.commits) + " commits, " + std::to_string(counts.files_changed) +
         " files, +" + std::to_string(counts.insertions) + " -" + std::to_string(counts.deletions);
}

/// A failure belongs to one patch; the others are checked all the same.
template <typename Work>
void note_failure(PatchCheck& check, Work work) {
  try {
    work();
  } catch (const Error& error) {
    check.state = PatchCheck::State::failed;
    check.reason = error.what();
    check.hints = error.hints();
  }
}

/// A commit holds the very bytes, or it is damaged; in a working tree a checkout may have
/// converted line endings.
void check_stored_bytes(const FoundPatch& found) {
  if (!found.was_converted || !found.place.commit) return;
  throw_unable("damaged patch file " + in_quotes(found.path) +
               ": its blob id is not the one in its sidecar");
}

void check_vendor_file(Store& store, const FoundPatch& found) {
  const std::string path = store.paths().vendor(found.device);
  if (const auto text = store.files().find(path)) {
    check_vendor(path, text->view(), found.device);
  } else if (found.sidecar) {
    // Stores of the old tool have neither.
    throw_unable(in_quotes(path) + " is missing");
  }
}

void read_patch(git::Repository& repository, StoreSearch& search, PatchCheck& check) {
  Store& store = search.at(check.patch.place);
  std::optional<FoundPatch> found;
  try {
    found = search.find(check.patch.place, check.patch.device, check.patch.base8);
  } catch (const Error&) {
    // A reader may still want the bytes.
    check.bytes = store.find_patch(check.patch.device, check.patch.base8).value_or(Content());
    throw;
  }
  if (!found) throw_unable("the patch file is gone");
  check.sidecar = found->sidecar;
  check.bytes = found->bytes;
  check_stored_bytes(*found);
  check_vendor_file(store, *found);
  check.base = find_base_of(repository, *found);
}

void rebuild(git::ObjectSource& source, PatchCheck& check, const git::BorrowSource& borrow) {
  git::NullSink nowhere;
  check.adapted = materialise(source, *check.base, check.bytes, check.path, nowhere, {borrow, {}});
  if (!check.sidecar) return;
  const Sidecar& sidecar = *check.sidecar;
  const auto differ = [](const char* what, const std::string& made, const std::string& wanted) {
    throw_unable(std::string(what) + " is " + made + ", but the sidecar says " + wanted);
  };
  if (check.adapted->tree != sidecar.tree) {
    differ("the rebuilt tree", check.adapted->tree.hex(), sidecar.tree.hex());
  }
  if (check.adapted->commit() != sidecar.commit) {
    differ("the adapted commit", check.adapted->commit().hex(), sidecar.commit.hex());
  }
  if (check.adapted->counts != sidecar.counts) {
    differ("the size", format_counts(check.adapted->counts), format_counts(sidecar.counts));
  }
}

}  // namespace

std::vector<PatchCheck> check_patches(git::Repository& repository, StoreSearch& search,
                                      const std::vector<StoredPatch>& patches,
                                      const ProgressCallback& progress) {
  std::vector<PatchCheck> checks;
  for (const StoredPatch& patch : patches) {
    PatchCheck& check = checks.emplace_back(patch);
    Store& store = search.at(patch.place);
    check.path = store.paths().patch(patch.device, patch.base8);
    if (store.is_encrypted(patch.device, patch.base8)) {
      check.state = PatchCheck::State::encrypted;
      continue;
    }
    note_failure(check, [&] { read_patch(repository, search, check); });
  }
  // Opened here, since the threads share what opening it finds out.
  (void)repository.odb();
  // One alone has all cores for itself.
  git::BorrowSource idle;
  if (checks.size() == 1) idle = [&] { return repository.borrow_odb(); };
  StageProgress stage(progress, "Verifying patches", checks.size());
  parallel_for(
      checks.size(), [&] { return repository.borrow_odb(); },
      [&](const std::shared_ptr<git::Odb>& odb, std::size_t i) {
        PatchCheck& check = checks[i];
        if (check.state == PatchCheck::State::ok) {
          note_failure(check, [&] { rebuild(*odb, check, idle); });
        }
        stage.step();
      });
  return checks;
}

}  // namespace flagscale::commands
