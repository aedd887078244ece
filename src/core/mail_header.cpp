// SPDX-License-Identifier: Apache-2.0
#include "core/mail_header.h"

#include <algorithm>

#include "base/bytes.h"
#include "core/mail_text.h"

namespace flagscale {
namespace {

bool looks_like_header(std::string_view line) {
  if (line.starts_with("From ") || line.starts_with(">From ")) return true;
  for (const char c : line) {
    if (c == ':') return true;
    if (c < '!' || c > '~') return false;
  }
  return false;
}

/// The value of `name` (with its `=`) in a header such as Content-Type.
std::optional<std::string_view> attribute(std::string_view value, std::string_view name) {
  const std::size_t at = find_ignoring_case(value, name);
  if (at == std::string_view::npos) return std::nullopt;
  value.remove_prefix(at + name.size());
  if (!value.starts_with('"')) return value.substr(0, value.find_first_of("; \t"));
  value.remove_prefix(1);
  return value.substr(0, value.find('"'));
}

bool has_attribute(std::string_view value, std::string_view name, std::string_view wanted) {
  const auto found = attribute(value, name);
  return found && equal_ignoring_case(*found, wanted);
}

/// Undoes quoted strings and backslashes. Comments stay, since some mail programs put the name
/// into one, but backslashes in them go.
std::string unquote(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\\' && (in_string || depth > 0)) {
      if (++at < text.size()) out += text[at];
      continue;
    }
    if (c == '"' && depth == 0) {
      in_string = !in_string;
      continue;
    }
    if (!in_string && c == '(') ++depth;
    if (!in_string && c == ')' && depth > 0) --depth;
    out += c;
  }
  return out;
}

/// The e-mail address stands in for a name that is missing or cannot be one.
MailAddress sane_address(std::string_view name, std::string_view email) {
  constexpr std::size_t kLongestName = 60;
  const bool sane = !name.empty() && name.size() <= kLongestName &&
                    name.find_first_of("@<>") == std::string_view::npos;
  return {std::string(sane ? name : email), std::string(email)};
}

/// `John Doe <john>`: an address without an at sign.
MailAddress parse_bracketed(std::string_view from) {
  const std::size_t open = from.find('<');
  if (open == std::string_view::npos) return {};
  const std::size_t close = from.find('>', open);
  if (close == std::string_view::npos) return {};
  return sane_address(trim(from.substr(0, open)), from.substr(open + 1, close - open - 1));
}

}  // namespace

bool MailLines::next() {
  if (rest_.empty()) return false;
  current_ = take_line(rest_);
  ++next_;
  return true;
}

std::string_view MailLines::take_rest() {
  const std::string_view all = rest_;
  rest_.remove_prefix(rest_.size());
  return all;
}

bool read_header(MailLines& lines, std::string& line) {
  if (!lines.next()) return false;
  line = trim_right(lines.current());
  if (line.empty() || !looks_like_header(line)) {
    line += '\n';
    return false;
  }
  while (lines.rest().starts_with(' ') || lines.rest().starts_with('\t')) {
    lines.next();
    const std::string_view more = trim_right(lines.current());
    if (more.empty()) continue;
    line += ' ';
    line += more.substr(1);
  }
  return true;
}

std::optional<std::string_view> header_value(std::string_view line, std::string_view name) {
  line = up_to_nul(line);
  if (!starts_with_ignoring_case(line, name)) return std::nullopt;
  line.remove_prefix(name.size());
  if (!line.starts_with(':')) return std::nullopt;
  line.remove_prefix(1);
  while (!line.empty() && is_mail_space(line.front())) line.remove_prefix(1);
  return line;
}

ContentType parse_content_type(std::string_view value) {
  value = up_to_nul(value);
  ContentType type;
  type.flowed = has_attribute(value, "format=", "flowed");
  type.delete_space = has_attribute(value, "delsp=", "yes");
  if (const auto boundary = attribute(value, "boundary=")) {
    type.boundary = "--" + std::string(*boundary);
  }
  type.charset = attribute(value, "charset=").value_or("");
  return type;
}

TransferEncoding parse_transfer_encoding(std::string_view value) {
  value = up_to_nul(value);
  const auto names = [value](std::string_view encoding) {
    return find_ignoring_case(value, encoding) != std::string_view::npos;
  };
  if (names("base64")) return TransferEncoding::base64;
  return names("quoted-printable") ? TransferEncoding::quoted_printable : TransferEncoding::none;
}

std::string clean_subject(std::string_view subject) {
  constexpr std::size_t kShortestPatchTag = 7;
  std::string kept;
  while (!subject.empty()) {
    const char c = subject.front();
    if (c == ' ' || c == '\t' || c == ':') {
      subject.remove_prefix(1);
    } else if (subject.size() > 3 && starts_with_ignoring_case(subject, "re:")) {
      subject.remove_prefix(3);
    } else if (const std::size_t end = subject.find(']');
               c == '[' && end != std::string_view::npos) {
      const std::string_view tag = subject.substr(0, end + 1);
      subject.remove_prefix(tag.size());
      if (tag.size() >= kShortestPatchTag && tag.find("PATCH") != std::string_view::npos) continue;
      kept += tag;
      if (subject.empty() || !is_mail_space(subject.front())) continue;
      kept += ' ';
      subject.remove_prefix(1);
    } else {
      break;
    }
  }
  kept += subject;
  return collapse_spaces(trim(kept));
}

MailAddress parse_address(std::string_view from) {
  std::string text = unquote(from);
  const std::size_t at = text.find('@');
  if (at == std::string::npos) return parse_bracketed(from);

  std::size_t start = at;
  while (start > 0 && !is_mail_space(text[start - 1]) && text[start - 1] != '<') --start;
  if (start > 0 && text[start - 1] == '<') text[start - 1] = ' ';
  const std::size_t end = std::min(text.find_first_of(" \n\t\r\v\f>", start), text.size());
  const std::string email = text.substr(start, end - start);
  text.erase(start, email.size() + 1);

  const std::string rest = collapse_spaces(text);
  std::string_view name = trim(rest);
  if (name.size() > 1 && name.front() == '(' && name.back() == ')') {
    name = name.substr(1, name.size() - 2);
  }
  return sane_address(name, email);
}

}  // namespace flagscale
