// SPDX-License-Identifier: Apache-2.0
//
// `git flagscale hetero`: which device types run together. Changes are made in the working tree
// alone, for the user to commit.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "commands/store_view.h"

namespace flagscale::commands {

struct HeteroListRequest {
  StoreSelection selection;
  std::optional<std::string> from;
  std::optional<std::string> hardware_dir;
};

/// One combination, to be added or removed.
struct HeteroRequest {
  std::string base;
  std::vector<DeviceType> devices;
  std::optional<std::string> hardware_dir;
};

struct HeteroImportRequest {
  /// Absent: the old mapping where it always stood.
  std::optional<std::string> file;
  std::optional<std::string> hardware_dir;
};

struct HeteroReport {
  enum class Status : std::uint8_t { done, written, removed, unchanged };
  Status status = Status::done;
  /// What was listed, written or removed; when nothing had to be done, what records it already.
  std::vector<RecordedCombination> combinations;
  std::vector<std::string> warnings;
  std::vector<std::string> hints;
};

[[nodiscard]] HeteroReport run_hetero_list(const HeteroListRequest& request);
[[nodiscard]] HeteroReport run_hetero_add(const HeteroRequest& request);
[[nodiscard]] HeteroReport run_hetero_remove(const HeteroRequest& request);
[[nodiscard]] HeteroReport run_hetero_import(const HeteroImportRequest& request);

}  // namespace flagscale::commands
