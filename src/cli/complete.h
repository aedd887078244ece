// SPDX-License-Identifier: Apache-2.0
//
// What may stand at a place of a command line, for the completions of the shells: they ask the
// program, so that they need not know the option table, and cannot drift from it.
#pragma once

#include <string>
#include <vector>

namespace flagscale::cli {

/// Answers `git flagscale __complete <index> <word>...`: the words after `git flagscale`, and the
/// index (from 0) of the one to complete, which may be cut off or empty.
///
/// The first line says what is wanted there: `commits` (any name that git knows), `files <folder>`
/// or `folders <folder>` (relative to that one), or else what the following lines are (`commands`,
/// `options`, `devices`, `bases`, `names`). The following lines are candidates, some of them with
/// a tab and a description. For a word `--option=value` they are about the value. Empty when there
/// is nothing to offer, whatever the reason: somebody is typing and wants no messages.
[[nodiscard]] std::string complete(const std::vector<std::string>& words) noexcept;

}  // namespace flagscale::cli
