// SPDX-License-Identifier: Apache-2.0
#include "base/quote.h"
#include "cli/format.h"
#include "cli/reports.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "core/json.h"

namespace flagscale::cli {
namespace {

using commands::ListedPatch;
using commands::ListReport;

Json patch_json(const ListedPatch& row) {
  Json combinations = Json::array();
  for (const Devices& devices : row.combinations) combinations.push_back(devices_json(devices));
  return Json{{"device_type", row.patch.device.text()},
              {"base8", row.patch.base8},
              {"base", id_json(row.base)},
              {"commit", id_json(row.commit)},
              {"path", format_json_bytes(row.path)},
              {"found_in", format_json_bytes(row.patch.place.label)},
              {"encrypted", row.encrypted},
              {"patch", counts_json(row.counts)},
              {"author", row.author ? author_json(*row.author) : Json()},
              {"subject", format_json_bytes(row.subject)},
              {"combinations", std::move(combinations)},
              {"problem", text_or_null(row.problem)}};
}

Json list_json(const ListReport& report) {
  Json patches = Json::array();
  for (const ListedPatch& row : report.patches) patches.push_back(patch_json(row));
  Json combinations = Json::array();
  for (const auto& c : report.combinations) combinations.push_back(combination_json(c));
  return Json{{"version", 1},
              {"command", "list"},
              {"status", "done"},
              {"patches", std::move(patches)},
              {"combinations", std::move(combinations)},
              {"warnings", texts_json(report.warnings)},
              {"hints", texts_json(report.hints)}};
}

/// What stands where the subject does.
std::string describe(const ListedPatch& row) {
  if (row.encrypted) return "(encrypted)";
  if (!row.problem.empty()) return "(damaged: " + escaped(row.problem) + ")";
  return escaped(row.subject);
}

void print_table(const ListReport& report, bool quiet) {
  Table table({{"DEVICE"},
               {"BASE"},
               {"COMMITS", true},
               {"FILES", true},
               {"+", true},
               {"-", true},
               {"DATE"},
               {"SUBJECT"}});
  for (const ListedPatch& row : report.patches) {
    const auto number = [&](std::uint64_t PatchCounts::*member) {
      return row.counts ? std::to_string((*row.counts).*member) : "-";
    };
    table.add({row.patch.device.text(), row.patch.base8, number(&PatchCounts::commits),
               number(&PatchCounts::files_changed), number(&PatchCounts::insertions),
               number(&PatchCounts::deletions), row.author ? format_day(*row.author) : "-",
               describe(row)});
  }
  const auto width = terminal_width();
  std::string out;
  if (!quiet) out += painted(table.format_titles(width), Paint::bold) + "\n";
  out += table.format_rows(width);
  if (!quiet && !report.combinations.empty()) {
    out += "\n" + painted("TOGETHER", Paint::bold) + "\n";
    for (const auto& c : report.combinations) {
      out += c.base.substr(0, 8) + ": " + format_devices(c.devices) + "\n";
    }
  }
  print_result(out);
}

}  // namespace

void report(const ListReport& report, const Output& output) {
  if (output.json) {
    print_result(shown_json(list_json(report)));
    return;
  }
  if (!report.patches.empty()) print_table(report, output.quiet);
  if (output.quiet) return;
  for (const std::string& warning : report.warnings) say_warning(escaped(warning));
  if (report.patches.empty()) say("there are no patches here");
  say_hints(report.hints);
}

}  // namespace flagscale::cli
