// SPDX-License-Identifier: Apache-2.0
//
// Mail splitting and reading. What was read must be fit for a commit.
#include "base/error.h"
#include "base/quote.h"
#include "core/mailbox.h"
#include "fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace flagscale;
  const Content file(std::string(fuzz::as_text(data, size)));
  try {
    for (const RawMail& raw : split_mailbox(file)) {
      const Mail mail = parse_mail(raw);
      if (mail.skipped) continue;
      fuzz::require(is_utf8(mail.message) && is_utf8(mail.author.name));
      fuzz::require(mail.author.name.find('\n') == std::string::npos);
      fuzz::require(mail.author.email.find('>') == std::string::npos);
    }
  } catch (const Error&) {
    return 0;
  }
  return 0;
}
