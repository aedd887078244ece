// SPDX-License-Identifier: Apache-2.0
//
// Reads a patch file's mails the way `git am --keep-non-patch --keep-cr` does: git's mailsplit,
// mailinfo and the message clean-up of am, in memory. Pure: bytes in, values out. Knows nothing
// of diffs beyond where they start.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "git/object.h"

namespace flagscale {

struct Mail {
  /// The author as `git am` would record it: decoded to UTF-8, cleaned as git's ident rules ask.
  git::Signature author;
  /// The commit message as `git am` would record it, including the final LF.
  std::string message;
  /// The diff part, transfer encoding undone; everything from the first line that starts it.
  Content patch;
  /// 1-based line of the patch file at which this mail starts, and at which `patch` starts.
  /// `patch_line` is exact when the mail has no transfer encoding, else the start of its body.
  std::size_t line = 1;
  std::size_t patch_line = 1;
  /// A mail program's own note at the top of a folder, which `git am` passes over. Nothing else
  /// is set then.
  bool skipped = false;
};

/// The most mails that a patch file may hold.
inline constexpr std::size_t kMaxMails = 100000;

/// Splits a mailbox into its mails, as bytes that share `file`'s storage. A file that does not
/// begin like a mailbox or a mail is refused (Error(unable), naming the line); so is an empty one,
/// and one with more than kMaxMails.
struct RawMail {
  Content bytes;
  std::size_t line = 1;
};
[[nodiscard]] std::vector<RawMail> split_mailbox(const Content& file);

/// Reads one mail. Throws Error(unable) with the line where `git am` would refuse it (no author
/// name, a header or message that cannot be decoded, a NUL, no patch), and also when it has no
/// date, for which git would take today's, or one outside 1970 to 2099.
[[nodiscard]] Mail parse_mail(const RawMail& raw);

}  // namespace flagscale
