// SPDX-License-Identifier: Apache-2.0
//
// Reads objects out of packs: inflates them and applies deltas. It knows the common kinds of packs
// and no message: whatever is unknown, odd or damaged is simply not found, for libgit2 to judge.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "git/delta_bases.h"
#include "git/object.h"
#include "git/oid.h"
#include "git/packs.h"

struct libdeflate_decompressor;

namespace flagscale::git {

/// For one thread; several may share the packs.
class PackReader {
 public:
  explicit PackReader(std::shared_ptr<const Packs> packs);
  PackReader(const PackReader&) = delete;
  PackReader& operator=(const PackReader&) = delete;
  ~PackReader();

  using Object = DeltaBases::Base;

  [[nodiscard]] bool has(const Oid& id);
  /// Absent: there is none that this can read.
  [[nodiscard]] std::optional<Object> read(const Oid& id);

 private:
  /// An entry on the way to an object.
  struct Link {
    Packs::Place place;
    PackEntry entry;
  };

  [[nodiscard]] std::optional<Packs::Place> locate(const Oid& id);
  /// What an entry holds: an object, or a delta. Absent when it is damaged.
  [[nodiscard]] std::optional<Content> inflate(const PackEntry& entry);
  /// Finds what has to be done for the object at `place`: `links`, the last of them first, on top
  /// of `base`. Without a base the last one is whole. False: it cannot be made.
  [[nodiscard]] bool follow(Packs::Place place, std::vector<Link>& links,
                            std::optional<Object>& base);
  [[nodiscard]] std::optional<Content> apply(const PackEntry& delta, std::string_view before);

  std::shared_ptr<const Packs> packs_;
  /// Where something was found last: the next is most likely there, too.
  const Pack* last_ = nullptr;
  std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> decompressor_;
};

}  // namespace flagscale::git
