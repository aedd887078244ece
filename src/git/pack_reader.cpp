// SPDX-License-Identifier: Apache-2.0
#include "git/pack_reader.h"

#include <libdeflate.h>

#include <cstring>
#include <new>
#include <utility>

#include "git/delta.h"

namespace flagscale::git {
namespace {

/// Larger objects are left to libgit2.
constexpr std::uint64_t kMaxSize = std::uint64_t{64} << 20U;
/// Git makes no longer chains of deltas (pack-objects --depth).
constexpr std::size_t kMaxLinks = 4096;

/// Whether an entry can hold what it announces, so that nothing large is allocated for nothing.
bool is_plausible(const PackEntry& entry) {
  // deflate cannot shrink anything to less than a 1032nd.
  static constexpr std::uint64_t kMaxRatio = 1032;
  return entry.size <= kMaxSize && entry.size / kMaxRatio <= entry.data.size();
}

/// Bytes that are still to be filled in.
std::shared_ptr<char[]> room_for(std::size_t size) {
  return std::make_shared_for_overwrite<char[]>(size);
}

}  // namespace

PackReader::PackReader(std::shared_ptr<const Packs> packs)
    : packs_(std::move(packs)), decompressor_(nullptr, libdeflate_free_decompressor) {}

PackReader::~PackReader() = default;

std::optional<Packs::Place> PackReader::locate(const Oid& id) {
  const auto place = packs_->find(id, last_);
  if (place) last_ = place->pack;
  return place;
}

bool PackReader::has(const Oid& id) {
  return locate(id).has_value();
}

std::optional<Content> PackReader::inflate(const PackEntry& entry) {
  if (!decompressor_) decompressor_.reset(libdeflate_alloc_decompressor());
  if (!decompressor_) throw std::bad_alloc();
  const auto size = static_cast<std::size_t>(entry.size);
  const auto room = room_for(size);
  if (libdeflate_zlib_decompress(decompressor_.get(), entry.data.data(), entry.data.size(),
                                 room.get(), size, nullptr) != LIBDEFLATE_SUCCESS) {
    return std::nullopt;
  }
  return Content(room, {room.get(), size});
}

bool PackReader::follow(Packs::Place place, std::vector<Link>& links, std::optional<Object>& base) {
  while (links.size() <= kMaxLinks) {
    base = packs_->bases().find(place);
    if (base) return true;
    const auto entry = place.pack->find_entry(place.offset);
    if (!entry || !is_plausible(*entry)) return false;
    links.push_back({place, *entry});
    if (entry->type) return true;
    place.offset = entry->base;
  }
  return false;
}

std::optional<Content> PackReader::apply(const PackEntry& delta, std::string_view before) {
  const auto inflated = inflate(delta);
  if (!inflated) return std::nullopt;
  std::string_view commands = inflated->view();
  DeltaSizes sizes;
  if (!take_delta_sizes(commands, sizes) || sizes.before != before.size() ||
      sizes.after > kMaxSize) {
    return std::nullopt;
  }
  const auto size = static_cast<std::size_t>(sizes.after);
  const auto room = room_for(size);
  std::size_t done = 0;
  for (std::string_view piece; !commands.empty();) {
    if (!take_delta_piece(commands, before, piece) || piece.size() > size - done) {
      return std::nullopt;
    }
    std::memcpy(room.get() + done, piece.data(), piece.size());
    done += piece.size();
  }
  if (done != size) return std::nullopt;
  return Content(room, {room.get(), size});
}

std::optional<PackReader::Object> PackReader::read(const Oid& id) {
  const auto place = locate(id);
  std::vector<Link> links;
  std::optional<Object> object;
  if (!place || !follow(*place, links, object)) return std::nullopt;
  for (; !links.empty(); links.pop_back()) {
    const auto& [at, entry] = links.back();
    auto bytes = object ? apply(entry, object->bytes.view()) : inflate(entry);
    if (!bytes) return std::nullopt;
    object = Object{object ? object->type : *entry.type, *std::move(bytes)};
    packs_->bases().keep(at, *object);
  }
  return object;
}

}  // namespace flagscale::git
