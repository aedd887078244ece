// SPDX-License-Identifier: Apache-2.0
//
// Commits, refs and files are made as git makes them: identity, dates, signatures, permissions,
// reflogs, hooks. The rows of docs/situations.md under "Committing".
#include <sys/stat.h>

#include <filesystem>

#include <doctest/doctest.h>

#include "support/sandbox.h"
#include "support/situation.h"

namespace flagscale::test {
namespace {

namespace fs = std::filesystem;

const Args kNoSwitch{"--no-switch"};

/// Nobody known by variables.
Environment without_identity() {
  return {{"GIT_AUTHOR_NAME", std::nullopt},
          {"GIT_AUTHOR_EMAIL", std::nullopt},
          {"GIT_COMMITTER_NAME", std::nullopt},
          {"GIT_COMMITTER_EMAIL", std::nullopt},
          {"EMAIL", std::nullopt}};
}

/// A key for ssh signatures, known to the repository as one to sign with and to trust.
void make_ssh_key(const TestRepo& repo) {
  const std::string folder = make_temp_folder();
  const Outcome made = run_command(
      {"ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", folder + "/key"}, folder);
  REQUIRE_MESSAGE(made.ok(), describe(made));
  const TestRepo keys = TestRepo::at(repo.path());
  keys.config("gpg.format", "ssh");
  keys.config("user.signingKey", folder + "/key.pub");
  keys.config("gpg.ssh.allowedSignersFile", folder + "/trusted");
  const Outcome copied =
      run_command({"sh", "-c", "sed 's/^/carl@example.com /' key.pub >trusted"}, folder);
  REQUIRE_MESSAGE(copied.ok(), describe(copied));
}

/// Which hooks ran, a line each with their arguments.
void watch_hooks(const TestRepo& repo, const std::string& folder = ".git/hooks") {
  for (const char* name :
       {"pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-checkout",
        "post-rewrite", "applypatch-msg", "pre-applypatch", "post-applypatch", "pre-merge-commit",
        "post-merge", "pre-rebase", "pre-push", "pre-auto-gc"}) {
    repo.write_executable(folder + "/" + name,
                          std::string("#!/bin/sh\necho \"") + name +
                              " $* in $(pwd)\" >>\"$(git rev-parse --git-common-dir)/ran\"\n");
  }
}

std::string ran(const TestRepo& repo) {
  std::string text = repo.exists(".git/ran") ? repo.read(".git/ran") : "";
  if (!text.empty()) repo.remove(".git/ran");
  return text;
}

TEST_CASE("committing: identity from the environment") {
  const Adaptation a;
  check_commits_as_git(a, {.words = {},
                           .folder = {},
                           .env = {{"GIT_AUTHOR_NAME", "  \xc3\x84nne, <O'Neil>. "},
                                   {"GIT_AUTHOR_EMAIL", "a@b"},
                                   {"GIT_COMMITTER_NAME", "C D"},
                                   {"GIT_COMMITTER_EMAIL", ""}}});
}

TEST_CASE("committing: identity from the configuration, and EMAIL") {
  const Adaptation a;
  const Environment nobody = without_identity();
  a.repo.config("user.name", "Uma User");
  Environment with_email = nobody;
  with_email["EMAIL"] = "uma@env.example.com";
  check_commits_as_git(a, {.words = {}, .folder = {}, .env = with_email});
  a.repo.config("user.email", "uma@example.com");
  check_commits_as_git(a, {.words = {}, .folder = {}, .env = nobody});
  check_commits_as_git(a, {.words = {"-c", "author.name=Other", "-c", "committer.email=c@d"},
                           .folder = {},
                           .env = nobody});
}

TEST_CASE("committing: without an identity git's own words") {
  const Adaptation a;
  for (const char* setting : {"user.useConfigOnly=true", "user.email="}) {
    CAPTURE(setting);
    const Way way{.words = {"-c", setting}, .folder = {}, .env = without_identity()};
    const Outcome git = run_git(a.repo, way, {"var", "GIT_AUTHOR_IDENT"});
    if (git.ok()) continue;
    const std::string before = a.repo.snapshot();
    const Outcome ours = run_flagscale(a.repo, way, a.patch_args());
    CHECK(ours.status == git.status);
    const std::string reason = lines_of(git.err).back();
    REQUIRE(reason.starts_with("fatal: "));
    CHECK_MESSAGE(has_text(ours.err, reason.substr(7)), describe(ours));
    for (const std::string& line : lines_of(git.err)) {
      if (line.starts_with("  git config "))
        CHECK_MESSAGE(has_text(ours.err, line), describe(ours));
    }
    CHECK(a.repo.snapshot() == before);
  }
}

TEST_CASE("committing: unpatch needs no identity") {
  const Published p;
  const Way way{
      .words = {"-c", "user.useConfigOnly=true"}, .folder = {}, .env = without_identity()};
  (void)p.check_output(p.repo, way);
  const Outcome in_place = run_flagscale(p.repo, way, p.unpatch_args());
  CHECK_MESSAGE(in_place.ok(), describe(in_place));
}

TEST_CASE("committing: dates from the environment, in every form") {
  const Adaptation a;
  for (const char* date : {"1700000123 -0330", "@1 +0000", "2024-02-29T23:59:59+14:00",
                           "Thu, 07 Apr 2005 22:13:13 +0200", "2005-04-07 22:13:13"}) {
    CAPTURE(date);
    check_commits_as_git(a, {.words = {},
                             .folder = {},
                             .env = {{"GIT_AUTHOR_DATE", date},
                                     {"GIT_COMMITTER_DATE", "1712345678 +0530"},
                                     {"TZ", "Asia/Kolkata"}}});
  }
}

TEST_CASE("committing: a date that git cannot read") {
  const Adaptation a;
  const Way way{.words = {}, .folder = {}, .env = {{"GIT_AUTHOR_DATE", "the day after"}}};
  const Outcome git = run_git(a.repo, way, {"var", "GIT_AUTHOR_IDENT"});
  CHECK(git.status == 128);
  check_fails(run_flagscale(a.repo, way, a.patch_args()), 128, git.err);
  CHECK(a.repo.head_branch() == "work");
}

TEST_CASE("committing: commit.gpgSign with an ssh key") {
  Adaptation a;
  make_ssh_key(a.repo);
  a.repo.config("commit.gpgSign", "true");
  const Patched made = patch(a.repo, a.patch_args());
  CHECK(a.repo.try_git({"verify-commit", made.commit}).ok());
  // A signature belongs to a commit, the adapted ones are the same for all.
  const auto built = unpatch(a.repo, {"--device-type", "A_X100", "--commit-id", a.base});
  CHECK_FALSE(has_text(a.repo.git({"cat-file", "commit", built.at(0).commit}), "gpgsig"));
  a.repo.git({"switch", "--quiet", "work"});
  a.repo.tick();
  CHECK(has_text(a.repo.flagscale(a.patch_args()).err, "unchanged"));
  CHECK(a.repo.head_branch() == a.branch());
  // Without the setting a key is no reason to sign.
  a.repo.config("commit.gpgSign", "false");
  const Patched again =
      patch(a.repo, a.patch_args() + Args{"--no-switch", "--onto", a.base, "-m", "other"});
  CHECK(again.commit == made.commit);
  const Patched other = patch(a.repo, a.patch_args("B_Y100") + kNoSwitch);
  CHECK_FALSE(has_text(a.repo.git({"cat-file", "commit", other.commit}), "gpgsig"));
}

TEST_CASE("committing: commit.gpgSign with OpenPGP") {
  const Adaptation a;
  // Stands in for gpg: what matters is that its program is run and its signature kept.
  a.repo.write_executable(
      ".git/gpg",
      "#!/bin/sh\ncat >/dev/null\necho \"$*\" >\"$(dirname \"$0\")/asked\"\nprintf -- '-----BEGIN "
      "PGP SIGNATURE-----\\n\\nabc=\\n-----END PGP SIGNATURE-----\\n'\nprintf '\\n[GNUPG:] "
      "SIG_CREATED D\\n' >&2\n");
  a.repo.config("gpg.program", a.repo.path(".git/gpg"));
  a.repo.config("user.signingKey", "0xABCD");
  a.repo.config("commit.gpgSign", "true");
  const std::string commit = check_commits_as_git(a, {}, {"-S"});
  CHECK_FALSE(commit.empty());
}

TEST_CASE("committing: a signer that fails") {
  const Adaptation a;
  a.repo.config("commit.gpgSign", "true");
  for (const char* program : {"false", "/nonexistent/gpg"}) {
    a.repo.config("gpg.program", program);
    const std::string before = a.repo.snapshot();
    const Outcome git = a.repo.try_git({"commit-tree", "-S", "-m", "x", "HEAD^{tree}"});
    const Outcome ours = a.repo.flagscale(a.patch_args());
    CHECK(ours.status == 128);
    CHECK_FALSE(git.ok());
    CHECK_MESSAGE(has_text(ours.err, lines_of(git.err).front().substr(7)), describe(ours));
    CHECK(a.repo.snapshot() == before);
  }
}

TEST_CASE("committing: core.sharedRepository") {
  struct Mask {
    mode_t before;
    explicit Mask(mode_t mask) : before(umask(mask)) {}
    ~Mask() { umask(before); }
  };
  const Published p;
  for (const char* value : {"", "umask", "group", "true", "all", "0640", "0666", "2"}) {
    CAPTURE(value);
    const TestRepo repo = TestRepo::clone_of(p.repo, {"--no-checkout", "--no-local"});
    const Mask closed(077);
    const Args setting =
        *value == 0 ? Args{} : Args{"-c", std::string("core.sharedRepository=") + value};
    const Way way{.words = setting, .folder = {}, .env = {}};
    const std::string by_git =
        run_git(repo, way, {"commit-tree", "-m", "x", repo.tree_of("origin/work")})
            .out.substr(0, 40);
    const auto mode_of = [&](const std::string& path) {
      struct stat status {};
      REQUIRE(stat(repo.path(path).c_str(), &status) == 0);
      return status.st_mode;
    };
    const mode_t file_mode =
        mode_of(".git/objects/" + by_git.substr(0, 2) + "/" + by_git.substr(2));
    const mode_t folder_mode = mode_of(".git/objects/" + by_git.substr(0, 2));
    const std::string known = repo.objects();
    const Outcome made =
        run_flagscale(repo, way,
                      {"patch", "--device-type", "C_Z100", "--base-commit-id", p.base,
                       "--current-commit-id", "origin/work", "--no-switch"});
    REQUIRE_MESSAGE(made.ok(), describe(made));
    int fresh = 0;
    for (const std::string& line : lines_of(repo.objects())) {
      const std::string id = line.substr(0, 40);
      if (has_text(known, id) ||
          !repo.exists(".git/objects/" + id.substr(0, 2) + "/" + id.substr(2)))
        continue;
      ++fresh;
      CHECK(mode_of(".git/objects/" + id.substr(0, 2) + "/" + id.substr(2)) == file_mode);
      CHECK((mode_of(".git/objects/" + id.substr(0, 2)) & 0077) == (folder_mode & 0077));
    }
    CHECK(fresh > 4);
  }
}

TEST_CASE("committing: reflogs") {
  const Adaptation a;
  const Patched made = patch(a.repo, a.patch_args() + kNoSwitch);
  CHECK(a.repo.git({"reflog", "-1", "--format=%gs", a.branch()}) ==
        "flagscale patch: [A_X100] add a table");
  CHECK(a.repo.git({"reflog", "-1", "--format=%gs", "HEAD"}) !=
        "flagscale patch: [A_X100] add a table");
  a.repo.git({"branch", "--quiet", "-D", a.branch()});
  patch(a.repo, a.patch_args());
  CHECK(a.repo.git({"reflog", "-1", "--format=%gs", "HEAD"}) ==
        "checkout: moving from work to " + a.branch());
  CHECK(a.repo.git({"reflog", "--format=%H", a.branch()}) == made.commit);
  unpatch(a.repo, {"--device-type", "A_X100", "--commit-id", a.base});
  CHECK(has_text(a.repo.git({"reflog", "-1", "--format=%gs", "HEAD"}),
                 "checkout: moving from " + a.branch() + " to "));
  a.repo.git({"switch", "--quiet", "-"});
  CHECK(a.repo.head_branch() == a.branch());
  a.repo.git({"switch", "--quiet", "--detach", "-"});
  CHECK(a.repo.head_branch().empty());
}

TEST_CASE("committing: reflogs that are off, or on in a bare repository") {
  const Adaptation a;
  a.repo.config("core.logAllRefUpdates", "false");
  fs::remove_all(a.repo.path(".git/logs"));
  patch(a.repo, a.patch_args());
  CHECK_FALSE(a.repo.exists(".git/logs"));
  a.repo.git({"push", "--quiet", "origin", "work"});
  a.upstream.config("core.logAllRefUpdates", "true");
  patch(a.upstream, a.patch_args() + kNoSwitch);
  CHECK(a.upstream.exists("logs/refs/heads/" + a.branch()));
}

TEST_CASE("committing: GIT_REFLOG_ACTION names the action, as for git checkout") {
  const Adaptation a;
  const Way way{.words = {}, .folder = {}, .env = {{"GIT_REFLOG_ACTION", "my script"}}};
  const Outcome made = run_flagscale(a.repo, way, a.patch_args());
  REQUIRE(made.ok());
  const std::string ours = a.repo.git({"reflog", "-1", "--format=%gs", "HEAD"});
  ask_git(a.repo, way, {"checkout", "--quiet", "work"});
  CHECK(ours == a.repo.git({"reflog", "-1", "--format=%gs", "HEAD"}));
}

TEST_CASE("committing: the hooks of commits and mails are not run") {
  const Adaptation a;
  watch_hooks(a.repo);
  patch(a.repo, a.patch_args() + kNoSwitch);
  CHECK(ran(a.repo).empty());
  unpatch(a.repo, {"--device-type", "A_X100", "--commit-id", a.base, "--from", a.branch(), "--dir",
                   make_temp_folder()});
  CHECK(ran(a.repo).empty());
}

TEST_CASE("committing: post-checkout runs at the top, once a switch") {
  const Adaptation a;
  watch_hooks(a.repo);
  const Way way{.words = {}, .folder = "src", .env = {}};
  const auto made = run_flagscale(a.repo, way, a.patch_args());
  const std::string patch_commit = made.out.substr(0, 40);
  CHECK(ran(a.repo) ==
        "post-checkout " + a.current + " " + patch_commit + " 1 in " + a.repo.path() + "\n");
  const auto built = unpatch(a.repo, {"--device-type", "A_X100", "--commit-id", a.base});
  CHECK(ran(a.repo) == "post-checkout " + patch_commit + " " + built.at(0).commit + " 1 in " +
                           a.repo.path() + "\n");
  // Unchanged: there is nothing to switch.
  unpatch(a.repo, {"--device-type", "A_X100", "--commit-id", a.base});
  CHECK(ran(a.repo).empty());
  // The patch is unchanged, HEAD is not.
  a.repo.git({"-c", "core.hooksPath=/dev/null", "switch", "--quiet", "work"});
  patch(a.repo, a.patch_args());
  CHECK(ran(a.repo) ==
        "post-checkout " + a.current + " " + patch_commit + " 1 in " + a.repo.path() + "\n");
}

TEST_CASE("committing: core.hooksPath") {
  const Adaptation a;
  watch_hooks(a.repo, ".git/mine");
  a.repo.config("core.hooksPath", ".git/mine");
  const Way way{.words = {}, .folder = "src", .env = {}};
  REQUIRE(run_flagscale(a.repo, way, a.patch_args()).ok());
  CHECK(ran(a.repo).starts_with("post-checkout "));
}

TEST_CASE("committing: a post-checkout that fails is a warning") {
  const Adaptation a;
  a.repo.write_executable(".git/hooks/post-checkout", "#!/bin/sh\necho 'no lock'; exit 3\n");
  const Outcome made = a.repo.flagscale(a.patch_args());
  CHECK(made.status == 0);
  CHECK(lines_of(made.out).size() == 1);
  CHECK_MESSAGE(has_text(made.err, "warning: the post-checkout hook failed\n"), describe(made));
  CHECK(a.repo.head_branch() == a.branch());
  CHECK(a.repo.status().empty());
}

TEST_CASE("committing: a reference-transaction that refuses") {
  const Adaptation a;
  a.repo.write_executable(".git/hooks/reference-transaction",
                          "#!/bin/sh\necho 'frozen until Monday' >&2\nexit 1\n");
  for (const Args& more : {Args{}, kNoSwitch}) {
    const std::string head = a.repo.rev("HEAD");
    const Outcome made = a.repo.flagscale(a.patch_args() + more);
    CHECK_MESSAGE(made.status == 1, describe(made));
    CHECK_MESSAGE(has_text(made.err, "ref updates aborted by hook"), describe(made));
    CHECK_MESSAGE(has_text(made.err, "frozen until Monday"), describe(made));
    CHECK(a.repo.head_branch() == "work");
    CHECK(a.repo.rev("HEAD") == head);
    CHECK(a.repo.status().empty());
    CHECK_FALSE(a.repo.has(a.branch()));
  }
}

TEST_CASE("committing: -s signs off as the committer, once") {
  const Adaptation a;
  const Way way{
      .words = {},
      .folder = {},
      .env = {{"GIT_COMMITTER_NAME", "Sam Signer"}, {"GIT_COMMITTER_EMAIL", "s@example.com"}}};
  for (const char* message : {"subject", "subject\n\nbody", "subject\n\nReviewed-by: x <y>",
                              "subject\n\nbody\n\nSigned-off-by: Sam Signer <s@example.com>"}) {
    CAPTURE(message);
    const Adaptation b;
    const Outcome made =
        run_flagscale(b.repo, way, b.patch_args() + Args{"-s", "-m", message, "--no-switch"});
    REQUIRE_MESSAGE(made.ok(), describe(made));
    ask_git(a.repo, way, {"commit", "--quiet", "--allow-empty", "-s", "-m", message});
    CHECK(b.repo.git({"show", "-s", "--format=%B", made.out.substr(0, 40)}) ==
          a.repo.git({"show", "-s", "--format=%B"}));
  }
}

TEST_CASE("committing: i18n.commitEncoding") {
  const Adaptation a;
  a.repo.config("i18n.commitEncoding", "ISO-8859-1");
  const Patched made =
      patch(a.repo, a.patch_args() + Args{"--no-switch", "-m", "\xc3\xa4\xc3\xb6"});
  CHECK_FALSE(has_text(a.repo.git({"cat-file", "commit", made.commit}), "encoding"));
  CHECK(has_text(a.repo.git({"cat-file", "commit", made.commit}), "\xc3\xa4\xc3\xb6"));
}

TEST_CASE("committing: a branch that another working tree uses") {
  const Adaptation a;
  const Patched made = patch(a.repo, a.patch_args() + kNoSwitch);
  const std::string tree = make_temp_folder() + "/tree";
  a.repo.git({"worktree", "add", "--quiet", tree, a.branch()});
  const Args changed = a.patch_args() + Args{"--squash"};
  CHECK(a.repo.try_git({"branch", "-f", a.branch(), "work"}).status == 128);
  check_fails(a.repo.flagscale(changed), 1,
              "error: branch '" + a.branch() + "' is checked out at '" + tree + "'\n");
  // In the middle of a rebase git keeps it as well.
  const TestRepo other = TestRepo::at(tree);
  const Outcome rebase =
      other.try_git({"-c", "sequence.editor=echo break >", "rebase", "-i", "HEAD^"});
  REQUIRE_MESSAGE(other.head_branch().empty(), describe(rebase));
  CHECK(a.repo.try_git({"branch", "-f", a.branch(), "work"}).status == 128);
  const Outcome ours = a.repo.flagscale(changed);
  CHECK_MESSAGE(ours.status == 1, describe(ours));
  CHECK(a.repo.rev(a.branch()) == made.commit);
}

}  // namespace
}  // namespace flagscale::test
