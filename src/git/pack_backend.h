// SPDX-License-Identifier: Apache-2.0
//
// Puts our reader of packs in front of libgit2's own, so that all that libgit2 reads is read by it.
// Private to src/git.
#pragma once

#include <memory>

#include "git/handle.h"
#include "git/packs.h"

namespace flagscale::git {

/// A backend that knows what is in `packs`, and passes on whatever it cannot read.
[[nodiscard]] OdbBackendHandle pack_backend(std::shared_ptr<const Packs> packs);

}  // namespace flagscale::git
