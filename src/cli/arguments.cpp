// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments.h"

#include <algorithm>

// A value is one value, whatever stands in it.
#define CXXOPTS_VECTOR_DELIMITER '\0'
// Its regular expressions would be made at every start, a tenth of a millisecond.
#define CXXOPTS_NO_REGEX true
#include <cxxopts.hpp>

#include "base/error.h"
#include "base/names.h"
#include "base/quote.h"

namespace flagscale::cli {
namespace {

/// Rewrites git's ways of giving options into the one that cxxopts reads without guessing: each
/// option in full, its value as a word of its own (cxxopts reads no `--name=value` with a LF in
/// it), all other words apart.
class Normaliser {
 public:
  Normaliser(const CommandSpec& command, const std::vector<std::string>& words)
      : command_(command), words_(words) {}

  /// Options and values. The other words are left in `plain()`.
  std::vector<std::string> run() {
    while (at_ < words_.size()) {
      const std::string word = words_[at_++];
      if (word == "--") {
        plain_.insert(plain_.end(), words_.begin() + static_cast<std::ptrdiff_t>(at_),
                      words_.end());
        break;
      }
      if (word.starts_with("--")) {
        long_option(word.substr(2));
      } else if (word.size() > 1 && word.front() == '-') {
        short_options(word.substr(1));
      } else {
        plain_.push_back(word);
      }
    }
    if (!plain_.empty() && !command_.takes_words) {
      throw_usage("unexpected argument " + in_quotes(plain_.front()), {see_help()});
    }
    return std::move(out_);
  }
  [[nodiscard]] std::vector<std::string> plain() { return std::move(plain_); }

 private:
  [[nodiscard]] std::string see_help() const { return cli::see_help(command_.name); }

  void long_option(const std::string& text) {
    const std::size_t equals = text.find('=');
    const OptionSpec& option = find_long(text.substr(0, equals));
    const std::string name = std::string("--") + option.name;
    if (*option.value == 0) {
      if (equals != std::string::npos)
        throw_usage("option '" + name + "' takes no value", {see_help()});
      out_.push_back(name);
    } else if (equals != std::string::npos) {
      add_value(option, text.substr(equals + 1));
      take_more(option);
    } else {
      take_value(option);
    }
  }

  const OptionSpec& find_long(const std::string& given) {
    std::vector<const OptionSpec*> matches;
    std::vector<std::string> names;
    for (const OptionSpec& option : command_.options) {
      if (given == option.name) return option;
      names.emplace_back(option.name);
      if (!given.empty() && names.back().starts_with(given)) matches.push_back(&option);
    }
    if (matches.size() == 1) return *matches.front();
    if (matches.size() > 1) {
      throw_usage("ambiguous option: --" + escaped(given) + " (could be --" + matches[0]->name +
                      " or --" + matches[1]->name + ")",
                  {see_help()});
    }
    throw_unknown("option", "--" + given, with_dashes(names), see_help());
  }

  static std::vector<std::string> with_dashes(std::vector<std::string> names) {
    for (std::string& name : names) name.insert(0, "--");
    return names;
  }

  void short_options(const std::string& letters) {
    for (std::size_t i = 0; i < letters.size(); ++i) {
      const auto option = std::find_if(command_.options.begin(), command_.options.end(),
                                       [&](const OptionSpec& o) { return o.letter == letters[i]; });
      if (option == command_.options.end()) {
        throw_usage("unknown option " + in_quotes("-" + letters.substr(i, 1)), {see_help()});
      }
      if (*option->value == 0) {
        out_.push_back(std::string("--") + option->name);
      } else if (i + 1 < letters.size()) {
        add_value(*option, letters.substr(i + 1));
        return;
      } else {
        take_value(*option);
      }
    }
  }

  void take_value(const OptionSpec& option) {
    if (at_ == words_.size()) {
      throw_usage(std::string("option '--") + option.name + "' needs a value", {see_help()});
    }
    add_value(option, words_[at_++]);
    take_more(option);
  }

  void take_more(const OptionSpec& option) {
    if (!option.many) return;
    while (at_ < words_.size() && !words_[at_].starts_with('-')) {
      add_value(option, words_[at_++]);
    }
  }

  void add_value(const OptionSpec& option, const std::string& value) {
    out_.push_back(std::string("--") + option.name);
    out_.push_back(value);
  }

  const CommandSpec& command_;
  const std::vector<std::string>& words_;
  std::size_t at_ = 0;
  std::vector<std::string> out_;
  std::vector<std::string> plain_;
};

}  // namespace

Arguments::Arguments(const CommandSpec& command, const std::vector<std::string>& words) {
  Normaliser normaliser(command, words);
  const std::vector<std::string> normalised = normaliser.run();
  words_ = normaliser.plain();

  cxxopts::Options options("git flagscale");
  for (const OptionSpec& option : command.options) {
    if (*option.value == 0) {
      options.add_options()(option.name, option.help);
    } else {
      options.add_options()(option.name, option.help, cxxopts::value<std::vector<std::string>>());
    }
  }
  std::vector<const char*> argv = {"git-flagscale"};
  for (const std::string& word : normalised) argv.push_back(word.c_str());
  try {
    const cxxopts::ParseResult result = options.parse(static_cast<int>(argv.size()), argv.data());
    for (const OptionSpec& option : command.options) {
      if (result.count(option.name) == 0) continue;
      values_[option.name] = *option.value == 0
                                 ? std::vector<std::string>{}
                                 : result[option.name].as<std::vector<std::string>>();
    }
  } catch (const cxxopts::exceptions::exception& error) {
    throw_usage(escaped(error.what()));
  }
}

bool Arguments::has(const std::string& name) const {
  return values_.contains(name);
}

std::optional<std::string> Arguments::find(const std::string& name) const {
  const auto at = values_.find(name);
  if (at == values_.end() || at->second.empty()) return std::nullopt;
  return at->second.back();
}

std::vector<std::string> Arguments::all(const std::string& name) const {
  const auto at = values_.find(name);
  return at == values_.end() ? std::vector<std::string>{} : at->second;
}

std::string see_help(const std::string& command) {
  return "see 'git flagscale " + command + " -h'";
}

void throw_unknown(const std::string& what, const std::string& given,
                   const std::vector<std::string>& known, const std::string& help) {
  const auto likely = find_likely_name(given, known);
  throw_usage("unknown " + what + " " + in_quotes(given),
              {likely ? "did you mean " + in_quotes(*likely) + "?" : help});
}

}  // namespace flagscale::cli
