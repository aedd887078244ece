// SPDX-License-Identifier: Apache-2.0
//
// One pack and its index (gitformat-pack(5)): where an object is, and what is written there.
// Nothing is inflated here. Every count, offset and size is held against the bytes that are there.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "git/object.h"
#include "git/oid.h"

namespace flagscale::git {

/// An index of version 2; it shows bytes that others keep.
class PackIndex {
 public:
  /// Absent when the bytes are no such index, in whole.
  [[nodiscard]] static std::optional<PackIndex> parse(std::string_view bytes);

  [[nodiscard]] std::uint32_t count() const noexcept { return count_; }
  /// Where an object begins in the pack; the pack may end before that.
  [[nodiscard]] std::optional<std::uint64_t> find(const Oid& id) const;
  /// The last 20 bytes of the pack that it belongs to.
  [[nodiscard]] std::string_view pack_checksum() const;

 private:
  explicit PackIndex(std::string_view bytes) : bytes_(bytes) {}
  /// How many ids begin with a byte up to this one.
  [[nodiscard]] std::uint32_t fanout(unsigned byte) const;
  [[nodiscard]] std::optional<std::uint64_t> offset_of(std::size_t position) const;

  std::string_view bytes_;
  std::uint32_t count_ = 0;
};

/// What a pack holds at one place.
struct PackEntry {
  /// Of a whole object; absent for a delta.
  std::optional<ObjectType> type;
  /// Of the object or the delta once inflated, as it announces.
  std::uint64_t size = 0;
  /// Of a delta: where what it starts from begins.
  std::uint64_t base = 0;
  /// The compressed bytes, and all that follows them.
  std::string_view data;
};

/// A pack that can be read by several threads at once.
class Pack {
 public:
  /// Both files of a pack in memory; absent when the index is none.
  [[nodiscard]] static std::unique_ptr<Pack> parse(Content index, const Content& pack);
  /// Opens an index by its path; the pack beside it once an object of it is wanted.
  [[nodiscard]] static std::unique_ptr<Pack> open(const std::string& index_path);

  /// Where an object begins; absent when it is not here, or the pack is not the one of the index.
  [[nodiscard]] std::optional<std::uint64_t> find(const Oid& id) const;
  /// What begins at a place; absent when that is outside, damaged, or of an unknown kind.
  [[nodiscard]] std::optional<PackEntry> find_entry(std::uint64_t offset) const;

 private:
  Pack(Content index_bytes, const PackIndex& index)
      : index_bytes_(std::move(index_bytes)), index_(index) {}
  /// Takes the bytes of the pack, if they go with the index.
  void take(const Content& pack) const;

  Content index_bytes_;
  PackIndex index_;
  std::string path_;
  mutable std::once_flag opened_;
  mutable Content pack_bytes_;
  /// What entries may use of them: without the checksum at the end. Empty: no good.
  mutable std::string_view entries_;
};

}  // namespace flagscale::git
