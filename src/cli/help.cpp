// SPDX-License-Identifier: Apache-2.0
#include "cli/help.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <string_view>

#include "base/error.h"
#include "base/process.h"
#include "base/quote.h"
#include "cli/terminal.h"

namespace flagscale::cli {
namespace {

constexpr std::size_t kColumn = 30;
constexpr std::size_t kWidth = 80;

/// A name padded to the help column, or on a line of its own when it is too long.
std::string left_column(const std::string& text) {
  std::string out = "    " + text;
  if (out.size() + 2 > kColumn) return out + "\n" + std::string(kColumn, ' ');
  return out + std::string(kColumn - out.size(), ' ');
}

/// Words after a left column, on as many lines as they need.
std::string right_column(std::string_view text) {
  std::string out;
  std::size_t used = kColumn;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(text.size(), word.size() + 1));
    if (used > kColumn && used + 1 + word.size() > kWidth) {
      out += "\n" + std::string(kColumn, ' ');
      used = kColumn;
    } else if (used > kColumn) {
      out += ' ';
      ++used;
    }
    out += word;
    used += word.size();
  }
  return out + "\n";
}

/// A usage line, broken before options where it is too long.
std::string fold_usage(std::string line, std::string_view text) {
  static constexpr std::size_t kIndent = std::string_view("usage: git flagscale ").size();
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min({text.find(" [", 1), text.find(" -", 1), text.size()});
    if (line.size() + end > kWidth) {
      out += line + "\n";
      line.assign(kIndent - 1, ' ');
    }
    line += text.substr(0, end);
    text.remove_prefix(end);
  }
  return out + line + "\n";
}

/// Becomes the reader of a man page; returns when there is no such page or no reader.
void open_manual(const std::string& page) {
  try {
    if (run_process({"man", "-w", page}).status != 0) return;
  } catch (const Error&) {
    return;
  }
  std::signal(SIGPIPE, SIG_DFL);
  // Given in full, the name of a page needs not be that of a command.
  execlp("git", "git", "help", "--man", page.c_str(), nullptr);
  std::signal(SIGPIPE, SIG_IGN);
}

}  // namespace

std::string general_help() {
  std::string out = "usage: git flagscale <command> [<options>]\n\n";
  for (const CommandSpec& command : command_table()) {
    out += left_column(command.name) + right_column(command.summary);
  }
  out += left_column("help [<command>]") + "show the manual\n";
  for (const Guide& guide : guides()) {
    out += left_column(std::string("help ") + guide.name) + right_column(guide.summary);
  }
  out += "\n" + left_column("-h, --help") + "show this help\n";
  out += left_column("--version") + "show the version\n";
  out += "\nSee 'git flagscale <command> -h' for one command, 'git help flagscale' for all.\n";
  return out;
}

std::string command_help(const CommandSpec& command) {
  std::string out;
  for (std::size_t i = 0; i < command.usage.size();) {
    std::string text = std::string(" ") + command.usage[i];
    // Lines that begin with blanks go on with the one before.
    for (++i; i < command.usage.size() && *command.usage[i] == ' '; ++i) {
      const std::string_view more = command.usage[i];
      text.append(" ").append(more.substr(more.find_first_not_of(' ')));
    }
    out += fold_usage(out.empty() ? "usage: git flagscale" : "   or: git flagscale", text);
  }
  out += "\n";
  for (const OptionSpec& option : command.options) {
    std::string name = option.letter != 0 ? std::string("-") + option.letter + ", " : "";
    name += std::string("--") + option.name;
    if (*option.value != 0) name += std::string(" ") + option.value + (option.many ? "..." : "");
    out += left_column(name) + right_column(option.help);
  }
  if (*command.note != 0) out += "\n" + std::string(command.note) + "\n";
  return out;
}

const std::vector<Guide>& guides() {
  static const std::vector<Guide> kGuides = {
      {"tutorial", "gitflagscale-tutorial", "lead through a whole adaptation, step by step"},
      {"format", "git-flagscale-format", "tell what is stored, to the letter"},
  };
  return kGuides;
}

void show_guide(const Guide& guide) {
  open_manual(guide.page);
  throw_unable("man finds no page " + in_quotes(guide.page),
               {"README says how to install it and what MANPATH must hold"});
}

void show_help() {
  open_manual("git-flagscale");
  print_result(general_help());
}

void show_help(const CommandSpec& command) {
  open_manual(std::string("git-flagscale-") + command.name);
  print_result(command_help(command));
}

}  // namespace flagscale::cli
