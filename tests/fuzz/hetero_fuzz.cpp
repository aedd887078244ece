// SPDX-License-Identifier: Apache-2.0
//
// The old mapping: what was read must come back from what is written.
#include "base/error.h"
#include "core/hetero.h"
#include "fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace flagscale;
  try {
    for (const HeteroLine& line : parse_hetero_text("hetero.txt", fuzz::as_text(data, size))) {
      const auto again =
          parse_hetero_text("hetero.txt", format_hetero_line(line.base, line.devices));
      fuzz::require(again.size() == 1 && again[0].base == line.base &&
                    again[0].devices == line.devices);
    }
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
