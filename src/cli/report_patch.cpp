// SPDX-License-Identifier: Apache-2.0
#include "base/quote.h"
#include "cli/format.h"
#include "cli/reports.h"
#include "cli/terminal.h"
#include "core/json.h"

namespace flagscale::cli {
namespace {

using commands::PatchReport;

const char* status_word(PatchReport::Status status) {
  switch (status) {
    case PatchReport::Status::written:
      return "written";
    case PatchReport::Status::unchanged:
      return "unchanged";
    case PatchReport::Status::planned:
      return "planned";
  }
  return "";
}

Json patch_json(const PatchReport& report) {
  Json out = {{"version", 1},
              {"command", "patch"},
              {"status", status_word(report.status)},
              {"device_type", report.device},
              {"base", report.base.hex()},
              {"current", report.current.hex()},
              {"commit", report.adapted.hex()},
              {"tree", report.tree.hex()},
              {"patch", counts_json(report.counts)},
              {"path", format_json_bytes(report.path)},
              {"parent", report.parent.hex()},
              {"branch", report.branch},
              {"subject", format_json_bytes(report.subject)},
              {"switched", report.switched},
              {"files", texts_json(report.files)}};
  out["patch_commit"] = report.patch_commit.is_null() ? Json() : Json(report.patch_commit.hex());
  out["previous"] = report.previous ? counts_json(*report.previous) : Json();
  out["sources"] = texts_json(report.sources);
  out["warnings"] = texts_json(report.warnings);
  out["hints"] = texts_json(report.hint);
  return out;
}

void say_patch(const PatchReport& report) {
  for (const std::string& warning : report.warnings) say_warning(warning);
  for (const std::string& source : report.sources) say("using " + escaped(source));
  const bool planned = report.status == PatchReport::Status::planned;
  if (report.status == PatchReport::Status::unchanged) {
    say("unchanged: " + report.branch + " already holds adapted commit " +
        report.adapted.short_hex());
  } else {
    if (report.previous) say("replacing: " + format_counts(*report.previous));
    say(report.device + " on " + report.base.hex8() + ": " + format_counts(report.counts));
    say("adapted commit " + report.adapted.hex());
    if (planned) {
      say("would commit '" + escaped(report.subject) + "' on " + report.parent.short_hex());
      say("as branch " + report.branch + ", with:");
      for (const std::string& file : report.files) say("  " + escaped(file));
    }
  }
  if (report.switched) say("HEAD is on branch " + report.branch);
  say_hints(report.hint);
}

}  // namespace

void report(const PatchReport& report, const Output& output) {
  if (!output.quiet && !output.json) say_patch(report);
  if (output.json) {
    print_result(shown_json(patch_json(report)));
  } else if (!report.patch_commit.is_null()) {
    print_result(report.patch_commit.hex() + " " + escaped(report.path) + "\n");
  }
}

}  // namespace flagscale::cli
