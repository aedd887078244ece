// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "base/error.h"
#include "core/json.h"

using namespace flagscale;

namespace {

std::string refusal(const std::string& text) {
  try {
    const JsonFile file("a.json", text);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::unable);
    return error.what();
  }
  return "";
}

std::string nested(std::size_t levels) {
  return "{\"version\": 1, \"x\": " + std::string(levels, '[') + std::string(levels, ']') + "}";
}

}  // namespace

TEST_CASE("an object of version 1 is accepted, whatever else it holds") {
  CHECK(refusal("{\"version\": 1}").empty());
  CHECK(refusal(" \r\n{\"version\": 1, \"x\": {\"version\": 2, \"\": null}}\n\n").empty());
  CHECK(refusal("{\"a\": {\"k\": 1}, \"b\": {\"k\": 1}, \"version\": 1}").empty());
  CHECK(refusal(nested(60)).empty());
}

TEST_CASE("anything else is refused with file and line") {
  CHECK(refusal("") == "a.json:1: not valid JSON");
  CHECK(refusal("{\n\"version\": 1,\n}") == "a.json:3: not valid JSON");
  CHECK(refusal("{\"version\": 1}\n\nx") == "a.json:3: not valid JSON");
  CHECK(refusal("{\"version\": 1} {}") == "a.json:1: not valid JSON");
  CHECK(refusal("{\"version\": 1} // no") == "a.json:1: not valid JSON");
  CHECK(refusal("{\"version\": 1, \"x\": NaN}") == "a.json:1: not valid JSON");
  CHECK(refusal("{\"version\": 1, \"x\": \"\xff\"}") == "a.json:1: not valid JSON");
  CHECK(refusal("\xef\xbb\xbf{\"version\": 2}") == "a.json:1: unknown version");
  CHECK(refusal("[1]") == "a.json:1: not a JSON object");
  CHECK(refusal("{}") == "a.json:1: no 'version'");
  CHECK(refusal("{\n\"version\": 2}") == "a.json:2: unknown version");
  CHECK(refusal("{\n\"version\": \"1\"}") == "a.json:2: 'version' is not a count");
  CHECK(refusal("{\n\"version\": 1.0}") == "a.json:2: 'version' is not a count");
  CHECK(refusal("{\n\"version\": 1,\n\"version\": 1}") == "a.json:2: doubled key 'version'");
  CHECK(refusal("{\"version\": 1,\n\"x\": {\"y\": 1, \"y\": 2}}") == "a.json:2: doubled key 'y'");
  CHECK(refusal("{\n\"version\": 1,\n\"x\": 825e85880}") == "a.json:3: a number is too large");
  CHECK(refusal("{\n\"version\": 1,\n\"x\":-1E999") == "a.json:3: a number is too large");
  CHECK(refusal(nested(70)) == "a.json:1: nested more than 64 levels deep");
  CHECK(refusal(nested(1000000)).starts_with("a.json:1: "));
  CHECK(refusal("{\"version\": 1, \"x\": \"" + std::string(1U << 20U, 'x') + "\"}") ==
        "a.json:1: larger than 1 MiB");
}

TEST_CASE("members are read by type") {
  const JsonFile file(
      "a.json",
      "{\"version\": 1,\n\"text\": \"t\",\n\"count\": 3,\n\"minus\": -3,\n\"list\": "
      "[\"a\", \"b\"],\n\"mixed\": [\"a\", 1],\n\"id\": "
      "\"0123456789abcdef0123456789abcdef01234567\",\n\"object\": {}}");
  const Json& root = file.object();
  CHECK(file.text(root, "text") == "t");
  CHECK(file.count(root, "count") == 3);
  CHECK(file.texts(root, "list") == std::vector<std::string>{"a", "b"});
  CHECK(file.id(root, "id").hex8() == "01234567");
  CHECK(file.object(root, "object").empty());
  CHECK_THROWS_WITH((void)file.text(root, "none"), "a.json:1: no 'none'");
  CHECK_THROWS_WITH((void)file.text(root, "count"), "a.json:3: 'count' is not a string");
  CHECK_THROWS_WITH((void)file.count(root, "minus"), "a.json:4: 'minus' is not a count");
  CHECK_THROWS_WITH((void)file.texts(root, "text"), "a.json:2: 'text' is not a list");
  CHECK_THROWS_WITH((void)file.texts(root, "mixed"),
                    "a.json:6: 'mixed' holds something that is not a string");
  CHECK_THROWS_WITH((void)file.id(root, "text"), "a.json:2: 'text' is not a full object id");
  CHECK_THROWS_WITH((void)file.object(root, "list"), "a.json:5: 'list' is not an object");
}

TEST_CASE("JSON is written one way") {
  CHECK(format_json(Json{{"b", 1}, {"a", Json::array({1})}}) ==
        "{\n  \"b\": 1,\n  \"a\": [\n    1\n  ]\n}\n");
}

TEST_CASE("any bytes survive as a JSON string") {
  for (const std::string& bytes :
       {std::string(), std::string("plain"), std::string("\xe9"), std::string("\""),
        std::string("\"a\""), std::string("a\"b"), std::string("\xc3\xa9"), std::string("a\0b", 3),
        std::string("\\"), std::string("\"\\303\\251\""), std::string("\xff\"\\\n")}) {
    CAPTURE(bytes);
    const std::string text = format_json_bytes(bytes);
    CHECK(parse_json_bytes(text) == bytes);
    CHECK_NOTHROW((void)Json(text).dump());
  }
  CHECK(format_json_bytes("caf\xe9") == "\"caf\\351\"");
  CHECK(format_json_bytes("caf\xc3\xa9") == "caf\xc3\xa9");
}
