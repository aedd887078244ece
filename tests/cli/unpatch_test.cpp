// SPDX-License-Identifier: Apache-2.0
//
// `git flagscale unpatch` in place: HEAD on the adapted commit, and what it refuses.
#include <doctest/doctest.h>

#include "support/adaptation.h"

namespace flagscale::test {
namespace {

/// A user's clone of the upstream after the vendor has published there.
struct Published : Adaptation {
  TestRepo user;
  std::string adapted;

  Published() : user(publish(*this)) {
    adapted = json_at(user, "HEAD:" + stored("json")).at("commit");
  }

  [[nodiscard]] Args args(const Args& more = {}) const {
    return Args{"--device-type", "A_X100", "--commit-id", base8(base)} + more;
  }
  void check_refused(const Args& more, int status, const std::vector<std::string>& texts) const {
    const std::string snapshot = user.snapshot();
    const Outcome outcome = user.flagscale(Args{"unpatch"} + args(more));
    CHECK_MESSAGE(outcome.status == status, describe(outcome));
    CHECK(outcome.out.empty());
    for (const std::string& text : texts) {
      CHECK_MESSAGE(has_text(outcome.err, text), text << " is not in: " << outcome.err);
    }
    CHECK(user.snapshot() == snapshot);
  }

 private:
  static TestRepo publish(const Adaptation& a) {
    patch(a.repo, a.patch_args());
    a.repo.git({"push", "--quiet", "origin", "HEAD:main"});
    return TestRepo::clone_of(a.upstream);
  }
};

TEST_CASE("in place HEAD is detached at the adapted commit") {
  const Published p;
  const Outcome outcome = p.user.flagscale(Args{"unpatch"} + p.args());
  REQUIRE_MESSAGE(outcome.ok(), describe(outcome));
  CHECK(outcome.out == "A_X100 " + p.adapted + " " + p.user.path() + "\n");
  CHECK(p.user.rev("HEAD") == p.adapted);
  CHECK(p.user.head_branch().empty());
  CHECK(p.user.tree_of("HEAD") == p.repo.tree_of(p.current));
  CHECK(p.user.status().empty());
  CHECK(p.user.git({"rev-list", "--count", p.base + "..HEAD"}) == "3");
  CHECK(p.user.git({"fsck", "--strict"}).empty());
  CHECK(has_text(outcome.err, "from HEAD"));
  CHECK(has_text(outcome.err, "git switch main"));
  p.user.git({"switch", "--quiet", "-"});
  CHECK(p.user.head_branch() == "main");
}

TEST_CASE("the adapted commits are those of real git am") {
  const Published p;
  unpatch(p.user, p.args());
  const auto am = p.user.am(p.user.show("main:" + p.stored("patch")), p.base);
  std::string ids;
  for (const std::string& id : am.commits) ids += (ids.empty() ? "" : "\n") + id;
  CHECK(p.user.git({"rev-list", "--reverse", p.base + "..HEAD"}) == ids);
}

TEST_CASE("the same again is unchanged") {
  const Published p;
  // There again, the store is in the remote's branch only.
  unpatch(p.user, p.args());
  const std::string log = p.user.read(".git/logs/HEAD");
  const Outcome again = p.user.flagscale(Args{"unpatch"} + p.args());
  REQUIRE_MESSAGE(again.ok(), describe(again));
  CHECK(has_text(again.err, "unchanged"));
  CHECK(has_text(again.err, "from origin/main"));
  CHECK(p.user.read(".git/logs/HEAD") == log);
  CHECK(p.user.rev("HEAD") == p.adapted);
}

TEST_CASE("--branch puts it on a new branch") {
  const Published p;
  unpatch(p.user, p.args({"--branch", "try/x100"}));
  CHECK(p.user.head_branch() == "try/x100");
  CHECK(p.user.rev("HEAD") == p.adapted);
  CHECK_FALSE(p.user.try_git({"config", "branch.try/x100.remote"}).ok());
  p.user.git({"switch", "--quiet", "main"});
  p.check_refused({"--branch", "try/x100"}, 1, {"try/x100", "exists"});
  p.check_refused({"--branch", "a..b"}, 128, {"a..b"});
  p.check_refused({"--branch", "-x"}, 128, {"-x"});
  p.check_refused({"--branch", "x", "--dir", "build"}, 128, {"--branch", "--dir"});
}

TEST_CASE("-n and -q") {
  const Published p;
  const std::string snapshot = p.user.snapshot();
  const std::string objects = p.user.objects();
  for (const Args& more : {Args{"-n"}, Args{"-n", "--dir", "build"}}) {
    const Outcome planned = p.user.flagscale(Args{"unpatch"} + p.args(more));
    CHECK(planned.ok());
    CHECK(planned.out.empty());
    CHECK_MESSAGE(has_text(planned.err, p.adapted), planned.err);
  }
  CHECK(p.user.snapshot() == snapshot);
  CHECK(p.user.objects() == objects);
  const Outcome quiet = p.user.flagscale(Args{"unpatch", "-q"} + p.args());
  CHECK(quiet.ok());
  CHECK(quiet.err.empty());
  CHECK(has_text(quiet.out, p.adapted));
}

TEST_CASE("--json prints one object") {
  const Published p;
  const Outcome outcome = p.user.flagscale(Args{"unpatch", "--json"} + p.args());
  REQUIRE_MESSAGE(outcome.ok(), describe(outcome));
  CHECK(outcome.err.empty());
  const Json report = Json::parse(outcome.out);
  CHECK(report.at("version") == 1);
  CHECK(report.at("status") == "done");
  CHECK(report.at("devices").at(0).at("commit") == p.adapted);
  CHECK(report.at("devices").at(0).at("tree") == p.repo.tree_of(p.current));
  CHECK(report.at("devices").at(0).at("found_in") == "HEAD");
}

TEST_CASE("what is in the way is named, and stays") {
  Published p;
  SUBCASE("an edit") {
    p.user.write("src/engine.c", "edited\n");
    p.check_refused({}, 1, {"src/engine.c"});
  }
  SUBCASE("a staged deletion of a changed file") {
    p.user.git({"rm", "--quiet", "src/engine.c"});
    p.user.write("src/engine.c", "back, untracked\n");
    p.check_refused({}, 1, {"src/engine.c"});
  }
  SUBCASE("an untracked file") {
    p.user.write("src/x100/kernel.c", "mine\n");
    p.check_refused({}, 1, {"src/x100/kernel.c"});
  }
  SUBCASE("an ignored file") {
    p.user.write(".git/info/exclude", "*.bin\n");
    p.user.write("src/x100/table.bin", "mine\n");
    p.check_refused({}, 1, {"src/x100/table.bin"});
  }
  SUBCASE("an operation") {
    p.user.git({"switch", "--quiet", "-c", "side", p.base});
    p.user.commit_file("README.md", "# side\n");
    p.user.git({"merge", "--quiet", "--no-commit", "main"});
    p.check_refused({}, 1, {"merge"});
  }
  SUBCASE("a locked index") {
    p.user.write(".git/index.lock", "");
    p.check_refused({}, 1, {"index.lock"});
  }
}

TEST_CASE("other edits are carried over") {
  const Published p;
  p.user.write("README.md", "edited\n");
  p.user.write("notes.txt", "untracked\n");
  const std::string before = p.user.status();
  unpatch(p.user, p.args());
  CHECK(p.user.status() == before);
  CHECK(p.user.rev("HEAD") == p.adapted);
}

TEST_CASE("hooks, signing and identity do not matter") {
  Published p;
  for (const char* hook : {"applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit",
                           "commit-msg", "prepare-commit-msg"}) {
    p.user.write_executable(std::string(".git/hooks/") + hook, "#!/bin/sh\nexit 1\n");
  }
  p.user.config("commit.gpgSign", "true");
  p.user.config("gpg.program", "false");
  p.user.config("user.useConfigOnly", "true");
  p.user.config("i18n.commitEncoding", "ISO-8859-1");
  for (const char* who : {"AUTHOR", "COMMITTER"}) {
    p.user.unset_env("GIT_" + std::string(who) + "_NAME");
    p.user.unset_env("GIT_" + std::string(who) + "_EMAIL");
  }
  unpatch(p.user, p.args());
  CHECK(p.user.rev("HEAD") == p.adapted);
}

TEST_CASE("wrong usage is 129") {
  const Published p;
  for (const Args& args :
       {Args{"unpatch"}, Args{"unpatch", "--device-type", "A_X100"},
        Args{"unpatch", "--commit-id", "main"}, Args{"unpatch"} + p.args({"--dir"}),
        Args{"unpatch"} + p.args({"--di="}), Args{"unpatch"} + p.args({"--base-commit-id", "main"}),
        Args{"unpatch"} + p.args({"more"})}) {
    const Outcome outcome = p.user.flagscale(args);
    CHECK_MESSAGE(outcome.status == 129, describe(outcome));
    CHECK(outcome.out.empty());
  }
  CHECK(p.user.head_branch() == "main");
}

TEST_CASE("unique prefixes of options") {
  const Published p;
  unpatch(p.user, {"--device", "A_X100", "--commit", base8(p.base), "--br=x"});
  CHECK(p.user.head_branch() == "x");
  CHECK(p.user.rev("HEAD") == p.adapted);
}

TEST_CASE("several device types need --dir") {
  const Published p;
  const Outcome outcome = p.user.flagscale(
      {"unpatch", "--device-type", "A_X100", "B_Y100", "--commit-id", base8(p.base)});
  CHECK(outcome.status == 128);
  CHECK(has_text(outcome.err, "--dir"));
}

TEST_CASE("a base that is missing here") {
  Published p;
  TestRepo shallow = TestRepo::clone_of(p.upstream, {"--depth=1", "--no-local"});
  REQUIRE_FALSE(shallow.has(p.base));
  const Outcome outcome = shallow.flagscale(Args{"unpatch"} + p.args());
  CHECK(outcome.status == 128);
  CHECK(has_text(outcome.err, p.base));
  // The command that is offered brings it.
  CHECK(has_text(outcome.err, "git fetch origin " + p.base + " "));
  p.upstream.config("uploadpack.allowAnySHA1InWant", "true");
  shallow.git({"fetch", "--quiet", "--depth=1", "origin", p.base});
  unpatch(shallow, p.args());
  CHECK(shallow.rev("HEAD") == p.adapted);
}

TEST_CASE("a patch that does not fit says file, mail, hunk and line") {
  Published p;
  // Old stores have no sidecar, so only applying it can tell.
  std::string series = p.user.show("HEAD:" + p.stored("patch"));
  const std::size_t context = series.find("\n engine 30");
  REQUIRE(context != std::string::npos);
  series.replace(context, 11, "\n ENGINE 30");
  p.user.write(p.stored("patch"), series);
  p.user.remove(p.stored("json"));
  p.user.commit("break it");
  p.check_refused({}, 128, {"src/engine.c", "hunk 1", "line ", p.stored("patch")});
  CHECK_FALSE(p.user.am(series, p.base).outcome.ok());
}

TEST_CASE("a name that git apply cannot make out") {
  Published p;
  const std::string diff =
      "diff --git a/f /empty b/f /empty\nnew file mode 100644\nindex 0000000..e69de29\n";
  p.user.write(p.stored("patch"), diff);
  p.user.remove(p.stored("json"));
  p.user.commit("a bare diff");
  CHECK_FALSE(p.user.try_git({"apply", "--check", p.stored("patch")}).ok());
  p.check_refused({}, 128, {"file name"});
}

TEST_CASE("an adapted commit that is not the sidecar's") {
  Published p;
  Json sidecar = json_at(p.user, "HEAD:" + p.stored("json"));
  sidecar["commit"] = std::string(40, '1');
  p.user.write(p.stored("json"), format_json(sidecar));
  p.user.commit("break it");
  p.check_refused({}, 128, {p.adapted, std::string(40, '1')});
}

}  // namespace
}  // namespace flagscale::test
