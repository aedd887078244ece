// SPDX-License-Identifier: Apache-2.0
//
// `git flagscale unpatch`: from base and patch file back to the adapted code, in place or in a
// repository of its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "core/device_type.h"
#include "core/sidecar.h"
#include "git/oid.h"

namespace flagscale::commands {

struct UnpatchRequest {
  std::vector<DeviceType> devices;
  /// What `--commit-id` says: a base8, an id, any commit-ish.
  std::string commit_id;
  std::optional<std::string> dir;
  std::optional<std::string> from;
  std::optional<std::string> branch;
  std::optional<std::string> hardware_dir;
  bool force = false;
  bool dry_run = false;
  /// May be empty.
  ProgressCallback progress;
};

/// What became of one device type.
struct UnpatchedDevice {
  std::string device;
  git::Oid base;
  git::Oid adapted;
  git::Oid tree;
  PatchCounts counts;
  /// Path of the patch file and where it was found ("HEAD").
  std::string path;
  std::string place;
  /// Where the code is now: absolute.
  std::string folder;
  /// What stood there and was set aside (`--force`).
  std::optional<std::string> set_aside;
};

struct UnpatchReport {
  enum class Status { done, unchanged, planned };
  Status status = Status::done;
  std::vector<UnpatchedDevice> devices;
  /// In place: what HEAD is on now (empty: detached) and what brings it back.
  std::string branch;
  std::string way_back;
  std::vector<std::string> warnings;
};

/// Runs the command. Throws Error; nothing has changed then.
[[nodiscard]] UnpatchReport run_unpatch(const UnpatchRequest& request);

}  // namespace flagscale::commands
