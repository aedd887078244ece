// SPDX-License-Identifier: Apache-2.0
#include "commands/identity.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "core/ident.h"
#include "core/mail_date.h"
#include "core/message_cleanup.h"

namespace flagscale::commands {
namespace {

struct RoleNames {
  std::string variables;
  std::string section;
};

RoleNames names_of(Role role) {
  return role == Role::author ? RoleNames{"GIT_AUTHOR_", "author."}
                              : RoleNames{"GIT_COMMITTER_", "committer."};
}

std::optional<std::string> find_variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

bool is_taken_as_it_is(const std::string& part) {
  return !part.empty() && clean_ident(part) == part && fix_utf8(part) == part;
}

/// A name or an address, where the first place that gives one gives one that needs no care.
std::optional<std::string> find_part(const git::Config& config, const std::string& variable,
                                     const std::string& own_key, const std::string& user_key) {
  std::optional<std::string> part = find_variable(variable);
  if (!part) part = config.find(own_key);
  if (!part) part = config.find(user_key);
  return part && is_taken_as_it_is(*part) ? part : std::nullopt;
}

/// Seconds that make no whole minute are left out.
std::string format_zone(long seconds_east) {
  const long minutes = seconds_east / 60;
  const std::string digits =
      std::to_string(std::labs(minutes) / 60 * 100 + std::labs(minutes) % 60);
  return (minutes < 0 ? "-" : "+") + std::string(4 - std::min<std::size_t>(4, digits.size()), '0') +
         digits;
}

bool set_moment(git::Signature& who, std::time_t now) {
  std::tm local{};
  if (now < 0 || localtime_r(&now, &local) == nullptr) return false;
  who.seconds = static_cast<std::uint64_t>(now);
  who.zone = format_zone(local.tm_gmtoff);
  return true;
}

/// `seconds zone` with nine digits or more: what is shorter and without `@`, and every other
/// format, git may read by the clock and in the local zone.
bool set_moment(git::Signature& who, std::string_view date) {
  static constexpr std::size_t kZoneSize = 5;
  const std::string_view text = date.substr(date.starts_with('@') ? 1 : 0);
  const std::size_t space = text.find(' ');
  if (space < 9 || space > 10 || text.size() != space + 1 + kZoneSize) return false;
  std::uint64_t number = 0;
  const char sign = text[space + 1];
  if (!parse_decimal(text.substr(0, space), number) || (sign != '+' && sign != '-') ||
      !parse_decimal(text.substr(space + 2), number)) {
    return false;
  }
  const auto read = parse_mail_date(date);
  if (!read) return false;
  who.seconds = read->seconds;
  who.zone = read->zone;
  return true;
}

}  // namespace

std::optional<git::Signature> find_plain_identity(const git::Config& config, Role role,
                                                  std::time_t now) {
  const RoleNames names = names_of(role);
  const auto name =
      find_part(config, names.variables + "NAME", names.section + "name", "user.name");
  const auto email =
      find_part(config, names.variables + "EMAIL", names.section + "email", "user.email");
  if (!name || !email) return std::nullopt;
  git::Signature who{.name = *name, .email = *email};
  const std::string date = find_variable(names.variables + "DATE").value_or("");
  const bool is_plain = date.empty() ? set_moment(who, now) : set_moment(who, date);
  return is_plain ? std::optional(who) : std::nullopt;
}

}  // namespace flagscale::commands
