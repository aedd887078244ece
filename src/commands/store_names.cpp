// SPDX-License-Identifier: Apache-2.0
#include "commands/store_names.h"

#include <algorithm>

#include "base/error.h"
#include "commands/store_search.h"
#include "git/repository.h"

namespace flagscale::commands {
namespace {

std::vector<Place> places(git::Repository& repository, StoreSearch& search,
                          const std::optional<std::string>& from) {
  if (!from) return search.usual_places();
  const auto commit = repository.find_commit(*from);
  return commit ? std::vector<Place>{{*from, commit}} : std::vector<Place>{};
}

}  // namespace

const std::map<std::string, StoreNames::Bases>& StoreNames::store() {
  if (store_) return *store_;
  store_.emplace();
  git::Repository repository = git::Repository::open();
  StoreSearch search(repository, StoreSearch::wanted_folder(repository, query_.hardware_dir));
  for (const Place& place : places(repository, search, query_.from)) {
    try {
      Store& store = search.at(place);
      for (const DeviceType& device : store.devices()) {
        const std::vector<std::string> bases = store.bases(device);
        (*store_)[device.text()].insert(bases.begin(), bases.end());
      }
    } catch (const Error&) {
      // The other places may do.
      continue;
    }
  }
  return *store_;
}

bool StoreNames::has_given_bases(const Bases& bases) const {
  return std::all_of(query_.bases.begin(), query_.bases.end(), [&](const std::string& given) {
    return std::any_of(bases.begin(), bases.end(), [&](const std::string& base) {
      return base.starts_with(given) || given.starts_with(base);
    });
  });
}

std::vector<std::string> StoreNames::devices() {
  std::vector<std::string> fitting;
  std::vector<std::string> others;
  for (const auto& [device, bases] : store()) {
    const auto& given = query_.devices;
    if (std::find(given.begin(), given.end(), device) != given.end()) continue;
    (has_given_bases(bases) ? fitting : others).push_back(device);
  }
  // A base can be given by names that say nothing here.
  return fitting.empty() ? others : fitting;
}

std::vector<std::string> StoreNames::bases(bool of_any) {
  std::map<std::string, std::size_t> counts;
  for (const auto& [device, bases] : store()) {
    const auto& given = query_.devices;
    if (!given.empty() && std::find(given.begin(), given.end(), device) == given.end()) continue;
    for (const std::string& base : bases) ++counts[base];
  }
  const std::size_t least = of_any ? 1 : std::max<std::size_t>(query_.devices.size(), 1);
  std::vector<std::string> out;
  for (const auto& [base, count] : counts) {
    if (count >= least) out.push_back(base);
  }
  return out;
}

// NOLINTNEXTLINE(readability-convert-member-functions-to-static): one asks the store for it.
std::optional<std::string> StoreNames::top() {
  return git::Repository::open().top();
}

}  // namespace flagscale::commands
