// SPDX-License-Identifier: Apache-2.0
//
// Objects that were read out of packs, kept for a while: deltas of other versions start from them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/bytes.h"
#include "git/object.h"
#include "git/pack.h"

namespace flagscale::git {

/// The objects used last, up to a number of bytes. To be shared by threads.
class DeltaBases {
 public:
  /// The most bytes of an object that is kept.
  static constexpr std::size_t kLargest = std::size_t{1} << 20U;

  /// Where an object begins.
  struct Place {
    const Pack* pack = nullptr;
    std::uint64_t offset = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };
  struct Base {
    ObjectType type = ObjectType::blob;
    Content bytes;
  };

  [[nodiscard]] std::optional<Base> find(const Place& place);
  /// Keeps an object unless it is large.
  void keep(const Place& place, const Base& base);

 private:
  static constexpr std::size_t kMaxBytes = std::size_t{4} << 20U;

  struct Hash {
    std::size_t operator()(const Place& place) const noexcept {
      return std::hash<std::uint64_t>()(place.offset) ^ std::hash<const void*>()(place.pack);
    }
  };
  using Entry = std::pair<Place, Base>;

  std::mutex mutex_;
  /// The one used last comes first.
  std::list<Entry> order_;
  std::unordered_map<Place, std::list<Entry>::iterator, Hash> known_;
  std::size_t bytes_ = 0;
};

}  // namespace flagscale::git
