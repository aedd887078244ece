// SPDX-License-Identifier: Apache-2.0
//
// Writes the difference between two trees as a diff that `git apply` takes: full index lines,
// binary data in both directions, renames found, no attributes, no configuration.
#pragma once

#include <string>
#include <vector>

#include "git/odb.h"
#include "git/tree_diff.h"

namespace flagscale {

/// Formats the changes, in their order. The same changes always give the same bytes.
[[nodiscard]] std::string format_diff(git::Odb& odb, std::vector<git::TreeChange> changes);

}  // namespace flagscale
