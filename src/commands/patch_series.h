// SPDX-License-Identifier: Apache-2.0
//
// The series that a patch publishes: made from the history, then read back and applied in memory
// before anybody relies on it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/progress.h"
#include "core/materialise.h"
#include "git/repository.h"

namespace flagscale::commands {

/// What the series is to cover.
struct SeriesRange {
  git::Oid base;
  git::Oid current;
  /// Current's first-parent line after base, where base is on it.
  std::optional<std::vector<git::Oid>> line;
  std::string store_folder;
  bool squash = false;
  /// May be empty.
  ProgressCallback progress;
};

struct ProvedSeries {
  Content bytes;
  Materialised adapted;
  /// The newest commit that is no merge and changes something outside the store.
  git::Oid newest_work;
  /// Commits whose author or message `git am` cannot give back unchanged.
  std::vector<git::Oid> altered;
};

/// Makes the series and proves it: its bytes, applied to base, give current's tree, the store left
/// out of both. `name` is the patch file's path, for messages. Throws Error(refused) when there is
/// nothing to patch or `git am` would refuse a commit's author or date, Error(bug) when the proof
/// fails.
[[nodiscard]] ProvedSeries make_series(git::Repository& repository, const SeriesRange& range,
                                       const std::string& name);

}  // namespace flagscale::commands
