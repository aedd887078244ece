// SPDX-License-Identifier: Apache-2.0
#include "commands/hetero_store.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/quote.h"

namespace flagscale::commands {

HeteroStore::HeteroStore(const std::optional<std::string>& hardware_dir)
    : repository_(git::Repository::open()),
      search_(repository_, StoreSearch::wanted_folder(repository_, hardware_dir)),
      view_(repository_, search_, std::nullopt) {
  if (!repository_.top()) {
    throw_refused("combinations are written into a working tree, and there is none here",
                  {"work in a clone: git clone " + shell_quoted(repository_.common_dir())});
  }
}

Store& HeteroStore::files() {
  return search_.at({"the working tree", std::nullopt});
}

const RecordedCombination* HeteroStore::find_containing(
    const std::vector<RecordedCombination>& recorded, const Combination& wanted) {
  const auto at = std::find_if(recorded.begin(), recorded.end(), [&](const auto& c) {
    return c.is_for(wanted.base) && contains(c.devices, wanted.devices);
  });
  return at == recorded.end() ? nullptr : &*at;
}

RecordedCombination HeteroStore::place_for(const Combination& combination) {
  const std::string base8 = combination.base.hex8();
  std::string folder = files().paths().folder();
  for (const Place& place : places()) {
    Store& store = search_.at(place);
    const std::vector<std::string> bases = store.bases(combination.devices.front());
    if (std::find(bases.begin(), bases.end(), base8) != bases.end()) {
      folder = store.paths().folder();
      break;
    }
  }
  return {combination.base.hex(), combination.devices,
          StorePaths(folder).combination(base8, combination.devices), 0};
}

bool HeteroStore::has_patch(const DeviceType& device, const git::Oid& base) {
  return std::any_of(places().begin(), places().end(), [&](const Place& place) {
    const std::vector<std::string> bases = search_.at(place).bases(device);
    return std::find(bases.begin(), bases.end(), base.hex8()) != bases.end();
  });
}

std::string commit_command(const std::vector<RecordedCombination>& combinations) {
  std::set<std::string> folders;
  for (const RecordedCombination& c : combinations) {
    folders.insert(c.path.substr(0, c.path.rfind('/')));
  }
  std::string text = "git add -A";
  // From the top of the repository, wherever this is read.
  for (const std::string& folder : folders) text += " " + shell_quoted(":/" + folder);
  return text + " && git commit";
}

}  // namespace flagscale::commands
