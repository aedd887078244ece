// SPDX-License-Identifier: Apache-2.0
//
// The tree of a patch commit: its parent's tree and the store files that go on top.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands/store_search.h"
#include "core/materialise.h"
#include "core/store.h"
#include "core/tree_overlay.h"
#include "git/repository.h"

namespace flagscale::commands {

/// What a patch commit must hold.
struct PatchContents {
  const DeviceType& device;
  git::Oid base;
  git::Oid current;
  /// The series, as written or as stored already.
  Content series;
  Materialised adapted;
  /// The patches of the other device types.
  std::vector<FoundPatch> others;
};

class PatchTree {
 public:
  /// Starts from `parent`'s tree; `previous` is the earlier version of the patch commit, if any.
  PatchTree(git::Repository& repository, const StorePaths& paths, const git::Oid& parent,
            const std::optional<git::Oid>& previous);

  /// Puts everything in its place. Throws Error(refused) when the store would hold two device
  /// types that differ in case only or two bases with one base8.
  void fill(const PatchContents& contents, StoreSearch& search);

  /// Hashes the tree, handing new objects to `sink`.
  [[nodiscard]] git::Oid flush(git::ObjectSink& sink) { return tree_.flush(sink); }
  /// The files that differ from the parent, sorted; after flush.
  [[nodiscard]] std::vector<std::string> changed_files(git::ObjectSource& source,
                                                       const git::Oid& tree) const;

 private:
  void check_names(const PatchContents& contents);
  void check_store_is_folder();
  /// `id` is the blob's, where it is known already.
  void put(const std::string& path, Content bytes, const git::Oid& id = {});
  /// Puts a file unless one is there.
  void carry(const std::string& path, const Content& bytes);
  void carry_previous(const PatchContents& contents);
  void put_patch(const PatchContents& contents);
  void put_combination(const PatchContents& contents, StoreSearch& search);
  [[nodiscard]] std::optional<Content> find(const std::string& path);

  git::Repository& repository_;
  const StorePaths& paths_;
  git::Oid parent_;
  git::Oid parent_tree_;
  std::optional<git::Oid> previous_;
  TreeOverlay tree_;
};

}  // namespace flagscale::commands
