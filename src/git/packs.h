// SPDX-License-Identifier: Apache-2.0
//
// The packs of some objects folders, as they are when the first object is looked for. Packs that
// come later are not seen, those that are removed stay: whoever reads must be able to ask
// elsewhere.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "git/delta_bases.h"
#include "git/oid.h"
#include "git/pack.h"

namespace flagscale::git {

/// To be shared by the threads of a process, so that files are mapped once. Nothing is thrown: a
/// folder or pack that cannot be read is left out.
class Packs {
 public:
  /// Opens nothing yet.
  explicit Packs(std::vector<std::string> objects_dirs) : objects_dirs_(std::move(objects_dirs)) {}
  /// Packs that are open already.
  explicit Packs(std::vector<std::unique_ptr<Pack>> packs) : packs_(std::move(packs)) {}
  Packs(const Packs&) = delete;
  Packs& operator=(const Packs&) = delete;
  ~Packs() = default;

  using Place = DeltaBases::Place;
  /// Where an object is. `first`, if not null, is a pack of these to look into before the others.
  [[nodiscard]] std::optional<Place> find(const Oid& id, const Pack* first = nullptr) const;

  /// For those who read out of these packs.
  [[nodiscard]] DeltaBases& bases() const noexcept { return bases_; }

 private:
  void open() const;

  std::vector<std::string> objects_dirs_;
  mutable DeltaBases bases_;
  mutable std::once_flag opened_;
  mutable std::vector<std::unique_ptr<Pack>> packs_;
};

}  // namespace flagscale::git
