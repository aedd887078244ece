// SPDX-License-Identifier: Apache-2.0
//
// `git flagscale patch`: from base and current to a patch commit that publishes the difference.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/progress.h"
#include "core/device_type.h"
#include "core/sidecar.h"
#include "git/oid.h"

namespace flagscale::commands {

struct PatchRequest {
  /// The last one is published; the others must have a patch for the same base.
  std::vector<DeviceType> devices;
  std::string base;
  /// Empty: HEAD.
  std::optional<std::string> current;
  std::optional<std::string> onto;
  std::optional<std::string> message;
  std::optional<std::string> hardware_dir;
  bool squash = false;
  bool sign_off = false;
  bool no_switch = false;
  bool dry_run = false;
  /// Whether anybody will read the hint.
  bool want_hint = true;
  /// May be empty.
  ProgressCallback progress;
};

struct PatchReport {
  enum class Status { written, unchanged, planned };
  Status status = Status::written;
  std::string device;
  git::Oid base;
  git::Oid current;
  /// The adapted commit and its tree.
  git::Oid adapted;
  git::Oid tree;
  PatchCounts counts;
  /// What the same patch file held before, when it is replaced.
  std::optional<PatchCounts> previous;
  /// Null when only planned.
  git::Oid patch_commit;
  git::Oid parent;
  std::string subject;
  std::string path;
  std::string branch;
  bool switched = false;
  /// The files that the patch commit adds to or changes in its parent.
  std::vector<std::string> files;
  /// Where the other device types' patch files were found: "A_X100 from HEAD".
  std::vector<std::string> sources;
  std::vector<std::string> warnings;
  /// The push/rebase hint, a line each.
  std::vector<std::string> hint;
};

/// Runs the command. Throws Error; nothing of the repository that people look at (refs, HEAD,
/// index, working tree) has changed then.
[[nodiscard]] PatchReport run_patch(const PatchRequest& request);

}  // namespace flagscale::commands
