// SPDX-License-Identifier: Apache-2.0
#include "core/json.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/quote.h"

namespace flagscale {
namespace {

constexpr std::size_t kMaxSize = std::size_t{1} << 20U;
constexpr int kMaxDepth = 64;

std::size_t line_at(std::string_view text, std::size_t position) {
  const std::string_view before = text.substr(0, std::min(position, text.size()));
  return static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')) + 1;
}

[[noreturn]] void fail_at(const std::string& name, std::size_t line, const std::string& what) {
  throw_unable(escaped(name) + ":" + std::to_string(line) + ": " + what);
}

/// Where `"key"` stands first; 0 when it does not.
std::size_t position_of(std::string_view text, const std::string& key) {
  const std::size_t at = text.find(Json(key).dump(-1, ' ', true, Json::error_handler_t::replace));
  return at == std::string_view::npos ? 0 : at;
}

struct Refusal {
  std::string key;
  std::string what;
};

}  // namespace

JsonFile::JsonFile(std::string name, std::string_view text) : name_(std::move(name)), text_(text) {
  if (text.size() > kMaxSize) fail_at(name_, 1, "larger than 1 MiB");
  std::vector<std::set<std::string>> keys;
  const auto strict = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > kMaxDepth) throw Refusal{"", "nested more than 64 levels deep"};
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key) {
      const auto key = parsed.get<std::string>();
      if (!keys.back().insert(key).second) throw Refusal{key, "doubled key " + in_quotes(key)};
    }
    return true;
  };
  try {
    object_ = Json::parse(text_, strict);
  } catch (const Json::parse_error& error) {
    fail_at(name_, line_at(text_, error.byte), "not valid JSON");
  } catch (const Json::out_of_range& error) {
    // The message ends with the number in quotes.
    std::string_view number = error.what();
    number.remove_prefix(std::min(number.find('\'') + 1, number.size()));
    number = number.substr(0, number.rfind('\''));
    fail_at(name_, line_at(text_, text_.find(number)), "a number is too large");
  } catch (const Refusal& refusal) {
    fail(refusal.key, refusal.what);
  }
  if (!object_.is_object()) fail_at(name_, 1, "not a JSON object");
  if (count(object_, "version") != 1) fail("version", "unknown version");
}

void JsonFile::fail(const std::string& key, const std::string& what) const {
  fail_at(name_, key.empty() ? 1 : line_at(text_, position_of(text_, key)), what);
}

const Json& JsonFile::member(const Json& in, const std::string& key) const {
  const auto at = in.find(key);
  if (at == in.end()) fail_at(name_, 1, "no " + in_quotes(key));
  return *at;
}

std::string JsonFile::text(const Json& in, const std::string& key) const {
  const Json& value = member(in, key);
  if (!value.is_string()) fail(key, in_quotes(key) + " is not a string");
  return value.get<std::string>();
}

std::uint64_t JsonFile::count(const Json& in, const std::string& key) const {
  const Json& value = member(in, key);
  if (!value.is_number_unsigned()) fail(key, in_quotes(key) + " is not a count");
  return value.get<std::uint64_t>();
}

git::Oid JsonFile::id(const Json& in, const std::string& key) const {
  const auto id = git::Oid::parse(text(in, key));
  if (!id) fail(key, in_quotes(key) + " is not a full object id");
  return *id;
}

const Json& JsonFile::object(const Json& in, const std::string& key) const {
  const Json& value = member(in, key);
  if (!value.is_object()) fail(key, in_quotes(key) + " is not an object");
  return value;
}

std::vector<std::string> JsonFile::texts(const Json& in, const std::string& key) const {
  const Json& value = member(in, key);
  if (!value.is_array()) fail(key, in_quotes(key) + " is not a list");
  std::vector<std::string> texts;
  for (const Json& element : value) {
    if (!element.is_string()) fail(key, in_quotes(key) + " holds something that is not a string");
    texts.push_back(element.get<std::string>());
  }
  return texts;
}

std::string format_json(const Json& value) {
  return value.dump(2) + "\n";
}

std::string format_json_bytes(std::string_view bytes) {
  if (is_utf8(bytes) && !bytes.starts_with('"')) return std::string(bytes);
  const std::string text = format_c_quoted(bytes);
  return text.starts_with('"') ? text : "\"" + text + "\"";
}

std::string parse_json_bytes(const std::string& value) {
  std::size_t used = 0;
  if (auto plain = parse_c_quoted(value, used); plain && used == value.size()) return *plain;
  return value;
}

}  // namespace flagscale
