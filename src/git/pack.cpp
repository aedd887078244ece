// SPDX-License-Identifier: Apache-2.0
#include "git/pack.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/bytes.h"
#include "base/files.h"

namespace flagscale::git {
namespace {

constexpr std::size_t kIndexHeader = 8;
constexpr std::size_t kFanout = std::size_t{256} * 4;
constexpr std::size_t kIds = kIndexHeader + kFanout;
/// Of each object: id, CRC and offset.
constexpr std::size_t kPerObject = Oid::kRawSize + 4 + 4;
constexpr std::size_t kChecksum = 20;
constexpr std::size_t kPackHeader = 12;

/// Takes the type and the size at the front of an entry. False: damaged.
bool take_entry_header(std::string_view& rest, unsigned& type, std::uint64_t& size) {
  if (rest.empty()) return false;
  auto byte = static_cast<unsigned char>(rest.front());
  rest.remove_prefix(1);
  type = byte >> 4U & 7U;
  size = byte & 15U;
  for (unsigned shift = 4; (byte & 0x80U) != 0; shift += 7) {
    if (rest.empty() || shift > 53) return false;
    byte = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    size |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
  }
  return true;
}

/// Takes the distance back to a delta's base: seven bits a byte, the highest first, and one more
/// for each that follows. False: damaged.
bool take_distance(std::string_view& rest, std::uint64_t& distance) {
  distance = 0;
  for (unsigned count = 0; !rest.empty() && count < 8; ++count) {
    const auto byte = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    distance = distance << 7U | (byte & 0x7fU);
    if ((byte & 0x80U) == 0) return true;
    ++distance;
  }
  return false;
}

}  // namespace

std::optional<PackIndex> PackIndex::parse(std::string_view bytes) {
  static constexpr std::string_view kStart("\377tOc\0\0\0\2", kIndexHeader);
  if (bytes.size() < kIds + 2 * kChecksum || !bytes.starts_with(kStart)) return std::nullopt;
  PackIndex index(bytes);
  index.count_ = index.fanout(255);
  const std::uint64_t tables = std::uint64_t{index.count_} * kPerObject;
  const std::uint64_t there = bytes.size() - kIds - 2 * kChecksum;
  // Offsets that do not fit into 31 bits come last, eight bytes each; the first one always fits.
  const bool fits = tables <= there && (there - tables) % 8 == 0 &&
                    (there - tables) / 8 <= (index.count_ == 0 ? 0 : index.count_ - 1);
  if (!fits) return std::nullopt;
  return index;
}

std::uint32_t PackIndex::fanout(unsigned byte) const {
  return big_endian_32(bytes_, kIndexHeader + std::size_t{byte} * 4);
}

std::string_view PackIndex::pack_checksum() const {
  return bytes_.substr(bytes_.size() - 2 * kChecksum, kChecksum);
}

std::optional<std::uint64_t> PackIndex::offset_of(std::size_t position) const {
  static constexpr std::uint32_t kIsLong = 0x80000000U;
  const std::size_t offsets = kIds + std::size_t{count_} * (Oid::kRawSize + 4);
  const std::uint32_t offset = big_endian_32(bytes_, offsets + position * 4);
  if ((offset & kIsLong) == 0) return offset;
  const std::size_t long_offsets = offsets + std::size_t{count_} * 4;
  const std::size_t at = long_offsets + std::size_t{offset & ~kIsLong} * 8;
  if (at + 8 > bytes_.size() - 2 * kChecksum) return std::nullopt;
  return std::uint64_t{big_endian_32(bytes_, at)} << 32U | big_endian_32(bytes_, at + 4);
}

std::optional<std::uint64_t> PackIndex::find(const Oid& id) const {
  const unsigned first = id.raw()[0];
  std::size_t low = first == 0 ? 0 : fanout(first - 1);
  std::size_t high = std::min(fanout(first), count_);
  const char* const ids = bytes_.data() + kIds;
  while (low < high) {
    const std::size_t middle = low + (high - low) / 2;
    const int order = std::memcmp(id.raw(), ids + middle * Oid::kRawSize, Oid::kRawSize);
    if (order == 0) return offset_of(middle);
    if (order < 0) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return std::nullopt;
}

std::unique_ptr<Pack> Pack::parse(Content index, const Content& pack) {
  const auto parsed = PackIndex::parse(index.view());
  if (!parsed) return nullptr;
  std::unique_ptr<Pack> made(new Pack(std::move(index), *parsed));
  made->take(pack);
  return made;
}

std::unique_ptr<Pack> Pack::open(const std::string& index_path) {
  static constexpr std::string_view kEnding = ".idx";
  auto bytes = map_file(index_path);
  const auto parsed = bytes ? PackIndex::parse(bytes->view()) : std::nullopt;
  if (!parsed || !index_path.ends_with(kEnding)) return nullptr;
  std::unique_ptr<Pack> made(new Pack(*std::move(bytes), *parsed));
  made->path_ = index_path.substr(0, index_path.size() - kEnding.size()) + ".pack";
  return made;
}

void Pack::take(const Content& pack) const {
  const std::string_view bytes = pack.view();
  if (bytes.size() < kPackHeader + kChecksum || !bytes.starts_with("PACK")) return;
  const std::uint32_t version = big_endian_32(bytes, 4);
  if ((version != 2 && version != 3) || big_endian_32(bytes, 8) != index_.count() ||
      !bytes.ends_with(index_.pack_checksum())) {
    return;
  }
  pack_bytes_ = pack;
  entries_ = bytes.substr(0, bytes.size() - kChecksum);
}

std::optional<std::uint64_t> Pack::find(const Oid& id) const {
  const auto offset = index_.find(id);
  if (!offset) return std::nullopt;
  std::call_once(opened_, [&] {
    if (path_.empty()) return;
    if (const auto pack = map_file(path_)) take(*pack);
  });
  if (entries_.empty()) return std::nullopt;
  return offset;
}

std::optional<PackEntry> Pack::find_entry(std::uint64_t offset) const {
  static constexpr unsigned kOffsetDelta = 6;
  static constexpr unsigned kRefDelta = 7;
  if (offset < kPackHeader || offset >= entries_.size()) return std::nullopt;
  std::string_view rest = entries_.substr(static_cast<std::size_t>(offset));
  unsigned type = 0;
  PackEntry entry;
  if (!take_entry_header(rest, type, entry.size)) return std::nullopt;
  if (type >= static_cast<unsigned>(ObjectType::commit) &&
      type <= static_cast<unsigned>(ObjectType::tag)) {
    entry.type = static_cast<ObjectType>(type);
  } else if (type == kOffsetDelta) {
    std::uint64_t distance = 0;
    if (!take_distance(rest, distance) || distance == 0 || distance > offset) return std::nullopt;
    entry.base = offset - distance;
  } else if (type == kRefDelta) {
    if (rest.size() < Oid::kRawSize) return std::nullopt;
    const auto base = index_.find(Oid::from_raw(rest.data()));
    if (!base) return std::nullopt;
    entry.base = *base;
    rest.remove_prefix(Oid::kRawSize);
  } else {
    return std::nullopt;
  }
  entry.data = rest;
  return entry;
}

}  // namespace flagscale::git
