// SPDX-License-Identifier: Apache-2.0
#include "cli/app.h"

#include <algorithm>
#include <csignal>
#include <exception>
#include <new>

#include "base/bytes.h"
#include "base/error.h"
#include "base/files.h"
#include "base/interrupt.h"
#include "base/quote.h"
#include "cli/actions.h"
#include "cli/arguments.h"
#include "cli/complete.h"
#include "cli/format.h"
#include "cli/help.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "version.h"

namespace flagscale::cli {
namespace {

constexpr int kRefused = 1;
constexpr int kCannot = 128;
constexpr int kUsage = 129;

struct KindText {
  const char* name;
  const char* prefix;
  int status;
};

KindText describe(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return {"usage", "error: ", kUsage};
    case ErrorKind::refused:
      return {"refused", "error: ", kRefused};
    case ErrorKind::unable:
      return {"unable", "fatal: ", kCannot};
    case ErrorKind::io:
      return {"io", "fatal: ", kCannot};
    case ErrorKind::bug:
      return {"bug", "fatal: ", kCannot};
  }
  return {"bug", "fatal: ", kCannot};
}

const CommandSpec& find_command(const std::string& name) {
  std::vector<std::string> names;
  for (const CommandSpec& command : command_table()) {
    if (name == command.name) return command;
    names.emplace_back(command.name);
  }
  throw_unknown("command", name, names, "see 'git flagscale -h'");
}

void help(const std::vector<std::string>& words) {
  if (words.size() > 1) throw_usage("unexpected argument " + in_quotes(words[1]));
  if (words.empty()) {
    print_result(general_help());
    return;
  }
  for (const Guide& guide : guides()) {
    if (words.front() == guide.name) show_guide(guide);
  }
  show_help(find_command(words.front()));
}

/// The first words, before a subcommand is known. Returns whether that was all.
bool answer_general(const std::vector<std::string>& words) {
  const std::string& first = words.front();
  if (first == "__complete") {
    print_result(complete({words.begin() + 1, words.end()}));
  } else if (first == "help") {
    help({words.begin() + 1, words.end()});
  } else if (first == "-h") {
    print_result(general_help());
  } else if (first == "--help") {
    show_help();
  } else if (first == "--version") {
    print_result("git-flagscale version " FLAGSCALE_VERSION "\n");
  } else if (first.starts_with('-')) {
    throw_unknown("option", first, {"--help", "--version"}, "see 'git flagscale -h'");
  } else {
    return false;
  }
  return true;
}

/// `--json` and `-q` must count for errors in the arguments, too.
Output guess_output(const std::vector<std::string>& words) {
  Output output;
  for (const std::string& word : words) {
    if (word == "--") break;
    output.json = output.json || word == "--json";
    output.quiet = output.quiet || word == "-q" || word == "--quiet";
  }
  return output;
}

/// `-h` is the short help, `--help` the long one.
bool wants_long_help(const std::vector<std::string>& words) {
  return std::find(words.begin(), words.end(), "-h") == words.end();
}

int run_command(const std::vector<std::string>& words, Output& output) {
  const CommandSpec& command = find_command(words.front());
  const Arguments arguments(command, {words.begin() + 1, words.end()});
  output = {arguments.has("json"), arguments.has("quiet")};
  if (arguments.has("help")) {
    if (wants_long_help(words)) {
      show_help(command);
    } else {
      print_result(command_help(command));
    }
    return 0;
  }
  return action_of(command.name)(arguments, output);
}

int fail(const Error& error, const std::string& command, const Output& output) {
  const KindText kind = describe(error.kind());
  if (output.json) {
    try {
      print_result(format_error_json(command, kind.name, error.what(), error.hints()));
      return kind.status;
    } catch (const Error&) {
      // stdout cannot be written to, so stderr has to do.
    }
  }
  say_error(kind.prefix + std::string(error.what()));
  say_hints(error.hints());
  return kind.status;
}

/// All is cleaned up; the shell should see what ended us.
int end_by_signal() {
  std::signal(interrupted(), SIG_DFL);
  std::raise(interrupted());
  return 128 + interrupted();
}

}  // namespace

int run(const std::vector<std::string>& words) {
  open_closed_standard_files();
  // A reader that goes away shows as an error of write(), where it can be handled.
  std::signal(SIGPIPE, SIG_IGN);
  catch_interrupts();
  if (words.empty()) {
    say(without_lf(general_help()));
    return kUsage;
  }
  Output output = guess_output(words);
  try {
    if (answer_general(words)) return 0;
    return run_command(words, output);
  } catch (const Error& error) {
    // Ctrl-C ends the git processes that we wait for, too: they fail, and nobody needs to hear it.
    if (interrupted() != 0) return end_by_signal();
    return fail(error, words.front(), output);
  } catch (const Interrupted&) {
    return end_by_signal();
  } catch (const std::bad_alloc&) {
    return fail(Error(ErrorKind::io, "out of memory"), words.front(), output);
  } catch (const std::exception& error) {
    return fail(Error(ErrorKind::bug, escaped(error.what())), words.front(), output);
  }
}

}  // namespace flagscale::cli
