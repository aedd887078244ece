// SPDX-License-Identifier: Apache-2.0
//
// `git flagscale patch` where an earlier version, another base or other devices are stored.
#include <doctest/doctest.h>

#include "support/adaptation.h"

namespace flagscale::test {
namespace {

/// One more commit of work on branch `work`.
std::string go_on(Adaptation& a, const std::string& text = "more\n") {
  a.repo.git({"switch", "--quiet", "work"});
  a.current = a.repo.commit_file("src/x100/more.c", text, "go on");
  return a.current;
}

std::string rebuilt_tree(const TestRepo& repo, const std::string& revision,
                         const std::string& device, const std::string& base) {
  const std::string dir = TestRepo().path("build");
  const auto built = unpatch(
      repo, {"--device-type", device, "--commit-id", base, "--from", revision, "--dir", dir});
  return TestRepo::at(built.at(0).folder).tree_of("HEAD");
}

TEST_CASE("the same again is unchanged") {
  Adaptation a;
  const Patched first = patch(a.repo, a.patch_args());
  a.repo.git({"switch", "--quiet", "work"});
  const std::string objects = a.repo.objects();
  a.repo.tick();

  SUBCASE("with the same commits") {
    const Patched again = patch(a.repo, a.patch_args());
    CHECK(again.commit == first.commit);
    CHECK(has_text(again.talk, "unchanged"));
    CHECK_FALSE(hinted_commands(again.talk).empty());
    CHECK(a.repo.objects() == objects);
  }
  SUBCASE("with other commits of the same authors, dates, messages and trees") {
    const std::string other =
        a.repo.git({"commit-tree", "-p", "HEAD^", "-F", "-", "HEAD^{tree}"},
                   {.folder = {},
                    .env = {{"GIT_AUTHOR_DATE", a.repo.git({"show", "-s", "--format=%ai"})}},
                    .input = "[kernels] add a table\n\nFor speed.\n"});
    REQUIRE(other != a.current);
    a.current = other;
    CHECK(patch(a.repo, a.patch_args()).commit == first.commit);
    CHECK(json_at(a.repo, "HEAD:" + a.stored("json")).at("current") != other);
  }
  SUBCASE("on whatever parent it was put, unless another one is asked for") {
    a.repo.git({"switch", "--quiet", "main"});
    const std::string newer = a.repo.commit_file("README.md", "# newer\n");
    const Patched onto = patch(a.repo, a.patch_args() + Args{"--onto", "main"});
    CHECK(onto.commit != first.commit);
    CHECK(parents_of_head(a.repo) == newer);
    CHECK(patch(a.repo, a.patch_args()).commit == onto.commit);
    CHECK(patch(a.repo, a.patch_args() + Args{"--onto", "main"}).commit == onto.commit);
    const Patched back = patch(a.repo, a.patch_args() + Args{"--onto", a.base});
    CHECK(parents_of_head(a.repo) == a.base);
    CHECK(back.commit != onto.commit);
  }
  CHECK(a.repo.head_branch() == a.branch());
}

TEST_CASE("a newer version replaces the older one") {
  Adaptation a;
  const Patched first = patch(a.repo, a.patch_args());
  go_on(a);
  const Patched second = patch(a.repo, a.patch_args());
  CHECK(second.commit != first.commit);
  CHECK(parents_of_head(a.repo) == a.base);
  CHECK(second.path == first.path);
  CHECK(has_text(second.talk, "3 commits, 5 files, +2 -30"));
  CHECK(has_text(second.talk, "4 commits, 6 files, +3 -30"));
  CHECK(rebuilt_tree(a.repo, "HEAD", "A_X100", a.base) == a.repo.tree_of(a.current));
  // The older one can still be had.
  CHECK(a.repo.rev(a.branch() + "@{1}") == first.commit);
}

TEST_CASE("what the vendor added by hand is carried to the next version") {
  Adaptation a;
  patch(a.repo, a.patch_args());
  Json vendor = json_at(a.repo, "HEAD:hardwares/A_X100/vendor.json");
  vendor["contact"] = "x100@example.com";
  const std::string edited = vendor.dump(4) + "\n";
  a.repo.write("hardwares/A_X100/vendor.json", edited);
  Json sidecar = json_at(a.repo, "HEAD:" + a.stored("json"));
  sidecar["reviewed"] = "yes";
  sidecar["patch"]["tests"] = 7;
  a.repo.write(a.stored("json"), format_json(sidecar));
  a.repo.write("hardwares/A_X100/NOTES.md", "notes\n");
  a.repo.git({"add", "--all"});
  a.repo.git({"commit", "--quiet", "--amend", "--no-edit"});

  go_on(a);
  patch(a.repo, a.patch_args());
  CHECK(a.repo.show("HEAD:hardwares/A_X100/vendor.json") == edited);
  CHECK(a.repo.show("HEAD:hardwares/A_X100/NOTES.md") == "notes\n");
  const Json now = json_at(a.repo, "HEAD:" + a.stored("json"));
  CHECK(now.at("reviewed") == "yes");
  CHECK(now.at("patch").at("tests") == 7);
  CHECK(now.at("patch").at("commits") == 4);
}

TEST_CASE("an existing vendor file is never rewritten, and must be about this device type") {
  Adaptation a;
  const std::string path = "hardwares/A_X100/vendor.json";
  std::string text = R"({"chip":"X100","vendor":"A","device_type":"A_X100","version":1})";
  SUBCASE("as it is") {}
  SUBCASE("of another device type") {
    text.replace(text.find("\"A\""), 3, "\"B\"");
  }
  a.repo.git({"switch", "--quiet", "main"});
  a.repo.commit_file(path, text);
  const Outcome outcome = a.repo.flagscale(a.patch_args() + Args{"--onto", "main"});
  if (has_text(text, "\"B\"")) {
    CHECK(outcome.status == 128);
    CHECK(has_text(outcome.err, path));
    CHECK_FALSE(a.repo.has(a.branch()));
  } else {
    CHECK_MESSAGE(outcome.ok(), describe(outcome));
    CHECK(a.repo.show("HEAD:" + path) == text);
  }
}

TEST_CASE("other device types' files of the earlier version are carried along") {
  Adaptation a;
  patch(a.repo, a.patch_args("B_Y100"));
  patch(a.repo, a.patch_args("C_Z1"));
  patch(a.repo, a.patch_args("B_Y100") + Args{"--device-type", "A_X100"});
  // Still to be had, but only from the branch of the other device types.
  go_on(a);
  const std::string old_tree = a.repo.tree_of("HEAD^");
  Args args = a.patch_args();
  SUBCASE("without naming them again") {}
  SUBCASE("with one more combination") {
    args.insert(args.begin() + 2, "C_Z1");
  }
  const bool with_c = args[2] == "C_Z1";
  patch(a.repo, args);
  CHECK(rebuilt_tree(a.repo, "HEAD", "B_Y100", a.base) == old_tree);
  CHECK(rebuilt_tree(a.repo, "HEAD", "A_X100", a.base) == a.repo.tree_of(a.current));
  const std::string combinations =
      a.repo.git({"ls-tree", "--name-only", "HEAD:hardwares/hetero/" + base8(a.base)});
  CHECK(combinations == (with_c ? "A_X100+B_Y100.json\nA_X100+C_Z1.json" : "A_X100+B_Y100.json"));
}

TEST_CASE("a combination that is part of a recorded one is not recorded again") {
  Adaptation a;
  patch(a.repo, a.patch_args("B_Y100"));
  patch(a.repo, a.patch_args("C_Z1"));
  const Patched three =
      patch(a.repo, Args{"patch", "--device-type", "B_Y100", "C_Z1"} +
                        Args{"A_X100", "--base-commit-id", a.base, "--current-commit-id", "work"});
  const auto combinations = [&] {
    return a.repo.git({"ls-tree", "--name-only", "HEAD:hardwares/hetero/" + base8(a.base)});
  };
  REQUIRE(combinations() == "A_X100+B_Y100+C_Z1.json");
  const Args two = {"patch", "--device-type",       "C_Z1", "A_X100", "--base-commit-id",
                    a.base,  "--current-commit-id", "work"};
  CHECK(patch(a.repo, two).commit == three.commit);
  go_on(a);
  patch(a.repo, two);
  CHECK(combinations() == "A_X100+B_Y100+C_Z1.json");
}

TEST_CASE("the same work with a new combination is a new patch commit") {
  Adaptation a;
  patch(a.repo, a.patch_args("B_Y100"));
  const Patched alone = patch(a.repo, a.patch_args());
  const Patched both = patch(a.repo, a.patch_args("B_Y100") + Args{"--device", "A_X100"});
  CHECK(both.commit != alone.commit);
  CHECK(a.repo.rev(both.commit + ":" + a.stored("patch")) ==
        a.repo.rev(alone.commit + ":" + a.stored("patch")));
}

TEST_CASE("other bases of the same device type stay") {
  Adaptation a;
  const Patched first = patch(a.repo, a.patch_args());
  a.repo.git({"push", "--quiet", "origin", "HEAD:main"});
  const std::string old_tree = a.repo.tree_of(a.current);
  const std::string old_base = a.base;

  a.repo.git({"switch", "--quiet", "--detach", first.commit});
  a.base = a.repo.commit_file("README.md", "# newer upstream\n");
  a.repo.git({"switch", "--quiet", "-c", "work2"});
  a.current = a.repo.commit_file("src/x100.c", "int newer;\n", "adapt the newer one");
  patch(a.repo, {"patch", "--device-type", "A_X100", "--base-commit-id", a.base});
  CHECK(a.repo.head_branch() == a.branch());
  CHECK(rebuilt_tree(a.repo, "HEAD", "A_X100", old_base) == old_tree);
  CHECK(rebuilt_tree(a.repo, "HEAD", "A_X100", a.base) == a.repo.tree_of(a.current));
  CHECK(a.repo.rev("flagscale/A_X100/" + base8(old_base)) == first.commit);
}

TEST_CASE("where another device type's patch is looked for") {
  Adaptation a;
  const Patched other = patch(a.repo, a.patch_args("B_Y100"));
  const std::string stored = a.repo.rev("HEAD:" + a.stored("patch", "B_Y100"));
  const auto leave_no_branch = [&](const std::string& start) {
    a.repo.git({"switch", "--quiet", "-C", "work", start});
    a.repo.git({"branch", "--quiet", "-D", a.branch("B_Y100")});
  };
  Args more;
  std::string source;
  SUBCASE("HEAD") {
    leave_no_branch(a.current);
    a.repo.git({"switch", "--quiet", "--detach", other.commit});
    source = "HEAD";
  }
  SUBCASE("--onto") {
    leave_no_branch(a.current);
    more = {"--onto", other.commit};
    source = other.commit;
  }
  SUBCASE("current") {
    leave_no_branch(a.current);
    a.repo.git({"cherry-pick", "--quiet", other.commit});
    a.current = a.repo.rev("HEAD");
    a.repo.git({"switch", "--quiet", "main"});
    source = "current";
  }
  SUBCASE("the working tree") {
    leave_no_branch(a.current);
    a.repo.git({"checkout", "--quiet", other.commit, "--", "hardwares"});
    a.repo.git({"reset", "--quiet"});
    more = {"--no-switch"};
    source = "the working tree";
  }
  SUBCASE("the remote's branch") {
    leave_no_branch(a.current);
    a.repo.git({"push", "--quiet", "origin", other.commit + ":main"});
    source = "origin/main";
  }
  SUBCASE("its own branch") {
    a.repo.git({"switch", "--quiet", "work"});
    source = a.branch("B_Y100");
  }
  SUBCASE("the local main") {
    leave_no_branch(a.current);
    a.repo.git({"branch", "--quiet", "--force", "main", other.commit});
    source = "main";
  }
  const Patched both =
      patch(a.repo, a.patch_args("B_Y100") + Args{"--device-type", "A_X100"} + more);
  CHECK_MESSAGE(has_text(both.talk, "B_Y100 from " + source + "\n"), both.talk);
  CHECK(a.repo.rev(both.commit + ":" + a.stored("patch", "B_Y100")) == stored);
  CHECK(a.repo.has(both.commit + ":" + a.stored("json", "B_Y100")));
}

TEST_CASE("an other device type without a patch is an error that says where it looked") {
  Adaptation a;
  patch(a.repo, a.patch_args("C_Z1"));
  a.repo.git({"switch", "--quiet", "work"});
  const std::string snapshot = a.repo.snapshot();
  const std::string objects = a.repo.objects();
  const Outcome outcome = a.repo.flagscale(a.patch_args("B_Y100") + Args{"--device", "A_X100"});
  CHECK(outcome.status == 1);
  for (const std::string& place :
       {std::string("B_Y100"), std::string("HEAD"), std::string("the working tree"),
        std::string("origin/main"), a.branch("C_Z1")}) {
    CHECK_MESSAGE(has_text(outcome.err, place), outcome.err);
  }
  CHECK(a.repo.snapshot() == snapshot);
  CHECK(a.repo.objects() == objects);
}

TEST_CASE("the stored bytes stay when they give the same commits") {
  Adaptation a;
  patch(a.repo, a.patch_args());
  // As another build might have written it: the same mails with another signature.
  std::string series = a.repo.show("HEAD:" + a.stored("patch"));
  series += "-- \n9.9\n\n";
  a.repo.write(a.stored("patch"), series);
  const std::string blob = a.repo.git({"hash-object", a.stored("patch")});
  Json sidecar = json_at(a.repo, "HEAD:" + a.stored("json"));
  sidecar["patch"]["blob"] = blob;
  a.repo.write(a.stored("json"), format_json(sidecar));
  a.repo.git({"commit", "--quiet", "--all", "--amend", "--no-edit"});
  const std::string amended = a.repo.rev("HEAD");
  a.repo.git({"switch", "--quiet", "work"});
  CHECK(patch(a.repo, a.patch_args()).commit == amended);
  a.repo.git({"switch", "--quiet", "main"});
  a.repo.commit_file("README.md", "# newer\n");
  patch(a.repo, a.patch_args() + Args{"--onto", "main"});
  CHECK(a.repo.rev("HEAD:" + a.stored("patch")) == blob);
  CHECK(json_at(a.repo, "HEAD:" + a.stored("json")).at("patch").at("blob") == blob);
}

}  // namespace
}  // namespace flagscale::test
