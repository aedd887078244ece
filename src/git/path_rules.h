// SPDX-License-Identifier: Apache-2.0
//
// Which paths may stand in a tree: the rules by which git refuses to check out or apply. Pure;
// knows nothing of what stands in any tree.
#pragma once

#include <cstddef>
#include <string_view>

namespace flagscale::git {

/// The longest path that a working tree can hold (Linux's PATH_MAX less its NUL).
inline constexpr std::size_t kMaxPathSize = 4095;

/// Whether a path is safe to create in a working tree on any system: not empty, not absolute, not
/// longer than kMaxPathSize, no NUL, no empty, `.` or `..` part, and no part that HFS+ or NTFS
/// would fold to `.git` (git's verify_path with core.protectHFS and core.protectNTFS on).
[[nodiscard]] bool is_safe_path(std::string_view path);

/// The same for a symlink, which besides may not stand where `.gitmodules` is looked for.
[[nodiscard]] bool is_safe_symlink_path(std::string_view path);

/// Whether a file name (one part) is one that HFS+ or NTFS would fold to `.gitmodules`.
[[nodiscard]] bool folds_to_gitmodules(std::string_view name);

}  // namespace flagscale::git
