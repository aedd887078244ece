// SPDX-License-Identifier: Apache-2.0
//
// Turns base + patch file into the adapted commits, in memory. The one way in which a patch file
// is ever applied: what `patch` proves is what `unpatch` rebuilds and `verify` checks.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/progress.h"
#include "core/sidecar.h"
#include "git/object_source.h"
#include "git/oid.h"

namespace flagscale {

/// The most that one patch file may make, all its mails together: what bounds the time.
inline constexpr std::uint64_t kMaxMadeByPatch = std::uint64_t{16} << 30U;

struct Materialised {
  /// The adapted commits, oldest first; at least one.
  std::vector<git::Oid> commits;
  /// The tree of the last one.
  git::Oid tree;
  PatchCounts counts;

  [[nodiscard]] const git::Oid& commit() const { return commits.back(); }
};

/// The bytes of an adapted commit: its committer is its author.
[[nodiscard]] std::string format_adapted_commit(const git::Oid& parent, const git::Oid& tree,
                                                const git::Signature& author,
                                                const std::string& message);

struct MaterialiseHelp {
  /// Where set, contents are made on several threads, each with a source borrowed here.
  git::BorrowSource borrow;
  /// May be empty.
  ProgressCallback progress;
  /// The most bytes that all objects together may have.
  std::uint64_t max_made = kMaxMadeByPatch;
};

/// Materialises `patch` on the commit `base`, handing every object it makes to `sink`. `name` is
/// the patch file's path, for messages. The commits are those that
/// `git -c i18n.commitEncoding=UTF-8 -c commit.gpgSign=false am --keep-non-patch --keep-cr` makes
/// when the committer is the author of each mail. A file whose lines all end in CR LF is read
/// without the CRs; a bare diff becomes one commit by "unknown" at the date of the base.
/// Throws Error(unable) that names the file, the mail and the place, also when too much would be
/// made.
[[nodiscard]] Materialised materialise(git::ObjectSource& source, const git::Oid& base,
                                       const Content& patch, const std::string& name,
                                       git::ObjectSink& sink, const MaterialiseHelp& help = {});

}  // namespace flagscale
