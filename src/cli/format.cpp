// SPDX-License-Identifier: Apache-2.0
#include "cli/format.h"

#include <array>
#include <cstdio>
#include <ctime>

namespace flagscale::cli {
namespace {

/// Minutes east of UTC; 0 for a zone that makes no sense.
int zone_minutes(const std::string& zone) {
  std::uint64_t number = 0;
  if (zone.size() != 5 || !parse_decimal(std::string_view(zone).substr(1), number)) return 0;
  const int minutes = static_cast<int>(number / 100 * 60 + number % 100);
  return zone.front() == '-' ? -minutes : minutes;
}

std::tm local_time(const git::Signature& who) {
  const auto local =
      static_cast<std::time_t>(who.seconds) + std::time_t{60} * zone_minutes(who.zone);
  std::tm parts{};
  gmtime_r(&local, &parts);
  return parts;
}

}  // namespace

std::string plural(std::uint64_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string format_counts(const PatchCounts& counts) {
  return plural(counts.commits, "commit", "commits") + ", " +
         plural(counts.files_changed, "file", "files") + ", +" + std::to_string(counts.insertions) +
         " -" + std::to_string(counts.deletions);
}

std::string format_day(const git::Signature& who) {
  const std::tm time = local_time(who);
  std::array<char, 32> text{};
  return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%d", &time)};
}

std::string format_moment(const git::Signature& who) {
  const int minutes = zone_minutes(who.zone);
  const int size = minutes < 0 ? -minutes : minutes;
  std::array<char, 16> zone{};
  std::snprintf(zone.data(), zone.size(), "%c%02d:%02d", minutes < 0 ? '-' : '+', size / 60,
                size % 60);
  const std::tm time = local_time(who);
  std::array<char, 32> text{};
  return std::string(text.data(),
                     std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%S", &time)) +
         zone.data();
}

Json counts_json(const PatchCounts& counts) {
  return Json{{"commits", counts.commits},
              {"files_changed", counts.files_changed},
              {"insertions", counts.insertions},
              {"deletions", counts.deletions}};
}

Json counts_json(const std::optional<PatchCounts>& counts) {
  return counts ? counts_json(*counts) : Json();
}

Json id_json(const std::optional<git::Oid>& id) {
  return id ? Json(id->hex()) : Json();
}

Json texts_json(const std::vector<std::string>& texts) {
  Json list = Json::array();
  for (const std::string& text : texts) list.push_back(format_json_bytes(text));
  return list;
}

Json text_or_null(const std::string& text) {
  return text.empty() ? Json() : Json(format_json_bytes(text));
}

Json author_json(const git::Signature& who) {
  return Json{{"name", format_json_bytes(who.name)},
              {"email", format_json_bytes(who.email)},
              {"date", format_moment(who)}};
}

Json devices_json(const Devices& devices) {
  Json list = Json::array();
  for (const DeviceType& device : devices) list.push_back(device.text());
  return list;
}

Json combination_json(const RecordedCombination& combination) {
  return Json{{"base", combination.base},
              {"devices", devices_json(combination.devices)},
              {"path", format_json_bytes(combination.path)},
              {"line", combination.line == 0 ? Json() : Json(combination.line)}};
}

std::string shown_json(const Json& value) {
  const std::string text = format_json(value);
  static constexpr const char* kDigits = "0123456789abcdef";
  const auto spelled_out = [](unsigned char code) {
    return std::string("\\u00") + kDigits[code >> 4U] + kDigits[code & 0xfU];
  };
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    if (byte == 0x7f) {
      out += spelled_out(byte);
    } else if (byte == 0xc2 && next < 0xa0) {
      // A second byte is never below 0x80, since the text is UTF-8.
      out += spelled_out(next);
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string format_error_json(const std::string& command, const std::string& kind,
                              const std::string& message, const std::vector<std::string>& hints) {
  return shown_json(Json{
      {"version", 1},
      {"command", text_or_null(command)},
      {"status", "error"},
      {"error",
       {{"kind", kind}, {"message", format_json_bytes(message)}, {"hints", texts_json(hints)}}}});
}

}  // namespace flagscale::cli
