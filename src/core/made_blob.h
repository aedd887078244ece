// SPDX-License-Identifier: Apache-2.0
//
// What a diff makes of a file's contents. A part of core/apply.h; knows nothing of paths and trees.
#pragma once

#include <optional>
#include <string>

#include "core/apply.h"

namespace flagscale {

/// A file's contents and the id they have in the object database, as far as either is known.
struct Blob {
  std::optional<Content> content;
  git::Oid id;
};

/// Throws Error(unable) naming the diff's file and line.
[[noreturn]] void refuse(const FileDiff& diff, const std::string& why);

/// The contents that a diff makes of `before`; only for a text's or a removed file's the id is left
/// open. Throws Error(unable) when the diff does not fit.
[[nodiscard]] Blob make_blob(const FileDiff& diff, FileDiff::Kind kind,
                             const std::optional<Blob>& before, git::ObjectSource& source,
                             const ApplyHelp& help);

/// The id of contents that a diff has made.
[[nodiscard]] git::Oid id_of(const FileDiff& diff, const Content& content,
                             git::ObjectSource& source, const ApplyHelp& help);

}  // namespace flagscale
