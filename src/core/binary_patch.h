// SPDX-License-Identifier: Apache-2.0
//
// The data of a `GIT binary patch`: base85 lines, zlib, git's delta format
// (gitformat-pack(5), "Deltified representation"). Bytes in, bytes out; knows nothing of files.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/diff.h"

namespace flagscale {

/// The largest file that a binary patch may make, 512 MiB: where git by default stops to treat
/// files as a whole (core.bigFileThreshold).
inline constexpr std::uint64_t kMaxBinarySize = std::uint64_t{512} << 20U;

/// Decodes a hunk's data and applies it to `before`. Throws Error(unable) with the line when the
/// data is damaged, does not have the size it announces, or makes more than `max_size` bytes.
/// Memory grows with the data that is really there, never with a size that is only announced.
[[nodiscard]] std::string apply_binary(const BinaryHunk& hunk, std::string_view before,
                                       std::uint64_t max_size = kMaxBinarySize);

/// Only decodes a hunk's data: a file's contents or a delta. Throws as apply_binary does.
[[nodiscard]] std::string unpack_binary(const BinaryHunk& hunk,
                                        std::uint64_t max_size = kMaxBinarySize);

/// Decodes base85 lines, each with its length letter, into `out`. False: damaged.
[[nodiscard]] bool decode_base85(std::string_view lines, std::string& out);

/// Undoes zlib's compression. False: damaged, or not `size` bytes.
[[nodiscard]] bool inflate_exactly(std::string_view data, std::uint64_t size, std::string& out);

/// Applies a delta. False: damaged, not made for `before`, or more than `max_size` bytes.
[[nodiscard]] bool apply_delta(std::string_view delta, std::string_view before,
                               std::uint64_t max_size, std::string& out);

}  // namespace flagscale
