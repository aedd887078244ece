// SPDX-License-Identifier: Apache-2.0
#include "commands/store_view.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "base/error.h"
#include "base/names.h"
#include "base/quote.h"
#include "commands/base_lookup.h"

namespace flagscale::commands {
namespace {

bool is_same(const Place& a, const Place& b) {
  return a.commit == b.commit;
}

}  // namespace

StoreView::StoreView(git::Repository& repository, StoreSearch& search,
                     const std::optional<std::string>& from)
    : repository_(repository), search_(search) {
  if (from) {
    places_.push_back({*from, repository.read_commit_id(*from, "commit for --from")});
    return;
  }
  if (const auto head = repository.head_commit()) places_.push_back({"HEAD", head});
  if (repository.top()) places_.push_back({"the working tree", std::nullopt});
}

std::vector<StoredPatch> StoreView::all() {
  std::map<std::pair<DeviceType, std::string>, Place> found;
  for (const Place& place : places_) {
    Store& store = search_.at(place);
    for (const DeviceType& device : store.devices()) {
      for (const std::string& base8 : store.bases(device)) {
        found.emplace(std::pair(device, base8), place);
      }
    }
  }
  std::vector<StoredPatch> patches;
  patches.reserve(found.size());
  for (const auto& [key, place] : found) patches.push_back({key.first, key.second, place});
  return patches;
}

void StoreView::check_known(const std::vector<StoredPatch>& patches, const DeviceType& device) {
  const bool known = std::any_of(patches.begin(), patches.end(),
                                 [&](const StoredPatch& p) { return p.device == device; });
  if (known) return;
  throw_no_patch(search_, places_, device, std::nullopt,
                 patches.empty() ? hints_elsewhere() : std::vector<std::string>());
}

std::vector<std::string> StoreView::matching_bases(const std::vector<StoredPatch>& patches,
                                                   const std::string& wanted) {
  std::set<std::string> known;
  for (const StoredPatch& patch : patches) known.insert(patch.base8);
  const auto matching = [&](const std::string& id) {
    std::vector<std::string> out;
    for (const std::string& base8 : known) {
      if (id.starts_with(base8) || base8.starts_with(id)) out.push_back(base8);
    }
    return out;
  };
  if (git::is_hex(wanted)) {
    if (auto bases = matching(lower_hex(wanted)); !bases.empty()) return bases;
  }
  if (const auto commit = repository_.find_commit(wanted)) {
    if (auto bases = matching(commit->hex()); !bases.empty()) return bases;
  }
  std::vector<std::string> hints;
  const bool is_id = git::is_hex(wanted) || repository_.find_commit(wanted);
  if (!is_id) {
    std::set<std::string> devices;
    for (const StoredPatch& patch : patches) devices.insert(patch.device.text());
    if (!devices.empty()) {
      hints.push_back(
          format_closest("there are patches of", wanted, {devices.begin(), devices.end()}));
    }
  }
  if (!known.empty()) {
    hints.push_back(
        format_nearest(repository_, "there are patches for", wanted, {known.begin(), known.end()}));
  }
  hints.push_back(format_places(places_));
  throw_refused(is_id ? "no patch for base " + in_quotes(wanted)
                      : in_quotes(wanted) + " is no device type and names no commit",
                std::move(hints));
}

std::vector<StoredPatch> StoreView::select(const StoreSelection& selection) {
  std::vector<StoredPatch> patches = all();
  for (const DeviceType& device : selection.devices) check_known(patches, device);
  if (!selection.devices.empty()) {
    std::erase_if(patches, [&](const StoredPatch& patch) {
      return std::find(selection.devices.begin(), selection.devices.end(), patch.device) ==
             selection.devices.end();
    });
  }
  if (selection.bases.empty()) return patches;
  std::set<std::string> wanted;
  for (const std::string& base : selection.bases) {
    wanted.merge([&] {
      const auto bases = matching_bases(patches, base);
      return std::set<std::string>(bases.begin(), bases.end());
    }());
  }
  std::erase_if(patches, [&](const StoredPatch& patch) { return !wanted.contains(patch.base8); });
  return patches;
}

std::vector<RecordedCombination> StoreView::combinations(std::vector<std::string>& problems) {
  std::vector<RecordedCombination> out;
  std::set<std::string> seen_files;
  std::set<std::pair<std::string, Devices>> seen;
  for (const Place& place : places_) {
    Store& store = search_.at(place);
    for (const std::string& path : store.combination_files()) {
      // A file of HEAD counts as HEAD has it.
      if (!seen_files.insert(path).second) continue;
      try {
        for (RecordedCombination& c : store.read_combinations(path)) {
          if (seen.emplace(c.base, c.devices).second) out.push_back(std::move(c));
        }
      } catch (const Error& error) {
        problems.emplace_back(error.what());
      }
    }
  }
  return out;
}

std::vector<std::string> StoreView::hints_elsewhere() {
  for (const Place& place : search_.usual_places()) {
    const auto same = [&](const Place& seen) { return is_same(seen, place); };
    if (!place.commit || std::any_of(places_.begin(), places_.end(), same)) continue;
    if (search_.at(place).devices().empty()) continue;
    return {"there are patches in " + escaped(place.label) + ": --from " +
            shell_quoted(place.label)};
  }
  return {};
}

bool is_for_base8(const RecordedCombination& combination, const std::string& base8) {
  return combination.base.starts_with(base8) || base8.starts_with(combination.base);
}

std::vector<Devices> combinations_of(const StoredPatch& patch,
                                     const std::vector<RecordedCombination>& combinations) {
  std::vector<Devices> out;
  for (const RecordedCombination& c : combinations) {
    if (is_for_base8(c, patch.base8) && contains(c.devices, {patch.device}) &&
        std::find(out.begin(), out.end(), c.devices) == out.end()) {
      out.push_back(c.devices);
    }
  }
  return out;
}

}  // namespace flagscale::commands
