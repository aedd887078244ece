// SPDX-License-Identifier: Apache-2.0
#include "core/sidecar.h"

#include "base/error.h"
#include "base/quote.h"
#include "core/json.h"

namespace flagscale {
namespace {

/// Appends members of `old` that `fresh` lacks.
void keep_unknown(Json& fresh, const Json& old) {
  for (const auto& [key, value] : old.items()) {
    if (!fresh.contains(key)) fresh[key] = value;
  }
}

}  // namespace

Sidecar parse_sidecar(const std::string& name, std::string_view text) {
  const JsonFile file(name, text);
  const Json& root = file.object();
  const Json& patch = file.object(root, "patch");
  Sidecar sidecar;
  sidecar.device_type = file.text(root, "device_type");
  sidecar.base = file.id(root, "base");
  sidecar.current = file.id(root, "current");
  sidecar.commit = file.id(root, "commit");
  sidecar.tree = file.id(root, "tree");
  sidecar.blob = file.id(patch, "blob");
  sidecar.counts = {file.count(patch, "commits"), file.count(patch, "files_changed"),
                    file.count(patch, "insertions"), file.count(patch, "deletions")};
  return sidecar;
}

std::string format_sidecar(const Sidecar& sidecar, std::string_view previous) {
  Json patch = {{"blob", sidecar.blob.hex()},
                {"commits", sidecar.counts.commits},
                {"files_changed", sidecar.counts.files_changed},
                {"insertions", sidecar.counts.insertions},
                {"deletions", sidecar.counts.deletions}};
  Json root = {{"version", 1},
               {"device_type", sidecar.device_type},
               {"base", sidecar.base.hex()},
               {"current", sidecar.current.hex()},
               {"commit", sidecar.commit.hex()},
               {"tree", sidecar.tree.hex()}};
  if (!previous.empty()) {
    const JsonFile old("sidecar", previous);
    keep_unknown(patch, old.object(old.object(), "patch"));
    root["patch"] = patch;
    keep_unknown(root, old.object());
  } else {
    root["patch"] = patch;
  }
  return format_json(root);
}

std::string format_vendor(const DeviceType& device) {
  return format_json(Json{{"version", 1},
                          {"device_type", device.text()},
                          {"vendor", device.vendor()},
                          {"chip", device.chip()}});
}

void check_vendor(const std::string& name, std::string_view text, const DeviceType& device) {
  const JsonFile file(name, text);
  const Json& root = file.object();
  const auto expect = [&](const std::string& key, const std::string& wanted) {
    if (file.text(root, key) != wanted)
      file.fail(key, in_quotes(key) + " is not " + in_quotes(wanted));
  };
  expect("device_type", device.text());
  expect("vendor", device.vendor());
  expect("chip", device.chip());
}

}  // namespace flagscale
