// SPDX-License-Identifier: Apache-2.0
#include "core/store.h"

#include <algorithm>
#include <iterator>

#include "base/error.h"
#include "base/files.h"
#include "base/quote.h"
#include "git/path_rules.h"

namespace flagscale {
namespace {

constexpr const char* kOldMappings[] = {"patch/hetero.txt", "tools/patch/hetero.txt"};

std::string choose_folder(StoreFiles& files, const std::optional<std::string>& wanted) {
  if (wanted) return *wanted;
  const std::vector<std::string> top = files.folders("");
  const auto has = [&](const char* name) {
    return std::find(top.begin(), top.end(), name) != top.end();
  };
  return !has("hardwares") && has("hardware") ? "hardware" : "hardwares";
}

}  // namespace

std::string StorePaths::device(const DeviceType& device) const {
  return folder_ + "/" + device.text();
}

std::string StorePaths::patch(const DeviceType& device, std::string_view base8) const {
  const std::string name(base8);
  return this->device(device) + "/" + name + "/" + name + ".patch";
}

std::string StorePaths::sidecar(const DeviceType& device, std::string_view base8) const {
  const std::string name(base8);
  return this->device(device) + "/" + name + "/" + name + ".json";
}

std::string StorePaths::vendor(const DeviceType& device) const {
  return this->device(device) + "/vendor.json";
}

std::string StorePaths::combination(std::string_view base8, const Devices& devices) const {
  return hetero() + "/" + std::string(base8) + "/" + combination_file_name(devices);
}

bool is_old_mapping(std::string_view path) {
  return std::find(std::begin(kOldMappings), std::end(kOldMappings), path) !=
         std::end(kOldMappings);
}

std::string parse_store_folder(std::string_view text) {
  std::string_view folder = text;
  while (folder.starts_with("./")) folder.remove_prefix(2);
  while (folder.ends_with('/')) folder.remove_suffix(1);
  if (!git::is_safe_path(folder)) {
    throw_unable("invalid store folder " + in_quotes(text),
                 {"it is a path from the top of the repository, e.g. hardwares"});
  }
  return std::string(folder);
}

Store::Store(std::shared_ptr<StoreFiles> files, const std::optional<std::string>& wanted)
    : files_(std::move(files)), paths_(choose_folder(*files_, wanted)) {}

std::vector<DeviceType> Store::devices() {
  std::vector<DeviceType> devices;
  for (const std::string& name : files_->folders(paths_.folder())) {
    if (auto device = DeviceType::find(name)) devices.push_back(*std::move(device));
  }
  return devices;
}

std::vector<std::string> Store::bases(const DeviceType& device) {
  std::vector<std::string> bases = files_->folders(paths_.device(device));
  std::erase_if(bases, [&](const std::string& name) {
    if (!is_base8(name)) return true;
    const auto files = files_->files(paths_.device(device) + "/" + name);
    return std::none_of(files.begin(), files.end(), [&](const std::string& file) {
      return file == name + ".patch" || file.starts_with(name + ".patch.encrypted");
    });
  });
  return bases;
}

bool Store::is_encrypted(const DeviceType& device, std::string_view base8) {
  const std::string name(base8);
  const auto files = files_->files(paths_.device(device) + "/" + name);
  return std::find(files.begin(), files.end(), name + ".patch") == files.end();
}

std::optional<Content> Store::find_patch(const DeviceType& device, std::string_view base8) {
  return files_->find(paths_.patch(device, base8));
}

std::optional<Sidecar> Store::find_sidecar(const DeviceType& device, std::string_view base8) {
  const std::string path = paths_.sidecar(device, base8);
  const auto text = files_->find(path);
  if (!text && files_->exists(path)) {
    throw_unable(escaped(path) + ": is not a regular file");
  }
  if (!text) return std::nullopt;
  Sidecar sidecar = parse_sidecar(path, text->view());
  if (sidecar.device_type != device.text() || sidecar.base.hex8() != base8) {
    throw_unable(escaped(path) + ": is the sidecar of another patch (" +
                 escaped(sidecar.device_type) + " " + sidecar.base.hex8() + ")");
  }
  return sidecar;
}

std::vector<std::string> Store::combination_files() {
  std::vector<std::string> paths;
  for (const std::string& base8 : files_->folders(paths_.hetero())) {
    if (!is_base8(base8)) continue;
    const std::string folder = paths_.hetero() + "/" + base8;
    for (const std::string& name : files_->files(folder)) {
      if (name.ends_with(".json")) paths.push_back(folder + "/" + name);
    }
  }
  for (const char* path : kOldMappings) {
    if (files_->find(path)) paths.emplace_back(path);
  }
  return paths;
}

std::vector<RecordedCombination> Store::read_combinations(const std::string& path) {
  std::vector<RecordedCombination> out;
  const auto text = files_->find(path);
  if (!text) return out;
  if (is_old_mapping(path)) {
    for (HeteroLine& line : parse_hetero_text(path, text->view())) {
      out.push_back({std::move(line.base), std::move(line.devices), path, line.line});
    }
    return out;
  }
  Combination combination = parse_combination(path, text->view());
  if (combination.base.hex8() != base_name(dir_name(path))) {
    throw_unable(escaped(path) + ": its base is " + combination.base.hex());
  }
  out.push_back({combination.base.hex(), std::move(combination.devices), path, 0});
  return out;
}

std::vector<RecordedCombination> Store::combinations() {
  std::vector<RecordedCombination> out;
  for (const std::string& path : combination_files()) {
    for (RecordedCombination& c : read_combinations(path)) out.push_back(std::move(c));
  }
  return out;
}

std::vector<RecordedCombination> Store::combinations(const git::Oid& base) {
  std::vector<RecordedCombination> out = combinations();
  std::erase_if(out, [&](const RecordedCombination& c) { return !c.is_for(base); });
  return out;
}

}  // namespace flagscale
