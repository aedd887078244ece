// SPDX-License-Identifier: Apache-2.0
//
// `git flagscale show`.
#include <doctest/doctest.h>

#include "support/companions.h"

namespace flagscale::test {
namespace {

TEST_CASE("show tells who, what and whether it verifies") {
  Companions c;
  c.commit_text("hardwares/A_X100/vendor.json",
                "{\"version\": 1, \"device_type\": \"A_X100\", \"vendor\": \"A\", \"chip\": "
                "\"X100\", \"contact\": \"ann@a.example\", \"x-lab\": [1, 2]}\n");
  const std::string out = c.repo.flagscale_ok({"show", "A_X100"});
  const Json sidecar = json_at(c.repo, "HEAD:" + c.stored("json"));
  for (const std::string& text :
       {std::string("  contact     ann@a.example\n"), std::string("  x-lab       [1,2]\n"),
        "  base        " + c.base + "\n", "  current     " + c.current + "\n",
        "  adapted     " + sidecar.at("commit").get<std::string>() + "\n",
        "  tree        " + c.repo.tree_of(c.current) + "\n",
        std::string("  size        3 commits, 5 files, +2 -30\n"),
        std::string("  together    A_X100 B_Y100\n"), std::string("  verifies    yes\n"),
        std::string("Ada Author <ada@example.com>  add the X100 engine\n"),
        sidecar.at("commit").get<std::string>().substr(0, 10) + "  2023-11-15  ",
        std::string("      +1   -0  src/engine.c\n"),
        std::string("  binary       src/x100/table.bin")}) {
    CHECK_MESSAGE(has_text(out, text), text << "\n" << out);
  }
}

TEST_CASE("show counts renamed files as one, under their last name") {
  Adaptation a;
  a.repo.git({"mv", "src/engine.c", "src/motor.c"});
  a.repo.commit("rename");
  a.repo.git({"mv", "src/motor.c", "src/drive.c"});
  a.current = a.repo.commit("rename again");
  patch(a.repo, a.patch_args());
  const std::string out = a.repo.flagscale_ok({"show", "A_X100"});
  CHECK_MESSAGE(has_text(out, "  +1   -0  src/engine.c => src/drive.c\n"), out);
  CHECK_FALSE(has_text(out, "motor"));
}

TEST_CASE("show takes a base, or shows all of them") {
  Companions c;
  c.repo.git({"switch", "--quiet", "--detach", c.base});
  const std::string base = c.repo.commit_file("later.txt", "later\n");
  c.repo.commit_file("later.txt", "adapted\n", "later work");
  patch(c.repo, {"patch", "--device-type", "A_X100", "--base-commit-id", base, "--onto",
                 c.branch("B_Y100")});
  CHECK(has_text(c.repo.flagscale_ok({"show", "A_X100"}), "patch for " + base8(base)));
  const std::string one = c.repo.flagscale_ok({"show", "A_X100", c.base.substr(0, 6)});
  CHECK(has_text(one, "patch for " + base8(c.base)));
  CHECK_FALSE(has_text(one, base8(base)));
  CHECK(c.repo.flagscale_ok({"show", "--device-type", "A_X100", "--commit-id", c.base}) == one);
  check_says(c.repo.flagscale({"show", "A_X100", "--patch"}), 1,
             {"which patch of A_X100?", base8(base), base8(c.base)});
  check_says(c.repo.flagscale({"show", "A_X100", "cafecafe"}), 1, {base8(base), base8(c.base)});
}

TEST_CASE("show --patch prints the file's bytes and nothing else") {
  const Companions c;
  const Outcome outcome = c.repo.flagscale({"show", "A_X100", "-p"});
  CHECK(outcome.ok());
  CHECK(outcome.out == c.repo.try_git({"cat-file", "blob", "HEAD:" + c.stored("patch")}).out);
  CHECK(outcome.err.empty());
  check_says(c.repo.flagscale({"show", "A_X100", "-p", "--json"}), 129);
}

TEST_CASE("show says why a patch does not verify, and still what it holds") {
  Companions c;
  Json sidecar = json_at(c.repo, "HEAD:" + c.stored("json"));
  sidecar["tree"] = std::string(40, '1');
  c.commit_text(c.stored("json"), sidecar.dump());
  const std::string out = c.repo.flagscale_ok({"show", "A_X100"});
  CHECK_MESSAGE(has_text(out, "verifies    no: the rebuilt tree is "), out);
  CHECK(has_text(out, "src/engine.c"));
}

TEST_CASE("show of an encrypted patch") {
  Companions c;
  const std::string b = base8(c.base);
  c.commit_text("hardwares/E_N1/" + b + "/" + b + ".patch.encrypted", "secret");
  CHECK(has_text(c.repo.flagscale_ok({"show", "E_N1"}), "unknown: the patch is encrypted"));
  check_says(c.repo.flagscale({"show", "E_N1", "--patch"}), 1, {"is encrypted"});
}

TEST_CASE("show needs one device type") {
  const Companions c;
  check_says(c.repo.flagscale({"show"}), 129, {"which device type?"});
  check_says(c.repo.flagscale({"show", "A_X100", "x", "y"}), 129, {"'y'"});
  check_says(c.repo.flagscale({"show", "nonsense"}), 128, {"'nonsense'"});
  check_says(c.repo.flagscale({"show", "B_Y10"}), 1, {"there are patches of B_Y100 A_X100"});
}

}  // namespace
}  // namespace flagscale::test
