// SPDX-License-Identifier: Apache-2.0
//
// What every fuzz target is: bytes go in, nothing may break. libFuzzer calls it, or replay.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer's name.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace flagscale::fuzz {

inline std::string_view as_text(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Ends the program when something that must hold does not.
inline void require(bool holds) {
  if (!holds) __builtin_trap();
}

}  // namespace flagscale::fuzz
