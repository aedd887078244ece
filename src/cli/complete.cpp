// SPDX-License-Identifier: Apache-2.0
#include "cli/complete.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/partial_line.h"
#include "commands/store_names.h"

namespace flagscale::cli {
namespace {

/// The answer: a heading, and a candidate a line.
struct Candidates {
  std::string heading;
  std::vector<std::string> lines;
};

Candidates in_folder(const char* what, const std::string& folder) {
  // The answer has no way to say it.
  if (folder.find('\n') != std::string::npos) return {};
  return {std::string(what) + " " + folder, {}};
}

Candidates files_here(const char* what) {
  return in_folder(what, std::filesystem::current_path().string());
}

class Completer {
 public:
  Completer(const CommandSpec& command, const PartialLine& line)
      : command_(command), line_(line), store_(line.query()) {}

  Candidates run() {
    switch (line_.role()) {
      case PartialLine::Role::option:
        return options();
      case PartialLine::Role::value: {
        Candidates found = values();
        return line_.is_further_value() && found.lines.empty() ? options() : found;
      }
      case PartialLine::Role::word: {
        Candidates found = words();
        return found.heading.empty() ? options() : found;
      }
    }
    return {};
  }

 private:
  [[nodiscard]] Candidates options() const {
    Candidates found{"options", {}};
    for (const OptionSpec& option : command_.options) {
      if (line_.has(option) && !option.many) continue;
      found.lines.push_back(std::string("--") + option.name + "\t" + option.help);
    }
    return found;
  }

  Candidates values() {
    if (line_.option() == nullptr) return {};
    const OptionSpec& option = *line_.option();
    const std::string_view kind = option.value;
    if (kind == "<device>") return {"devices", store_.devices()};
    if (kind == "<base>") return bases(option.many);
    if (kind == "<commit>") return {"commits", {}};
    if (kind != "<folder>") return {};
    if (std::string_view(option.name) != "hardware-dir") return files_here("folders");
    const auto top = store_.top();
    return top ? in_folder("folders", *top) : Candidates{};
  }

  /// A base is named by its first digits, but any name of the commit will do.
  Candidates bases(bool of_any_device) {
    std::vector<std::string> bases = store_.bases(of_any_device);
    const auto fits = [&](const std::string& base) { return base.starts_with(line_.typed()); };
    if (std::none_of(bases.begin(), bases.end(), fits)) return {"commits", {}};
    return {"bases", std::move(bases)};
  }

  Candidates words() {
    Candidates all;
    for (const char* usage : command_.usage) {
      Candidates found = words_by(words_of_usage(usage));
      if (found.heading.empty()) continue;
      all.heading = all.heading.empty() || all.heading == found.heading ? found.heading : "names";
      for (std::string& line : found.lines) {
        if (std::find(all.lines.begin(), all.lines.end(), line) != all.lines.end()) continue;
        all.lines.push_back(std::move(line));
      }
    }
    return all;
  }

  /// What one usage line allows here.
  Candidates words_by(const std::vector<std::string>& usage) {
    const std::vector<std::string>& before = line_.words_before();
    Candidates found;
    std::size_t at = 0;
    for (const std::string& shown : usage) {
      if (!shown.starts_with('<')) {
        if (at == before.size()) return {"commands", {shown}};
        if (before[at++] != shown) return {};
      } else if (shown == "<file>") {
        return at == before.size() ? files_here("files") : Candidates{};
      } else if (!add(shown, found)) {
        break;
      }
    }
    return found;
  }

  /// Adds what a placeholder stands for. Returns whether the next one may stand here as well.
  bool add(const std::string& shown, Candidates& found) {
    const bool is_device = shown.starts_with("<device>");
    const bool is_many = shown.ends_with("...");
    const commands::StoreQuery& query = line_.query();
    const bool is_given = !(is_device ? query.devices : query.bases).empty();
    if (is_given && !is_many) return true;
    const std::vector<std::string> names = is_device ? store_.devices() : store_.bases(is_many);
    if (!names.empty()) {
      const char* heading = is_device ? "devices" : "bases";
      found.heading = found.heading.empty() ? heading : "names";
      found.lines.insert(found.lines.end(), names.begin(), names.end());
    }
    // With nothing typed, only what usually comes next.
    return is_given || !line_.typed().empty();
  }

  const CommandSpec& command_;
  const PartialLine& line_;
  commands::StoreNames store_;
};

/// Before a subcommand is known.
Candidates first_words(const std::string& typed) {
  if (typed.starts_with('-')) {
    return {"options", {"--help\tshow this help", "--version\tshow the version"}};
  }
  Candidates found{"commands", {}};
  for (const CommandSpec& command : command_table()) {
    found.lines.push_back(std::string(command.name) + "\t" + command.summary);
  }
  found.lines.emplace_back("help\tshow the manual");
  return found;
}

Candidates help_topics() {
  Candidates found = first_words("");
  found.lines.pop_back();
  for (const Guide& guide : guides()) {
    found.lines.push_back(std::string(guide.name) + "\t" + guide.summary);
  }
  return found;
}

Candidates find_candidates(const std::vector<std::string>& arguments) {
  std::uint64_t index = 0;
  if (arguments.empty() || !parse_decimal(arguments.front(), index)) return {};
  std::vector<std::string> words(arguments.begin() + 1, arguments.end());
  if (index >= words.size()) return {};
  if (index == 0) return first_words(words.front());
  const std::string name = words.front();
  if (name == "help" || name == "-h" || name == "--help") {
    return index == 1 ? help_topics() : Candidates{};
  }
  const auto& table = command_table();
  const auto command = std::find_if(table.begin(), table.end(),
                                    [&](const CommandSpec& c) { return c.name == name; });
  if (command == table.end()) return {};
  words.erase(words.begin());
  const PartialLine line(*command, words, index - 1);
  return Completer(*command, line).run();
}

}  // namespace

std::string complete(const std::vector<std::string>& words) noexcept {
  try {
    const Candidates found = find_candidates(words);
    if (found.heading.empty()) return "";
    std::string out = found.heading + "\n";
    for (const std::string& line : found.lines) out += line + "\n";
    return out;
  } catch (const std::exception&) {
    return "";
  }
}

}  // namespace flagscale::cli
