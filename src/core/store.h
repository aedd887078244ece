// SPDX-License-Identifier: Apache-2.0
//
// The store: where patch files, sidecars, vendor files and combinations stand, and how to read
// them. Knows names and formats, not how a patch is made or applied.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "core/device_type.h"
#include "core/hetero.h"
#include "core/sidecar.h"
#include "core/store_files.h"

namespace flagscale {

/// The paths in a store whose folder is `folder` (from the top of the tree, no final '/').
class StorePaths {
 public:
  explicit StorePaths(std::string folder) : folder_(std::move(folder)) {}

  [[nodiscard]] const std::string& folder() const noexcept { return folder_; }
  [[nodiscard]] std::string device(const DeviceType& device) const;
  [[nodiscard]] std::string patch(const DeviceType& device, std::string_view base8) const;
  [[nodiscard]] std::string sidecar(const DeviceType& device, std::string_view base8) const;
  [[nodiscard]] std::string vendor(const DeviceType& device) const;
  [[nodiscard]] std::string hetero() const { return folder_ + "/hetero"; }
  [[nodiscard]] std::string combination(std::string_view base8, const Devices& devices) const;

 private:
  std::string folder_;
};

/// Checks a store folder that a user named: relative, safe, without "." parts; a final '/' is
/// dropped. Throws Error(unable).
[[nodiscard]] std::string parse_store_folder(std::string_view text);

/// Whether a path is one at which an old mapping may stand.
[[nodiscard]] bool is_old_mapping(std::string_view path);

/// A combination as it is recorded somewhere.
struct RecordedCombination {
  /// As many digits of the base as are known: 40 from a JSON file, any number from a text line.
  std::string base;
  Devices devices;
  /// The file it stands in, and the line of an old mapping (0 in a JSON file).
  std::string path;
  std::size_t line = 0;

  [[nodiscard]] bool is_for(const git::Oid& wanted) const { return wanted.hex().starts_with(base); }
};

class Store {
 public:
  /// Reads from `files`. The folder is `wanted`, or else `hardwares`, or `hardware` where only
  /// that exists.
  Store(std::shared_ptr<StoreFiles> files, const std::optional<std::string>& wanted);

  [[nodiscard]] const StorePaths& paths() const noexcept { return paths_; }

  [[nodiscard]] std::vector<DeviceType> devices();
  /// The base8 folders of a device type that hold a patch file (or only an encrypted one).
  [[nodiscard]] std::vector<std::string> bases(const DeviceType& device);
  /// Whether a folder holds an encrypted patch and no readable one.
  [[nodiscard]] bool is_encrypted(const DeviceType& device, std::string_view base8);
  [[nodiscard]] std::optional<Content> find_patch(const DeviceType& device, std::string_view base8);
  [[nodiscard]] std::optional<Sidecar> find_sidecar(const DeviceType& device,
                                                    std::string_view base8);
  /// The files that record combinations: the JSON files, then old mappings.
  [[nodiscard]] std::vector<std::string> combination_files();
  /// The combinations that one of them records. Throws Error(unable) with file and line.
  [[nodiscard]] std::vector<RecordedCombination> read_combinations(const std::string& path);
  /// All combinations: of the JSON files, then of the old mapping.
  [[nodiscard]] std::vector<RecordedCombination> combinations();
  /// The combinations with this base.
  [[nodiscard]] std::vector<RecordedCombination> combinations(const git::Oid& base);

  [[nodiscard]] StoreFiles& files() noexcept { return *files_; }

 private:
  std::shared_ptr<StoreFiles> files_;
  StorePaths paths_;
};

}  // namespace flagscale
