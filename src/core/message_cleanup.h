// SPDX-License-Identifier: Apache-2.0
//
// What git does to a commit's text before it is stored: white space at the ends, and bytes that
// are not UTF-8. Pure; knows nothing of mails or of repositories.
#pragma once

#include <string>
#include <string_view>

namespace flagscale {

/// `git stripspace`: no white space at line ends, no empty lines first or last, never two empty
/// lines in a row, a LF after the last line. Nothing but white space becomes nothing.
[[nodiscard]] std::string strip_space(std::string_view text);

/// Bytes that begin no valid UTF-8 sequence are taken for Latin-1 and encoded, as git does when it
/// writes a commit. Stricter than RFC 3629: code points that are no characters (U+FDD0 to U+FDEF,
/// U+xxFFFE, U+xxFFFF) are not valid.
[[nodiscard]] std::string fix_utf8(std::string text);

}  // namespace flagscale
