// SPDX-License-Identifier: Apache-2.0
//
// `git flagscale list`.
#include <doctest/doctest.h>

#include "support/companions.h"

namespace flagscale::test {
namespace {

TEST_CASE("list shows every patch of HEAD with its size, age and subject") {
  const Companions c;
  const Outcome outcome = c.repo.flagscale({"list"});
  const std::string b = base8(c.base);
  CHECK(outcome.ok());
  CHECK(outcome.out ==
        "DEVICE  BASE      COMMITS  FILES  +   -  DATE        SUBJECT\n"
        "A_X100  " +
            b +
            "        3      5  2  30  2023-11-15  [kernels] add a table\n"
            "B_Y100  " +
            b +
            "        3      5  2  30  2023-11-15  [kernels] add a table\n"
            "\n"
            "TOGETHER\n" +
            b + ": A_X100 B_Y100\n");
  CHECK(outcome.err.empty());
  const std::string rows = c.repo.flagscale_ok({"list", "-q"});
  CHECK(lines_of(rows).size() == 2);
  CHECK_FALSE(has_text(rows, "DEVICE"));
}

TEST_CASE("list takes device types and bases as words and as options, in any order") {
  Companions c;
  c.publish("C_Z1");
  const auto devices = [&](const Args& words) {
    std::string names;
    for (const std::string& line : lines_of(c.repo.flagscale_ok(Args{"list", "-q"} + words))) {
      names += line.substr(0, line.find(' ')) + " ";
    }
    return names;
  };
  CHECK(devices({}) == "A_X100 B_Y100 C_Z1 ");
  CHECK(devices({"B_Y100"}) == "B_Y100 ");
  CHECK(devices({base8(c.base), "C_Z1", "A_X100"}) == "A_X100 C_Z1 ");
  CHECK(devices({"--device-type", "A_X100", "B_Y100"}) == "A_X100 B_Y100 ");
  CHECK(devices({"--commit-id", c.base.substr(0, 5), "--device", "C_Z1"}) == "C_Z1 ");
  CHECK(devices({"origin/main"}) == "A_X100 B_Y100 C_Z1 ");
  CHECK(devices({c.base}) == "A_X100 B_Y100 C_Z1 ");
}

TEST_CASE("list reads the store of any commit, and the working tree for what HEAD lacks") {
  Companions c;
  c.repo.git({"switch", "--quiet", "work"});
  check_says(c.repo.flagscale({"list"}), 0,
             {"there are no patches here", "--from flagscale/A_X100"});
  const std::string from = c.branch("B_Y100");
  CHECK(has_text(c.repo.flagscale_ok({"list", "--from", from}), "B_Y100"));
  c.repo.git({"checkout", "--quiet", from, "--", "hardwares/B_Y100"});
  c.repo.git({"reset", "--quiet"});
  CHECK(lines_of(c.repo.flagscale_ok({"list", "-q"})).size() == 1);
  CHECK(has_text(c.repo.flagscale_ok({"list", "--json"}), "\"the working tree\""));
  check_says(c.repo.flagscale({"list", "--from", "nowhere"}), 128, {"'nowhere'"});
}

TEST_CASE("list names what there is when it knows nothing of a name") {
  Companions c;
  check_says(c.repo.flagscale({"list", "A_X10"}), 1,
             {"error: no patch of device type 'A_X10' found", "A_X100 B_Y100", "looked in HEAD"});
  check_says(c.repo.flagscale({"list", "abcdef12"}), 1,
             {"error: no patch for base 'abcdef12'", base8(c.base)});
  check_says(c.repo.flagscale({"list", "--device-type", "nonsense"}), 128, {"'nonsense'"});
  c.repo.git({"switch", "--quiet", c.branch("A_X100")});
  check_says(c.repo.flagscale({"list", "B_Y100"}), 1,
             {"there is one on " + c.branch("B_Y100") + ": --from " + c.branch("B_Y100")});
}

TEST_CASE("list shows encrypted and damaged patches as such") {
  Companions c;
  const std::string b = base8(c.base);
  c.repo.write("hardwares/E_N1/" + b + "/" + b + ".patch.encrypted", "secret");
  c.repo.write("hardwares/A_X100/" + b + "/" + b + ".patch", "no patch\n");
  c.repo.commit("encrypt");
  const std::string out = c.repo.flagscale_ok({"list"});
  CHECK(has_text(out, "(encrypted)"));
  CHECK(has_text(out, "(damaged: "));
  const Json json = Json::parse(c.repo.flagscale_ok({"list", "E_N1", "--json"}));
  CHECK(json.at("patches").at(0).at("encrypted") == true);
  CHECK(json.at("patches").at(0).at("patch").is_null());
}

TEST_CASE("a mapping that cannot be read does not hide the patches") {
  Companions c;
  c.commit_text("patch/hetero.txt", "no colon\n");
  check_says(c.repo.flagscale({"list"}), 0, {"warning: patch/hetero.txt:1: "});
}

TEST_CASE("list works in a bare repository, and in one without any commit") {
  const Companions c;
  const TestRepo bare = TestRepo::clone_of(c.repo, {"--bare"});
  CHECK(lines_of(bare.flagscale_ok({"list", "-q"})).size() == 2);
  const TestRepo empty;
  check_says(empty.flagscale({"list"}), 0, {"there are no patches here"});
}

}  // namespace
}  // namespace flagscale::test
