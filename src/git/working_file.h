// SPDX-License-Identifier: Apache-2.0
//
// Making one file of a working tree as git does, where nothing filters it.
#pragma once

#include <string>

#include "base/bytes.h"
#include "base/files.h"
#include "git/object.h"

namespace flagscale::git {

/// Makes a regular file or a symlink that is not there yet, below an open folder, with the
/// permissions that mode and umask give. Returns the open file; a symlink has none. Throws
/// Error(io) that names `shown`.
[[nodiscard]] Fd make_working_file(int folder, const std::string& name, Mode mode,
                                   const Content& bytes, const std::string& shown);

}  // namespace flagscale::git
