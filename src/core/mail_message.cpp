// SPDX-License-Identifier: Apache-2.0
#include "core/mail_message.h"

#include <functional>
#include <utility>

#include "base/quote.h"
#include "core/mail_text.h"

namespace flagscale {
namespace {

bool starts_patch(std::string_view line) {
  if (line.starts_with("diff -") || line.starts_with("Index: ")) return true;
  if (line.size() < 4 || !line.starts_with("---")) return false;
  const std::string_view rest = line.substr(3);
  if (rest.front() == ' ' && (rest.size() == 1 || !is_mail_space(rest[1]))) return true;
  return rest.find('\n') != std::string_view::npos && trim(rest).empty();
}

/// `>From <commit> Mon Sep 17 00:00:00 2001`, as it is quoted by mail programs.
bool is_quoted_separator(std::string_view line) {
  constexpr std::string_view kStart = ">From ";
  constexpr std::string_view kEnd = " Mon Sep 17 00:00:00 2001\n";
  constexpr std::size_t kHexSize = 40;
  return line.size() == kStart.size() + kHexSize + kEnd.size() && line.starts_with(kStart) &&
         line.ends_with(kEnd) &&
         line.substr(kStart.size(), kHexSize).find_first_not_of("0123456789abcdef") ==
             std::string_view::npos;
}

}  // namespace

bool SharedBytes::continues(std::string_view piece) const {
  const char* const begin = mail_.view().data();
  const char* const end = begin + mail_.size();
  const std::less<> before;
  if (before(piece.data(), begin) || before(end, piece.data() + piece.size())) return false;
  return shared_.empty() || piece.data() == shared_.data() + shared_.size();
}

void SharedBytes::add(std::string_view piece) {
  if (piece.empty()) return;
  if (!copied_ && continues(piece)) {
    const char* const begin = shared_.empty() ? piece.data() : shared_.data();
    shared_ = {begin, shared_.size() + piece.size()};
    return;
  }
  if (!std::exchange(copied_, true)) copy_ = shared_;
  copy_ += piece;
}

Content SharedBytes::take() {
  return copied_ ? Content(std::move(copy_)) : mail_.part(shared_);
}

void MailMessage::add(std::string_view line, std::size_t line_number) {
  if (in_patch_) return patch_.add(line);
  if (leading_ && take_leading_line(line)) return;
  std::string converted;
  if (!CharsetConverter::is_utf8_name(state_.charset)) {
    auto text = state_.converter.to_utf8(line, state_.charset);
    if (!text) {
      state_.fail("the message is not written in its character set " + in_quotes(state_.charset));
    }
    if (*text != line) {
      converted = *std::move(text);
      line = converted;
    }
  }
  if (!starts_patch(line)) {
    log_ += line;
    return;
  }
  in_patch_ = true;
  patch_line_ = line_number;
  patch_.add(line);
}

/// Whether the line belongs to what may stand before the message: empty lines and headers.
bool MailMessage::take_leading_line(std::string_view line) {
  if (line.empty() || line == "\n") {
    if (!header_.empty()) {
      flush_header();
      leading_ = false;
    }
    return true;
  }
  leading_ = take_header_line(line);
  return leading_;
}

bool MailMessage::take_header_line(std::string_view line) {
  const auto space_at = [line](std::size_t at) {
    return at < line.size() && is_mail_space(line[at]);
  };
  if (!header_.empty() && (line.front() == ' ' || line.front() == '\t')) {
    if (header_.back() == '\n') header_.pop_back();
    header_ += line;
    return true;
  }
  flush_header();
  if (line.starts_with(">From") && space_at(5)) return is_quoted_separator(line);
  if (line.starts_with("[PATCH]") && space_at(7)) {
    state_.body_fields[kSubject] = line;
    return true;
  }
  for (std::size_t i = 0; i < kFieldNames.size(); ++i) {
    if (!state_.body_fields[i] && header_value(line, kFieldNames[i])) {
      header_ = line;
      return true;
    }
  }
  return false;
}

void MailMessage::flush_header() {
  if (header_.empty()) return;
  const std::string header = std::exchange(header_, {});
  state_.take_header(header, state_.body_fields, Again::keep);
}

}  // namespace flagscale
