// SPDX-License-Identifier: Apache-2.0
//
// How values look in more than one command's output, as text and as JSON.
#pragma once

#include <string>
#include <vector>

#include "core/hetero.h"
#include "core/json.h"
#include "core/sidecar.h"
#include "core/store.h"
#include "git/object.h"

namespace flagscale::cli {

/// "1 commit", "2 commits".
[[nodiscard]] std::string plural(std::uint64_t count, const char* one, const char* many);
/// "2 commits, 3 files, +10 -2".
[[nodiscard]] std::string format_counts(const PatchCounts& counts);
/// The day in the author's own time zone: "2024-02-29".
[[nodiscard]] std::string format_day(const git::Signature& who);
/// The moment as ISO 8601 has it: "2024-02-29T12:00:00+08:00".
[[nodiscard]] std::string format_moment(const git::Signature& who);

[[nodiscard]] Json counts_json(const PatchCounts& counts);
[[nodiscard]] Json counts_json(const std::optional<PatchCounts>& counts);
[[nodiscard]] Json id_json(const std::optional<git::Oid>& id);
[[nodiscard]] Json texts_json(const std::vector<std::string>& texts);
/// A text that may be missing: null when it is empty.
[[nodiscard]] Json text_or_null(const std::string& text);
[[nodiscard]] Json author_json(const git::Signature& who);
[[nodiscard]] Json devices_json(const Devices& devices);
[[nodiscard]] Json combination_json(const RecordedCombination& combination);

/// JSON for stdout, with its final LF: what could steer a terminal (DEL, and the control characters
/// from U+0080 to U+009F) is spelled out, too.
[[nodiscard]] std::string shown_json(const Json& value);

/// One JSON object for an error, with its final LF. `command` may be empty.
[[nodiscard]] std::string format_error_json(const std::string& command, const std::string& kind,
                                            const std::string& message,
                                            const std::vector<std::string>& hints);

}  // namespace flagscale::cli
