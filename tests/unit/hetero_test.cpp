// SPDX-License-Identifier: Apache-2.0
#include "core/hetero.h"

#include <doctest/doctest.h>

#include "base/error.h"

using namespace flagscale;

namespace {

Devices devices(const std::vector<std::string>& names) {
  Devices out;
  for (const std::string& name : names) out.push_back(DeviceType::parse(name));
  return out;
}

const std::string kBase(40, 'a');

std::string combination_text(const std::string& list) {
  return "{\"version\": 1, \"base\": \"" + kBase + "\",\n\"devices\": " + list + "}";
}

std::string refusal_of_text(const std::string& text) {
  try {
    (void)parse_hetero_text("hetero.txt", text);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("combinations are sets") {
  CHECK(normalised(devices({"B_1", "A_1", "B_1"})) == devices({"A_1", "B_1"}));
  CHECK(contains(devices({"A_1", "B_1", "C_1"}), devices({"A_1", "C_1"})));
  CHECK(contains(devices({"A_1", "B_1"}), devices({"A_1", "B_1"})));
  CHECK_FALSE(contains(devices({"A_1", "B_1"}), devices({"A_1", "C_1"})));
  CHECK(format_devices(devices({"A_1", "B_1"})) == "A_1 B_1");
}

TEST_CASE("a combination's file is named after its devices") {
  CHECK(combination_file_name(devices({"A_1", "B_1"})) == "A_1+B_1.json");
  Devices many;
  for (int i = 100; i < 200; ++i) many.push_back(DeviceType::parse("Vendor_" + std::to_string(i)));
  const std::string name = combination_file_name(many);
  CHECK(name.size() <= 210);
  CHECK(name.starts_with("Vendor_100+Vendor_101+"));
  many.pop_back();
  CHECK(combination_file_name(many) != name);
}

TEST_CASE("a combination is written and read back") {
  const Combination combination{*git::Oid::parse(kBase), devices({"A_1", "B_1"})};
  const std::string text = format_combination(combination);
  CHECK(text == "{\n  \"version\": 1,\n  \"base\": \"" + kBase +
                    "\",\n  \"devices\": [\n    \"A_1\",\n    \"B_1\"\n  ]\n}\n");
  const Combination read = parse_combination("a.json", text);
  CHECK(read.base == combination.base);
  CHECK(read.devices == combination.devices);
}

TEST_CASE("a combination is read strictly") {
  for (const char* bad : {"[]", "[\"A_1\"]", "[\"B_1\", \"A_1\"]", "[\"A_1\", \"A_1\"]"}) {
    CAPTURE(bad);
    CHECK_THROWS_WITH((void)parse_combination("a.json", combination_text(bad)),
                      "a.json:2: 'devices' is not a sorted list of two or more device types");
  }
  CHECK_THROWS_WITH((void)parse_combination("a.json", combination_text("[\"A_1\", \"no\"]")),
                    "a.json:2: invalid device type 'no'");
  CHECK_THROWS_WITH((void)parse_combination("a.json", combination_text("[\"A_1\", 2]")),
                    "a.json:2: 'devices' holds something that is not a string");
  CHECK_THROWS_WITH((void)parse_combination("a.json", "{\"version\": 1, \"base\": \"abcd\"}"),
                    "a.json:1: 'base' is not a full object id");
}

TEST_CASE("the old mapping may be written in many ways") {
  const auto lines =
      parse_hetero_text("hetero.txt", "# comment\r\n\r\n  ABCD: B_1\t A_1  # here too\r\n" + kBase +
                                          " : A_1 B_1 A_1 C_1\n   \n");
  REQUIRE(lines.size() == 2);
  CHECK(lines[0].base == "abcd");
  CHECK(lines[0].devices == devices({"A_1", "B_1"}));
  CHECK(lines[0].line == 3);
  CHECK(lines[1].base == kBase);
  CHECK(lines[1].devices == devices({"A_1", "B_1", "C_1"}));
  CHECK(lines[1].line == 4);
  CHECK(parse_hetero_text("hetero.txt", "").empty());
  CHECK(parse_hetero_text("hetero.txt", "abcd: A_1 B_1").size() == 1);
}

TEST_CASE("a line of the old mapping that cannot be read is named") {
  CHECK(refusal_of_text("\nA_1 B_1\n") == "hetero.txt:2: no ':' after the base");
  CHECK(refusal_of_text("xyz: A_1 B_1\n") ==
        "hetero.txt:1: the line does not begin with a commit id");
  CHECK(refusal_of_text("abc: A_1 B_1") ==
        "hetero.txt:1: the line does not begin with a commit id");
  CHECK(refusal_of_text(kBase + "a: A_1 B_1") ==
        "hetero.txt:1: the line does not begin with a commit id");
  CHECK(refusal_of_text(": A_1 B_1") == "hetero.txt:1: the line does not begin with a commit id");
  CHECK(refusal_of_text("abcd abcd: A_1 B_1") ==
        "hetero.txt:1: the line does not begin with a commit id");
  CHECK(refusal_of_text("abcd: A_1 B-1") == "hetero.txt:1: invalid device type 'B-1'");
  CHECK(refusal_of_text("abcd: A_1 A_1") == "hetero.txt:1: fewer than two device types");
  CHECK(refusal_of_text("abcd:") == "hetero.txt:1: fewer than two device types");
}

TEST_CASE("an old mapping has an end") {
  const std::string line = "aaaaaaaa: A_X B_Y\n";
  std::string text;
  while (text.size() + line.size() <= 1U << 20U) text += line;
  CHECK(parse_hetero_text("h", text).size() == text.size() / line.size());
  CHECK_THROWS_WITH_AS((void)parse_hetero_text("h", text + line), "h:1: larger than 1 MiB", Error);
}

TEST_CASE("a line is written as the old tool wrote it") {
  CHECK(format_hetero_line("abcd", devices({"A_1", "B_1"})) == "abcd: A_1 B_1\n");
}
