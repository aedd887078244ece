// SPDX-License-Identifier: Apache-2.0
//
// `--json` of every command, and the files of the store, against their JSON Schemas.
#include <algorithm>
#include <map>

#include <doctest/doctest.h>

#include "support/companions.h"

namespace flagscale::test {
namespace {

/// Runs a command that prints JSON, and holds it to the schema of its success or of errors.
Json run_json(const TestRepo& repo, const Args& args, int status = 0) {
  const Outcome outcome = repo.flagscale(args + Args{"--json"});
  CHECK_MESSAGE(outcome.status == status, describe(outcome));
  CHECK_MESSAGE(outcome.err.empty(), outcome.err);
  CHECK(outcome.out.ends_with("}\n"));
  Json json = Json::parse(outcome.out);
  CHECK(outcome.out == json.dump(2) + "\n");
  const bool failed = json.at("status") == "error";
  const std::string schema = failed ? "error" : args.front();
  const std::string complaints = schema_complaints("docs/schemas/" + schema + ".json", outcome.out);
  CHECK_MESSAGE(complaints.empty(), complaints);
  return json;
}

void check_error(const TestRepo& repo, const Args& args, int status, const std::string& kind,
                 const std::string& message) {
  const Json json = run_json(repo, args, status);
  REQUIRE(json.at("status") == "error");
  CHECK(json.at("error").at("kind") == kind);
  const std::string said = json.at("error").at("message").get<std::string>();
  CHECK_MESSAGE(has_text(said, message), said);
}

TEST_CASE("what the commands print when they succeed") {
  Companions c;
  const Args again = c.patch_args("B_Y100");
  CHECK(run_json(c.repo, again + Args{"-n"}).at("patch_commit").is_null());
  CHECK(run_json(c.repo, c.patch_args("C_Z1")).at("status") == "written");
  c.repo.git({"switch", "--quiet", c.branch("B_Y100")});
  CHECK(run_json(c.repo, {"list"}).at("combinations").size() == 1);
  CHECK(run_json(c.repo, {"show", "A_X100"}).at("patches").at(0).at("verifies") == true);
  CHECK(run_json(c.repo, {"verify"}).at("status") == "done");
  for (const char* dir : {"", "out"}) {
    Args args{"unpatch", "--device-type", "A_X100", "--commit-id", c.base};
    if (*dir != 0) args = args + Args{"--dir", dir};
    CHECK(run_json(c.repo, args).at("devices").size() == 1);
  }
  c.repo.git({"switch", "--quiet", c.branch("B_Y100")});
  CHECK(run_json(c.repo, {"hetero", "list"}).at("combinations").size() == 1);
  CHECK(run_json(c.repo, {"hetero", "remove", c.base, "A_X100", "B_Y100"}).at("status") ==
        "removed");
  CHECK(run_json(c.repo, {"hetero", "add", c.base, "A_X100", "B_Y100"}).at("status") == "written");
  c.repo.write("mapping", c.base + ": A_X100 B_Y100\n");
  CHECK(run_json(c.repo, {"hetero", "import", "mapping"}).at("status") == "unchanged");
}

TEST_CASE("what they print for encrypted, damaged and old patches") {
  Companions c;
  const std::string b = base8(c.base);
  c.repo.write("hardwares/E_N1/" + b + "/" + b + ".patch.encrypted", "secret");
  c.repo.write("hardwares/O_L1/" + b + "/" + b + ".patch", c.repo.read(c.stored("patch")));
  c.repo.write(c.stored("patch"), "damaged\n");
  c.repo.write("patch/hetero.txt", base8(c.base) + ": O_L1 E_N1\n");
  c.repo.commit("all kinds");
  CHECK(run_json(c.repo, {"list"}).at("patches").size() == 4);
  for (const char* device : {"A_X100", "E_N1", "O_L1"}) {
    CHECK(run_json(c.repo, {"show", device}).at("patches").size() == 1);
  }
  const Json verified = run_json(c.repo, {"verify"}, 1);
  CHECK(verified.at("status") == "failed");
  CHECK(verified.at("patches").at(0).at("state") == "failed");
  CHECK(run_json(c.repo, {"hetero", "list"}).at("combinations").size() == 2);
}

TEST_CASE("what they print when they fail") {
  Companions c;
  check_error(c.repo, {"patch"}, 129, "usage", "which device type?");
  check_error(c.repo, {"patch", "--device-type", "A_X100", "--base-commit-id", "HEAD"}, 1,
              "refused", "");
  check_error(c.repo, {"unpatch", "--device-type", "A_X100", "--commit-id", "cafecafe"}, 1,
              "refused", "cafecafe");
  check_error(c.repo, {"list", "--from", "nowhere"}, 128, "unable", "nowhere");
  check_error(c.repo, {"list", "Z_9"}, 1, "refused", "Z_9");
  check_error(c.repo, {"show"}, 129, "usage", "which device type?");
  check_error(c.repo, {"verify", "Z_9"}, 1, "refused", "Z_9");
  check_error(c.repo, {"hetero", "add", "x"}, 129, "usage", "two or more");
  check_error(c.repo, {"hetero", "bogus"}, 129, "usage", "bogus");
  check_error(c.repo, {"bogus"}, 129, "usage", "bogus");
  check_error(c.repo, {"list", "--bogus"}, 129, "usage", "--bogus");
  CHECK(Json::parse(c.repo.flagscale({"list", "--bogus", "--json"}).out).at("command") == "list");
}

TEST_CASE("bytes that are no UTF-8 can be read back") {
  Adaptation a;
  const std::string name = "caf\xe9.txt";
  a.repo.write(name, "x\n");
  a.repo.write("\"quoted\"", "x\n");
  a.current = a.repo.commit("odd names");
  patch(a.repo, a.patch_args());
  const Json json = run_json(a.repo, {"show", "A_X100"});
  std::vector<std::string> paths;
  for (const Json& file : json.at("patches").at(0).at("files")) {
    paths.push_back(parse_json_bytes(file.at("path").get<std::string>()));
  }
  for (const std::string& wanted : {name, std::string("\"quoted\"")}) {
    CHECK(std::find(paths.begin(), paths.end(), wanted) != paths.end());
  }
  check_error(a.repo, {"l\xffst"}, 129, "usage", "unknown command");
}

TEST_CASE("the files of the store match their schemas") {
  Companions c;
  const std::map<std::string, std::string> files{{"sidecar", c.stored("json")},
                                                 {"vendor", "hardwares/A_X100/vendor.json"},
                                                 {"combination", c.combination()}};
  for (const auto& [schema, path] : files) {
    const std::string complaints =
        schema_complaints("hardwares/schemas/" + schema + ".json", c.repo.show("HEAD:" + path));
    CHECK_MESSAGE(complaints.empty(), complaints);
  }
}

TEST_CASE("a JSON Schema notices what is wrong") {
  if (schema_complaints("hardwares/schemas/vendor.json", "{}").empty()) return;
  CHECK(has_text(schema_complaints("docs/schemas/error.json", R"({"version": 2})"), "version"));
  CHECK_FALSE(schema_complaints("docs/schemas/list.json", R"({"version": 1})").empty());
}

}  // namespace
}  // namespace flagscale::test
