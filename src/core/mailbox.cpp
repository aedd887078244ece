// SPDX-License-Identifier: Apache-2.0
#include "core/mailbox.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "core/ident.h"
#include "core/mail_body.h"
#include "core/mail_date.h"
#include "core/mail_header.h"
#include "core/mail_text.h"
#include "core/message_cleanup.h"

namespace flagscale {
namespace {

std::size_t count_lines(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// Whether a line is the `From ` line before a mail: a time of day and a year after 1990 in it.
bool is_from_line(std::string_view line) {
  constexpr std::size_t kShortest = 20;
  if (line.size() < kShortest || !line.starts_with("From ")) return false;
  const std::size_t colon = line.rfind(':', line.size() - 3);
  if (colon == std::string_view::npos) return false;
  for (const std::size_t digit : {colon - 4, colon - 2, colon - 1, colon + 1, colon + 2}) {
    if (!is_ascii_digit(line[digit])) return false;
  }
  std::string_view year = line.substr(colon + 3);
  while (!year.empty() && (year.front() == ' ' || (year.front() >= '\t' && year.front() <= '\r'))) {
    year.remove_prefix(1);
  }
  if (year.starts_with('+')) year.remove_prefix(1);
  std::size_t value = 0;
  constexpr std::size_t kLast = 90;
  while (!year.empty() && is_ascii_digit(year.front()) && value <= kLast) {
    value = value * 10 + static_cast<std::size_t>(year.front() - '0');
    year.remove_prefix(1);
  }
  return value > kLast;
}

/// Whether the lines up to the first empty one are headers, as a mail without `From ` line has.
bool looks_like_mail(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = without_eol(take_line(text));
    if (line.empty()) return true;
    if (line.front() == ' ' || line.front() == '\t') continue;
    const auto is_name = [](char c) { return c >= '!' && c <= '~' && c != ':'; };
    const auto length = static_cast<std::size_t>(
        std::find_if_not(line.begin(), line.end(), is_name) - line.begin());
    if (length == 0 || !line.substr(length).starts_with(':')) return false;
  }
  return true;
}

/// The kinds of patch files that `git am` tells apart and that are no mailbox.
const char* foreign_format(std::string_view first, std::string_view second,
                           std::string_view third) {
  if (first.starts_with("# This series applies on GIT commit")) return "an StGit series";
  if (up_to_nul(first) == "# HG changeset patch") return "a Mercurial patch";
  const bool stgit = second.empty() && (third.starts_with("From:") ||
                                        third.starts_with("Author:") || third.starts_with("Date:"));
  return stgit ? "an StGit patch" : nullptr;
}

void require_mailbox(std::string_view file) {
  std::string_view rest = file;
  std::string_view first;
  std::size_t line = 0;
  while (first.empty() && !rest.empty()) {
    first = without_eol(take_line(rest));
    ++line;
  }
  if (first.empty()) throw_unable("line 1: the patch file is empty");
  if (first.starts_with("From ") || first.starts_with("From: ")) return;
  const std::string_view second = without_eol(take_line(rest));
  const std::string_view third = without_eol(take_line(rest));
  const std::string where = "line " + std::to_string(line) + ": ";
  if (const char* format = foreign_format(first, second, third)) {
    throw_unable(where + "this is " + format + ", not a mailbox");
  }
  if (!looks_like_mail(file)) throw_unable(where + "the patch file is no mailbox and no mail");
}

[[noreturn]] void refuse(const RawMail& raw, const std::string& why) {
  throw_unable("mail at line " + std::to_string(raw.line) + ": " + why);
}

git::Signature read_author(const RawMail& raw, const MailAddress& address,
                           const std::optional<std::string>& date_header) {
  if (!has_ident_text(address.name)) refuse(raw, "its author has no name and no e-mail address");
  const std::string date = collapse_spaces(date_header.value_or(""));
  if (date.empty()) refuse(raw, "it has no date");
  const auto when = parse_mail_date(date);
  if (!when) refuse(raw, "its date cannot be read or lies outside 1970 to 2099");
  return {fix_utf8(clean_ident(address.name)), fix_utf8(clean_ident(address.email)), when->seconds,
          when->zone};
}

}  // namespace

std::vector<RawMail> split_mailbox(const Content& file) {
  require_mailbox(file.view());
  std::string_view rest = file.view();
  while (!rest.empty() && is_mail_space(rest.front())) rest.remove_prefix(1);
  if (rest.empty()) throw_unable("line 1: the patch file is empty");

  std::size_t line = 1 + count_lines(file.view().substr(0, file.size() - rest.size()));
  std::vector<RawMail> mails;
  std::string_view probe = rest;
  const bool has_from_lines = is_from_line(take_line(probe));
  std::size_t search_from = 0;
  while (has_from_lines) {
    const std::size_t lf = rest.find("\nFrom ", search_from);
    if (lf == std::string_view::npos) break;
    std::string_view following = rest.substr(lf + 1);
    search_from = lf + 1;
    if (!is_from_line(take_line(following))) continue;
    if (mails.size() + 1 == kMaxMails) {
      throw_unable("more than " + std::to_string(kMaxMails) + " mails");
    }
    const std::string_view mail = rest.substr(0, lf + 1);
    mails.push_back({file.part(mail), line});
    line += count_lines(mail);
    rest.remove_prefix(mail.size());
    search_from = 0;
  }
  mails.push_back({file.part(rest), line});
  return mails;
}

Mail parse_mail(const RawMail& raw) {
  MailParts parts = read_mail_parts(raw.bytes, raw.line);
  const MailAddress address = parse_address(collapse_spaces(parts.from.value_or("")));
  if (address.name == "Mail System Internal Data") {
    Mail note;
    note.line = raw.line;
    note.skipped = true;
    return note;
  }
  if (!parts.has_patch || parts.patch.empty()) refuse(raw, "it holds no patch");

  Mail mail;
  mail.author = read_author(raw, address, parts.date);
  std::string message = clean_subject(parts.subject.value_or(""));
  message += "\n\n";
  message += parts.log;
  message = strip_space(message);
  if (message.find('\0') != std::string::npos) refuse(raw, "its message holds a NUL byte");
  mail.message = fix_utf8(std::move(message));
  mail.patch = std::move(parts.patch);
  mail.line = raw.line;
  mail.patch_line = parts.patch_line;
  return mail;
}

}  // namespace flagscale
