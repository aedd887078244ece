// SPDX-License-Identifier: Apache-2.0
#include "git/config.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cinttypes>
#include <memory>

#include "base/bytes.h"
#include "base/error.h"
#include "base/quote.h"
#include "git/command.h"

namespace flagscale::git {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

/// git lists section and variable in lower case and keeps what stands between them.
std::string canonical_key(std::string_view key) {
  const std::size_t first = key.find('.');
  const std::size_t last = key.rfind('.');
  if (first == std::string_view::npos) return lower(key);
  return lower(key.substr(0, first)) + std::string(key.substr(first, last - first)) +
         lower(key.substr(last));
}

/// A question to git and its answer.
struct Here {
  std::unique_ptr<Process> question;
  std::optional<Config> config;
};

Here& here() {
  static Here state;
  return state;
}

/// A number as git's configuration has it: with a sign, octal or hexadecimal as in C, and with a
/// unit.
std::optional<std::intmax_t> parse_number(const std::string& text) {
  errno = 0;
  char* end = nullptr;
  const std::intmax_t number = std::strtoimax(text.c_str(), &end, 0);
  const std::string_view unit = end;
  if (end == text.c_str() || errno == ERANGE) return std::nullopt;
  if (!unit.empty() && unit != "k" && unit != "m" && unit != "g") return std::nullopt;
  return number;
}

}  // namespace

void ask_for_config() {
  here().config.reset();
  // NOLINTNEXTLINE(modernize-make-unique): a Process stays where it was made.
  here().question.reset(new Process(start_git({"config", "--list", "-z"})));
}

const Config& here_config() {
  Here& state = here();
  if (!state.config) {
    if (!state.question) ask_for_config();
    const std::unique_ptr<Process> question = std::move(state.question);
    const ProcessResult listing = question->finish();
    if (listing.status != 0) {
      throw error_from_git(ErrorKind::unable, "cannot read the configuration", listing.err);
    }
    state.config = Config::parse(listing.out);
  }
  return *state.config;
}

Config Config::parse(std::string_view listing) {
  Config config;
  while (!listing.empty()) {
    const std::string_view entry = take_entry(listing);
    const std::size_t lf = entry.find('\n');
    Entry parsed{std::string(entry.substr(0, lf)), std::nullopt};
    if (lf != std::string_view::npos) parsed.value = entry.substr(lf + 1);
    config.entries_.push_back(std::move(parsed));
  }
  return config;
}

std::optional<std::string> Config::find(std::string_view key) const {
  const std::string wanted = canonical_key(key);
  for (auto entry = entries_.rbegin(); entry != entries_.rend(); ++entry) {
    if (entry->key == wanted) return entry->value.value_or("");
  }
  return std::nullopt;
}

std::vector<std::string> Config::find_all(std::string_view key) const {
  const std::string wanted = canonical_key(key);
  std::vector<std::string> values;
  for (const Entry& entry : entries_) {
    if (entry.key == wanted) values.push_back(entry.value.value_or(""));
  }
  return values;
}

bool Config::is_true(std::string_view key, bool fallback) const {
  const std::string wanted = canonical_key(key);
  const auto entry = std::find_if(entries_.rbegin(), entries_.rend(),
                                  [&](const Entry& e) { return e.key == wanted; });
  if (entry == entries_.rend()) return fallback;
  if (!entry->value) return true;
  const std::string value = lower(*entry->value);
  if (value == "true" || value == "yes" || value == "on") return true;
  if (value.empty() || value == "false" || value == "no" || value == "off") return false;
  if (const auto number = parse_number(value)) return *number != 0;
  throw_unable("bad boolean config value " + in_quotes(*entry->value) + " for " +
               in_quotes(wanted));
}

std::vector<std::string> Config::subsections(std::string_view section) const {
  const std::string prefix = lower(section) + ".";
  std::vector<std::string> names;
  for (const Entry& entry : entries_) {
    const std::size_t last = entry.key.rfind('.');
    if (!entry.key.starts_with(prefix) || last < prefix.size()) continue;
    const std::string name = entry.key.substr(prefix.size(), last - prefix.size());
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

}  // namespace flagscale::git
