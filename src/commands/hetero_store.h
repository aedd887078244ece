// SPDX-License-Identifier: Apache-2.0
//
// The combinations of the working tree, and the patches that new ones may name.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands/store_view.h"

namespace flagscale::commands {

class HeteroStore {
 public:
  /// Throws Error(refused) in a repository without working tree.
  explicit HeteroStore(const std::optional<std::string>& hardware_dir);

  [[nodiscard]] git::Repository& repository() noexcept { return repository_; }
  [[nodiscard]] const std::string& top() { return *repository_.top(); }
  [[nodiscard]] StoreSearch& search() noexcept { return search_; }
  /// HEAD and the working tree.
  [[nodiscard]] const std::vector<Place>& places() const noexcept { return view_.places(); }
  /// The store of the working tree.
  [[nodiscard]] Store& files();

  /// The first recorded combination with this base and all of the devices, if any.
  [[nodiscard]] static const RecordedCombination* find_containing(
      const std::vector<RecordedCombination>& recorded, const Combination& wanted);

  /// The file for a new combination, in the store that holds the patches.
  [[nodiscard]] RecordedCombination place_for(const Combination& combination);
  /// The base8 folder of a device type, in any of the places.
  [[nodiscard]] bool has_patch(const DeviceType& device, const git::Oid& base);

 private:
  git::Repository repository_;
  StoreSearch search_;
  StoreView view_;
};

/// The command that commits what changed in the working tree.
[[nodiscard]] std::string commit_command(const std::vector<RecordedCombination>& combinations);

}  // namespace flagscale::commands
