// SPDX-License-Identifier: Apache-2.0
//
// What names a commit: whatever git takes for one, and nothing else. The rows of
// docs/situations.md under "Naming commits".
#include <unordered_map>

#include <doctest/doctest.h>

#include "git/object.h"
#include "support/sandbox.h"
#include "support/situation.h"

namespace flagscale::test {
namespace {

/// The base that patch takes a name for, and git's own answer.
void check_base(const Adaptation& a, const std::string& name, const Way& way = {}) {
  CAPTURE(name);
  const std::string peel = name.starts_with(":/") ? "" : "^{commit}";
  const std::string wanted =
      ask_git(a.repo, way, {"rev-parse", "--verify", "--end-of-options", name + peel});
  const Outcome made = run_flagscale(a.repo, way,
                                     {"patch", "--device-type=A_X100", "--base-commit-id=" + name,
                                      "--current-commit-id", a.current, "--dry-run", "--json"});
  REQUIRE_MESSAGE(made.ok(), describe(made));
  CHECK(Json::parse(made.out).at("base") == wanted);
}

Outcome with_base(const Adaptation& a, const std::string& name) {
  return a.repo.flagscale({"patch", "--device-type=A_X100", "--base-commit-id=" + name,
                           "--current-commit-id", a.current, "--dry-run"});
}

/// Bytes of two commits with the same tree and parents whose ids begin with the same digits.
std::pair<std::string, std::string> make_twins(const std::string& start, std::size_t digits) {
  std::unordered_map<std::string, std::string> seen;
  for (int i = 0;; ++i) {
    std::string bytes = start + std::to_string(i) + "\n";
    const std::string id = git::hash_object(git::ObjectType::commit, bytes).hex();
    const auto [at, fresh] = seen.emplace(id.substr(0, digits), bytes);
    if (!fresh) return {at->second, std::move(bytes)};
  }
}

/// Two bases with the same first digits, and work on each.
struct Twins : Adaptation {
  std::string second;
  std::string current_of_second;

  explicit Twins(std::size_t digits) {
    const std::string start = "tree " + repo.tree_of(base) +
                              "\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\nbase ";
    const auto [one, two] = make_twins(start, digits);
    base = store(one);
    second = store(two);
    CHECK(base != second);
    CHECK(base.substr(0, digits) == second.substr(0, digits));
    current = repo.git({"commit-tree", "-p", base, "-m", "work", current + "^{tree}"});
    current_of_second = repo.git({"commit-tree", "-p", second, "-m", "work", current + "^{tree}"});
  }
  [[nodiscard]] std::string store(const std::string& commit) const {
    return repo.git({"hash-object", "-t", "commit", "-w", "--stdin"},
                    {.folder = {}, .env = {}, .input = commit});
  }
};

TEST_CASE("ids: full ones, in upper case too") {
  const Adaptation a;
  check_base(a, a.base);
  std::string upper = a.base;
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  check_base(a, upper);
}

TEST_CASE("ids: abbreviated ones, under eight digits too") {
  const Published p;
  for (const std::size_t digits : {4U, 5U, 7U, 8U, 12U, 39U})
    check_base(p, p.base.substr(0, digits));
  // The store's folders are matched first, so that less than git's four digits may do.
  for (const std::size_t digits : {1U, 4U, 7U, 8U, 9U, 39U, 40U}) {
    const Outcome planned =
        p.repo.flagscale({"unpatch", "--device-type", "A_X100", "--commit-id",
                          p.base.substr(0, digits), "--from", p.patch_commit, "--dry-run"});
    CHECK_MESSAGE(planned.ok(), describe(planned));
  }
}

TEST_CASE("ids: an ambiguous abbreviation") {
  const Twins t(4);
  const std::string name = t.base.substr(0, 4);
  const Outcome git = t.repo.try_git({"rev-parse", "--verify", name + "^{commit}"});
  const Outcome ours = with_base(t, name);
  check_fails(ours, 128, "fatal: '" + name + "' is ambiguous\nhint: The candidates are:\n");
  for (const std::string& line : lines_of(git.err)) {
    if (line.starts_with("hint: ")) CHECK_MESSAGE(has_text(ours.err, line), describe(ours));
  }
  // Other objects do not count where a commit is meant.
  const std::string work = t.repo.rev("work");
  const Adaptation a;
  check_base(a, a.base.substr(0, 6));
}

TEST_CASE("ids: annotated and nested tags") {
  const Adaptation a;
  a.repo.git({"tag", "plain", a.base});
  a.repo.git({"tag", "-a", "-m", "x", "noted", a.base});
  a.repo.git({"tag", "-a", "-m", "x", "nested", "noted"});
  for (const char* name :
       {"plain", "noted", "nested", "tags/nested", "refs/tags/noted", "nested^{}", "nested^0"})
    check_base(a, name);
  check_base(a, a.repo.rev("nested"));
  check_base(a, a.repo.rev("nested").substr(0, 10));
}

TEST_CASE("ids: every place where git looks for a ref") {
  const Adaptation a;
  a.repo.git({"tag", "-a", "-m", "x", "v1", a.base});
  a.repo.git({"update-ref", "refs/own/place", a.base});
  a.repo.git({"update-ref", "refs/remotes/up/topic", a.base});
  a.repo.git({"symbolic-ref", "refs/remotes/up/HEAD", "refs/remotes/up/topic"});
  a.repo.git({"update-ref", "OWN_HEAD", a.base});
  for (const char* name : {"refs/own/place", "own/place", "refs/tags/v1", "tags/v1", "v1", "up",
                           "up/topic", "remotes/up/topic", "up/HEAD", "OWN_HEAD"}) {
    check_base(a, name);
  }
  // What git describe says names a commit by its end, unless there is such a ref.
  const std::string described = "v9-1-g" + a.base.substr(0, 8);
  check_base(a, described);
  a.repo.git({"update-ref", "refs/heads/" + described, a.repo.git({"rev-parse", "v1^{commit}"})});
  check_base(a, described);
  // A ref that leads nowhere is no ref.
  a.repo.git({"symbolic-ref", "refs/heads/v1", "refs/heads/nowhere"});
  check_base(a, "v1");
}

TEST_CASE("ids: ancestors, messages and reflogs") {
  const Adaptation a;
  a.repo.git({"switch", "--quiet", "--detach", a.base});
  a.repo.git({"switch", "--quiet", "work"});
  for (const char* name :
       {"HEAD~3", "HEAD^^^", "@~3", "work~2^", "HEAD^{/own code}", ":/upstream's own", "HEAD@{1}",
        "work@{3}", "main", "origin/main", "heads/main"})
    check_base(a, name);
  a.repo.git({"update-ref", "ORIG_HEAD", a.base});
  check_base(a, "ORIG_HEAD");
  a.repo.git({"fetch", "--quiet", "origin", "main"});
  check_base(a, "FETCH_HEAD");
}

TEST_CASE("ids: @{u} and @{-1}") {
  const Adaptation a;
  const Outcome none = with_base(a, "@{u}");
  const Outcome git = a.repo.try_git({"rev-parse", "--verify", "@{u}^{commit}"});
  check_fails(none, 128, git.err);
  a.repo.git({"branch", "--quiet", "--set-upstream-to=origin/main"});
  for (const char* name : {"@{u}", "@{upstream}", "work@{u}", "@{-1}", "-"}) {
    if (std::string(name) == "-") {
      // Only some commands of git take it, rev-parse does not.
      check_fails(with_base(a, name), 128, "fatal: no such base commit: '-'\n");
    } else {
      check_base(a, name);
    }
  }
}

TEST_CASE("ids: branches that look like hex") {
  const Published p;
  for (const std::string& name :
       {std::string("deadbeef"), std::string("abcd"), p.current.substr(0, 8)}) {
    p.repo.git({"branch", "--quiet", name, p.base});
    check_base(p, name);
    const Outcome planned = p.repo.flagscale({"unpatch", "--device-type", "A_X100", "--commit-id",
                                              name, "--from", p.patch_commit, "--dry-run"});
    CHECK_MESSAGE(planned.ok(), describe(planned));
  }
  // Forty digits are always an id.
  p.repo.git({"update-ref", "refs/heads/" + p.base, p.current});
  check_base(p, p.base);
}

TEST_CASE("ids: trees and blobs are no commits") {
  const Adaptation a;
  a.repo.git({"tag", "a-tree", a.base + "^{tree}"});
  a.repo.git({"tag", "-a", "-m", "x", "a-blob", a.base + ":README.md"});
  for (const std::string& name :
       {a.repo.tree_of(a.base), std::string("HEAD^{tree}"), std::string("HEAD:src"),
        std::string("a-tree"), a.repo.tree_of("HEAD").substr(0, 8)}) {
    CHECK_FALSE(a.repo.try_git({"rev-parse", "--verify", "-q", name + "^{commit}"}).ok());
    check_fails(with_base(a, name), 128, "fatal: '" + name + "' is a tree, not a commit\n");
  }
  for (const std::string& name :
       {a.repo.rev("HEAD:README.md"), std::string("HEAD:README.md"), std::string("a-blob^{}")}) {
    check_fails(with_base(a, name), 128, "fatal: '" + name + "' is a blob, not a commit\n");
  }
  check_fails(with_base(a, "a-blob"), 128, "fatal: 'a-blob' is a ");
}

TEST_CASE("ids: names of nothing") {
  const Adaptation a;
  for (const std::string& name :
       {std::string("nowhere"), std::string(40, '1'), std::string("1234567"),
        std::string("HEAD~99"), std::string("HEAD:nowhere"), std::string("xyz~1"),
        std::string("refs/heads/"), std::string("HEAD^{"), std::string("a b"),
        std::string("\xff\xfe"), std::string("a\nb"), std::string("main\n"),
        std::string(5000, 'x')}) {
    CAPTURE(name);
    CHECK_FALSE(a.repo.try_git({"rev-parse", "--verify", "-q", name + "^{commit}"}).ok());
    check_fails(with_base(a, name), 128, "fatal: no such base commit: '");
  }
}

TEST_CASE("ids: ranges and options are no commits") {
  const Adaptation a;
  for (const char* name : {"main..work", "main...work", "^main", "main^@", "main^!", "--all",
                           "--branches", "-1", "--end-of-options", "--help"}) {
    CAPTURE(name);
    check_fails(with_base(a, name), 128, "fatal: ");
  }
}

TEST_CASE("ids: names that start with a hyphen") {
  const Adaptation a;
  a.repo.git({"update-ref", "refs/heads/-x", a.base});
  a.repo.git({"update-ref", "refs/tags/--all", a.base});
  check_base(a, "-x");
  check_base(a, "--all");
  check_base(a, "-x^{commit}");
}

TEST_CASE("ids: a name of both a tag and a branch") {
  const Adaptation a;
  a.repo.git({"tag", "both", a.base});
  a.repo.git({"branch", "both", a.current});
  check_base(a, "both");
  const Outcome made = with_base(a, "both");
  CHECK(made.ok());
  const std::string warning = a.repo.try_git({"rev-parse", "both"}).err;
  CHECK(warning == "warning: refname 'both' is ambiguous.\n");
  CHECK_MESSAGE(has_text(made.err, "warning: refname 'both' is ambiguous\n"), describe(made));
}

TEST_CASE("ids: two bases with the same first eight digits") {
  const Twins t(8);
  const Args one{"patch", "--device-type",       "A_X100",  "--base-commit-id",
                 t.base,  "--current-commit-id", t.current, "--no-switch"};
  const Args two{"patch",
                 "--device-type",
                 "A_X100",
                 "--base-commit-id",
                 t.second,
                 "--current-commit-id",
                 t.current_of_second,
                 "--no-switch"};
  const Patched made = patch(t.repo, one);
  const std::string before = t.repo.snapshot();
  check_fails(t.repo.flagscale(two), 1, "error: ");
  check_fails(t.repo.flagscale(two + Args{"--onto", made.commit}), 1, "error: ");
  CHECK(t.repo.snapshot() == before);
  const auto planned = [&](const std::string& id) {
    return t.repo.flagscale({"unpatch", "--device-type", "A_X100", "--commit-id", id, "--from",
                             made.commit, "--dry-run"});
  };
  CHECK(has_text(planned(base8(t.base)).err, "A_X100 on " + base8(t.base)));
  CHECK(planned(t.base).ok());
  // The other one has the folder's name, and is not what was asked for.
  check_fails(planned(t.second), 1, "error: no patch of A_X100 for base '" + t.second + "'\n");
  check_fails(with_base(t, base8(t.base)), 128, "fatal: '" + base8(t.base) + "' is ambiguous\n");
}

TEST_CASE("ids: a store without metadata whose eight digits two commits share") {
  const Twins t(8);
  const Patched made = patch(t.repo, {"patch", "--device-type", "A_X100", "--base-commit-id",
                                      t.base, "--current-commit-id", t.current});
  t.repo.git({"rm", "--quiet", t.stored("json")});
  t.repo.git({"commit", "--quiet", "-m", "as the old tool left it"});
  const Outcome vague =
      t.repo.flagscale({"unpatch", "--device-type", "A_X100", "--commit-id", base8(t.base)});
  check_fails(vague, 128, "fatal: '" + base8(t.base) + "' is ambiguous\n");
  CHECK(has_text(vague.err, t.repo.git({"rev-parse", "--short=9", t.base})));
}

}  // namespace
}  // namespace flagscale::test
