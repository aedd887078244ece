// SPDX-License-Identifier: Apache-2.0
//
// The JSON readers: a sidecar that was read must come back from what is written.
#include "base/error.h"
#include "core/hetero.h"
#include "core/sidecar.h"
#include "fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace flagscale;
  const std::string_view text = fuzz::as_text(data, size);
  try {
    const Sidecar sidecar = parse_sidecar("sidecar", text);
    const Sidecar again = parse_sidecar("sidecar", format_sidecar(sidecar, text));
    fuzz::require(again.commit == sidecar.commit && again.counts == sidecar.counts);
  } catch (const Error&) {
    // Perhaps it is the other kind of file.
  }
  try {
    const Combination combination = parse_combination("combination", text);
    const Combination again = parse_combination("combination", format_combination(combination));
    fuzz::require(again.devices == combination.devices);
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
