// SPDX-License-Identifier: Apache-2.0
//
// Hand-made changes, one kind each, for comparing appliers of diffs.
#pragma once

#include <string>
#include <vector>

#include "support/apply_oracle.h"

namespace flagscale::test {

/// A tree before and after a change.
struct ChangeCase {
  std::string name;
  TestTree before;
  TestTree after;
};

[[nodiscard]] std::vector<ChangeCase> change_cases();

}  // namespace flagscale::test
