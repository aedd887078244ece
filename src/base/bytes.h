// SPDX-License-Identifier: Apache-2.0
//
// Bytes that are shared and never change: file contents travel through the program without being
// copied, and nothing is assumed about their encoding.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace flagscale {

/// An immutable run of bytes together with whatever keeps it alive. Cheap to copy.
class Content {
 public:
  Content() = default;
  /// Takes over a string.
  explicit Content(std::string&& bytes) {
    auto owned = std::make_shared<const std::string>(std::move(bytes));
    view_ = *owned;
    owner_ = std::move(owned);
  }
  /// Shows bytes that `owner` keeps alive.
  Content(std::shared_ptr<const void> owner, std::string_view view)
      : owner_(std::move(owner)), view_(view) {}

  [[nodiscard]] std::string_view view() const noexcept { return view_; }
  [[nodiscard]] std::size_t size() const noexcept { return view_.size(); }
  [[nodiscard]] bool empty() const noexcept { return view_.empty(); }
  /// A part of these bytes, kept alive by the same owner.
  [[nodiscard]] Content part(std::string_view inner) const { return {owner_, inner}; }

 private:
  std::shared_ptr<const void> owner_;
  std::string_view view_;
};

/// Takes the next line (with its LF, if there is one) off the front of `rest`.
inline std::string_view take_line(std::string_view& rest) {
  const std::size_t lf = rest.find('\n');
  const std::size_t length = lf == std::string_view::npos ? rest.size() : lf + 1;
  const std::string_view line = rest.substr(0, length);
  rest.remove_prefix(length);
  return line;
}

/// The line without its LF.
inline std::string_view without_lf(std::string_view line) {
  if (!line.empty() && line.back() == '\n') line.remove_suffix(1);
  return line;
}

/// The line without its LF or CR LF.
inline std::string_view without_eol(std::string_view line) {
  line = without_lf(line);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

/// Takes what comes before the next NUL off the front of `rest`, and the NUL: one entry of what git
/// prints with -z.
inline std::string_view take_entry(std::string_view& rest) {
  const std::string_view entry = rest.substr(0, rest.find('\0'));
  rest.remove_prefix(entry.size() == rest.size() ? entry.size() : entry.size() + 1);
  return entry;
}

/// The number in four bytes at a place, the highest byte first; they must be there.
inline std::uint32_t big_endian_32(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (const char byte : bytes.substr(at, 4))
    value = value << 8U | static_cast<unsigned char>(byte);
  return value;
}

/// The lines of a text, each without its LF.
[[nodiscard]] std::vector<std::string> lines_of(std::string_view text);

/// Parses a decimal number without sign or blanks; false when it is not one or does not fit.
[[nodiscard]] bool parse_decimal(std::string_view text, std::uint64_t& value);

}  // namespace flagscale
