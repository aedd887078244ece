// SPDX-License-Identifier: Apache-2.0
#include "commands/hetero.h"

#include <algorithm>

#include "base/error.h"
#include "base/new_files.h"
#include "base/quote.h"
#include "commands/base_lookup.h"
#include "commands/hetero_store.h"

namespace flagscale::commands {
namespace {

std::string where(const RecordedCombination& c) {
  return in_quotes(c.path) + (c.line == 0 ? "" : " line " + std::to_string(c.line));
}

Devices check_devices(const std::vector<DeviceType>& devices) {
  Devices normal = normalised(devices);
  if (normal.size() < 2) throw_unable("a combination has two or more device types");
  return normal;
}

/// The full id of the base that the user means, by the devices' patches.
git::Oid find_common_base(HeteroStore& store, const HeteroRequest& request) {
  std::optional<git::Oid> base;
  for (const DeviceType& device : request.devices) {
    const FoundPatch found =
        find_patch_for(store.repository(), store.search(), store.places(), device, request.base);
    const git::Oid its =
        found.sidecar ? found.sidecar->base : find_base_of(store.repository(), found);
    if (base && *base != its) {
      throw_refused("the patches of " + request.devices.front().text() + " and " + device.text() +
                    " have different bases");
    }
    base = its;
  }
  return *base;
}

/// The recorded combinations whose base the user may mean.
std::vector<RecordedCombination> recorded_for(HeteroStore& store, const std::string& wanted) {
  const std::vector<RecordedCombination> all = store.files().combinations();
  const auto matching = [&](const std::string& id) {
    std::vector<RecordedCombination> out;
    for (const RecordedCombination& c : all) {
      if (c.base.starts_with(id) || id.starts_with(c.base)) out.push_back(c);
    }
    return out;
  };
  if (git::is_hex(wanted)) {
    if (auto found = matching(lower_hex(wanted)); !found.empty()) return found;
  }
  if (const auto commit = store.repository().find_commit(wanted)) return matching(commit->hex());
  return {};
}

[[noreturn]] void throw_not_removable(const std::vector<RecordedCombination>& recorded,
                                      const Devices& devices, const std::string& base) {
  const std::string what = "the combination " + format_devices(devices);
  for (const RecordedCombination& c : recorded) {
    if (!contains(c.devices, devices)) continue;
    if (c.line != 0) {
      throw_refused(what + " stands in the old mapping, " + where(c),
                    {"take it out of that line, or first: git flagscale hetero import"});
    }
    throw_refused(
        what + " is recorded only as a part of " + format_devices(c.devices) + ", in " + where(c),
        {"remove that one, and add what shall stay"});
  }
  std::vector<std::string> hints;
  for (const RecordedCombination& c : recorded) {
    static constexpr std::size_t kShown = 5;
    if (hints.size() < kShown) hints.push_back("recorded: " + format_devices(c.devices));
  }
  throw_refused(what + " is not recorded for base " + in_quotes(base), std::move(hints));
}

}  // namespace

HeteroReport run_hetero_list(const HeteroListRequest& request) {
  git::Repository repository = git::Repository::open();
  StoreSearch search(repository, StoreSearch::wanted_folder(repository, request.hardware_dir));
  StoreView view(repository, search, request.from);
  HeteroReport report;
  std::vector<std::string> problems;
  report.combinations = view.combinations(problems);
  if (!problems.empty()) throw_unable(problems.front());
  if (!request.selection.bases.empty()) {
    const std::vector<StoredPatch> patches = view.select({{}, request.selection.bases});
    std::erase_if(report.combinations, [&](const RecordedCombination& c) {
      return std::none_of(patches.begin(), patches.end(),
                          [&](const StoredPatch& p) { return is_for_base8(c, p.base8); });
    });
  }
  std::erase_if(report.combinations, [&](const RecordedCombination& c) {
    return !contains(c.devices, normalised(request.selection.devices));
  });
  std::sort(report.combinations.begin(), report.combinations.end(),
            [](const auto& a, const auto& b) {
              return std::tie(a.base, a.devices) < std::tie(b.base, b.devices);
            });
  return report;
}

HeteroReport run_hetero_add(const HeteroRequest& request) {
  HeteroStore store(request.hardware_dir);
  Combination combination;
  combination.devices = check_devices(request.devices);
  combination.base = find_common_base(store, request);
  HeteroReport report;
  const auto recorded = store.files().combinations();
  if (const auto* existing = HeteroStore::find_containing(recorded, combination)) {
    report.status = HeteroReport::Status::unchanged;
    report.combinations.push_back(*existing);
    return report;
  }
  report.combinations.push_back(store.place_for(combination));
  NewFiles files(store.top());
  files.add(report.combinations.front().path, format_combination(combination));
  files.keep();
  report.status = HeteroReport::Status::written;
  report.hints = {"others get it with a commit:", "  " + commit_command(report.combinations)};
  return report;
}

HeteroReport run_hetero_remove(const HeteroRequest& request) {
  HeteroStore store(request.hardware_dir);
  const Devices devices = check_devices(request.devices);
  const auto recorded = recorded_for(store, request.base);
  std::vector<RecordedCombination> exact;
  for (const RecordedCombination& c : recorded) {
    if (c.line == 0 && c.devices == devices) exact.push_back(c);
  }
  if (exact.empty()) throw_not_removable(recorded, devices, request.base);
  if (exact.size() > 1) {
    throw_unable(in_quotes(request.base) + " is ambiguous: the combination is recorded for " +
                 exact[0].base + " and " + exact[1].base);
  }
  HeteroReport report;
  report.status = HeteroReport::Status::removed;
  report.combinations = exact;
  remove_file_below(store.top(), exact.front().path);
  for (const RecordedCombination& c : recorded) {
    if (c.path != exact.front().path && contains(c.devices, devices)) {
      report.warnings.push_back("it is still recorded by " + where(c));
    }
  }
  const auto head = store.repository().head_commit();
  if (head && store.search().at({"HEAD", head}).files().find(exact.front().path)) {
    report.hints = {"HEAD has it until you commit:", "  " + commit_command(report.combinations)};
  }
  return report;
}

}  // namespace flagscale::commands
