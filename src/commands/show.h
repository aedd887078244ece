// SPDX-License-Identifier: Apache-2.0
//
// `git flagscale show`: everything about a device type's patches.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands/store_check.h"
#include "core/json.h"
#include "core/patch_file.h"

namespace flagscale::commands {

struct ShowRequest {
  DeviceType device;
  /// Absent: all bases that the device has.
  std::optional<std::string> base;
  std::optional<std::string> from;
  std::optional<std::string> hardware_dir;
};

struct ShownCommit {
  /// Absent when the patch cannot be rebuilt here.
  std::optional<git::Oid> id;
  git::Signature author;
  std::string subject;
};

struct ShownPatch {
  PatchCheck check;
  std::optional<PatchCounts> counts;
  std::vector<ShownCommit> commits;
  std::vector<FileStat> files;
  std::vector<Devices> combinations;
};

struct ShowReport {
  DeviceType device;
  /// vendor.json as it stands; absent when there is none.
  std::optional<Json> vendor;
  std::vector<ShownPatch> patches;
  std::vector<std::string> warnings;
};

[[nodiscard]] ShowReport run_show(const ShowRequest& request);

/// The bytes of the one patch file that is asked for, as they are stored. Throws Error(refused)
/// when there are several.
[[nodiscard]] Content read_shown_patch(const ShowRequest& request);

}  // namespace flagscale::commands
