// SPDX-License-Identifier: Apache-2.0
//
// Writes the head of a mail (everything before the diff) such that `git am` reads author, date
// and message back as they were. What is written is read again with core/mailbox.h, which reads
// as `git am` does, so nothing is left to belief.
#pragma once

#include <string>
#include <string_view>

#include "git/object.h"

namespace flagscale {

struct MailHead {
  /// From the `From ` line to the blank line after `---`.
  std::string text;
  /// Whether author and message come back exactly; if not, with the least change that passes.
  bool exact = true;
};

/// `message` is UTF-8, or bytes that git would take for Latin-1. Ways tried, first that is exact:
/// the subject in the header; an in-body `From:` before a message that begins like a mail header;
/// an empty Subject with the whole message as body (a subject of several lines, or with runs of
/// blanks). Lines that would end the message or split the mailbox get one blank in front. Throws
/// Error(refused) when `git am` would refuse the author or the date.
[[nodiscard]] MailHead format_mail_head(const git::Signature& author, std::string_view message);

/// `Mon, 2 Jan 2006 15:04:05 -0700` (RFC 5322) for seconds since 1970 and a zone as in commits.
[[nodiscard]] std::string format_mail_date(std::uint64_t seconds, std::string_view zone);

/// Text as RFC 2047 words in UTF-8, at most 75 bytes each, folded.
[[nodiscard]] std::string format_encoded_words(std::string_view text);

}  // namespace flagscale
