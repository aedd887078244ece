// SPDX-License-Identifier: Apache-2.0
//
// What the headers of one mail have said so far, those of its parts and those inside its body
// included. Knows nothing of where the headers were found.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/mail_decode.h"
#include "core/mail_header.h"

namespace flagscale {

/// From, Subject and Date, at these places.
constexpr std::size_t kFrom = 0;
constexpr std::size_t kSubject = 1;
constexpr std::size_t kDate = 2;
constexpr std::array<std::string_view, 3> kFieldNames = {"From", "Subject", "Date"};
using MailFields = std::array<std::optional<std::string>, kFieldNames.size()>;

/// Whether a field that is known already is replaced by a later one.
enum class Again { replace, keep };

struct MailState {
  explicit MailState(MailLines& mail_lines) : lines(mail_lines) {}

  /// Takes in a header; its From, Subject or Date goes to `fields`.
  void take_header(std::string_view line, MailFields& fields, Again again);
  /// A new part begins, for which nothing is known yet.
  void begin_part();
  /// Throws Error(unable) about the current line.
  [[noreturn]] void fail(const std::string& what) const;

  MailLines& lines;
  CharsetConverter converter;
  MailFields mail_fields;
  /// The headers inside the body. They go before the mail's own.
  MailFields body_fields;
  /// The separators of the parts that the current line is in, innermost last.
  std::vector<std::string> boundaries;
  std::string charset;
  TransferEncoding encoding = TransferEncoding::none;
  bool flowed = false;
  bool delete_space = false;

 private:
  [[nodiscard]] std::string decoded(std::string_view value);
  void take_content_type(std::string_view value);
};

}  // namespace flagscale
