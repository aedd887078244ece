// SPDX-License-Identifier: Apache-2.0
//
// `git flagscale hetero`.
#include <doctest/doctest.h>

#include "support/companions.h"
#include "support/sandbox.h"

namespace flagscale::test {
namespace {

/// Three patches and no combination.
struct Three : Companions {
  Three() {
    publish("C_Z1");
    repo.remove("hardwares/hetero");
    repo.commit("separate them");
  }
};

TEST_CASE("hetero list prints the old text format") {
  Companions c;
  CHECK(c.repo.flagscale_ok({"hetero", "list"}) == c.base + ": A_X100 B_Y100");
  c.commit_text("patch/hetero.txt", "# old\r\n\r\n" + c.base.substr(0, 7) + ":  B_Y100   C_Z1\r\n");
  CHECK(c.repo.flagscale_ok({"hetero", "list"}) ==
        c.base.substr(0, 7) + ": B_Y100 C_Z1\n" + c.base + ": A_X100 B_Y100");
  CHECK(c.repo.flagscale_ok({"hetero", "list", "C_Z1"}) == c.base.substr(0, 7) + ": B_Y100 C_Z1");
  CHECK(lines_of(c.repo.flagscale_ok({"hetero", "list", base8(c.base)})).size() == 2);
  CHECK(c.repo.flagscale_ok({"hetero", "list", "--from", "HEAD^"}) == c.base + ": A_X100 B_Y100");
  c.commit_text("patch/hetero.txt", "nonsense\n");
  check_says(c.repo.flagscale({"hetero", "list"}), 128, {"patch/hetero.txt:1: no ':'"});
}

TEST_CASE("hetero add writes one file into the working tree, for the user to commit") {
  Three t;
  const std::string head = t.repo.rev("HEAD");
  const Outcome outcome =
      t.repo.flagscale({"hetero", "add", t.base.substr(0, 6), "C_Z1", "A_X100"});
  check_says(outcome, 0, {"others get it with a commit", "git add"});
  CHECK(outcome.out == t.combination("A_X100+C_Z1") + "\n");
  CHECK(t.repo.rev("HEAD") == head);
  CHECK(t.repo.status() == "?? hardwares/hetero/");
  CHECK(t.repo.read(t.combination("A_X100+C_Z1")) == "{\n  \"version\": 1,\n  \"base\": \"" +
                                                         t.base +
                                                         "\",\n  \"devices\": [\n    \"A_X100\",\n"
                                                         "    \"C_Z1\"\n  ]\n}\n");
  const std::string before = t.repo.snapshot();
  check_says(t.repo.flagscale({"hetero", "add", t.base, "A_X100", "C_Z1"}), 0, {"unchanged"});
  CHECK(t.repo.snapshot() == before);

  RunOptions inside;
  inside.folder = "src";
  const std::string command =
      hinted_commands(
          t.repo.flagscale({"hetero", "add", t.base, "A_X100", "B_Y100", "C_Z1"}, inside).err)
          .at(0);
  CHECK(run_command({"sh", "-c", command + " --quiet -m together"}, t.repo.path("src")).ok());
  CHECK(t.repo.status().empty());
  check_says(
      t.repo.flagscale({"hetero", "add", "--commit-id", t.base, "--device-type", "B_Y100", "C_Z1"}),
      0, {"unchanged"});
  CHECK(t.repo.flagscale({"verify"}).ok());
}

TEST_CASE("hetero add refuses what no patch stands behind") {
  const Three t;
  const std::string before = t.repo.snapshot();
  check_says(t.repo.flagscale({"hetero", "add", t.base, "A_X100", "D_W9"}), 1,
             {"no patch of device type 'D_W9'"});
  check_says(t.repo.flagscale({"hetero", "add", "cafecafe", "A_X100", "B_Y100"}), 1,
             {base8(t.base)});
  check_says(t.repo.flagscale({"hetero", "add", t.base, "A_X100"}), 129, {"two or more"});
  check_says(t.repo.flagscale({"hetero", "add", "A_X100", "B_Y100"}), 129, {"which base?"});
  check_says(t.repo.flagscale({"hetero", "add", t.base, "A_X100", "nonsense"}), 129,
             {"'nonsense'"});
  CHECK(t.repo.snapshot() == before);
  check_says(
      TestRepo::clone_of(t.repo, {"--bare"}).flagscale({"hetero", "add", t.base, "A_X100", "C_Z1"}),
      1, {"working tree"});
}

TEST_CASE("hetero add writes through no symlink and leaves nothing behind") {
  const Three t;
  const std::string outside = make_temp_folder();
  const Args add{"hetero", "add", t.base, "A_X100", "B_Y100"};
  SUBCASE("the folder is a symlink") {
    t.repo.symlink(outside, "hardwares/hetero");
  }
  SUBCASE("the base's folder is one") {
    t.repo.write("hardwares/hetero/README", "");
    t.repo.symlink(outside, "hardwares/hetero/" + base8(t.base));
  }
  SUBCASE("the file is one") {
    t.repo.write("hardwares/hetero/" + base8(t.base) + "/README", "");
    t.repo.symlink(outside + "/x", t.combination());
  }
  SUBCASE("the folder is a file") {
    t.repo.write("hardwares/hetero", "");
  }
  const std::string before = t.repo.snapshot();
  const Outcome outcome = t.repo.flagscale(add);
  CHECK_MESSAGE(outcome.status == 1, describe(outcome));
  CHECK(t.repo.snapshot() == before);
  CHECK(run_command({"ls", "-A", outside}, outside).out.empty());
}

TEST_CASE("hetero remove takes one combination out of the working tree") {
  Companions c;
  const Outcome outcome = c.repo.flagscale({"hetero", "remove", base8(c.base), "B_Y100", "A_X100"});
  check_says(outcome, 0, {"HEAD has it until you commit"});
  CHECK(outcome.out == c.combination() + "\n");
  CHECK(c.repo.status() == " D " + c.combination());
  CHECK_FALSE(c.repo.exists("hardwares/hetero"));
  check_says(c.repo.flagscale({"hetero", "remove", c.base, "B_Y100", "A_X100"}), 1,
             {"is not recorded"});
}

TEST_CASE("hetero remove names what else records a combination") {
  Three t;
  t.repo.flagscale_ok({"hetero", "add", t.base, "A_X100", "B_Y100", "C_Z1"});
  check_says(t.repo.flagscale({"hetero", "remove", t.base, "A_X100", "B_Y100"}), 1,
             {"only as a part of A_X100 B_Y100 C_Z1", t.combination("A_X100+B_Y100+C_Z1")});
  t.repo.write("patch/hetero.txt", "\n" + base8(t.base) + ": C_Z1 B_Y100 A_X100\n");
  check_says(t.repo.flagscale({"hetero", "remove", t.base, "A_X100", "B_Y100", "C_Z1"}), 0,
             {"warning: it is still recorded by 'patch/hetero.txt' line 2"});
  check_says(t.repo.flagscale({"hetero", "remove", t.base, "A_X100", "B_Y100", "C_Z1"}), 1,
             {"old mapping", "'patch/hetero.txt' line 2"});
}

TEST_CASE("hetero import turns an old mapping into files") {
  Three t;
  const std::string mapping = "# old\r\n" + t.base.substr(0, 4) + ": C_Z1 A_X100\r\n" +
                              t.base.substr(0, 7) + ":  A_X100  B_Y100 C_Z1\r\n" + t.base +
                              ": B_Y100 C_Z1\r\n";
  SUBCASE("where it always stood") {
    t.repo.write("tools/patch/hetero.txt", mapping);
    const Outcome outcome = t.repo.flagscale({"hetero", "import"});
    check_says(outcome, 0, {"others get them with a commit", "'tools/patch/hetero.txt'"});
    CHECK(outcome.out == t.combination("A_X100+B_Y100+C_Z1") + "\n");
    check_says(t.repo.flagscale({"hetero", "import"}), 0, {"unchanged"});
  }
  SUBCASE("a file that is named, seen from a subfolder") {
    t.repo.write("src/mapping", mapping);
    RunOptions inside;
    inside.folder = "src";
    CHECK(t.repo.flagscale_ok({"hetero", "import", "mapping"}, inside) ==
          t.combination("A_X100+B_Y100+C_Z1"));
  }
  const Json json = Json::parse(t.repo.read(t.combination("A_X100+B_Y100+C_Z1")));
  CHECK(json.at("base") == t.base);
}

TEST_CASE("hetero import is all or nothing") {
  const Three t;
  const std::string good = base8(t.base) + ": A_X100 B_Y100\n";
  std::string wanted;
  int status = 1;
  SUBCASE("a line that cannot be read") {
    t.repo.write("mapping", good + "A_X100 B_Y100\n");
    wanted = "mapping:2: no ':'";
    status = 128;
  }
  SUBCASE("a device type without patch") {
    t.repo.write("mapping", good + base8(t.base) + ": A_X100 D_W9\n");
    wanted = "mapping:2: D_W9 has no patch for base " + base8(t.base);
  }
  SUBCASE("a base that is nowhere") {
    t.repo.write("mapping", good + "abcdef12: A_X100 B_Y100\n");
    wanted = "mapping:2: there is no commit abcdef12 here";
    status = 128;
  }
  SUBCASE("a file that cannot be written") {
    t.repo.write("mapping", good + base8(t.base) + ": A_X100 C_Z1\n");
    t.repo.write(t.combination("A_X100+C_Z1") + "/README", "");
    wanted = "is in the way";
  }
  const std::string before = t.repo.snapshot();
  check_says(t.repo.flagscale({"hetero", "import", "mapping"}), status, {wanted});
  CHECK(t.repo.snapshot() == before);
  check_says(t.repo.flagscale({"hetero", "import"}), 1, {"no old mapping"});
  check_says(t.repo.flagscale({"hetero", "import", "none"}), 128, {"'none'"});
}

}  // namespace
}  // namespace flagscale::test
