// SPDX-License-Identifier: Apache-2.0
//
// `git flagscale patch` made once: what is stored, where HEAD is afterwards, and its options.
#include <doctest/doctest.h>

#include "support/adaptation.h"
#include "support/sandbox.h"

namespace flagscale::test {
namespace {

/// The adapted commits in a patch file of `revision` are real git's and rebuild `current`.
void check_stored(const Adaptation& a, const std::string& revision, const std::string& device) {
  const auto am = a.repo.am(a.repo.show(revision + ":" + a.stored("patch", device)), a.base);
  REQUIRE_MESSAGE(am.outcome.ok(), describe(am.outcome));
  CHECK(am.tree == a.repo.tree_of(a.current));
  const Json sidecar = json_at(a.repo, revision + ":" + a.stored("json", device));
  CHECK(sidecar.at("commit") == am.commits.back());
  CHECK(sidecar.at("tree") == am.tree);
}

std::string changed_names(const TestRepo& repo, const std::string& from, const std::string& to) {
  return repo.git({"diff", "--name-status", "--no-renames", from, to});
}

TEST_CASE("the original procedure, word for word") {
  Adaptation a;
  // As in upstream's procedure: the work is on main itself.
  a.repo.git({"checkout", "--quiet", "-B", "main"});
  const std::string aaaa = base8(a.base);
  const std::string bbbb = base8(a.current);
  const Patched first = patch(a.repo, {"patch", "--device-type", "A_X100", "--base-commit-id", aaaa,
                                       "--current-commit-id", bbbb});
  CHECK(first.path == a.stored("patch"));
  CHECK(first.commit == a.repo.rev("HEAD"));
  CHECK(parents_of_head(a.repo) == a.base);
  CHECK(a.repo.rev("main") == a.current);
  CHECK(changed_names(a.repo, a.base, "HEAD") == "A\t" + a.stored("json") + "\nA\t" +
                                                     a.stored("patch") +
                                                     "\nA\thardwares/A_X100/vendor.json");
  CHECK(a.repo.status().empty());
  check_stored(a, "HEAD", "A_X100");
  CHECK(hinted_commands(first.talk).end()[-2] == "git push --force origin HEAD:main");
  a.repo.git({"push", "--quiet", "--force", "origin", "HEAD:main"});
  CHECK(a.upstream.git({"rev-list", "main"}) == first.commit + "\n" + a.base);

  // Somebody else's second device, on the same base.
  TestRepo other = TestRepo::clone_of(a.upstream);
  other.git({"checkout", "--quiet", "-b", "y100", aaaa});
  other.tick();
  other.commit_file("src/y100.c", "int y100;\n", "add Y100");
  const std::string y100_tree = other.tree_of("HEAD");
  const Patched both =
      patch(other, {"patch", "--device-type", "A_X100", "B_Y100", "--base-commit-id", aaaa});
  CHECK(parents_of_head(other) == a.base);
  CHECK(both.path == a.stored("patch", "B_Y100"));
  other.git({"push", "--quiet", "--force", "origin", "HEAD:main"});
  CHECK(a.upstream.git({"rev-list", "main"}) == both.commit + "\n" + a.base);

  TestRepo user = TestRepo::clone_of(a.upstream);
  const auto built =
      unpatch(user, {"--device-type", "A_X100", "B_Y100", "--commit-id", aaaa, "--dir", "build"});
  REQUIRE(built.size() == 2);
  CHECK(built[0].folder == user.path("build/A_X100/repo"));
  CHECK(built[1].folder == user.path("build/B_Y100/repo"));
  CHECK(TestRepo::at(built[0].folder).tree_of("HEAD") == a.repo.tree_of(a.current));
  CHECK(TestRepo::at(built[1].folder).tree_of("HEAD") == y100_tree);
  CHECK(user.status().empty());
  unpatch(user, {"--device-type", "A_X100", "--commit-id", aaaa});
  CHECK(user.tree_of("HEAD") == a.repo.tree_of(a.current));
  CHECK(user.head_branch().empty());
}

TEST_CASE("the stored files say what they are about") {
  Adaptation a;
  patch(a.repo, a.patch_args());
  const std::string blob = a.repo.rev("HEAD:" + a.stored("patch"));
  const auto am = a.repo.am(a.repo.show(blob), a.base);
  REQUIRE(am.commits.size() == 3);
  CHECK(a.repo.show("HEAD:" + a.stored("json")) ==
        "{\n  \"version\": 1,\n  \"device_type\": \"A_X100\",\n  \"base\": \"" + a.base +
            "\",\n  \"current\": \"" + a.current + "\",\n  \"commit\": \"" + am.commits.back() +
            "\",\n  \"tree\": \"" + a.repo.tree_of(a.current) +
            "\",\n  \"patch\": {\n    \"blob\": \"" + blob +
            "\",\n    \"commits\": 3,\n    \"files_changed\": 5,\n    \"insertions\": 2,\n"
            "    \"deletions\": 30\n  }\n}\n");
  CHECK(a.repo.show("HEAD:hardwares/A_X100/vendor.json") ==
        "{\n  \"version\": 1,\n  \"device_type\": \"A_X100\",\n  \"vendor\": \"A\",\n"
        "  \"chip\": \"X100\"\n}\n");
  CHECK(a.repo.git({"ls-tree", "-r", "--format=%(objectmode)", "HEAD", "hardwares"}) ==
        "100644\n100644\n100644");
}

TEST_CASE("a combination gets a file with its device types in order") {
  Adaptation a;
  patch(a.repo, a.patch_args("B_Y100"));
  patch(a.repo, a.patch_args("B_Y100") + Args{"--device-type", "A_X100"});
  const std::string folder = "HEAD:hardwares/hetero/" + base8(a.base);
  CHECK(a.repo.git({"ls-tree", "--name-only", folder}) == "A_X100+B_Y100.json");
  CHECK(a.repo.show(folder + "/A_X100+B_Y100.json") ==
        "{\n  \"version\": 1,\n  \"base\": \"" + a.base +
            "\",\n  \"devices\": [\n    \"A_X100\",\n    \"B_Y100\"\n  ]\n}\n");
  // All devices can be rebuilt from that commit alone.
  check_stored(a, "HEAD", "A_X100");
  check_stored(a, "HEAD", "B_Y100");
  CHECK(a.repo.has("HEAD:hardwares/B_Y100/vendor.json"));
}

TEST_CASE("a device type with a chip of several words") {
  Adaptation a;
  patch(a.repo, a.patch_args("Acme_MLU_590x"));
  const Json vendor = json_at(a.repo, "HEAD:hardwares/Acme_MLU_590x/vendor.json");
  CHECK(vendor.at("vendor") == "Acme");
  CHECK(vendor.at("chip") == "MLU_590x");
}

TEST_CASE("HEAD moves as git switch would move it") {
  Adaptation a;
  const Patched made = patch(a.repo, a.patch_args());
  CHECK(a.repo.head_branch() == a.branch());
  CHECK(a.repo.git({"reflog", "-1", "--format=%gs"}) ==
        "checkout: moving from work to " + a.branch());
  CHECK(hinted_commands(made.talk).back() == "git switch work");
  CHECK(a.repo.git({"for-each-ref", "--format=%(refname)", "refs/heads"}) ==
        "refs/heads/" + a.branch() + "\nrefs/heads/main\nrefs/heads/work");
  CHECK(a.repo.git({"stash", "list"}).empty());
  a.repo.git({"switch", "--quiet", "-"});
  CHECK(a.repo.head_branch() == "work");
  CHECK(a.repo.rev("HEAD") == a.current);
}

TEST_CASE("from a detached HEAD the way back is told, too") {
  Adaptation a;
  a.repo.git({"checkout", "--quiet", "--detach"});
  const Patched made = patch(a.repo, {"patch", "--device-type=A_X100", "--base-commit-id", "main"});
  CHECK(hinted_commands(made.talk).back() == "git switch --detach " + a.current.substr(0, 10));
  CHECK(json_at(a.repo, "HEAD:" + a.stored("json")).at("current") == a.current);
}

TEST_CASE("local edits are carried over") {
  Adaptation a;
  a.repo.write("README.md", "edited\n");
  a.repo.write("notes.txt", "untracked\n");
  a.repo.write(".gitignore", "*.log\n__pycache__/\nmore\n");
  a.repo.git({"add", ".gitignore"});
  const std::string before = a.repo.status();
  patch(a.repo, a.patch_args());
  CHECK(a.repo.status() == before);
  CHECK(a.repo.read("README.md") == "edited\n");
  CHECK(a.repo.head_branch() == a.branch());
}

TEST_CASE("--no-switch leaves HEAD, index and working tree alone") {
  Adaptation a;
  a.repo.write("src/engine.c", "edited\n");
  a.repo.write("hardwares/in the way", "");
  a.repo.git({"add", "src/engine.c"});
  a.repo.write("src/engine.c", "edited again\n");
  const std::string index = a.repo.read(".git/index");
  const std::string log = a.repo.read(".git/logs/HEAD");
  const Patched made = patch(a.repo, a.patch_args() + Args{"--no-switch"});
  CHECK(a.repo.head_branch() == "work");
  CHECK(a.repo.rev("HEAD") == a.current);
  CHECK(a.repo.read(".git/index") == index);
  CHECK(a.repo.read(".git/logs/HEAD") == log);
  CHECK(a.repo.read("src/engine.c") == "edited again\n");
  CHECK(a.repo.exists("hardwares/in the way"));
  CHECK(a.repo.rev(a.branch()) == made.commit);
  check_stored(a, a.branch(), "A_X100");
  // HEAD is not the patch commit, so the hint must not push it.
  for (const std::string& command : hinted_commands(made.talk)) {
    CHECK_FALSE(has_text(command, "HEAD"));
  }
  CHECK(hinted_commands(made.talk).front() == "git push origin " + a.branch() + ":main");
}

TEST_CASE("-n changes nothing and says what would be") {
  Adaptation a;
  const std::string snapshot = a.repo.snapshot();
  const std::string objects = a.repo.objects();
  const Outcome planned = a.repo.flagscale(a.patch_args() + Args{"-n"});
  CHECK(planned.ok());
  CHECK(planned.out.empty());
  CHECK(a.repo.snapshot() == snapshot);
  CHECK(a.repo.objects() == objects);
  CHECK(has_text(planned.err, "3 commits, 5 files, +2 -30"));
  CHECK(has_text(planned.err, a.branch()));
  CHECK(has_text(planned.err, a.stored("json")));
  const std::string adapted =
      json_at(a.repo, patch(a.repo, a.patch_args()).commit + ":" + a.stored("json")).at("commit");
  CHECK(has_text(planned.err, adapted));
}

TEST_CASE("--onto chooses the parent, and nothing else") {
  Adaptation a;
  a.repo.git({"switch", "--quiet", "main"});
  const std::string newer = a.repo.commit_file("README.md", "# newer\n", "upstream goes on");
  a.repo.git({"switch", "--quiet", "work"});
  patch(a.repo, a.patch_args() + Args{"--onto", "main"});
  CHECK(parents_of_head(a.repo) == newer);
  CHECK(a.repo.git({"diff", "--name-only", newer, "HEAD", "--", ".", ":!hardwares"}).empty());
  check_stored(a, "HEAD", "A_X100");
}

TEST_CASE("--squash makes one mail of the newest commit's author, date and message") {
  Adaptation a;
  patch(a.repo, a.patch_args() + Args{"--squash"});
  check_stored(a, "HEAD", "A_X100");
  const auto am = a.repo.am(a.repo.show("HEAD:" + a.stored("patch")), a.base);
  REQUIRE(am.commits.size() == 1);
  const TestRepo scratch = TestRepo::at(am.folder);
  CHECK(scratch.git({"show", "-s", "--format=%an %ae %ad%n%B", am.commits[0]}) ==
        a.repo.git({"show", "-s", "--format=%an %ae %ad%n%B", a.current}));
  CHECK(json_at(a.repo, "HEAD:" + a.stored("json")).at("patch").at("commits") == 1);
}

TEST_CASE("the patch commit's message") {
  Adaptation a;
  const auto message = [&] { return a.repo.git({"show", "-s", "--format=%B", "HEAD"}); };
  SUBCASE("is the work's subject without its tag") {
    patch(a.repo, a.patch_args());
    CHECK(message() == "[A_X100] add a table\n");
  }
  SUBCASE("is what -m says") {
    patch(a.repo, a.patch_args() + Args{"-m", "my own words\n\n# and more"});
    CHECK(message() == "my own words\n\n# and more\n");
  }
  SUBCASE("is signed off by the committer with -s") {
    patch(a.repo, a.patch_args() + Args{"-s"});
    CHECK(message() ==
          "[A_X100] add a table\n\nSigned-off-by: Carl Committer <carl@example.com>\n");
  }
  CHECK(a.repo.git({"show", "-s", "--format=%an %ae %cn %ce", "HEAD"}) ==
        "Ada Author ada@example.com Carl Committer carl@example.com");
}

TEST_CASE("-q leaves nothing but the result, the hint can be switched off alone") {
  Adaptation a;
  SUBCASE("-q") {
    CHECK(patch(a.repo, a.patch_args() + Args{"-q"}).talk.empty());
  }
  SUBCASE("advice.flagscalePush") {
    a.repo.config("advice.flagscalePush", "false");
    const std::string talk = patch(a.repo, a.patch_args()).talk;
    CHECK_FALSE(has_text(talk, "hint:"));
    CHECK(has_text(talk, "adapted commit"));
  }
}

TEST_CASE("options may be abbreviated as long as they are unique") {
  Adaptation a;
  patch(a.repo, {"patch", "--base", a.base, "--current", a.current, "--device", "A_X100"});
  const std::string first = a.repo.rev("HEAD");
  CHECK(patch(a.repo, {"patch", "--b=" + a.base, "--cur=" + a.current, "--dev=A_X100", "--quiet"})
            .commit == first);
  const Outcome ambiguous = a.repo.flagscale(a.patch_args() + Args{"--s"});
  CHECK(ambiguous.status == 129);
  CHECK(has_text(ambiguous.err, "--squash"));
  CHECK(has_text(ambiguous.err, "--signoff"));
}

TEST_CASE("any name of a commit is good for base and current") {
  Adaptation a;
  a.repo.git({"tag", "-a", "-m", "a tag", "v1", a.base});
  patch(a.repo, {"patch", "--device-type", "A_X100", "--base-commit-id", "v1",
                 "--current-commit-id", "HEAD~0"});
  const Json sidecar = json_at(a.repo, "HEAD:" + a.stored("json"));
  CHECK(sidecar.at("base") == a.base);
  CHECK(sidecar.at("current") == a.current);
}

TEST_CASE("--json prints one object") {
  Adaptation a;
  const Outcome outcome = a.repo.flagscale(a.patch_args() + Args{"--json"});
  REQUIRE_MESSAGE(outcome.ok(), describe(outcome));
  CHECK(outcome.err.empty());
  const Json report = Json::parse(outcome.out);
  CHECK(report.at("version") == 1);
  CHECK(report.at("status") == "written");
  CHECK(report.at("patch_commit") == a.repo.rev("HEAD"));
  CHECK(report.at("path") == a.stored("patch"));
  CHECK(report.at("tree") == a.repo.tree_of(a.current));
  CHECK(report.at("parent") == a.base);
  CHECK_FALSE(report.at("hints").empty());
}

TEST_CASE("from a subfolder and by an alias") {
  Adaptation a;
  a.repo.config("alias.fp", "flagscale patch");
  const Outcome outcome =
      a.repo.try_git({"fp", "--device-type", "A_X100", "--base-commit-id", a.base},
                     {.folder = "src", .env = {}, .input = {}});
  REQUIRE_MESSAGE(outcome.ok(), describe(outcome));
  CHECK(outcome.out == a.repo.rev("HEAD") + " " + a.stored("patch") + "\n");
}

TEST_CASE("the store's folder") {
  Adaptation a;
  SUBCASE("by option") {
    CHECK(patch(a.repo, a.patch_args() + Args{"--hardware-dir", "vendor/store/"})
              .path.starts_with("vendor/store/A_X100/"));
  }
  SUBCASE("by configuration") {
    a.repo.config("flagscale.hardwareDir", "hardware");
    CHECK(patch(a.repo, a.patch_args()).path.starts_with("hardware/A_X100/"));
  }
  SUBCASE("hardware where base has only that") {
    a.repo.git({"checkout", "--quiet", "--detach", a.base});
    a.base = a.repo.commit_file("hardware/README", "as FlagScale has it\n");
    a.repo.git({"cherry-pick", "--quiet", "main..work"});
    a.current = a.repo.rev("HEAD");
    CHECK(patch(a.repo, a.patch_args()).path.starts_with("hardware/A_X100/"));
  }
  SUBCASE("not outside of the tree") {
    CHECK(a.repo.flagscale(a.patch_args() + Args{"--hardware-dir", "../x"}).status == 128);
  }
}

}  // namespace
}  // namespace flagscale::test
