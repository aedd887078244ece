// SPDX-License-Identifier: Apache-2.0
#include "commands/patch_tree.h"

#include <algorithm>

#include "base/error.h"
#include "base/quote.h"
#include "git/tree_diff.h"

namespace flagscale::commands {

PatchTree::PatchTree(git::Repository& repository, const StorePaths& paths, const git::Oid& parent,
                     const std::optional<git::Oid>& previous)
    : repository_(repository),
      paths_(paths),
      parent_(parent),
      parent_tree_(repository.read_commit(parent).tree),
      previous_(previous),
      tree_(repository.odb(), parent_tree_) {}

void PatchTree::fill(const PatchContents& contents, StoreSearch& search) {
  check_store_is_folder();
  check_names(contents);
  carry_previous(contents);
  put_patch(contents);
  for (const FoundPatch& other : contents.others) {
    Store& store = search.at(other.place);
    carry(paths_.patch(other.device, other.base8), other.bytes);
    for (const auto& [from, to] :
         {std::pair(store.paths().sidecar(other.device, other.base8),
                    paths_.sidecar(other.device, other.base8)),
          std::pair(store.paths().vendor(other.device), paths_.vendor(other.device))}) {
      if (const auto bytes = store.files().find(from)) carry(to, *bytes);
    }
  }
  put_combination(contents, search);
}

std::vector<std::string> PatchTree::changed_files(git::ObjectSource& source,
                                                  const git::Oid& tree) const {
  std::vector<std::string> files;
  for (const git::TreeChange& change : git::diff_trees(source, parent_tree_, tree, "")) {
    files.push_back(change.path);
  }
  return files;
}

void PatchTree::check_store_is_folder() {
  const std::string inside = paths_.folder() + "/x";
  if (const auto way = tree_.find_file_on_the_way(inside)) {
    throw_refused(in_quotes(*way) + " is a file in commit " + parent_.short_hex() +
                      ", so there can be no store",
                  {"choose another folder with --hardware-dir or flagscale.hardwareDir"});
  }
}

void PatchTree::check_names(const PatchContents& contents) {
  std::vector<DeviceType> devices = {contents.device};
  for (const FoundPatch& other : contents.others) devices.push_back(other.device);
  for (const std::optional<git::Oid>& commit : {std::optional(parent_), previous_}) {
    if (!commit) continue;
    Store store(
        std::make_shared<TreeFiles>(repository_.odb(), repository_.read_commit(*commit).tree),
        paths_.folder());
    for (DeviceType& device : store.devices()) devices.push_back(std::move(device));
    const auto sidecar = store.find_sidecar(contents.device, contents.base.hex8());
    if (sidecar && sidecar->base != contents.base) {
      throw_refused("the store holds a patch of " + contents.device.text() + " for another base " +
                    sidecar->base.hex() + " with the same first eight digits");
    }
  }
  for (const DeviceType& one : devices) {
    for (const DeviceType& other : devices) {
      if (!differ_in_case_only(one.text(), other.text())) continue;
      throw_refused("device types " + in_quotes(one.text()) + " and " + in_quotes(other.text()) +
                    " differ in case only");
    }
  }
}

void PatchTree::put(const std::string& path, Content bytes, const git::Oid& id) {
  if (tree_.find_file_on_the_way(path) || tree_.kind(path) == PathKind::folder) {
    throw_refused("something else stands in the store at " + in_quotes(path));
  }
  tree_.put(path, git::Mode::file, std::move(bytes), id);
}

void PatchTree::carry(const std::string& path, const Content& bytes) {
  if (tree_.kind(path) == PathKind::absent) put(path, bytes);
}

std::optional<Content> PatchTree::find(const std::string& path) {
  const auto file = tree_.find(path);
  if (!file || !git::is_regular(file->mode)) return std::nullopt;
  return tree_.read(*file);
}

void PatchTree::carry_previous(const PatchContents& contents) {
  if (!previous_) return;
  const git::Commit previous = repository_.read_commit(*previous_);
  if (previous.parents.empty()) return;
  const git::Oid before = repository_.read_commit(previous.parents.front()).tree;
  const std::string own = paths_.device(contents.device) + "/" + contents.base.hex8() + "/";
  for (const git::TreeChange& change :
       git::diff_trees(repository_.odb(), before, previous.tree, "")) {
    if (!change.after || !git::is_regular(change.after->mode) ||
        !change.path.starts_with(paths_.folder() + "/") || change.path.starts_with(own)) {
      continue;
    }
    carry(change.path, repository_.odb().read(change.after->id, git::ObjectType::blob));
  }
}

void PatchTree::put_patch(const PatchContents& contents) {
  const std::string base8 = contents.base.hex8();
  const std::string sidecar_path = paths_.sidecar(contents.device, base8);
  Sidecar sidecar;
  sidecar.device_type = contents.device.text();
  sidecar.base = contents.base;
  sidecar.current = contents.current;
  sidecar.commit = contents.adapted.commit();
  sidecar.tree = contents.adapted.tree;
  sidecar.blob = git::hash_object(git::ObjectType::blob, contents.series.view());
  sidecar.counts = contents.adapted.counts;
  std::optional<Content> old = find(sidecar_path);
  if (!old && previous_) {
    TreeFiles files(repository_.odb(), repository_.read_commit(*previous_).tree);
    old = files.find(sidecar_path);
  }
  put(paths_.patch(contents.device, base8), contents.series, sidecar.blob);
  put(sidecar_path, Content(format_sidecar(sidecar, old ? old->view() : std::string_view())));
  const std::string vendor = paths_.vendor(contents.device);
  if (const auto existing = find(vendor)) {
    check_vendor(vendor, existing->view(), contents.device);
  } else {
    put(vendor, Content(format_vendor(contents.device)));
  }
}

void PatchTree::put_combination(const PatchContents& contents, StoreSearch& search) {
  if (contents.others.empty()) return;
  Combination combination{contents.base, {contents.device}};
  for (const FoundPatch& other : contents.others) combination.devices.push_back(other.device);
  combination.devices = normalised(std::move(combination.devices));
  // Recorded already, in the parent or by what was carried along?
  for (const RecordedCombination& recorded :
       search.at({"the parent", parent_}).combinations(contents.base)) {
    if (contains(recorded.devices, combination.devices)) return;
  }
  if (previous_) {
    for (const RecordedCombination& recorded :
         search.at({"the previous version", previous_}).combinations(contents.base)) {
      // Only what stands in a file that was carried; an old mapping stays where it is.
      if (contains(recorded.devices, combination.devices) && find(recorded.path)) return;
    }
  }
  carry(paths_.combination(contents.base.hex8(), combination.devices),
        Content(format_combination(combination)));
}

}  // namespace flagscale::commands
