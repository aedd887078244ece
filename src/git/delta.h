// SPDX-License-Identifier: Apache-2.0
//
// Git's delta format (gitformat-pack(5), "Deltified representation"): packs hold objects in it, and
// so do binary patches. Bytes in, pieces of bytes out; where they go is up to the caller.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace flagscale::git {

/// How many bytes a delta starts from and makes, as it announces at its front.
struct DeltaSizes {
  std::uint64_t before = 0;
  std::uint64_t after = 0;
};

/// Takes the sizes off the front of a delta. False: damaged.
[[nodiscard]] bool take_delta_sizes(std::string_view& delta, DeltaSizes& sizes);

/// Takes the next command off the front of `commands`: the bytes it adds, out of `before` or of
/// `commands` itself, go to `piece`. False: damaged.
[[nodiscard]] bool take_delta_piece(std::string_view& commands, std::string_view before,
                                    std::string_view& piece);

}  // namespace flagscale::git
