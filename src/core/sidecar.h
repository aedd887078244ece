// SPDX-License-Identifier: Apache-2.0
//
// The JSON files beside a patch file: the patch's metadata and who stands behind a device type.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/device_type.h"
#include "git/oid.h"

namespace flagscale {

/// What a patch file amounts to, counted from its bytes.
struct PatchCounts {
  /// Commits it makes.
  std::uint64_t commits = 0;
  /// Paths it touches, each counted once.
  std::uint64_t files_changed = 0;
  std::uint64_t insertions = 0;
  std::uint64_t deletions = 0;
  friend bool operator==(const PatchCounts&, const PatchCounts&) = default;
};

/// `<base8>.json`: what the patch file beside it is and what it must give.
struct Sidecar {
  std::string device_type;
  git::Oid base;
  /// The vendor's own commit. Information only: never compared.
  git::Oid current;
  /// The adapted commit and its tree.
  git::Oid commit;
  git::Oid tree;
  /// The blob id of the patch file.
  git::Oid blob;
  PatchCounts counts;
};

/// Reads a sidecar; `name` is used in messages. Throws Error(unable) with file and line.
[[nodiscard]] Sidecar parse_sidecar(const std::string& name, std::string_view text);
/// Formats a sidecar. Keys that `previous` (the file's old text; may be empty) holds and this
/// version does not know are kept.
[[nodiscard]] std::string format_sidecar(const Sidecar& sidecar, std::string_view previous);

/// `vendor.json` as the first patch of a device type makes it.
[[nodiscard]] std::string format_vendor(const DeviceType& device);
/// Checks a vendor.json. Throws Error(unable) with file and line.
void check_vendor(const std::string& name, std::string_view text, const DeviceType& device);

}  // namespace flagscale
