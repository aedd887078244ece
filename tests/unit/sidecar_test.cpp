// SPDX-License-Identifier: Apache-2.0
#include "core/sidecar.h"

#include <doctest/doctest.h>

#include "base/error.h"
#include "core/json.h"

using namespace flagscale;

namespace {

Sidecar sample() {
  Sidecar sidecar;
  sidecar.device_type = "A_X100";
  for (auto [id, digit] : {std::pair(&sidecar.base, '1'), std::pair(&sidecar.current, '2'),
                           std::pair(&sidecar.commit, '3'), std::pair(&sidecar.tree, '4'),
                           std::pair(&sidecar.blob, '5')}) {
    *id = *git::Oid::parse(std::string(40, digit));
  }
  sidecar.counts = {1, 2, 3, 4};
  return sidecar;
}

Json sample_json() {
  return Json::parse(format_sidecar(sample(), ""));
}

}  // namespace

TEST_CASE("a sidecar is written in a fixed order and read back") {
  const std::string text = format_sidecar(sample(), "");
  CHECK(text ==
        "{\n  \"version\": 1,\n  \"device_type\": \"A_X100\",\n"
        "  \"base\": \"1111111111111111111111111111111111111111\",\n"
        "  \"current\": \"2222222222222222222222222222222222222222\",\n"
        "  \"commit\": \"3333333333333333333333333333333333333333\",\n"
        "  \"tree\": \"4444444444444444444444444444444444444444\",\n  \"patch\": {\n"
        "    \"blob\": \"5555555555555555555555555555555555555555\",\n    \"commits\": 1,\n"
        "    \"files_changed\": 2,\n    \"insertions\": 3,\n    \"deletions\": 4\n  }\n}\n");
  const Sidecar read = parse_sidecar("a.json", text);
  CHECK(read.device_type == "A_X100");
  CHECK(read.base == sample().base);
  CHECK(read.current == sample().current);
  CHECK(read.commit == sample().commit);
  CHECK(read.tree == sample().tree);
  CHECK(read.blob == sample().blob);
  CHECK(read.counts == sample().counts);
  CHECK(format_sidecar(read, text) == text);
}

TEST_CASE("keys that this version does not know survive a rewrite") {
  Json old = sample_json();
  old["reviewer"] = "Mia";
  old["patch"]["lines"] = Json::array({1, 2});
  Sidecar changed = sample();
  changed.counts.commits = 7;
  const Json fresh = Json::parse(format_sidecar(changed, old.dump()));
  CHECK(fresh.at("reviewer") == "Mia");
  CHECK(fresh.at("patch").at("lines") == Json::array({1, 2}));
  CHECK(fresh.at("patch").at("commits") == 7);
  CHECK(fresh.size() == old.size());
}

TEST_CASE("every member is required and has its type") {
  const Json whole = sample_json();
  for (const auto& item : whole.items()) {
    // clang cannot capture a structured binding.
    const std::string& key = item.key();
    CAPTURE(key);
    Json without = sample_json();
    without.erase(key);
    CHECK_THROWS_WITH((void)parse_sidecar("a.json", without.dump()),
                      ("a.json:1: no '" + key + "'").c_str());
    Json wrong = sample_json();
    wrong[key] = nullptr;
    CHECK_THROWS_AS((void)parse_sidecar("a.json", wrong.dump()), Error);
  }
  for (const auto& item : whole.at("patch").items()) {
    const std::string& key = item.key();
    CAPTURE(key);
    Json without = sample_json();
    without["patch"].erase(key);
    CHECK_THROWS_WITH((void)parse_sidecar("a.json", without.dump()),
                      ("a.json:1: no '" + key + "'").c_str());
    Json wrong = sample_json();
    wrong["patch"][key] = -1;
    CHECK_THROWS_AS((void)parse_sidecar("a.json", wrong.dump(2)), Error);
  }
}

TEST_CASE("a vendor file names the device type and leaves room for more") {
  const DeviceType device = DeviceType::parse("Ven_Chip_v2");
  const std::string text = format_vendor(device);
  CHECK(text ==
        "{\n  \"version\": 1,\n  \"device_type\": \"Ven_Chip_v2\",\n  \"vendor\": \"Ven\",\n"
        "  \"chip\": \"Chip_v2\"\n}\n");
  check_vendor("vendor.json", text, device);
  Json more = Json::parse(text);
  more["contact"] = {{"mail", "a@example.com"}};
  check_vendor("vendor.json", more.dump(), device);
  CHECK_THROWS_WITH(check_vendor("vendor.json", text, DeviceType::parse("Ven_Chip")),
                    "vendor.json:3: 'device_type' is not 'Ven_Chip'");
  more.erase("chip");
  CHECK_THROWS_WITH(check_vendor("vendor.json", more.dump(), device), "vendor.json:1: no 'chip'");
}
