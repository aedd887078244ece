// SPDX-License-Identifier: Apache-2.0
#include "core/mail_body.h"

#include <string_view>
#include <utility>

#include "base/error.h"
#include "core/mail_decode.h"
#include "core/mail_header.h"
#include "core/mail_message.h"
#include "core/mail_state.h"
#include "core/mail_text.h"

namespace flagscale {
namespace {

/// Bytes that grow at the end and shrink at the start, both without moving the rest.
class Pending {
 public:
  [[nodiscard]] bool empty() const { return from_ == bytes_.size(); }
  [[nodiscard]] std::string_view view() const { return std::string_view(bytes_).substr(from_); }
  void append(std::string_view more) { bytes_ += more; }
  /// Keeps the part of these bytes that `inner` shows.
  void narrow(std::string_view inner) {
    from_ = static_cast<std::size_t>(inner.data() - bytes_.data());
    bytes_.resize(from_ + inner.size());
  }
  [[nodiscard]] Pending take() { return std::exchange(*this, Pending()); }

 private:
  std::string bytes_;
  std::size_t from_ = 0;
};

class MailReader {
 public:
  MailReader(const Content& bytes, std::string_view text, std::size_t line)
      : lines_(text, line), state_(lines_), message_(bytes, state_) {}

  MailParts read();

 private:
  /// What follows a boundary.
  enum class Next { part, end };

  void read_body(std::string_view line);
  void take_line(std::string_view line);
  void take_decoded(const std::string& chunk);
  void take_unwrapped(std::string_view line, Pending* holder);
  void add_to_message(std::string_view line);
  void flush_pending();

  [[nodiscard]] bool at_boundary(std::string_view line) const;
  [[nodiscard]] bool find_boundary();
  [[nodiscard]] Next pass_boundary();
  [[nodiscard]] bool rest_is_patch() const;
  [[nodiscard]] MailParts finish();

  MailLines lines_;
  MailState state_;
  MailMessage message_;
  /// Where the body of the current part begins.
  std::size_t part_line_ = 0;
  /// The start of a line whose end is yet to come.
  Pending pending_;
};

bool MailReader::at_boundary(std::string_view line) const {
  return !state_.boundaries.empty() && line.starts_with(state_.boundaries.back());
}

bool MailReader::find_boundary() {
  while (lines_.next()) {
    if (at_boundary(without_lf(lines_.current()))) return true;
  }
  return false;
}

/// The current line is a boundary: steps to the first line of the next part's body.
MailReader::Next MailReader::pass_boundary() {
  // Only the innermost part that ends here leaves an empty line behind.
  std::string_view gap = "\n";
  while (lines_.current().substr(state_.boundaries.back().size()).starts_with("--")) {
    state_.boundaries.pop_back();
    add_to_message(std::exchange(gap, ""));
    if (!find_boundary()) return Next::end;
  }
  state_.begin_part();
  std::string line;
  while (read_header(lines_, line)) state_.take_header(line, state_.mail_fields, Again::keep);
  part_line_ = lines_.number() + 1;
  return lines_.next() ? Next::part : Next::end;
}

void MailReader::read_body(std::string_view line) {
  if (!state_.boundaries.empty()) {
    if (!find_boundary()) return;
    line = without_lf(lines_.current());
  }
  std::string completed;
  for (;;) {
    if (at_boundary(line)) {
      flush_pending();
      if (pass_boundary() == Next::end) return;
      line = lines_.current();
      if (!line.ends_with('\n')) {
        completed = std::string(line) + '\n';
        line = completed;
      }
    }
    take_line(line);
    if (rest_is_patch()) add_to_message(lines_.take_rest());
    if (!lines_.next()) break;
    line = lines_.current();
  }
  flush_pending();
  message_.flush_header();
}

/// Nothing can end or change the patch any more before the mail ends.
bool MailReader::rest_is_patch() const {
  return message_.in_patch() && state_.boundaries.empty() && !state_.flowed &&
         state_.encoding == TransferEncoding::none;
}

void MailReader::take_line(std::string_view line) {
  switch (state_.encoding) {
    case TransferEncoding::none:
      return take_unwrapped(line, nullptr);
    case TransferEncoding::quoted_printable:
      return take_decoded(decode_quoted_printable(line, QuotedPrintable::body));
    case TransferEncoding::base64:
      return take_decoded(decode_base64(line));
  }
}

/// Splits what one line of the mail was decoded to into the lines of the text.
void MailReader::take_decoded(const std::string& chunk) {
  bool joined = !pending_.empty();
  for (std::string_view rest = chunk; !rest.empty(); joined = false) {
    const std::string_view line = flagscale::take_line(rest);
    const bool complete = line.ends_with('\n');
    if (!complete || joined) pending_.append(line);
    if (!complete) return;
    if (joined) {
      Pending whole = pending_.take();
      take_unwrapped(whole.view(), &whole);
    } else {
      take_unwrapped(line, nullptr);
    }
  }
}

/// Joins the lines of flowed text. `holder`, if any, holds the line's bytes and may be robbed.
void MailReader::take_unwrapped(std::string_view line, Pending* holder) {
  if (!state_.flowed || line.empty()) return add_to_message(line);
  const std::string_view text = line.ends_with('\n') ? without_eol(line) : line;
  const std::size_t eol_size = line.size() - text.size();
  if (text == "-- ") {
    flush_pending();
    return add_to_message(line);
  }
  if (text.starts_with(' ')) line.remove_prefix(1);
  const std::string_view unstuffed = line.substr(0, line.size() - eol_size);
  if (unstuffed.ends_with(' ')) {
    const auto kept = unstuffed.substr(0, unstuffed.size() - (state_.delete_space ? 1 : 0));
    if (holder != nullptr && pending_.empty()) {
      holder->narrow(kept);
      pending_ = holder->take();
    } else {
      pending_.append(kept);
    }
    return;
  }
  if (pending_.empty()) return add_to_message(line);
  pending_.append(line);
  flush_pending();
}

void MailReader::flush_pending() {
  if (pending_.empty()) return;
  const Pending whole = pending_.take();
  add_to_message(whole.view());
}

void MailReader::add_to_message(std::string_view line) {
  const bool as_written = state_.encoding == TransferEncoding::none;
  message_.add(line, as_written ? lines_.number() : part_line_);
}

MailParts MailReader::finish() {
  MailFields chosen;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    const bool in_body = message_.in_patch() && state_.body_fields[i];
    chosen[i] = std::move(in_body ? state_.body_fields[i] : state_.mail_fields[i]);
    if (chosen[i] && chosen[i]->find('\0') != std::string::npos) {
      state_.fail("the mail's " + std::string(kFieldNames[i]) + " holds a NUL byte");
    }
  }
  return {.from = std::move(chosen[kFrom]),
          .subject = std::move(chosen[kSubject]),
          .date = std::move(chosen[kDate]),
          .log = message_.take_log(),
          .has_patch = message_.in_patch(),
          .patch = message_.take_patch(),
          .patch_line = message_.patch_line()};
}

MailParts MailReader::read() {
  std::string line;
  while (read_header(lines_, line)) state_.take_header(line, state_.mail_fields, Again::replace);
  part_line_ = lines_.number() + (line == "\n" ? 1 : 0);
  // The mail's own bytes if they are the same, so that they can be shared.
  const bool as_written = line == lines_.current();
  read_body(as_written ? lines_.current() : std::string_view(line));
  return finish();
}

}  // namespace

MailParts read_mail_parts(const Content& bytes, std::size_t line) {
  std::string_view text = bytes.view();
  while (!text.empty() && is_mail_space(text.front())) {
    if (text.front() == '\n') ++line;
    text.remove_prefix(1);
  }
  if (text.empty()) throw_unable("line " + std::to_string(line) + ": the mail is empty");
  return MailReader(bytes, text, line).read();
}

}  // namespace flagscale
