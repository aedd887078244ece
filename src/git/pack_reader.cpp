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

std::shared_ptr<char[]> room_for(std::uint64_t size) {
  return std::make_shared_for_overwrite<char[]>(static_cast<std::size_t>(size));
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

bool PackReader::inflate(const PackEntry& entry, char* out) {
  if (!decompressor_) decompressor_.reset(libdeflate_alloc_decompressor());
  if (!decompressor_) throw std::bad_alloc();
  return libdeflate_zlib_decompress(decompressor_.get(), entry.data.data(), entry.data.size(), out,
                                    static_cast<std::size_t>(entry.size),
                                    nullptr) == LIBDEFLATE_SUCCESS;
}

bool PackReader::follow(Packs::Place place, std::vector<Link>& links,
                        std::optional<DeltaBases::Base>& base) {
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

bool PackReader::apply(const PackEntry& delta, std::string_view before, const Allocate& allocate) {
  const auto room = room_for(delta.size);
  if (!inflate(delta, room.get())) return false;
  std::string_view commands(room.get(), static_cast<std::size_t>(delta.size));
  DeltaSizes sizes;
  if (!take_delta_sizes(commands, sizes) || sizes.before != before.size() ||
      sizes.after > kMaxSize) {
    return false;
  }
  auto left = static_cast<std::size_t>(sizes.after);
  char* out = allocate(left);
  for (std::string_view piece; !commands.empty();) {
    if (!take_delta_piece(commands, before, piece) || piece.size() > left) return false;
    std::memcpy(out, piece.data(), piece.size());
    out += piece.size();
    left -= piece.size();
  }
  return left == 0;
}

std::optional<ObjectType> PackReader::read(const Oid& id, const Allocate& allocate) {
  const auto place = locate(id);
  std::vector<Link> links;
  std::optional<DeltaBases::Base> base;
  if (!place || !follow(*place, links, base)) return std::nullopt;
  for (; !links.empty(); links.pop_back()) {
    const auto& [at, entry] = links.back();
    std::shared_ptr<char[]> owner;
    std::string_view made;
    const auto room = [&](std::size_t size) {
      // What was asked for itself may be too large for a second copy.
      const bool direct = links.size() == 1 && size > DeltaBases::kLargest;
      if (!direct) owner = room_for(size);
      char* const bytes = direct ? allocate(size) : owner.get();
      made = {bytes, size};
      return bytes;
    };
    const bool whole = base ? apply(entry, base->bytes.view(), room)
                            : inflate(entry, room(static_cast<std::size_t>(entry.size)));
    if (!whole) return std::nullopt;
    const ObjectType type = base ? base->type : *entry.type;
    if (!owner) return type;
    base = DeltaBases::Base{type, Content(owner, made)};
    packs_->bases().keep(at, *base);
  }
  const std::string_view bytes = base->bytes.view();
  std::memcpy(allocate(bytes.size()), bytes.data(), bytes.size());
  return base->type;
}

}  // namespace flagscale::git
