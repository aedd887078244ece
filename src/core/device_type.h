// SPDX-License-Identifier: Apache-2.0
//
// The two names that make up a place in the store: a device type and a base8.
#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace flagscale {

/// `Vendor_Chip`, e.g. A_X100: `[A-Za-z0-9]+(_[A-Za-z0-9]+)+`. Valid once built.
class DeviceType {
 public:
  /// Absent when the text is no device type.
  [[nodiscard]] static std::optional<DeviceType> find(std::string_view text);
  /// Throws Error(unable) that names the text and the rule.
  [[nodiscard]] static DeviceType parse(std::string_view text);

  [[nodiscard]] const std::string& text() const noexcept { return text_; }
  /// Up to the first '_', and the rest.
  [[nodiscard]] std::string vendor() const;
  [[nodiscard]] std::string chip() const;

  friend auto operator<=>(const DeviceType&, const DeviceType&) = default;

 private:
  explicit DeviceType(std::string_view text) : text_(text) {}
  std::string text_;
};

/// Whether two names differ in case only: some file systems cannot hold both.
[[nodiscard]] bool differ_in_case_only(std::string_view a, std::string_view b);

/// Whether the text is a base8: eight lower-case hex digits.
[[nodiscard]] bool is_base8(std::string_view text);

}  // namespace flagscale
