// SPDX-License-Identifier: Apache-2.0
//
// What a command did, as lines for people and as JSON for programs. One file per command:
// report_<command>.cpp.
#pragma once

#include "commands/hetero.h"
#include "commands/list.h"
#include "commands/patch.h"
#include "commands/show.h"
#include "commands/unpatch.h"
#include "commands/verify.h"

namespace flagscale::cli {

/// How the result is wanted.
struct Output {
  bool json = false;
  bool quiet = false;
};

void report(const commands::PatchReport& report, const Output& output);
void report(const commands::UnpatchReport& report, const Output& output);
void report(const commands::ListReport& report, const Output& output);
void report(const commands::ShowReport& report, const Output& output);
void report(const commands::VerifyReport& report, const Output& output);
/// `action` is the word after `hetero`.
void report(const commands::HeteroReport& report, const std::string& action, const Output& output);

}  // namespace flagscale::cli
