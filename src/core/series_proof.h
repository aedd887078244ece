// SPDX-License-Identifier: Apache-2.0
//
// Proves a new series mail by mail while it is being written: each mail is read back and applied
// to the tree that it starts from, so that commits are proved in parallel and contents that were
// just compared are still at hand. What cannot be proved this way is not wrong yet; the caller
// then materialises the whole file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/apply.h"
#include "core/materialise.h"
#include "core/patch_file.h"
#include "core/series.h"

namespace flagscale {

/// `tree` with the folder `store_folder` replaced by the tree `store`, or without it.
[[nodiscard]] git::Oid tree_with_store(git::ObjectSource& source, const git::Oid& tree,
                                       const std::string& store_folder,
                                       const std::optional<git::Oid>& store);

class SeriesProof {
 public:
  /// A proof of as many mails as there are steps, on top of `base_tree`, with the store as it is
  /// there. `steps` must outlive it.
  SeriesProof(git::ObjectSource& source, const std::vector<SeriesStep>& steps,
              const git::Oid& base_tree, std::string store_folder);

  /// Proves the mail of one step. Different steps may be proved by several threads at once, each
  /// with a source of its own. Throws nothing but Interrupted: a failure shows in `finish`.
  void check(std::size_t step, const SeriesMail& mail);

  /// The adapted commits on top of `base`, if every mail was proved and `file` is exactly those
  /// mails. Absent also where the bounds of a patch file may be exceeded: all changed files
  /// together have more than `max_held` bytes, counting each as often as it changes.
  [[nodiscard]] std::optional<Materialised> finish(const git::Oid& base, const Content& file,
                                                   std::uint64_t max_held = kMaxMade) const;

 private:
  struct Proved {
    Content mail;
    git::Oid before;
    git::Oid after;
    git::Signature author;
    std::string message;
    PatchCounter counter;
    std::uint64_t held = 0;
  };
  [[nodiscard]] std::optional<Proved> prove(const SeriesStep& step, const SeriesMail& mail) const;

  const std::vector<SeriesStep>& steps_;
  git::Oid base_tree_;
  std::string store_folder_;
  std::optional<git::Oid> store_;
  std::vector<std::optional<Proved>> proved_;
};

}  // namespace flagscale
