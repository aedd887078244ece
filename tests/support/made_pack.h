// SPDX-License-Identifier: Apache-2.0
//
// Packs and their indexes made by hand (gitformat-pack(5)), well-formed or not.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <zlib.h>

#include "base/bytes.h"
#include "git/oid.h"

namespace flagscale::test {

/// Stands for both checksums: nothing that is tested looks at what they are made of.
inline constexpr std::string_view kMadeChecksum = "....checksum.here...";

inline void append_number(std::string& out, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(value >> shift & 0xffU);
}

inline std::string deflated(std::string_view bytes) {
  std::string out(compressBound(bytes.size()), '\0');
  uLongf size = out.size();
  compress(reinterpret_cast<Bytef*>(out.data()), &size,
           reinterpret_cast<const Bytef*>(bytes.data()), bytes.size());
  out.resize(size);
  return out;
}

/// The type and the size at the front of an entry.
inline std::string entry_header(unsigned type, std::uint64_t size) {
  std::string out;
  auto byte = static_cast<unsigned>(type << 4U | (size & 15U));
  for (size >>= 4U; size != 0; size >>= 7U) {
    out += static_cast<char>(byte | 0x80U);
    byte = static_cast<unsigned>(size & 0x7fU);
  }
  return out + static_cast<char>(byte);
}

/// How far back the base of an offset delta begins.
inline std::string entry_distance(std::uint64_t distance) {
  std::string out(1, static_cast<char>(distance & 0x7fU));
  while ((distance >>= 7U) != 0) {
    --distance;
    out.insert(out.begin(), static_cast<char>(0x80U | (distance & 0x7fU)));
  }
  return out;
}

/// A delta that keeps up to 65,535 bytes from the start and adds up to 127.
inline std::string made_delta(std::size_t before, std::size_t kept, std::string_view added) {
  const auto size = [](std::uint64_t value) {
    std::string out;
    for (; value > 0x7fU; value >>= 7U) out += static_cast<char>(0x80U | (value & 0x7fU));
    return out + static_cast<char>(value);
  };
  std::string out = size(before) + size(kept + added.size());
  if (kept > 0) {
    out += '\xb0';
    out += static_cast<char>(kept & 0xffU);
    out += static_cast<char>(kept >> 8U);
  }
  if (!added.empty()) out += static_cast<char>(added.size());
  return out.append(added);
}

/// Bytes of which a checker of memory knows where they end.
inline Content exactly(std::string_view bytes) {
  const std::shared_ptr<char[]> owner(new char[bytes.size()]);
  std::copy(bytes.begin(), bytes.end(), owner.get());
  return {owner, {owner.get(), bytes.size()}};
}

class MadePack {
 public:
  /// Adds an entry as it stands and returns where it begins.
  std::uint64_t add(const git::Oid& id, std::string_view entry) {
    const std::uint64_t offset = kHeader + entries_.size();
    entries_ += entry;
    places_.push_back({id, offset});
    return offset;
  }
  std::uint64_t add_whole(const git::Oid& id, unsigned type, std::string_view bytes) {
    return add(id, entry_header(type, bytes.size()) + deflated(bytes));
  }
  std::uint64_t add_offset_delta(const git::Oid& id, std::uint64_t base, std::string_view delta) {
    const std::uint64_t distance = kHeader + entries_.size() - base;
    return add(id, entry_header(6, delta.size()) + entry_distance(distance) + deflated(delta));
  }
  std::uint64_t add_ref_delta(const git::Oid& id, const git::Oid& base, std::string_view delta) {
    return add(id, entry_header(7, delta.size()).append(base.raw_view()) + deflated(delta));
  }
  /// Names a place without adding anything there.
  void point(const git::Oid& id, std::uint64_t offset) { places_.push_back({id, offset}); }
  void append(std::string_view bytes) { entries_ += bytes; }

  [[nodiscard]] std::string pack() const {
    std::string out = "PACK";
    append_number(out, 2);
    append_number(out, static_cast<std::uint32_t>(places_.size()));
    return out + entries_ + std::string(kMadeChecksum);
  }

  /// The index; offsets from `first_long` on are written with 64 bits.
  [[nodiscard]] std::string index(std::uint64_t first_long = 0x80000000U) const {
    std::vector<Place> places = places_;
    std::stable_sort(places.begin(), places.end(),
                     [](const Place& a, const Place& b) { return a.id < b.id; });
    std::string out("\377tOc\0\0\0\2", 8);
    for (unsigned byte = 0; byte < 256; ++byte) {
      append_number(out, static_cast<std::uint32_t>(std::count_if(
                             places.begin(), places.end(),
                             [&](const Place& place) { return place.id.raw()[0] <= byte; })));
    }
    for (const Place& place : places) out += place.id.raw_view();
    for (std::size_t i = 0; i < places.size(); ++i) append_number(out, 0);
    std::string long_offsets;
    for (const Place& place : places) {
      if (place.offset < first_long) {
        append_number(out, static_cast<std::uint32_t>(place.offset));
      } else {
        append_number(out, static_cast<std::uint32_t>(0x80000000U | long_offsets.size() / 8));
        append_number(long_offsets, static_cast<std::uint32_t>(place.offset >> 32U));
        append_number(long_offsets, static_cast<std::uint32_t>(place.offset & 0xffffffffU));
      }
    }
    return out + long_offsets + std::string(kMadeChecksum) + std::string(kMadeChecksum);
  }

 private:
  static constexpr std::uint64_t kHeader = 12;
  struct Place {
    git::Oid id;
    std::uint64_t offset = 0;
  };
  std::string entries_;
  std::vector<Place> places_;
};

/// An id for objects made by hand.
inline git::Oid made_id(unsigned number) {
  std::array<unsigned char, git::Oid::kRawSize> raw{};
  raw[0] = static_cast<unsigned char>(number * 37U);
  raw[18] = static_cast<unsigned char>(number >> 8U);
  raw[19] = static_cast<unsigned char>(number);
  return git::Oid::from_raw(raw.data());
}

}  // namespace flagscale::test
