// SPDX-License-Identifier: Apache-2.0
//
// Walks through one mail, headers and body, as git's mailinfo does: multipart structure, transfer
// encodings, format=flowed, headers inside the body, and the line at which the message ends and
// the patch begins. Knows nothing of commits; its values are decoded, but not yet judged.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/bytes.h"

namespace flagscale {

struct MailParts {
  /// The headers that count, each as it was written last or, with a patch, in the body.
  std::optional<std::string> from;
  std::optional<std::string> subject;
  std::optional<std::string> date;
  /// The message's body, line by line as in the mail.
  std::string log;
  bool has_patch = false;
  /// Shares the mail's bytes wherever it runs through them without a gap.
  Content patch;
  std::size_t patch_line = 0;
};

/// Reads the mail that stands in `bytes` and begins at `line` of its file. Throws Error(unable)
/// where mailinfo gives up: encoded words or character sets that cannot be read, too many nested
/// parts, a NUL in a header.
[[nodiscard]] MailParts read_mail_parts(const Content& bytes, std::size_t line);

}  // namespace flagscale
