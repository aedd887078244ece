// SPDX-License-Identifier: Apache-2.0
//
// Kinds of repository, by where their objects are and which of them. The rows of
// docs/situations.md under "Objects and history".
#include <filesystem>

#include <doctest/doctest.h>

#include "support/sandbox.h"
#include "support/situation.h"

namespace flagscale::test {
namespace {

namespace fs = std::filesystem;

/// The patch can be looked at, made anew and rebuilt from `repo`, which knows the branch.
void check_all_commands(const Published& p, const TestRepo& repo) {
  const std::string head = repo.rev("HEAD");
  CHECK(repo.flagscale_ok({"verify", "--from", p.patch_commit}) ==
        "ok A_X100 " + base8(p.base) + " " + p.adapted);
  const Outcome made =
      repo.flagscale({"patch", "--device-type", "A_X100", "--base-commit-id", p.base,
                      "--current-commit-id", p.current, "--dry-run", "--json"});
  REQUIRE_MESSAGE(made.ok(), describe(made));
  CHECK(Json::parse(made.out).at("commit") == p.adapted);
  (void)p.check_output(repo);
  const Outcome in_place = repo.flagscale(p.unpatch_args());
  REQUIRE_MESSAGE(in_place.ok(), describe(in_place));
  CHECK(repo.rev("HEAD") == p.adapted);
  CHECK(repo.status().empty());
  repo.git({"checkout", "--quiet", "--detach", head});
}

/// The work, the patch and its file are in `upstream`, which serves partial clones.
struct Served : Published {
  Served() {
    repo.git({"push", "--quiet", "origin", "work", branch()});
    upstream.config("uploadpack.allowFilter", "true");
    upstream.config("uploadpack.allowAnySHA1InWant", "true");
  }
  [[nodiscard]]
  /// A clone without checkout.
  [[nodiscard]] TestRepo
  clone(const Args& options) const {
    Args all{"--no-checkout", "--no-local"};
    return TestRepo::clone_of(upstream, all + options);
  }
};

/// How often git fetched while this ran.
int count_fetches(const TestRepo& repo, const Args& args) {
  const std::string log = make_temp_folder() + "/trace";
  const Outcome done =
      repo.flagscale(args, {.folder = {}, .env = {{"GIT_TRACE", log}}, .input = {}});
  CHECK_MESSAGE(done.ok(), describe(done));
  int count = 0;
  const Outcome trace = run_command({"cat", log}, "/");
  for (const std::string& line : lines_of(trace.out)) {
    if (has_text(line, "built-in: git fetch ")) ++count;
  }
  return count;
}

TEST_CASE("objects: all in packs, with commit-graph, multi-pack-index and bitmaps") {
  Published p;
  p.repo.git({"repack", "-a", "-d", "-q"});
  p.repo.commit_file("later", "later\n");
  p.repo.git({"repack", "-d", "-q"});
  p.repo.git({"commit-graph", "write", "--reachable", "--split"});
  p.repo.git({"multi-pack-index", "write", "--bitmap"});
  CHECK(p.repo.exists(".git/objects/pack/multi-pack-index"));
  check_all_commands(p, p.repo);
}

TEST_CASE("objects: a cruft pack") {
  const Published p;
  p.repo.git({"update-ref", "-d", "refs/heads/" + p.branch()});
  p.repo.git({"reflog", "expire", "--expire=all", "--all"});
  p.repo.git({"repack", "--cruft", "-d", "-q"});
  check_all_commands(p, p.repo);
}

TEST_CASE("objects: alternates") {
  const Published p;
  const TestRepo clone = TestRepo::clone_of(p.repo, {"--shared"});
  check_all_commands(p, clone);
  // An output is nobody's dependent.
  const TestRepo output = p.check_output(clone);
  CHECK_FALSE(output.exists(".git/objects/info/alternates"));
  fs::remove_all(p.repo.path(".git"));
  CHECK(output.try_git({"fsck"}).ok());
}

TEST_CASE("objects: relative alternates in a chain") {
  const Published p;
  const TestRepo middle = TestRepo::clone_of(p.repo, {"--shared"});
  const TestRepo clone = TestRepo::clone_of(middle, {"--shared"});
  for (const auto& [from, to] : {std::pair(&middle, &p.repo), std::pair(&clone, &middle)}) {
    const std::string objects = from->path(".git/objects");
    from->write(".git/objects/info/alternates",
                fs::relative(to->path(".git/objects"), objects).string() + "\n");
  }
  CHECK(has_text(clone.git({"count-objects", "-v"}), "alternate: " + p.repo.path(".git/objects")));
  clone.git({"fetch", "--quiet", p.repo.path(), "refs/heads/flagscale/*:refs/heads/flagscale/*"});
  check_all_commands(p, clone);
}

TEST_CASE("objects: an alternate that is gone") {
  const Published p;
  p.repo.write(".git/objects/info/alternates", p.repo.path("gone/objects") + "\n");
  CHECK(p.repo.try_git({"cat-file", "-e", p.base}).ok());
  check_all_commands(p, p.repo);
  CHECK(p.check_output(p.repo).try_git({"fsck"}).ok());
}

TEST_CASE("objects: replacements are git's view, not the patch's") {
  const Published p;
  const std::string other =
      p.repo.git({"commit-tree", "-m", "replaced", p.repo.tree_of(p.current)});
  p.repo.git({"replace", p.base, other});
  CHECK(p.repo.tree_of(p.base) == p.repo.tree_of(p.current));
  check_all_commands(p, p.repo);
  p.repo.git({"switch", "--quiet", "work"});
  CHECK(has_text(p.repo.flagscale(p.patch_args()).err, "unchanged"));
  CHECK(p.repo.head_branch() == p.branch());
}

TEST_CASE("objects: grafts") {
  const Adaptation a;
  const std::string other =
      a.repo.git({"commit-tree", "-m", "an older history", a.repo.tree_of(a.base)});
  a.repo.write(".git/info/grafts", a.base + " " + other + "\n");
  CHECK(lines_of(a.repo.git({"rev-list", "HEAD"})).size() == 5);
  check_same_repository(a, {});
  const auto built = unpatch(a.repo, {"--device-type", "A_X100", "--commit-id", a.base, "--from",
                                      a.branch(), "--dir", make_temp_folder()});
  CHECK(lines_of(TestRepo::at(built.at(0).folder).git({"rev-list", "HEAD"})).size() == 4);
  CHECK(TestRepo::at(built.at(0).folder).try_git({"fsck"}).ok());
  // Where the grafts cut the base off, it is no ancestor, to git neither.
  a.repo.write(".git/info/grafts", a.current + "\n");
  CHECK(a.repo.try_git({"merge-base", "--is-ancestor", a.base, a.current}).status == 1);
  check_fails(a.repo.flagscale(a.patch_args()), 1, "error: base ");
}

TEST_CASE("objects: a shallow clone") {
  const Served s;
  const TestRepo clone = s.clone({"--depth=4", "--no-single-branch"});
  clone.git({"checkout", "--quiet", "origin/work"});
  check_all_commands(s, clone);
  const TestRepo output = s.check_output(clone);
  CHECK(output.git({"rev-parse", "--is-shallow-repository"}) ==
        clone.git({"rev-parse", "--is-shallow-repository"}));
}

TEST_CASE("objects: a shallow clone cut at the base, as the source of --dir") {
  Served s;
  s.repo.git({"checkout", "--quiet", "--detach", s.base});
  s.repo.git({"commit", "--quiet", "--allow-empty", "-m", "upstream goes on"});
  s.repo.git({"push", "--quiet", "origin", "HEAD:main"});
  const TestRepo clone = s.clone({"--depth=2", "--no-single-branch"});
  CHECK(clone.git({"rev-parse", "--is-shallow-repository"}) == "true");
  const TestRepo output = s.check_output(clone);
  CHECK(output.try_git({"fsck", "--full", "--strict"}).ok());
  CHECK(output.try_git({"log", "--oneline"}).ok());
}

TEST_CASE("objects: a base beyond the end of a shallow clone") {
  const Served s;
  const TestRepo clone = s.clone({"--depth=1", "--branch=work"});
  clone.git({"fetch", "--quiet", "--depth=1", "origin", s.branch()});
  CHECK_FALSE(clone.has(s.base + "^{commit}"));
  check_fails(clone.flagscale({"patch", "--device-type", "A_X100", "--base-commit-id", s.base}),
              128, "fatal: no such base commit: '" + s.base + "'\nhint: it may not be fetched yet");
  const Outcome built = clone.flagscale(s.unpatch_args());
  check_fails(built, 128, "fatal: base commit " + s.base + " of A_X100 is missing here\n");
  CHECK(has_text(built.err, "hint: this clone is shallow: git fetch --unshallow\n"));
}

TEST_CASE("objects: a partial clone without blobs fetches once") {
  const Served s;
  const Args unpatch_words = s.unpatch_args() + Args{"--dir", make_temp_folder()};
  const Args patch_words{"patch", "--device-type",       "B_Y100",  "--base-commit-id",
                         s.base,  "--current-commit-id", s.current, "--no-switch"};
  CHECK(count_fetches(s.clone({"--filter=blob:none"}), patch_words) == 1);
  // The patch file and its sidecar are looked for in several places before the rest is known.
  const TestRepo clone = s.clone({"--filter=blob:none"});
  CHECK(count_fetches(clone, {"show", "--from", s.patch_commit, "A_X100", "-q"}) <= 4);
  const int fetches = count_fetches(clone, unpatch_words);
  CHECK(fetches == 1);
  const TestRepo whole = s.clone({"--filter=blob:none"});
  whole.git({"checkout", "--quiet", "origin/work"});
  check_all_commands(s, whole);
  CHECK(s.check_output(whole).git({"config", "remote.origin.promisor"}) == "true");
}

TEST_CASE("objects: a partial clone without trees") {
  const Served s;
  const TestRepo clone = s.clone({"--filter=tree:0"});
  CHECK(has_text(clone.git({"rev-list", "--objects", "--all", "--missing=print"}), "?"));
  clone.git({"checkout", "--quiet", "origin/work"});
  check_all_commands(s, clone);
}

TEST_CASE("objects: a partial clone whose remote is gone") {
  const Served s;
  const TestRepo clone = s.clone({"--filter=blob:none"});
  fs::rename(s.upstream.path(), s.upstream.path() + ".gone");
  const Outcome git = clone.try_git({"cat-file", "-p", s.base + ":src/engine.c"});
  CHECK(git.status == 128);
  const Outcome made = clone.flagscale({"patch", "--device-type", "B_Y100", "--base-commit-id",
                                        s.base, "--current-commit-id", s.current, "--no-switch"});
  check_fails(made, 128, "fatal: missing blob ");
  CHECK_MESSAGE(
      has_text(made.err, "hint: this is a partial clone, and git cannot fetch it: '" +
                             s.upstream.path() + "' does not appear to be a git repository\n"),
      describe(made));
  // Nothing that is here needs the remote.
  CHECK(clone.flagscale({"list", "-q"}).ok());
}

TEST_CASE("objects: an object that is missing without a reason") {
  const Published p;
  const std::string blob = p.repo.rev(p.base + ":src/engine.c");
  fs::remove(p.repo.path(".git/objects/" + blob.substr(0, 2) + "/" + blob.substr(2)));
  const Outcome built = p.repo.flagscale(p.unpatch_args());
  check_fails(built, 128,
              "fatal: hardwares/A_X100/" + base8(p.base) + "/" + base8(p.base) + ".patch: ");
  CHECK_MESSAGE(has_text(built.err, "missing blob " + blob + "\n"), describe(built));
  check_fails(p.repo.flagscale(p.patch_args() + Args{"--no-switch"}), 128,
              "fatal: missing blob " + blob + "\n");
}

TEST_CASE("objects: a damaged object") {
  const Published p;
  const std::string blob = p.repo.rev(p.base + ":src/engine.c");
  const std::string name = ".git/objects/" + blob.substr(0, 2) + "/" + blob.substr(2);
  fs::permissions(p.repo.path(name), fs::perms::owner_write, fs::perm_options::add);
  p.repo.write(name, "not deflated");
  CHECK(p.repo.try_git({"cat-file", "-p", blob}).status == 128);
  const Outcome built = p.repo.flagscale(p.unpatch_args());
  check_fails(built, 128, "fatal: ");
  CHECK_MESSAGE(has_text(built.err, "damaged blob " + blob + "\nhint: git fsck"), describe(built));
}

TEST_CASE("objects: SHA-256 is refused in one line") {
  const TestRepo repo(Args{"--object-format=sha256"});
  for (const Args& args : {Args{"list"}, Args{"verify"},
                           Args{"patch", "--device-type", "A_X100", "--base-commit-id", "HEAD"},
                           Args{"unpatch", "--device-type", "A_X100", "--commit-id", "aaaa"}}) {
    const Outcome outcome = repo.flagscale(args);
    check_fails(outcome, 128, "fatal: repositories with sha256 object ids are not supported\n");
    CHECK(lines_of(outcome.err).size() == 1);
  }
}

TEST_CASE("objects: refs that are no files are refused in one line") {
  const TestRepo repo;
  repo.config("core.repositoryFormatVersion", "1");
  repo.config("extensions.refStorage", "reftable");
  // This git may know such repositories or not.
  const bool known = repo.try_git({"rev-parse", "--git-dir"}).ok();
  if (!known) check_same_refusal(repo, {});
  const TestRepo plain;
  const Outcome outcome =
      plain.try_git({"-c", "extensions.refStorage=reftable", "flagscale", "list"});
  check_fails(outcome, 128, "fatal: repositories with reftable refs are not supported\n");
  CHECK(lines_of(outcome.err).size() == 1);
  CHECK(plain.try_git({"-c", "extensions.refStorage=files", "flagscale", "list"}).ok());
}

}  // namespace
}  // namespace flagscale::test
