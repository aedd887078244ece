// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "base/quote.h"
#include "cli/format.h"
#include "cli/reports.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "core/json.h"

namespace flagscale::cli {
namespace {

using commands::PatchCheck;
using commands::ShownCommit;
using commands::ShownPatch;
using commands::ShowReport;

Json commits_json(const ShownPatch& shown) {
  Json list = Json::array();
  for (const ShownCommit& commit : shown.commits) {
    list.push_back(Json{{"id", id_json(commit.id)},
                        {"author", author_json(commit.author)},
                        {"subject", format_json_bytes(commit.subject)}});
  }
  return list;
}

Json files_json(const ShownPatch& shown) {
  Json list = Json::array();
  for (const FileStat& file : shown.files) {
    list.push_back(
        Json{{"path", format_json_bytes(file.path)},
             {"old_path", file.old_path ? Json(format_json_bytes(*file.old_path)) : Json()},
             {"insertions", file.insertions},
             {"deletions", file.deletions},
             {"binary", file.binary}});
  }
  return list;
}

Json patch_json(const ShownPatch& shown) {
  const PatchCheck& check = shown.check;
  const auto& sidecar = check.sidecar;
  Json out = {{"device_type", check.patch.device.text()}, {"base8", check.patch.base8}};
  out["base"] = sidecar ? Json(sidecar->base.hex()) : id_json(check.base);
  out["current"] = sidecar ? Json(sidecar->current.hex()) : Json();
  out["commit"] = sidecar         ? Json(sidecar->commit.hex())
                  : check.adapted ? Json(check.adapted->commit().hex())
                                  : Json();
  out["tree"] = sidecar         ? Json(sidecar->tree.hex())
                : check.adapted ? Json(check.adapted->tree.hex())
                                : Json();
  out["path"] = format_json_bytes(check.path);
  out["found_in"] = format_json_bytes(check.patch.place.label);
  out["encrypted"] = check.state == PatchCheck::State::encrypted;
  out["patch"] = counts_json(shown.counts);
  out["commits"] = commits_json(shown);
  out["files"] = files_json(shown);
  Json combinations = Json::array();
  for (const Devices& devices : shown.combinations) combinations.push_back(devices_json(devices));
  out["combinations"] = std::move(combinations);
  out["verifies"] = check.state == PatchCheck::State::encrypted
                        ? Json()
                        : Json(check.state == PatchCheck::State::ok);
  out["problem"] = text_or_null(check.reason);
  out["hints"] = texts_json(check.hints);
  return out;
}

Json show_json(const ShowReport& report) {
  Json patches = Json::array();
  for (const ShownPatch& shown : report.patches) patches.push_back(patch_json(shown));
  return Json{{"version", 1},
              {"command", "show"},
              {"status", "done"},
              {"device_type", report.device.text()},
              {"vendor", report.vendor ? *report.vendor : Json()},
              {"patches", std::move(patches)},
              {"warnings", texts_json(report.warnings)}};
}

std::string field(const std::string& name, const std::string& value) {
  static constexpr std::size_t kColumn = 14;
  std::string out = "  " + name;
  out.append(out.size() < kColumn ? kColumn - out.size() : 1, ' ');
  return out + value + "\n";
}

std::string format_vendor(const ShowReport& report) {
  std::string out = painted(report.device.text(), Paint::bold) + "\n";
  if (!report.vendor) return out + field("vendor", report.device.vendor());
  for (const auto& [key, value] : report.vendor->items()) {
    if (key == "version" || key == "device_type") continue;
    out +=
        field(escaped(key), escaped(value.is_string() ? value.get<std::string>() : value.dump()));
  }
  return out;
}

std::string format_state(const PatchCheck& check) {
  switch (check.state) {
    case PatchCheck::State::ok:
      return painted("yes", Paint::good);
    case PatchCheck::State::failed:
      return painted("no", Paint::bad) + ": " + escaped(check.reason);
    case PatchCheck::State::encrypted:
      break;
  }
  return "unknown: the patch is encrypted";
}

std::string format_metadata(const ShownPatch& shown) {
  const PatchCheck& check = shown.check;
  std::string out =
      field("file", escaped(check.path) + " (" + escaped(check.patch.place.label) + ")");
  if (check.sidecar) {
    out += field("base", check.sidecar->base.hex());
    out += field("current", check.sidecar->current.hex());
    out += field("adapted", check.sidecar->commit.hex());
    out += field("tree", check.sidecar->tree.hex());
  } else {
    if (check.base) out += field("base", check.base->hex());
    if (check.adapted) out += field("adapted", check.adapted->commit().hex());
    if (check.adapted) out += field("tree", check.adapted->tree.hex());
  }
  if (shown.counts) out += field("size", format_counts(*shown.counts));
  for (const Devices& devices : shown.combinations) {
    out += field("together", format_devices(devices));
  }
  return out + field("verifies", format_state(check));
}

std::string format_commits(const ShownPatch& shown) {
  Table table({{""}, {""}, {""}, {""}});
  for (const ShownCommit& commit : shown.commits) {
    table.add({"  " + (commit.id ? commit.id->short_hex() : "?"), format_day(commit.author),
               escaped(commit.author.name) + " <" + escaped(commit.author.email) + ">",
               escaped(commit.subject)});
  }
  return table.format_rows(terminal_width());
}

std::string format_files(const ShownPatch& shown) {
  Table table({{"", true}, {"", true}, {""}});
  for (const FileStat& file : shown.files) {
    const std::string name =
        (file.old_path ? escaped(*file.old_path) + " => " : "") + escaped(file.path);
    if (file.binary) {
      table.add({"  binary", "", name});
    } else {
      table.add(
          {"  +" + std::to_string(file.insertions), "-" + std::to_string(file.deletions), name});
    }
  }
  return table.format_rows(terminal_width());
}

}  // namespace

void report(const ShowReport& report, const Output& output) {
  if (output.json) {
    print_result(shown_json(show_json(report)));
    return;
  }
  std::string out = format_vendor(report);
  for (const ShownPatch& shown : report.patches) {
    out += "\n" + painted("patch for " + shown.check.patch.base8, Paint::bold) + "\n";
    out += format_metadata(shown);
    if (!shown.commits.empty()) out += "\n" + format_commits(shown);
    if (!shown.files.empty()) out += "\n" + format_files(shown);
  }
  print_result(out);
  if (output.quiet) return;
  for (const std::string& warning : report.warnings) say_warning(escaped(warning));
  for (const ShownPatch& shown : report.patches) say_hints(shown.check.hints);
}

}  // namespace flagscale::cli
