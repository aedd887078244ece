// SPDX-License-Identifier: Apache-2.0
//
// Sorts the text lines of a mail's body: headers before the message, the message, the patch.
// Knows nothing of parts and transfer encodings; those have been undone.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "core/mail_state.h"

namespace flagscale {

/// Collects bytes: as a part of the mail for as long as its pieces follow each other there.
class SharedBytes {
 public:
  explicit SharedBytes(Content mail) : mail_(std::move(mail)) {}

  void add(std::string_view piece);
  /// The bytes collected; ends the collecting.
  [[nodiscard]] Content take();

 private:
  [[nodiscard]] bool continues(std::string_view piece) const;

  Content mail_;
  std::string_view shared_;
  std::string copy_;
  bool copied_ = false;
};

class MailMessage {
 public:
  MailMessage(const Content& mail, MailState& state) : state_(state), patch_(mail) {}

  /// Takes the next line. If it starts the patch, `line_number` is remembered.
  void add(std::string_view line, std::size_t line_number);
  /// Takes in a header of the body that could still have gone on.
  void flush_header();

  [[nodiscard]] bool in_patch() const { return in_patch_; }
  [[nodiscard]] std::size_t patch_line() const { return patch_line_; }
  [[nodiscard]] std::string take_log() { return std::move(log_); }
  [[nodiscard]] Content take_patch() { return patch_.take(); }

 private:
  [[nodiscard]] bool take_leading_line(std::string_view line);
  [[nodiscard]] bool take_header_line(std::string_view line);

  MailState& state_;
  /// Whether only empty lines and headers have come so far.
  bool leading_ = true;
  std::string header_;
  std::string log_;
  bool in_patch_ = false;
  std::size_t patch_line_ = 0;
  SharedBytes patch_;
};

}  // namespace flagscale
