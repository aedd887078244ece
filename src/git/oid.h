// SPDX-License-Identifier: Apache-2.0
//
// Object ids: 20 raw bytes (SHA-1).
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace flagscale::git {

class Oid {
 public:
  static constexpr std::size_t kRawSize = 20;
  static constexpr std::size_t kHexSize = 40;

  /// The null id.
  constexpr Oid() = default;
  /// From 20 raw bytes.
  static Oid from_raw(const void* raw) {
    Oid oid;
    std::memcpy(oid.raw_.data(), raw, kRawSize);
    return oid;
  }
  /// From 40 hex digits of either case; absent for anything else.
  [[nodiscard]] static std::optional<Oid> parse(std::string_view hex);

  [[nodiscard]] std::string hex() const;
  /// The first eight digits: the name of a base's folder in the store.
  [[nodiscard]] std::string hex8() const { return hex().substr(0, 8); }
  /// Enough digits for people.
  [[nodiscard]] std::string short_hex() const { return hex().substr(0, 10); }
  [[nodiscard]] const unsigned char* raw() const noexcept { return raw_.data(); }
  [[nodiscard]] std::string_view raw_view() const noexcept {
    return {reinterpret_cast<const char*>(raw_.data()), kRawSize};
  }
  [[nodiscard]] bool is_null() const noexcept { return *this == Oid(); }

  friend auto operator<=>(const Oid&, const Oid&) = default;

 private:
  std::array<unsigned char, kRawSize> raw_{};
};

/// Whether the text is made of hex digits only (and is not empty).
[[nodiscard]] bool is_hex(std::string_view text) noexcept;

}  // namespace flagscale::git

template <>
struct std::hash<flagscale::git::Oid> {
  std::size_t operator()(const flagscale::git::Oid& oid) const noexcept {
    std::size_t value = 0;
    std::memcpy(&value, oid.raw(), sizeof value);
    return value;
  }
};
