// SPDX-License-Identifier: Apache-2.0
//
// base85, zlib and delta: the input is first taken for base85 lines, then for a delta.
#include "core/binary_patch.h"
#include "fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace flagscale;
  static constexpr std::uint64_t kMost = 1U << 20U;
  const std::string_view text = fuzz::as_text(data, size);
  std::string packed;
  std::string out;
  if (decode_base85(text, packed) && inflate_exactly(packed, kMost, out)) {
    fuzz::require(out.size() == kMost);
  }
  if (apply_delta(text, "something that a delta may copy from", kMost, out)) {
    fuzz::require(out.size() <= kMost);
  }
  return 0;
}
