// SPDX-License-Identifier: Apache-2.0
#include "commands/base_lookup.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/names.h"
#include "base/quote.h"
#include "git/history.h"
#include "git/remotes.h"

namespace flagscale::commands {
namespace {

/// The base8 folders of a device that an id names: it may be shorter or longer than eight digits.
std::vector<std::string> matching_bases(Store& store, const DeviceType& device,
                                        const std::string& id) {
  std::vector<std::string> bases = store.bases(device);
  std::erase_if(bases, [&](const std::string& base8) {
    return !id.starts_with(base8) && !base8.starts_with(id);
  });
  return bases;
}

std::optional<FoundPatch> find_for(StoreSearch& search, const Place& place,
                                   const DeviceType& device, const std::string& id) {
  Store& store = search.at(place);
  const std::vector<std::string> bases = matching_bases(store, device, id);
  if (bases.empty()) return std::nullopt;
  if (bases.size() > 1) {
    throw_unable(in_quotes(id) + " is ambiguous: " + device.text() + " has " + bases[0] + " and " +
                 bases[1]);
  }
  auto found = search.find(place, device, bases.front());
  if (!found) {
    throw_unable("the patch of " + device.text() + " for " + bases.front() + " in " + place.label +
                 " is encrypted");
  }
  // A longer id names one commit; the folder may belong to another one with the same start.
  const std::size_t known = std::min(id.size(), git::Oid::kHexSize);
  if (found->sidecar && id.size() > 8 &&
      !found->sidecar->base.hex().starts_with(id.substr(0, known))) {
    return std::nullopt;
  }
  return found;
}

}  // namespace

std::string lower_hex(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'F') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

std::string format_closest(std::string text, const std::string& wanted,
                           const std::vector<std::string>& names) {
  static constexpr std::size_t kShown = 5;
  for (const std::string& name : closest_names(wanted, names, kShown)) text += " " + name;
  if (names.size() > kShown) text += " and " + std::to_string(names.size() - kShown) + " more";
  return text;
}

void throw_no_patch(StoreSearch& search, const std::vector<Place>& places, const DeviceType& device,
                    const std::optional<std::string>& commit_id, std::vector<std::string> hints) {
  std::set<std::string> devices;
  std::set<std::string> bases;
  for (const Place& place : places) {
    for (const DeviceType& known : search.at(place).devices()) devices.insert(known.text());
    for (const std::string& base8 : search.at(place).bases(device)) bases.insert(base8);
  }
  hints.push_back(format_places(places));
  if (commit_id && !bases.empty()) {
    hints.insert(hints.begin(),
                 format_closest(device.text() + " has patches for", commit_id->substr(0, 8),
                                {bases.begin(), bases.end()}));
    throw_refused("no patch of " + device.text() + " for base " + in_quotes(*commit_id),
                  std::move(hints));
  }
  devices.erase(device.text());
  if (!devices.empty()) {
    hints.insert(hints.begin(), format_closest("there are patches of", device.text(),
                                               {devices.begin(), devices.end()}));
  }
  throw_refused("no patch of device type " + in_quotes(device.text()) + " found", std::move(hints));
}

FoundPatch find_patch_for(git::Repository& repository, StoreSearch& search,
                          const std::vector<Place>& places, const DeviceType& device,
                          const std::string& commit_id) {
  if (git::is_hex(commit_id)) {
    const std::string id = lower_hex(commit_id);
    for (const Place& place : places) {
      if (auto found = find_for(search, place, device, id)) return *std::move(found);
    }
  }
  if (const auto commit = repository.find_commit(commit_id)) {
    for (const Place& place : places) {
      if (auto found = find_for(search, place, device, commit->hex())) return *std::move(found);
    }
  }
  throw_no_patch(search, places, device, commit_id);
}

git::Oid find_base_of(git::Repository& repository, const FoundPatch& patch) {
  const std::string wanted = patch.sidecar ? patch.sidecar->base.hex() : patch.base8;
  if (const auto commit = repository.find_commit(wanted)) {
    if (commit->hex().starts_with(wanted)) return *commit;
  }
  const auto remote = git::find_push_remote(repository, "");
  std::vector<std::string> hints;
  const std::string name = remote ? shell_quoted(*remote) : "<remote>";
  if (patch.sidecar) {
    hints.push_back("git fetch " + name + " " + wanted + " brings it");
  } else {
    hints.push_back("git fetch " + name + " brings it, if the remote still has it");
  }
  if (repository.is_shallow()) hints.emplace_back("this clone is shallow: git fetch --unshallow");
  throw_unable("base commit " + wanted + " of " + patch.device.text() + " is missing here",
               std::move(hints));
}

}  // namespace flagscale::commands
