// SPDX-License-Identifier: Apache-2.0
//
// From what a user typed for a base (base8, abbreviated or full id, branch, tag) to the patch
// file that is meant and the commit it starts from.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "commands/store_search.h"

namespace flagscale::commands {

/// Finds the patch of a device in the first place that has one for `commit_id`: matched against
/// base8 folders first (a prefix or a longer id), then as a commit-ish. Throws Error(refused) that
/// names what exists instead, Error(unable) when it is ambiguous or only encrypted.
[[nodiscard]] FoundPatch find_patch_for(git::Repository& repository, StoreSearch& search,
                                        const std::vector<Place>& places, const DeviceType& device,
                                        const std::string& commit_id);

/// The commit a patch starts from. Throws Error(unable) with the fetch that brings it when this
/// repository lacks it.
[[nodiscard]] git::Oid find_base_of(git::Repository& repository, const FoundPatch& patch);

/// Throws Error(refused): there is no patch of a device type (for a base, if one is given). Says
/// what there is instead, and which other branch has it, after `hints`. `option` is the one that
/// would read that branch.
[[noreturn]] void throw_no_patch(StoreSearch& search, const std::vector<Place>& places,
                                 const DeviceType& device,
                                 const std::optional<std::string>& commit_id,
                                 std::vector<std::string> hints = {},
                                 const char* option = "--from");

/// `text` and up to five of the bases, the nearest first: by history, with how far they are, where
/// `wanted` names a commit, else by their digits.
[[nodiscard]] std::string format_nearest(git::Repository& repository, std::string text,
                                         const std::string& wanted,
                                         const std::vector<std::string>& bases);

/// `text` and up to five of the names, those closest to `wanted` first.
[[nodiscard]] std::string format_closest(std::string text, const std::string& wanted,
                                         const std::vector<std::string>& names);

/// Hex digits as ids are written.
[[nodiscard]] std::string lower_hex(std::string text);

}  // namespace flagscale::commands
