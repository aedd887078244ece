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

std::optional<git::Oid> find_quietly(git::Repository& repository, const std::string& name) {
  try {
    return repository.find_commit(name);
  } catch (const Error&) {
    // Ambiguous, or no commit.
    return std::nullopt;
  }
}

/// A base as seen from another commit.
struct Distance {
  std::string base8;
  std::size_t before = 0;
  std::size_t after = 0;

  [[nodiscard]] std::string text() const {
    const std::string steps = std::to_string(before + after);
    if (after == 0)
      return base8 + " (" + steps + (before == 1 ? " commit before)" : " commits before)");
    if (before == 0)
      return base8 + " (" + steps + (after == 1 ? " commit after)" : " commits after)");
    return base8 + " (on another branch)";
  }
};

/// A branch that has the patch after all.
std::optional<std::string> find_on_a_branch(StoreSearch& search, const std::vector<Place>& places,
                                            const DeviceType& device,
                                            const std::optional<std::string>& id) {
  for (const Place& place : search.branches_beyond(places)) {
    try {
      Store& store = search.at(place);
      if (id ? !matching_bases(store, device, *id).empty() : !store.bases(device).empty()) {
        return place.label;
      }
    } catch (const Error&) {
      // A store that cannot be read has nothing to offer.
      continue;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string format_nearest(git::Repository& repository, std::string text, const std::string& wanted,
                           const std::vector<std::string>& bases) {
  static constexpr std::size_t kShown = 5;
  // Each one costs a walk.
  static constexpr std::size_t kMost = 20;
  const auto commit = find_quietly(repository, wanted);
  std::vector<Distance> known;
  for (std::size_t i = 0; commit && i < bases.size() && bases.size() <= kMost; ++i) {
    const auto base = find_quietly(repository, bases[i]);
    if (!base || !base->hex().starts_with(bases[i])) continue;
    known.push_back(
        {bases[i], git::count_commits({*commit}, {*base}), git::count_commits({*base}, {*commit})});
  }
  if (known.size() != bases.size()) {
    return format_closest(std::move(text), wanted.substr(0, 8), bases);
  }
  std::stable_sort(known.begin(), known.end(), [](const Distance& a, const Distance& b) {
    return a.before + a.after < b.before + b.after;
  });
  for (std::size_t i = 0; i < known.size() && i < kShown; ++i) {
    text += (i == 0 ? " " : ", ") + known[i].text();
  }
  if (known.size() > kShown) text += " and " + std::to_string(known.size() - kShown) + " more";
  return text;
}

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
                    const std::optional<std::string>& commit_id, std::vector<std::string> hints,
                    const char* option) {
  std::set<std::string> devices;
  std::set<std::string> bases;
  for (const Place& place : places) {
    for (const DeviceType& known : search.at(place).devices()) devices.insert(known.text());
    for (const std::string& base8 : search.at(place).bases(device)) bases.insert(base8);
  }
  hints.push_back(format_places(places));
  const auto commit = commit_id ? find_quietly(search.repository(), *commit_id) : std::nullopt;
  const auto id = commit ? commit->hex() : commit_id;
  if (!id || git::is_hex(*id)) {
    if (const auto branch =
            find_on_a_branch(search, places, device, id ? std::optional(lower_hex(*id)) : id)) {
      hints.insert(hints.begin(), "there is one on " + escaped(*branch) + ": " + option + " " +
                                      shell_quoted(*branch));
    }
  }
  if (commit_id && !bases.empty()) {
    hints.insert(hints.begin(),
                 format_nearest(search.repository(), device.text() + " has patches for", *commit_id,
                                {bases.begin(), bases.end()}));
    throw_refused("no patch of " + device.text() + " for base " + in_quotes(*commit_id) +
                      (id && git::is_hex(*id) ? "" : ", which names no commit"),
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
