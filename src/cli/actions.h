// SPDX-License-Identifier: Apache-2.0
//
// From parsed arguments to a command's request, and its result to the user: one function per
// command.
#pragma once

#include <string>

#include "cli/arguments.h"
#include "cli/reports.h"

namespace flagscale::cli {

/// Runs a command and reports. Returns the exit status: 0, or 1 when the answer is no. Throws
/// Error for everything else.
using Action = int (*)(const Arguments&, const Output&);

/// What does the work of a command of the table.
[[nodiscard]] Action action_of(const std::string& command);

}  // namespace flagscale::cli
