// SPDX-License-Identifier: Apache-2.0
//
// Writes the difference between two trees as a diff that `git apply` takes: full index lines,
// binary data in both directions, renames found, no attributes, no configuration.
#pragma once

#include <span>
#include <string>

#include "core/renames.h"
#include "git/odb.h"

namespace flagscale {

/// Formats changes, in their order; renames are already paired. The same changes always give the
/// same bytes, whether they are formatted together or in parts.
[[nodiscard]] std::string format_diff(git::Odb& odb, std::span<const PairedChange> changes);

}  // namespace flagscale
