// SPDX-License-Identifier: Apache-2.0
//
// Applying: the input is a file, a line of `====`, and a diff that is applied to it.
#include "base/error.h"
#include "core/apply.h"
#include "core/diff.h"
#include "fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace flagscale;
  static constexpr std::string_view kBorder = "\n====\n";
  const std::string_view text = fuzz::as_text(data, size);
  const std::size_t border = text.find(kBorder);
  if (border == std::string_view::npos) return 0;
  const std::string_view before = text.substr(0, border + 1);
  try {
    for (const FileDiff& diff : parse_diff(text.substr(border + kBorder.size()), 1)) {
      const std::string after = apply_hunks(before, diff);
      fuzz::require(after.size() <= text.size() * (1 + diff.hunks.size()));
    }
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
