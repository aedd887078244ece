// SPDX-License-Identifier: Apache-2.0
#include "core/mail_writer.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "base/error.h"
#include "core/mailbox.h"
#include "core/message_cleanup.h"

namespace flagscale {
namespace {

constexpr std::string_view kFromLine =
    "From 0000000000000000000000000000000000000000 Mon Sep 17 00:00:00 2001\n";

/// A diff that any reader takes for one, for trying a head out.
constexpr std::string_view kSomeDiff = "diff --git a/f b/f\n";

bool is_plain_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c <= '~'; });
}

/// Whether a line would end the message: git takes it for the start of the patch.
bool ends_message(std::string_view line) {
  if (line.starts_with("diff -") || line.starts_with("Index: ")) return true;
  if (!line.starts_with("---")) return false;
  line.remove_prefix(3);
  const std::size_t text = line.find_first_not_of(" \t\r\v\f\n");
  return text == std::string_view::npos || (text == 1 && line.front() == ' ');
}

/// Whether a line of a message would begin another mail of the mailbox.
bool splits_mailbox(std::string_view line) {
  if (!line.starts_with("From ")) return false;
  return split_mailbox(Content(std::string(kFromLine) + "\n" + std::string(line))).size() > 1;
}

std::string guarded(std::string_view body) {
  std::string out;
  while (!body.empty()) {
    const std::string_view line = take_line(body);
    if (ends_message(line) || splits_mailbox(line)) out += ' ';
    out += line;
  }
  return out;
}

std::string quoted_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

/// Ways to write a name into a From header, plainest first.
std::vector<std::string> name_forms(const std::string& name) {
  if (name.empty()) return {""};
  std::vector<std::string> forms;
  if (is_plain_ascii(name)) forms = {name + " ", quoted_string(name) + " "};
  forms.push_back(format_encoded_words(name) + " ");
  forms.push_back(format_encoded_words(quoted_string(name)) + " ");
  return forms;
}

class HeadWriter {
 public:
  HeadWriter(const git::Signature& author, std::string_view message) : author_(author) {
    author_.name = fix_utf8(author_.name);
    author_.email = fix_utf8(author_.email);
    author_.has_moment = true;
    // git reads no message beyond a NUL.
    const std::string text = fix_utf8(std::string(message.substr(0, message.find('\0'))));
    message_ = strip_space(text);
    guessed_ = author_ != author || text != message;
  }

  MailHead write() {
    from_ = choose_from();
    std::string_view body = message_;
    const std::string subject(without_lf(take_line(body)));
    while (body.starts_with('\n')) body.remove_prefix(1);
    const std::string in_body_from = "From: " + from_ + "\n\n";
    const std::array<MailHead, 4> candidates{{
        {head(subject, guarded(body)), true},
        {head(subject, in_body_from + guarded(body)), true},
        {head("", guarded(message_)), true},
        {head("", in_body_from + guarded(message_)), true},
    }};
    for (const MailHead& candidate : candidates) {
      const std::optional<Mail> mail = read(candidate.text);
      if (mail && mail->author == author_ && mail->message == message_) {
        return {candidate.text, !guessed_};
      }
    }
    return least_change(candidates);
  }

 private:
  /// Nothing passes unchanged: the first that passes at all, without an author of its own in the
  /// body.
  [[nodiscard]] static MailHead least_change(const std::array<MailHead, 4>& candidates) {
    std::optional<Error> refusal;
    for (const std::size_t i : {0U, 2U, 1U, 3U}) {
      try {
        (void)read_or_throw(candidates[i].text);
        return {candidates[i].text, false};
      } catch (const Error& error) {
        if (!refusal) refusal = error;
      }
    }
    throw_refused("git am would refuse " + std::string(refusal ? refusal->what() : "the mail"));
  }

  [[nodiscard]] std::string choose_from() const {
    const std::vector<std::string> forms = name_forms(author_.name);
    for (const std::string& form : forms) {
      std::string from = form + "<" + author_.email + ">";
      const std::optional<Mail> mail = read(head_with(from, "subject", ""));
      if (mail && mail->author == author_) return from;
    }
    return forms.front() + "<" + author_.email + ">";
  }

  static Mail read_or_throw(const std::string& head) {
    const auto mails = split_mailbox(Content(head + std::string(kSomeDiff)));
    if (mails.size() != 1) throw_unable("mail that splits");
    return parse_mail(mails.front());
  }

  static std::optional<Mail> read(const std::string& head) {
    try {
      return read_or_throw(head);
    } catch (const Error&) {
      return std::nullopt;
    }
  }

  [[nodiscard]] std::string head(const std::string& subject, const std::string& body) const {
    return head_with(from_, subject, body);
  }

  [[nodiscard]] std::string head_with(const std::string& from, const std::string& subject,
                                      const std::string& body) const {
    const bool plain = is_plain_ascii(subject) && subject.find("=?") == std::string::npos;
    std::string text(kFromLine);
    text += "From: " + from + "\n";
    text += "Date: " + format_mail_date(author_.seconds, author_.zone) + "\n";
    text += "Subject: [PATCH] " + (plain ? subject : format_encoded_words(subject)) + "\n";
    text +=
        "MIME-Version: 1.0\n"
        "Content-Type: text/plain; charset=UTF-8\n"
        "Content-Transfer-Encoding: 8bit\n"
        "\n";
    text += body;
    if (!text.ends_with('\n')) text += '\n';
    return text + "---\n\n";
  }

  git::Signature author_;
  std::string message_;
  /// Whether there were bytes that are no UTF-8, a NUL, or no date.
  bool guessed_ = false;
  std::string from_;
};

/// Seconds that a zone such as "-0330" is ahead of UTC.
std::int64_t zone_seconds(std::string_view zone) {
  std::uint64_t digits = 0;
  if (zone.size() < 2 || !parse_decimal(zone.substr(1), digits) || digits > 9999) return 0;
  const auto seconds = static_cast<std::int64_t>((digits / 100 * 60 + digits % 100) * 60);
  return zone.front() == '-' ? -seconds : seconds;
}

std::string two_digits(unsigned number) {
  std::string text = std::to_string(number);
  return text.size() < 2 ? "0" + text : text;
}

}  // namespace

std::string format_mail_date(std::uint64_t seconds, std::string_view zone) {
  static constexpr std::array<const char*, 7> kDays{"Sun", "Mon", "Tue", "Wed",
                                                    "Thu", "Fri", "Sat"};
  static constexpr std::array<const char*, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                       "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  // Years of more than four digits are no dates to any reader; the caller's check refuses them.
  static constexpr std::uint64_t kEndOf9999 = 253402300799U - 86400U;
  if (seconds > kEndOf9999) return std::to_string(seconds) + " " + std::string(zone);
  using std::chrono::days;
  using std::chrono::sys_days;
  const auto local = static_cast<std::int64_t>(seconds) + zone_seconds(zone);
  const auto day_number = (local >= 0 ? local : local - 86399) / 86400;
  const auto in_day = static_cast<unsigned>(local - day_number * 86400);
  const sys_days day{days{day_number}};
  const std::chrono::year_month_day date(day);
  const std::chrono::weekday weekday(day);
  return std::string(kDays[weekday.c_encoding()]) + ", " +
         std::to_string(static_cast<unsigned>(date.day())) + " " +
         kMonths[static_cast<unsigned>(date.month()) - 1] + " " +
         std::to_string(static_cast<int>(date.year())) + " " + two_digits(in_day / 3600) + ":" +
         two_digits(in_day / 60 % 60) + ":" + two_digits(in_day % 60) + " " + std::string(zone);
}

std::string format_encoded_words(std::string_view text) {
  static constexpr std::string_view kOpen = "=?UTF-8?q?";
  static constexpr std::size_t kMaxWord = 75;
  static constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string out(kOpen);
  std::size_t used = kOpen.size();
  while (!text.empty()) {
    // A character is never split between words.
    std::size_t length = 1;
    while (length < text.size() && (static_cast<unsigned char>(text[length]) & 0xc0U) == 0x80) {
      ++length;
    }
    std::string piece;
    for (const char c : text.substr(0, length)) {
      const bool plain = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
      if (plain) {
        piece += c;
      } else {
        const auto byte = static_cast<unsigned char>(c);
        piece += '=';
        piece += kHex[byte >> 4U];
        piece += kHex[byte & 15U];
      }
    }
    text.remove_prefix(length);
    if (used + piece.size() + 2 > kMaxWord && used > kOpen.size()) {
      out += "?=\n ";
      out += kOpen;
      used = kOpen.size();
    }
    out += piece;
    used += piece.size();
  }
  return out + "?=";
}

MailHead format_mail_head(const git::Signature& author, std::string_view message) {
  return HeadWriter(author, message).write();
}

}  // namespace flagscale
