// SPDX-License-Identifier: Apache-2.0
#include "core/hetero.h"

#include <algorithm>
#include <cctype>

#include "base/bytes.h"
#include "base/error.h"
#include "base/quote.h"
#include "core/json.h"
#include "git/object.h"

namespace flagscale {
namespace {

constexpr std::size_t kMaxText = std::size_t{1} << 20U;

/// Leaves room for ".json" and a temporary file's ending in 255 bytes.
constexpr std::size_t kMaxFileName = 200;

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (;;) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return words;
    text.remove_prefix(first);
    const std::size_t length = std::min(text.find_first_of(" \t"), text.size());
    words.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
}

[[noreturn]] void bad_line(const std::string& name, std::size_t line, const std::string& what) {
  throw_unable(escaped(name) + ":" + std::to_string(line) + ": " + what);
}

HeteroLine parse_line(const std::string& name, std::size_t number, std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) bad_line(name, number, "no ':' after the base");
  const auto base = words_of(text.substr(0, colon));
  if (base.size() != 1 || !git::is_hex(base.front()) || base.front().size() < 4 ||
      base.front().size() > git::Oid::kHexSize) {
    bad_line(name, number, "the line does not begin with a commit id");
  }
  HeteroLine line;
  line.line = number;
  line.base = base.front();
  for (char& c : line.base) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  for (const std::string_view word : words_of(text.substr(colon + 1))) {
    auto device = DeviceType::find(word);
    if (!device) bad_line(name, number, "invalid device type " + in_quotes(word));
    line.devices.push_back(*std::move(device));
  }
  line.devices = normalised(std::move(line.devices));
  if (line.devices.size() < 2) bad_line(name, number, "fewer than two device types");
  return line;
}

}  // namespace

Devices normalised(Devices devices) {
  std::sort(devices.begin(), devices.end());
  devices.erase(std::unique(devices.begin(), devices.end()), devices.end());
  return devices;
}

bool contains(const Devices& whole, const Devices& part) {
  return std::includes(whole.begin(), whole.end(), part.begin(), part.end());
}

std::string format_devices(const Devices& devices) {
  std::string out;
  for (const DeviceType& device : devices) out += (out.empty() ? "" : " ") + device.text();
  return out;
}

std::string combination_file_name(const Devices& devices) {
  std::string name;
  for (const DeviceType& device : devices) name += (name.empty() ? "" : "+") + device.text();
  if (name.size() > kMaxFileName) {
    const std::string hash = git::hash_object(git::ObjectType::blob, name).hex();
    name = name.substr(0, kMaxFileName - hash.size() - 1) + "+" + hash;
  }
  return name + ".json";
}

std::string format_combination(const Combination& combination) {
  Json devices = Json::array();
  for (const DeviceType& device : combination.devices) devices.push_back(device.text());
  return format_json(
      Json{{"version", 1}, {"base", combination.base.hex()}, {"devices", std::move(devices)}});
}

Combination parse_combination(const std::string& name, std::string_view text) {
  const JsonFile file(name, text);
  Combination combination;
  combination.base = file.id(file.object(), "base");
  for (const std::string& word : file.texts(file.object(), "devices")) {
    auto device = DeviceType::find(word);
    if (!device) file.fail("devices", "invalid device type " + in_quotes(word));
    combination.devices.push_back(*std::move(device));
  }
  if (combination.devices.size() < 2 || normalised(combination.devices) != combination.devices) {
    file.fail("devices", "'devices' is not a sorted list of two or more device types");
  }
  return combination;
}

std::vector<HeteroLine> parse_hetero_text(const std::string& name, std::string_view text) {
  if (text.size() > kMaxText) bad_line(name, 1, "larger than 1 MiB");
  std::vector<HeteroLine> lines;
  std::size_t number = 0;
  while (!text.empty()) {
    ++number;
    std::string_view line = without_eol(take_line(text));
    line = line.substr(0, line.find('#'));
    if (words_of(line).empty()) continue;
    lines.push_back(parse_line(name, number, line));
  }
  return lines;
}

std::string format_hetero_line(std::string_view base, const Devices& devices) {
  return std::string(base) + ": " + format_devices(devices) + "\n";
}

}  // namespace flagscale
