// SPDX-License-Identifier: Apache-2.0
//
// Reading diffs. What was read must point into the input and have safe paths.
#include "base/error.h"
#include "core/diff.h"
#include "fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace flagscale;
  const std::string_view text = fuzz::as_text(data, size);
  try {
    for (const FileDiff& diff : parse_diff(text, 1)) {
      fuzz::require(diff.old_path || diff.new_path);
      for (const Hunk& hunk : diff.hunks) {
        fuzz::require(hunk.body.empty() ||
                      (hunk.body.data() >= text.data() &&
                       hunk.body.data() + hunk.body.size() <= text.data() + text.size()));
      }
    }
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
