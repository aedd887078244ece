// SPDX-License-Identifier: Apache-2.0
#include "core/mail_state.h"

#include <utility>

#include "base/error.h"

namespace flagscale {

void MailState::fail(const std::string& what) const {
  throw_unable("line " + std::to_string(lines.number()) + ": " + what);
}

std::string MailState::decoded(std::string_view value) {
  auto text = decode_words(value, converter);
  if (!text) fail("a header holds an encoded word that cannot be read");
  return *std::move(text);
}

void MailState::take_header(std::string_view line, MailFields& fields, Again again) {
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (fields[i] && again == Again::keep) continue;
    if (const auto value = header_value(line, kFieldNames[i])) {
      fields[i] = decoded(*value);
      return;
    }
  }
  if (const auto type = header_value(line, "Content-Type")) {
    take_content_type(decoded(*type));
  } else if (const auto name = header_value(line, "Content-Transfer-Encoding")) {
    encoding = parse_transfer_encoding(decoded(*name));
  } else if (const auto id = header_value(line, "Message-Id")) {
    // Not used, but a broken encoded word counts here, too.
    static_cast<void>(decoded(*id));
  }
}

void MailState::take_content_type(std::string_view value) {
  constexpr std::size_t kDeepest = 4;
  ContentType type = parse_content_type(value);
  if (type.boundary) {
    if (boundaries.size() == kDeepest) fail("the mail has too many nested parts");
    boundaries.push_back(*std::move(type.boundary));
  }
  charset = std::move(type.charset);
  flowed = type.flowed;
  delete_space = type.delete_space;
}

void MailState::begin_part() {
  encoding = TransferEncoding::none;
  charset.clear();
}

}  // namespace flagscale
