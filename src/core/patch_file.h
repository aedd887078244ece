// SPDX-License-Identifier: Apache-2.0
//
// A patch file taken apart and counted, without applying it: its mails, and what its diffs do to
// each file. Pure; knows nothing of trees, of the store or of the base.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "core/diff.h"
#include "core/mailbox.h"
#include "core/sidecar.h"

namespace flagscale {

/// The largest patch file: as much as `git apply` takes.
inline constexpr std::uint64_t kMaxPatchFile = std::uint64_t{1023} << 20U;

struct PatchFile {
  /// At least one. In a bare diff: one mail that holds nothing but its patch.
  std::vector<Mail> mails;
  bool is_bare_diff = false;
  /// All lines ended in CR LF; the CRs were taken out.
  bool was_mangled = false;
};

/// Throws Error(unable) that names the line at fault.
[[nodiscard]] PatchFile parse_patch_file(const Content& file);
/// The diffs of one mail; at least one, or Error(unable).
[[nodiscard]] std::vector<FileDiff> parse_mail_diffs(const Mail& mail);

/// What a series does to one file, from first to last.
struct FileStat {
  std::string path;
  /// Its path in the base, if it was renamed or copied.
  std::optional<std::string> old_path;
  std::uint64_t insertions = 0;
  std::uint64_t deletions = 0;
  bool binary = false;
};

/// How much a series changes.
class PatchCounter {
 public:
  void add_commit(const std::vector<FileDiff>& diffs);
  /// Adds the commits of another part of the series.
  void add(const PatchCounter& other);

  [[nodiscard]] PatchCounts counts() const;

 private:
  PatchCounts counts_;
  std::set<std::string> paths_;
};

/// What a series does to each file: adds up commits, in the order in which they are made.
class PatchTally {
 public:
  void add_commit(const std::vector<FileDiff>& diffs);

  /// Sorted by path.
  [[nodiscard]] std::vector<FileStat> files() const;

 private:
  void add_to_file(const FileDiff& diff);

  std::map<std::string, FileStat> files_;
};

}  // namespace flagscale
