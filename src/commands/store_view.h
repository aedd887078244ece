// SPDX-License-Identifier: Apache-2.0
//
// The store as the companions read it: that of one commit, or HEAD's and what the working tree
// has beyond it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands/store_search.h"

namespace flagscale::commands {

/// A patch that stands in the store.
struct StoredPatch {
  DeviceType device;
  std::string base8;
  Place place;
};

/// What a user asked for. Nothing of a kind: all of it.
struct StoreSelection {
  std::vector<DeviceType> devices;
  /// Each the first digits of an id, an id, or any name of a commit.
  std::vector<std::string> bases;
};

class StoreView {
 public:
  /// `from` is what `--from` says.
  StoreView(git::Repository& repository, StoreSearch& search,
            const std::optional<std::string>& from);

  [[nodiscard]] const std::vector<Place>& places() const noexcept { return places_; }

  /// The patches asked for, by device type and base. Throws Error(refused) that names what there
  /// is instead when a device type or a base has none.
  [[nodiscard]] std::vector<StoredPatch> select(const StoreSelection& selection);

  /// All combinations, none twice. A file that cannot be read is told in `problems`.
  [[nodiscard]] std::vector<RecordedCombination> combinations(std::vector<std::string>& problems);

  /// Where else there are patches: hints for when there are none here.
  [[nodiscard]] std::vector<std::string> hints_elsewhere();

 private:
  [[nodiscard]] std::vector<StoredPatch> all();
  void check_known(const std::vector<StoredPatch>& patches, const DeviceType& device);
  [[nodiscard]] std::vector<std::string> matching_bases(const std::vector<StoredPatch>& patches,
                                                        const std::string& wanted);

  git::Repository& repository_;
  StoreSearch& search_;
  std::vector<Place> places_;
};

/// Whether a combination is for a base of which eight digits are known.
[[nodiscard]] bool is_for_base8(const RecordedCombination& combination, const std::string& base8);

/// The combinations that a patch belongs to.
[[nodiscard]] std::vector<Devices> combinations_of(
    const StoredPatch& patch, const std::vector<RecordedCombination>& combinations);

}  // namespace flagscale::commands
