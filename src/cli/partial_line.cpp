// SPDX-License-Identifier: Apache-2.0
#include "cli/partial_line.h"

#include <algorithm>
#include <utility>

#include "core/device_type.h"

namespace flagscale::cli {
namespace {

bool takes_value(const OptionSpec& option) {
  return *option.value != 0;
}

const OptionSpec* find_long(const CommandSpec& command, std::string_view name) {
  const OptionSpec* match = nullptr;
  for (const OptionSpec& option : command.options) {
    const std::string_view full = option.name;
    if (full == name) return &option;
    if (name.empty() || !full.starts_with(name)) continue;
    if (match != nullptr) return nullptr;
    match = &option;
  }
  return match;
}

/// The last of combined short options, or the first that takes a value: the rest of the word.
const OptionSpec* find_short(const CommandSpec& command, std::string_view letters) {
  const OptionSpec* match = nullptr;
  for (const char letter : letters) {
    const auto at = std::find_if(command.options.begin(), command.options.end(),
                                 [&](const OptionSpec& o) { return o.letter == letter; });
    if (at == command.options.end()) return nullptr;
    match = &*at;
    if (takes_value(*match)) break;
  }
  return match;
}

}  // namespace

std::vector<std::string> words_of_usage(std::string_view line) {
  std::vector<std::string> words;
  if (line.starts_with(' ')) return words;
  line.remove_prefix(std::min(line.find(' '), line.size()));
  while (!line.empty()) {
    line.remove_prefix(1);
    std::string word(line.substr(0, line.find(' ')));
    line.remove_prefix(word.size());
    std::erase_if(word, [](char c) { return c == '[' || c == ']'; });
    if (word.starts_with('-')) break;
    words.push_back(std::move(word));
  }
  return words;
}

PartialLine::PartialLine(const CommandSpec& command, const std::vector<std::string>& words,
                         std::size_t index)
    : command_(command) {
  for (const std::string& word : words_of_usage(command.usage.front())) {
    if (word.starts_with('<')) break;
    ++subcommands_;
  }
  for (std::size_t i = 0; i < words.size(); ++i) read(words[i], i == index);
}

bool PartialLine::has(const OptionSpec& option) const {
  return std::find(options_.begin(), options_.end(), &option) != options_.end();
}

void PartialLine::read(const std::string& word, bool at_cursor) {
  if (const OptionSpec* pending = std::exchange(pending_, nullptr)) {
    read_value(*pending, word, at_cursor, false);
  } else if (!only_words_ && word == "--" && !at_cursor) {
    only_words_ = true;
    open_ = nullptr;
  } else if (!only_words_ && word.starts_with('-')) {
    read_option(word, at_cursor);
  } else if (open_ != nullptr) {
    read_value(*open_, word, at_cursor, true);
  } else {
    read_word(word, at_cursor);
  }
}

void PartialLine::read_option(const std::string& word, bool at_cursor) {
  open_ = nullptr;
  const bool is_long = word.starts_with("--");
  const std::size_t equals = is_long ? word.find('=') : std::string::npos;
  if (at_cursor && equals == std::string::npos) {
    set_cursor(Role::option, word);
    return;
  }
  const OptionSpec* option = is_long ? find_long(command_, word.substr(2, equals - 2))
                                     : find_short(command_, word.substr(1));
  if (at_cursor && (option == nullptr || !takes_value(*option))) set_cursor(Role::value, "");
  if (option == nullptr) return;
  options_.push_back(option);
  if (!takes_value(*option)) return;
  if (equals != std::string::npos) {
    read_value(*option, word.substr(equals + 1), at_cursor, false);
  } else if (is_long || word.back() == option->letter) {
    pending_ = option;
  }
}

void PartialLine::read_value(const OptionSpec& option, const std::string& text, bool at_cursor,
                             bool is_further) {
  open_ = option.many ? &option : nullptr;
  if (at_cursor) {
    set_cursor(Role::value, text);
    option_ = &option;
    is_further_value_ = is_further;
    return;
  }
  const std::string_view name = option.name;
  if (name == "from") query_.from = text;
  if (name == "hardware-dir") query_.hardware_dir = text;
  if (name == "device-type" || name == "commit-id") add_name(text);
}

void PartialLine::read_word(const std::string& word, bool at_cursor) {
  if (at_cursor) {
    set_cursor(Role::word, word);
    return;
  }
  if (!passed_cursor_) words_.push_back(word);
  if (subcommands_ > 0) {
    --subcommands_;
  } else {
    add_name(word);
  }
}

void PartialLine::add_name(const std::string& text) {
  (DeviceType::find(text) ? query_.devices : query_.bases).push_back(text);
}

void PartialLine::set_cursor(Role role, const std::string& typed) {
  role_ = role;
  typed_ = typed;
  passed_cursor_ = true;
}

}  // namespace flagscale::cli
