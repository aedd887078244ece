// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/quote.h"
#include "cli/format.h"
#include "cli/reports.h"
#include "cli/terminal.h"
#include "core/json.h"

namespace flagscale::cli {
namespace {

using commands::PatchCheck;
using commands::StoreProblem;
using commands::VerifyReport;

const char* state_word(PatchCheck::State state) {
  switch (state) {
    case PatchCheck::State::ok:
      return "ok";
    case PatchCheck::State::failed:
      return "failed";
    case PatchCheck::State::encrypted:
      return "encrypted";
  }
  return "";
}

Json check_json(const PatchCheck& check) {
  return Json{{"device_type", check.patch.device.text()},
              {"base8", check.patch.base8},
              {"base", id_json(check.base)},
              {"path", format_json_bytes(check.path)},
              {"found_in", format_json_bytes(check.patch.place.label)},
              {"state", state_word(check.state)},
              {"commit", check.adapted ? Json(check.adapted->commit().hex()) : Json()},
              {"tree", check.adapted ? Json(check.adapted->tree.hex()) : Json()},
              {"patch", check.adapted ? counts_json(check.adapted->counts) : Json()},
              {"reason", text_or_null(check.reason)},
              {"hints", texts_json(check.hints)}};
}

Json verify_json(const VerifyReport& report) {
  Json patches = Json::array();
  for (const PatchCheck& check : report.patches) patches.push_back(check_json(check));
  Json problems = Json::array();
  for (const StoreProblem& problem : report.problems) {
    problems.push_back(Json{{"subject", format_json_bytes(problem.subject)},
                            {"reason", format_json_bytes(problem.reason)}});
  }
  return Json{{"version", 1},
              {"command", "verify"},
              {"status", report.failed() ? "failed" : "done"},
              {"patches", std::move(patches)},
              {"problems", std::move(problems)},
              {"combinations", report.combinations},
              {"hints", texts_json(report.hints)}};
}

std::string format_check(const PatchCheck& check) {
  const std::string name = " " + check.patch.device.text() + " " + check.patch.base8;
  switch (check.state) {
    case PatchCheck::State::ok:
      return painted("ok", Paint::good) + name + " " + check.adapted->commit().hex() + "\n";
    case PatchCheck::State::failed:
      return painted("FAIL", Paint::bad) + name + ": " + escaped(check.reason) +
             (check.hints.empty() ? "" : " (" + escaped(check.hints.front()) + ")") + "\n";
    case PatchCheck::State::encrypted:
      break;
  }
  return "skipped" + name + ": encrypted\n";
}

void say_summary(const VerifyReport& report) {
  const auto count = [&](PatchCheck::State state) {
    return static_cast<std::uint64_t>(
        std::count_if(report.patches.begin(), report.patches.end(),
                      [&](const PatchCheck& check) { return check.state == state; }));
  };
  std::string text = plural(report.patches.size(), "patch", "patches") + " and " +
                     plural(report.combinations, "combination", "combinations");
  const std::uint64_t failures = count(PatchCheck::State::failed) + report.problems.size();
  text += failures == 0 ? ": all is well" : ": " + plural(failures, "failure", "failures");
  if (const auto skipped = count(PatchCheck::State::encrypted); skipped > 0) {
    text += ", " + std::to_string(skipped) + " skipped";
  }
  say(report.patches.empty() && failures == 0 ? "there are no patches here" : text);
}

}  // namespace

void report(const VerifyReport& report, const Output& output) {
  if (output.json) {
    print_result(shown_json(verify_json(report)));
    return;
  }
  std::string lines;
  for (const PatchCheck& check : report.patches) lines += format_check(check);
  for (const StoreProblem& problem : report.problems) {
    lines += painted("FAIL", Paint::bad) + " " + escaped(problem.subject) + ": " +
             escaped(problem.reason) + "\n";
  }
  print_result(lines);
  if (output.quiet) return;
  say_summary(report);
  say_hints(report.hints);
}

}  // namespace flagscale::cli
