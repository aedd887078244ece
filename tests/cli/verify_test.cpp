// SPDX-License-Identifier: Apache-2.0
//
// `git flagscale verify`.
#include <doctest/doctest.h>

#include "support/companions.h"

namespace flagscale::test {
namespace {

/// What verify says of a store with one thing wrong.
void check_fails(const Companions& c, const std::vector<std::string>& texts) {
  const Outcome outcome = c.repo.flagscale({"verify"});
  CHECK_MESSAGE(outcome.status == 1, describe(outcome));
  std::string failures;
  for (const std::string& line : lines_of(outcome.out)) {
    if (line.starts_with("FAIL ")) failures += line + "\n";
  }
  CHECK_MESSAGE(lines_of(failures).size() == 1, outcome.out);
  for (const std::string& text : texts) CHECK_MESSAGE(has_text(failures, text), failures);
  CHECK_MESSAGE(has_text(outcome.err, "1 failure"), outcome.err);
}

TEST_CASE("verify prints a line for each patch and touches nothing") {
  const Companions c;
  const std::string before = c.repo.snapshot() + c.repo.objects();
  const Outcome outcome = c.repo.flagscale({"verify"});
  CHECK(outcome.ok());
  const auto adapted = [&](const std::string& device) {
    return json_at(c.repo, "HEAD:" + c.stored("json", device)).at("commit").get<std::string>();
  };
  CHECK(outcome.out == "ok A_X100 " + base8(c.base) + " " + adapted("A_X100") + "\nok B_Y100 " +
                           base8(c.base) + " " + adapted("B_Y100") + "\n");
  CHECK(outcome.err == "2 patches and 1 combination: all is well\n");
  CHECK(c.repo.snapshot() + c.repo.objects() == before);
  CHECK(c.repo.flagscale({"verify", "-q"}).err.empty());
}

TEST_CASE("verify takes device types, bases and a commit to read") {
  Companions c;
  CHECK(lines_of(c.repo.flagscale_ok({"verify", "B_Y100"})).size() == 1);
  CHECK(lines_of(c.repo.flagscale_ok({"verify", base8(c.base)})).size() == 2);
  check_says(c.repo.flagscale({"verify", "C_Z1"}), 1, {"'C_Z1'", "A_X100"});
  const std::string good = c.repo.rev("HEAD");
  c.commit_text(c.stored("patch"), "broken\n");
  check_fails(c, {"A_X100"});
  CHECK(c.repo.flagscale({"verify", "--from", good}).ok());
  CHECK(c.repo.flagscale({"verify", "B_Y100"}).ok());
  check_says(c.repo.flagscale({"verify", "--from", c.base}), 0, {"there are no patches here"});
}

TEST_CASE("verify finds what is wrong with a patch file") {
  Companions c;
  const std::string name = "A_X100 " + base8(c.base) + ": ";
  const std::string bytes = c.repo.show("HEAD:" + c.stored("patch")) + "\n";
  SUBCASE("a changed byte") {
    std::string changed = bytes;
    changed.replace(changed.find("+x100"), 5, "+x200");
    c.commit_text(c.stored("patch"), changed);
    check_fails(c, {name, "damaged patch file", "blob id"});
  }
  SUBCASE("converted line endings in a commit") {
    std::string crlf;
    for (const char letter : bytes) crlf += letter == '\n' ? "\r\n" : std::string(1, letter);
    c.commit_text(c.stored("patch"), crlf);
    check_fails(c, {name, "damaged patch file"});
  }
  SUBCASE("one that does not apply, without a sidecar to tell") {
    std::string changed = bytes;
    changed.replace(changed.find(" engine 30"), 10, " engine 31");
    c.repo.remove(c.stored("json"));
    c.commit_text(c.stored("patch"), changed);
    check_fails(c, {name, "src/engine.c"});
  }
  SUBCASE("none beside the sidecar") {
    c.repo.remove(c.stored("patch"));
    c.repo.remove(c.combination());
    c.repo.commit("remove");
    check_fails(c, {c.stored("json") + ": there is no patch file beside it"});
  }
}

TEST_CASE("verify compares the sidecar with what is rebuilt") {
  Companions c;
  Json sidecar = json_at(c.repo, "HEAD:" + c.stored("json"));
  std::string wanted;
  SUBCASE("the commit") {
    sidecar["commit"] = std::string(40, '1');
    wanted = "the adapted commit is ";
  }
  SUBCASE("the tree") {
    sidecar["tree"] = std::string(40, '1');
    wanted = "the rebuilt tree is ";
  }
  SUBCASE("the counts") {
    sidecar["patch"]["insertions"] = 7;
    wanted = "the size is ";
  }
  SUBCASE("the base") {
    sidecar["base"] = base8(c.base) + std::string(32, '1');
    // It is for the other base, and would be told about, too.
    c.repo.remove(c.combination());
    wanted = "is missing here (git fetch origin " + base8(c.base) + std::string(32, '1');
  }
  SUBCASE("the device type") {
    sidecar["device_type"] = "B_Y100";
    wanted = "is the sidecar of another patch";
  }
  SUBCASE("a wrong type") {
    sidecar["patch"]["commits"] = "3";
    wanted = c.stored("json") + ":";
  }
  c.commit_text(c.stored("json"), sidecar.dump(2) + "\n");
  check_fails(c, {"A_X100 " + base8(c.base) + ": ", wanted});
}

TEST_CASE("verify does not mind the vendor's own commit, nor unknown keys") {
  Companions c;
  Json sidecar = json_at(c.repo, "HEAD:" + c.stored("json"));
  sidecar["current"] = std::string(40, '1');
  sidecar["reviewed_by"] = "Mia";
  c.commit_text(c.stored("json"), sidecar.dump());
  CHECK(c.repo.flagscale({"verify"}).ok());
}

TEST_CASE("verify reads vendor.json strictly") {
  Companions c;
  const std::string path = "hardwares/A_X100/vendor.json";
  SUBCASE("a doubled key") {
    c.commit_text(path, "{\n\"version\": 1,\n\"version\": 1}\n");
    check_fails(c, {path, "doubled key 'version'"});
  }
  SUBCASE("another vendor") {
    c.commit_text(path,
                  "{\"version\":1,\"device_type\":\"A_X100\",\"vendor\":\"B\",\"chip\":\"X100\"}");
    check_fails(c, {path + ":1: 'vendor' is not 'A'"});
  }
  SUBCASE("none") {
    c.repo.remove(path);
    c.repo.commit("remove");
    check_fails(c, {"'" + path + "' is missing"});
  }
}

TEST_CASE("verify checks combinations and the old mapping") {
  Companions c;
  const std::string text = c.repo.show("HEAD:" + c.combination());
  SUBCASE("a device type without a patch") {
    Json json = Json::parse(text);
    json["devices"] = {"A_X100", "C_Z1"};
    c.commit_text(c.combination("A_X100+C_Z1"), json.dump());
    check_fails(c,
                {c.combination("A_X100+C_Z1") + ": C_Z1 has no patch for base " + base8(c.base)});
  }
  SUBCASE("a name that does not match") {
    c.repo.remove(c.combination());
    c.commit_text(c.combination("all"), text);
    check_fails(c, {c.combination("all"), "should be A_X100+B_Y100.json"});
  }
  SUBCASE("trailing text") {
    c.commit_text(c.combination(), text + "\nx");
    check_fails(c, {c.combination() + ":", "not valid JSON"});
  }
  SUBCASE("a line of the mapping that cannot be read") {
    c.commit_text("patch/hetero.txt", "# ok\n" + base8(c.base) + ": A_X100\n");
    check_fails(c, {"patch/hetero.txt:2: fewer than two device types"});
  }
  SUBCASE("a line of the mapping without patches") {
    c.commit_text("tools/patch/hetero.txt", "abcdef12: A_X100 B_Y100\r\n");
    const Outcome outcome = c.repo.flagscale({"verify"});
    CHECK(outcome.status == 1);
    CHECK(has_text(outcome.out,
                   "FAIL tools/patch/hetero.txt:1: A_X100 has no patch for base abcdef12\n"));
    CHECK(c.repo.flagscale({"verify", base8(c.base)}).ok());
  }
}

TEST_CASE("verify refuses names that differ in case only") {
  Companions c;
  const std::string b = base8(c.base);
  c.publish("C_Z1");
  c.repo.write("hardwares/a_x100/" + b + "/" + b + ".patch", c.repo.read(c.stored("patch")));
  c.repo.commit("copy");
  check_fails(c, {"in upper and lower case only"});
}

TEST_CASE("verify skips encrypted patches and reads stores of the old tool") {
  Companions c;
  const std::string b = base8(c.base);
  c.repo.write("hardwares/E_N1/" + b + "/" + b + ".patch.encrypted", "secret");
  c.repo.write("hardwares/O_L1/" + b + "/" + b + ".patch", c.repo.read(c.stored("patch")));
  c.repo.write("hardwares/notes/README", "no device\n");
  c.repo.commit("old");
  const Outcome outcome = c.repo.flagscale({"verify"});
  CHECK_MESSAGE(outcome.ok(), describe(outcome));
  CHECK(has_text(outcome.out, "skipped E_N1 " + b + ": encrypted\n"));
  CHECK(has_text(outcome.out, "ok O_L1 " + b + " "));
  CHECK(has_text(outcome.err, "all is well, 1 skipped"));
}

TEST_CASE("verify works in a bare repository and in one with a missing base") {
  const Companions c;
  CHECK(TestRepo::clone_of(c.repo, {"--bare"}).flagscale({"verify"}).ok());
  const TestRepo other;
  other.git({"fetch", "--quiet", "--depth=1", c.repo.path(), "HEAD"});
  const Outcome outcome = other.flagscale({"verify", "--from", "FETCH_HEAD"});
  CHECK(outcome.status == 1);
  CHECK(has_text(outcome.out, "base commit " + c.base + " of A_X100 is missing here (git fetch"));
}

}  // namespace
}  // namespace flagscale::test
