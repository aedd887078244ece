// SPDX-License-Identifier: Apache-2.0
#include "cli/actions.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "base/error.h"
#include "base/quote.h"
#include "cli/terminal.h"
#include "core/device_type.h"

namespace flagscale::cli {
namespace {

void add_device(std::vector<DeviceType>& devices, const std::string& word) {
  DeviceType device = DeviceType::parse(word);
  if (std::find(devices.begin(), devices.end(), device) != devices.end()) {
    throw_usage("device type " + in_quotes(word) + " is given twice");
  }
  devices.push_back(std::move(device));
}

std::vector<DeviceType> device_types(const Arguments& arguments, const char* command) {
  std::vector<DeviceType> devices;
  for (const std::string& word : arguments.all("device-type")) add_device(devices, word);
  if (devices.empty()) {
    throw_usage("which device type? give --device-type <Vendor_Chip>", {see_help(command)});
  }
  return devices;
}

std::string required(const Arguments& arguments, const char* command, const std::string& name) {
  auto value = arguments.find(name);
  if (!value) throw_usage("option '--" + name + "' is required", {see_help(command)});
  if (value->empty()) throw_usage("option '--" + name + "' is empty", {see_help(command)});
  return *std::move(value);
}

/// Device types and bases, as options or as words, which tell themselves apart.
commands::StoreSelection selection_of(const Arguments& arguments,
                                      const std::vector<std::string>& words) {
  commands::StoreSelection selection;
  for (const std::string& word : arguments.all("device-type")) {
    add_device(selection.devices, word);
  }
  selection.bases = arguments.all("commit-id");
  for (const std::string& word : words) {
    if (DeviceType::find(word)) {
      add_device(selection.devices, word);
    } else {
      selection.bases.push_back(word);
    }
  }
  for (const std::string& base : selection.bases) {
    if (base.empty()) throw_usage("a base is empty");
  }
  return selection;
}

/// Runs a command that may take long; how far it is shows where somebody is looking.
template <typename Report, typename Request>
Report run_watched(Report (*run)(const Request&), Request& request, const Output& output) {
  Progress progress(!output.json && !output.quiet);
  request.progress = [&](const char* stage, std::size_t done, std::size_t total) {
    progress.show(stage, done, total);
  };
  Report report = run(request);
  progress.end();
  return report;
}

int patch(const Arguments& arguments, const Output& output) {
  commands::PatchRequest request;
  request.devices = device_types(arguments, "patch");
  request.base = required(arguments, "patch", "base-commit-id");
  request.current = arguments.find("current-commit-id");
  request.onto = arguments.find("onto");
  request.message = arguments.find("message");
  request.hardware_dir = arguments.find("hardware-dir");
  request.squash = arguments.has("squash");
  request.sign_off = arguments.has("signoff");
  request.no_switch = arguments.has("no-switch");
  request.dry_run = arguments.has("dry-run");
  request.want_hint = !output.quiet;
  report(run_watched(commands::run_patch, request, output), output);
  return 0;
}

int unpatch(const Arguments& arguments, const Output& output) {
  commands::UnpatchRequest request;
  request.devices = device_types(arguments, "unpatch");
  request.commit_id = required(arguments, "unpatch", "commit-id");
  request.dir = arguments.find("dir");
  if (request.dir && request.dir->empty()) throw_usage("option '--dir' is empty");
  request.from = arguments.find("from");
  request.branch = arguments.find("branch");
  request.hardware_dir = arguments.find("hardware-dir");
  request.force = arguments.has("force");
  request.dry_run = arguments.has("dry-run");
  report(run_watched(commands::run_unpatch, request, output), output);
  return 0;
}

int list(const Arguments& arguments, const Output& output) {
  commands::ListRequest request;
  request.selection = selection_of(arguments, arguments.words());
  request.from = arguments.find("from");
  request.hardware_dir = arguments.find("hardware-dir");
  report(commands::run_list(request), output);
  return 0;
}

int show(const Arguments& arguments, const Output& output) {
  std::vector<std::string> words = arguments.words();
  auto device = arguments.find("device-type");
  if (!device && !words.empty()) {
    device = words.front();
    words.erase(words.begin());
  }
  if (!device) {
    throw_usage("which device type? git flagscale show <device> [<base>]",
                {"all that there are: git flagscale list"});
  }
  auto base = arguments.find("commit-id");
  if (!base && !words.empty()) {
    base = words.front();
    words.erase(words.begin());
  }
  if (!words.empty()) {
    throw_usage("unexpected argument " + in_quotes(words.front()), {see_help("show")});
  }
  if (base && base->empty()) throw_usage("the base is empty");
  const commands::ShowRequest request{DeviceType::parse(*device), std::move(base),
                                      arguments.find("from"), arguments.find("hardware-dir")};
  if (!arguments.has("patch")) {
    report(commands::run_show(request), output);
    return 0;
  }
  if (output.json) throw_usage("--patch prints the file as it is, --json does not go with it");
  print_result(commands::read_shown_patch(request).view());
  return 0;
}

int verify(const Arguments& arguments, const Output& output) {
  commands::VerifyRequest request;
  request.selection = selection_of(arguments, arguments.words());
  request.from = arguments.find("from");
  request.hardware_dir = arguments.find("hardware-dir");
  const commands::VerifyReport result = run_watched(commands::run_verify, request, output);
  report(result, output);
  return result.failed() ? 1 : 0;
}

int hetero_list(const Arguments& arguments, const std::vector<std::string>& words,
                const Output& output) {
  report(commands::run_hetero_list({selection_of(arguments, words), arguments.find("from"),
                                    arguments.find("hardware-dir")}),
         "list", output);
  return 0;
}

/// `add` and `remove`: one base and the device types.
commands::HeteroRequest hetero_request(const Arguments& arguments,
                                       const std::vector<std::string>& words) {
  const commands::StoreSelection selection = selection_of(arguments, words);
  if (selection.bases.empty()) {
    throw_usage("which base? give it before the device types", {see_help("hetero")});
  }
  if (selection.bases.size() > 1) {
    throw_usage(in_quotes(selection.bases[1]) + " is no device type, and a base is given already",
                {"a device type is <Vendor>_<Chip> in letters and digits, e.g. A_X100"});
  }
  if (selection.devices.size() < 2) {
    throw_usage("a combination has two or more device types", {see_help("hetero")});
  }
  return {selection.bases.front(), selection.devices, arguments.find("hardware-dir")};
}

int hetero(const Arguments& arguments, const Output& output) {
  std::vector<std::string> words = arguments.words();
  static const std::vector<std::string> kActions = {"list", "add", "remove", "import"};
  if (words.empty()) {
    throw_usage("which action? list, add, remove or import", {see_help("hetero")});
  }
  const std::string action = words.front();
  words.erase(words.begin());
  if (action != "list" && arguments.has("from")) {
    throw_usage("--from is for hetero list alone; the working tree is what changes");
  }
  if (action == "list") return hetero_list(arguments, words, output);
  if (action == "add") {
    report(commands::run_hetero_add(hetero_request(arguments, words)), action, output);
  } else if (action == "remove") {
    report(commands::run_hetero_remove(hetero_request(arguments, words)), action, output);
  } else if (action == "import") {
    if (words.size() > 1) {
      throw_usage("unexpected argument " + in_quotes(words[1]), {see_help("hetero")});
    }
    for (const char* name : {"device-type", "commit-id"}) {
      if (arguments.has(name)) throw_usage(std::string("import takes no --") + name);
    }
    commands::HeteroImportRequest request;
    if (!words.empty()) request.file = words.front();
    request.hardware_dir = arguments.find("hardware-dir");
    report(commands::run_hetero_import(request), action, output);
  } else {
    throw_unknown("action", action, kActions, see_help("hetero"));
  }
  return 0;
}

struct NamedAction {
  std::string_view name;
  Action action;
};

constexpr std::array<NamedAction, 6> kTable{{
    {"patch", patch},
    {"unpatch", unpatch},
    {"list", list},
    {"show", show},
    {"verify", verify},
    {"hetero", hetero},
}};

}  // namespace

Action action_of(const std::string& command) {
  const auto* const at = std::find_if(kTable.begin(), kTable.end(), [&](const NamedAction& entry) {
    return entry.name == command;
  });
  if (at == kTable.end()) throw Error(ErrorKind::bug, "command " + command + " does nothing");
  return at->action;
}

}  // namespace flagscale::cli
