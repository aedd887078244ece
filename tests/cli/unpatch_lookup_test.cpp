// SPDX-License-Identifier: Apache-2.0
//
// Which patch file `git flagscale unpatch` takes: places, names of the base, damage, and stores
// that another tool has made.
#include <doctest/doctest.h>

#include "support/adaptation.h"
#include "support/sandbox.h"

namespace flagscale::test {
namespace {

/// A vendor's patch commit, and a user's clone of the upstream that knows nothing of it yet.
struct Lookup : Adaptation {
  TestRepo user;
  std::string patch_commit;
  std::string adapted;

  Lookup() : user(TestRepo::clone_of(upstream)) {
    patch_commit = patch(repo, patch_args()).commit;
    adapted = json_at(repo, "HEAD:" + stored("json")).at("commit");
    user.git({"remote", "add", "vendor", repo.path()});
    user.git({"fetch", "--quiet", "vendor"});
    for (const std::string& ref :
         lines_of(user.git({"for-each-ref", "--format=%(refname)", "refs/remotes/vendor"}))) {
      user.git({"update-ref", "-d", ref});
    }
    user.git({"remote", "remove", "vendor"});
  }

  [[nodiscard]] Outcome run(const Args& more = {}, const std::string& id = {}) const {
    return user.flagscale(
        Args{"unpatch", "--device-type", "A_X100", "--commit-id", id.empty() ? base8(base) : id} +
        more);
  }
  /// The patch is found there, and HEAD gets where it must.
  void check_found(const std::string& place, const Args& more = {}) const {
    const Outcome outcome = run(more);
    REQUIRE_MESSAGE(outcome.ok(), describe(outcome));
    CHECK_MESSAGE(has_text(outcome.err, "from " + place + ":"), outcome.err);
    CHECK(user.rev("HEAD") == adapted);
  }
  void check_fails(int status, const std::vector<std::string>& texts,
                   const std::string& id = {}) const {
    const Outcome outcome = run({}, id);
    CHECK_MESSAGE(outcome.status == status, describe(outcome));
    for (const std::string& text : texts) CHECK_MESSAGE(has_text(outcome.err, text), outcome.err);
    CHECK(user.head_branch() == "main");
  }
  /// Puts the store's files into the working tree, without the index.
  void store_in_working_tree() const {
    user.git({"checkout", "--quiet", patch_commit, "--", "hardwares"});
    user.git({"reset", "--quiet"});
  }
};

TEST_CASE("the places where the store is looked up, in order") {
  Lookup l;
  SUBCASE("nowhere") {
    l.check_fails(1, {"A_X100", "HEAD", "the working tree", "origin/main"});
  }
  SUBCASE("HEAD") {
    l.user.git({"reset", "--quiet", "--hard", l.patch_commit});
    l.check_found("HEAD");
  }
  SUBCASE("the working tree only") {
    l.store_in_working_tree();
    l.user.remove("hardwares/A_X100/vendor.json");
    l.check_found("the working tree");
    CHECK(l.user.exists(l.stored("patch")));
  }
  SUBCASE("the remote's default branch") {
    l.user.git({"push", "--quiet", "origin", l.patch_commit + ":main"});
    l.check_found("origin/main");
  }
  SUBCASE("the remote's default branch by another name") {
    l.user.git({"update-ref", "refs/remotes/origin/trunk", l.patch_commit});
    l.user.git({"symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/trunk"});
    l.check_found("origin/trunk");
  }
  SUBCASE("a patch branch") {
    l.user.git({"branch", "flagscale/A_X100/" + base8(l.base), l.patch_commit});
    l.check_found("flagscale/A_X100/" + base8(l.base));
  }
  SUBCASE("--from") {
    l.user.git({"tag", "published", l.patch_commit});
    l.check_found("published", {"--from", "published"});
  }
}

TEST_CASE("--from looks nowhere else") {
  Lookup l;
  l.user.git({"reset", "--quiet", "--hard", l.patch_commit});
  const Outcome outcome = l.run({"--from", l.base});
  CHECK(outcome.status == 1);
  CHECK_FALSE(has_text(outcome.err, "HEAD"));
  CHECK(l.run({"--from", "no-such"}).status == 128);
}

TEST_CASE("of an edited copy, HEAD's version is used, with a warning") {
  Lookup l;
  l.user.git({"reset", "--quiet", "--hard", l.patch_commit});
  SUBCASE("edited") {
    l.user.write(l.stored("patch"), l.user.read(l.stored("patch")) + "garbage\n");
    const Outcome outcome = l.run({"--dir", "build"});
    REQUIRE_MESSAGE(outcome.ok(), describe(outcome));
    CHECK(has_text(outcome.err, "warning: '" + l.stored("patch") + "' was edited"));
    CHECK(has_text(outcome.out, l.adapted));
  }
  SUBCASE("only checked out with other line ends") {
    l.user.config("core.autocrlf", "true");
    l.user.remove(l.stored("patch"));
    l.user.git({"checkout", "--quiet", "--", "hardwares"});
    REQUIRE(has_text(l.user.read(l.stored("patch")), "\r\n"));
    const Outcome outcome = l.run({"--dir", "build"});
    REQUIRE_MESSAGE(outcome.ok(), describe(outcome));
    CHECK_FALSE(has_text(outcome.err, "warning"));
  }
}

TEST_CASE("a damaged file is found out by its blob id") {
  Lookup l;
  l.store_in_working_tree();
  std::string series = l.user.read(l.stored("patch"));
  SUBCASE("edited in a message, where it would apply") {
    series.replace(series.find("For speed."), 10, "For speec.");
  }
  SUBCASE("cut off between two mails") {
    series.resize(series.rfind("\nFrom 000000"));
  }
  SUBCASE("cut off inside a diff") {
    series.resize(series.size() - 20);
  }
  SUBCASE("empty") {
    series.clear();
  }
  l.user.write(l.stored("patch"), series);
  l.check_fails(128, {"damaged", l.stored("patch"), "blob id"});
}

TEST_CASE("a working tree file that was converted to CRLF is read as it was stored") {
  Lookup l;
  l.user.config("core.autocrlf", "true");
  l.store_in_working_tree();
  REQUIRE(has_text(l.user.read(l.stored("patch")), "\r\n"));
  l.user.config("core.autocrlf", "false");
  l.check_found("the working tree");
}

TEST_CASE("the base may be named in many ways") {
  Lookup l;
  l.user.git({"branch", "stable", l.base});
  l.user.git({"reset", "--quiet", "--hard", l.patch_commit});
  l.user.git({"tag", "-a", "-m", "v1", "v1", l.base});
  std::string upper = l.base.substr(0, 12);
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  for (const std::string& id :
       {l.base, l.base.substr(0, 12), l.base.substr(0, 8), l.base.substr(0, 4), upper,
        std::string("v1"), std::string("stable"), l.patch_commit + "^"}) {
    CAPTURE(id);
    const Outcome outcome = l.run({"-n"}, id);
    CHECK_MESSAGE(outcome.ok(), describe(outcome));
    CHECK(has_text(outcome.err, l.adapted));
  }
  l.check_fails(1, {"no-such", base8(l.base)}, "no-such");
  l.check_fails(1, {base8(l.base)}, l.patch_commit);
  l.check_fails(1, {base8(l.base)}, base8(l.base) + "00000000");
}

TEST_CASE("a prefix of several bases is ambiguous") {
  Lookup l;
  l.store_in_working_tree();
  const std::string prefix = l.base.substr(0, 5);
  const std::string other = prefix + (l.base[5] == '0' ? "111" : "000");
  const std::string folder = "hardwares/A_X100/" + other + "/";
  l.user.write(folder + other + ".patch", "");
  l.check_fails(128, {"ambiguous", other, base8(l.base)}, prefix);
  CHECK(l.run({"-n"}, l.base.substr(0, 6)).ok());
}

TEST_CASE("unknown device types are told, with those that exist") {
  Lookup l;
  l.store_in_working_tree();
  const Outcome outcome =
      l.user.flagscale({"unpatch", "--device-type", "A_X10", "--commit-id", base8(l.base)});
  CHECK(outcome.status == 1);
  CHECK(has_text(outcome.err, "A_X100"));
}

TEST_CASE("only an encrypted patch") {
  Lookup l;
  l.store_in_working_tree();
  l.user.remove(l.stored("patch"));
  l.user.remove(l.stored("json"));
  l.user.write(l.stored("patch") + ".encrypted.zip", "PK");
  l.check_fails(128, {"encrypted"});
}

TEST_CASE("stores of the old tool") {
  Lookup l;
  const std::string folder = "hardware/A_X100/" + base8(l.base);
  const std::string file = folder + "/" + base8(l.base) + ".patch";
  std::string series;
  SUBCASE("one mail for each commit") {
    series = l.repo.try_git({"format-patch", "--stdout", "--binary", l.base + "..work"}).out;
  }
  SUBCASE("without renames, numbered, with a cover letter's habits") {
    series = l.repo
                 .try_git({"format-patch", "--stdout", "--binary", "--no-renames", "--numbered",
                           "--signoff", "--thread", "-v2", l.base + "..work"})
                 .out;
  }
  SUBCASE("one bare diff") {
    l.user.write(file, l.repo.try_git({"diff", "--binary", l.base, "work"}).out);
    l.user.commit("store");
    CHECK(l.run().ok());
    CHECK(l.user.tree_of("HEAD") == l.repo.tree_of("work"));
    return;
  }
  l.user.write(file, series);
  l.user.commit("store");
  const auto am = l.user.am(series, l.base);
  REQUIRE_MESSAGE(am.outcome.ok(), describe(am.outcome));
  REQUIRE(l.run().ok());
  CHECK(l.user.rev("HEAD") == am.commits.back());
  CHECK(l.user.tree_of("HEAD") == l.repo.tree_of("work"));
}

TEST_CASE("hardware is the store where only that exists, unless configured") {
  Lookup l;
  l.user.git({"read-tree", "--prefix=hardware/", l.patch_commit + ":hardwares"});
  l.user.git({"commit", "--quiet", "-m", "as FlagScale has it"});
  l.user.git({"reset", "--quiet", "--hard"});
  SUBCASE("only hardware") {
    l.check_found("HEAD");
  }
  SUBCASE("hardwares, too") {
    l.user.commit_file("hardwares/README.md", "the store is here\n");
    l.check_fails(1, {"A_X100"});
    l.user.config("flagscale.hardwareDir", "hardware");
    l.check_found("HEAD");
  }
  SUBCASE("the option wins over the configuration") {
    l.user.config("flagscale.hardwareDir", "elsewhere");
    l.check_fails(1, {"A_X100"});
    l.check_found("HEAD", {"--hardware-dir", "./hardware/"});
  }
}

/// A user whose HEAD has the patches of A_X100 and B_Y100, and no combination in JSON.
struct OldMapping : Lookup {
  OldMapping() {
    const std::string y100 = patch(repo, patch_args("B_Y100")).commit;
    for (const std::string& commit : {patch_commit, y100}) {
      user.git({"fetch", "--quiet", repo.path(), commit});
      user.git({"checkout", "--quiet", commit, "--", "hardwares"});
    }
    user.commit("store");
  }
  [[nodiscard]] Outcome build() const {
    return user.flagscale({"unpatch", "--device-type", "A_X100", "B_Y100", "--commit-id",
                           base8(base), "--dir", make_temp_folder()});
  }
};

TEST_CASE("the old text mapping counts, too") {
  OldMapping l;
  CHECK(l.build().status == 1);
  std::string path = "patch/hetero.txt";
  std::string text = base8(l.base) + ": A_X100 B_Y100\n";
  SUBCASE("in patch/") {}
  SUBCASE("in tools/patch/") {
    path = "tools/" + path;
  }
  SUBCASE("in another order, with more devices") {
    text = l.base + ": C_Z1 B_Y100 A_X100\n";
  }
  SUBCASE("with comments, blank lines, CRLF and doubled spaces") {
    text = "# the mapping\r\n\r\n  " + l.base.substr(0, 6) + " :\tB_Y100   A_X100  # both\r\n\r\n";
  }
  SUBCASE("without a last line end") {
    text.pop_back();
  }
  SUBCASE("on a later line") {
    text = "01234567: A_X100 C_Z1\n" + text;
  }
  l.user.commit_file(path, text);
  const Outcome outcome = l.build();
  CHECK_MESSAGE(outcome.ok(), describe(outcome));
  CHECK(lines_of(outcome.out).size() == 2);
}

TEST_CASE("a line of the old mapping that cannot be read is an error with file and line") {
  OldMapping l;
  const std::string good = base8(l.base) + ": A_X100 B_Y100\n";
  std::string bad;
  SUBCASE("no colon") {
    bad = base8(l.base) + " A_X100 B_Y100\n";
  }
  SUBCASE("no id") {
    bad = "main: A_X100 B_Y100\n";
  }
  SUBCASE("no device type") {
    bad = base8(l.base) + ": A_X100 B-Y100\n";
  }
  l.user.commit_file("tools/patch/hetero.txt", "\n" + bad + good);
  const Outcome outcome = l.build();
  CHECK(outcome.status == 128);
  CHECK_MESSAGE(has_text(outcome.err, "tools/patch/hetero.txt:2: "), outcome.err);
}

}  // namespace
}  // namespace flagscale::test
