// SPDX-License-Identifier: Apache-2.0
#include "base/quote.h"
#include "cli/format.h"
#include "cli/reports.h"
#include "cli/terminal.h"
#include "core/json.h"

namespace flagscale::cli {
namespace {

using commands::HeteroReport;

const char* status_word(HeteroReport::Status status) {
  switch (status) {
    case HeteroReport::Status::done:
      return "done";
    case HeteroReport::Status::written:
      return "written";
    case HeteroReport::Status::removed:
      return "removed";
    case HeteroReport::Status::unchanged:
      return "unchanged";
  }
  return "";
}

Json hetero_json(const HeteroReport& report, const std::string& action) {
  Json combinations = Json::array();
  for (const auto& c : report.combinations) combinations.push_back(combination_json(c));
  return Json{{"version", 1},
              {"command", "hetero"},
              {"action", action},
              {"status", status_word(report.status)},
              {"combinations", std::move(combinations)},
              {"warnings", texts_json(report.warnings)},
              {"hints", texts_json(report.hints)}};
}

}  // namespace

void report(const HeteroReport& report, const std::string& action, const Output& output) {
  if (output.json) {
    print_result(shown_json(hetero_json(report, action)));
    return;
  }
  std::string lines;
  for (const RecordedCombination& c : report.combinations) {
    lines += report.status == HeteroReport::Status::done ? format_hetero_line(c.base, c.devices)
                                                         : escaped(c.path) + "\n";
  }
  print_result(lines);
  if (output.quiet) return;
  for (const std::string& warning : report.warnings) say_warning(escaped(warning));
  if (report.status == HeteroReport::Status::unchanged) say("unchanged: recorded already");
  say_hints(report.hints);
}

}  // namespace flagscale::cli
