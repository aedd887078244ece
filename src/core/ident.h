// SPDX-License-Identifier: Apache-2.0
//
// Git's rules for the names and e-mail addresses that a commit may hold. Pure; knows nothing of
// configuration or of where a name came from.
#pragma once

#include <string>
#include <string_view>

namespace flagscale {

/// Whether anything is left of a name once git has cleaned it. Git refuses a name without.
[[nodiscard]] bool has_ident_text(std::string_view name);

/// A name or an e-mail address as git puts it into a commit: without white space, control
/// characters and punctuation (`.,:;<>"\'`) at both ends, and without LF, `<` and `>` inside.
[[nodiscard]] std::string clean_ident(std::string_view part);

}  // namespace flagscale
