// SPDX-License-Identifier: Apache-2.0
#include "base/quote.h"
#include "cli/format.h"
#include "cli/reports.h"
#include "cli/terminal.h"
#include "core/json.h"

namespace flagscale::cli {
namespace {

using commands::UnpatchedDevice;
using commands::UnpatchReport;

const char* status_word(UnpatchReport::Status status) {
  switch (status) {
    case UnpatchReport::Status::done:
      return "done";
    case UnpatchReport::Status::unchanged:
      return "unchanged";
    case UnpatchReport::Status::planned:
      return "planned";
  }
  return "";
}

Json unpatch_json(const UnpatchReport& report) {
  Json devices = Json::array();
  for (const UnpatchedDevice& device : report.devices) {
    devices.push_back(Json{
        {"device_type", device.device},
        {"base", device.base.hex()},
        {"commit", device.adapted.hex()},
        {"tree", device.tree.hex()},
        {"patch", counts_json(device.counts)},
        {"path", format_json_bytes(device.path)},
        {"found_in", format_json_bytes(device.place)},
        {"folder", format_json_bytes(device.folder)},
        {"set_aside", device.set_aside ? Json(format_json_bytes(*device.set_aside)) : Json()}});
  }
  return Json{{"version", 1},
              {"command", "unpatch"},
              {"status", status_word(report.status)},
              {"branch", format_json_bytes(report.branch)},
              {"way_back", format_json_bytes(report.way_back)},
              {"devices", std::move(devices)},
              {"warnings", texts_json(report.warnings)}};
}

void say_unpatch(const UnpatchReport& report) {
  for (const std::string& warning : report.warnings) say_warning(warning);
  for (const UnpatchedDevice& device : report.devices) {
    say(device.device + " on " + device.base.hex8() + " from " + escaped(device.place) + ": " +
        format_counts(device.counts));
    if (report.status == UnpatchReport::Status::planned) {
      say("would put adapted commit " + device.adapted.hex());
      say("into " + in_quotes(device.folder));
    }
    if (device.set_aside) say("what stood there is now " + in_quotes(*device.set_aside));
  }
  if (report.status == UnpatchReport::Status::unchanged) say("unchanged: HEAD is there already");
  if (!report.way_back.empty()) say_hints({"the way back: git switch " + report.way_back});
}

}  // namespace

void report(const UnpatchReport& report, const Output& output) {
  if (!output.quiet && !output.json) say_unpatch(report);
  if (output.json) {
    print_result(shown_json(unpatch_json(report)));
    return;
  }
  if (report.status == UnpatchReport::Status::planned) return;
  std::string lines;
  for (const UnpatchedDevice& device : report.devices) {
    lines += device.device + " " + device.adapted.hex() + " " + escaped(device.folder) + "\n";
  }
  print_result(lines);
}

}  // namespace flagscale::cli
