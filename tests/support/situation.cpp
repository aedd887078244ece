// SPDX-License-Identifier: Apache-2.0
#include "support/situation.h"

#include <doctest/doctest.h>

#include "base/files.h"
#include "base/quote.h"
#include "support/sandbox.h"

namespace flagscale::test {

Outcome run_git(const TestRepo& repo, const Way& way, const Args& args) {
  return repo.try_git(way.words + args, {.folder = way.folder, .env = way.env, .input = {}});
}

std::string ask_git(const TestRepo& repo, const Way& way, const Args& args) {
  return repo.git(way.words + args, {.folder = way.folder, .env = way.env, .input = {}});
}

Outcome run_flagscale(const TestRepo& repo, const Way& way, const Args& args) {
  return run_git(repo, way, Args{"flagscale"} + args);
}

void check_same_repository(const Adaptation& a, const Way& way) {
  const Outcome made = run_flagscale(a.repo, way, a.patch_args());
  REQUIRE_MESSAGE(made.ok(), describe(made));
  const std::string patch_commit = made.out.substr(0, made.out.find(' '));
  CHECK(ask_git(a.repo, way, {"rev-parse", "HEAD"}) == patch_commit);
  CHECK(ask_git(a.repo, way, {"rev-parse", "HEAD^"}) == a.base);
  CHECK(ask_git(a.repo, way, {"symbolic-ref", "--short", "HEAD"}) == a.branch());
  CHECK(ask_git(a.repo, way, {"status", "--porcelain"}).empty());
  const Outcome built = run_flagscale(
      a.repo, way, {"unpatch", "--device-type", "A_X100", "--commit-id", a.base.substr(0, 9)});
  REQUIRE_MESSAGE(built.ok(), describe(built));
  const std::string head = ask_git(a.repo, way, {"rev-parse", "HEAD"});
  const std::string top = escaped(ask_git(a.repo, way, {"rev-parse", "--show-toplevel"}));
  CHECK(built.out == "A_X100 " + head + " " + top + "\n");
  CHECK(ask_git(a.repo, way, {"rev-parse", "HEAD^{tree}"}) ==
        ask_git(a.repo, way, {"rev-parse", a.current + "^{tree}"}));
  CHECK(ask_git(a.repo, way, {"status", "--porcelain"}).empty());
}

void check_same_refusal(const TestRepo& repo, const Way& way) {
  const Outcome git = run_git(repo, way, {"rev-parse", "--git-dir"});
  const Outcome ours = run_flagscale(repo, way, {"list"});
  CHECK_MESSAGE(git.status == 128, describe(git));
  // Before it runs us, git itself may warn of what it sees.
  std::string wanted;
  for (const std::string& line : lines_of(git.err)) {
    if (wanted.empty() && line.starts_with("fatal: ")) wanted = line + "\n";
  }
  CHECK_MESSAGE(ours.status == git.status, describe(ours));
  CHECK_MESSAGE(has_text(ours.err, wanted), describe(git) << describe(ours));
  CHECK(ours.out.empty());
}

void check_fails(const Outcome& outcome, int status, const std::string& message) {
  CHECK_MESSAGE(outcome.status == status, describe(outcome));
  CHECK(outcome.out.empty());
  CHECK_MESSAGE(outcome.err.starts_with(message), describe(outcome));
  for (const char* jargon : {"libgit2", "odb", "no match for id", "corrupted loose", "revspec",
                             "failed to", "unsupported extension", "GIT_E"}) {
    CHECK_MESSAGE((message.find(jargon) != std::string::npos || !has_text(outcome.err, jargon)),
                  describe(outcome));
  }
}

Published::Published() {
  const Patched made = patch(repo, patch_args() + Args{"--no-switch"});
  patch_commit = made.commit;
  adapted = json_at(repo, patch_commit + ":" + stored("json")).at("commit");
}

Args Published::unpatch_args() const {
  return {"unpatch", "--device-type", "A_X100", "--commit-id", base, "--from", patch_commit};
}

TestRepo Published::check_output(const TestRepo& source, const Way& way) const {
  const Outcome built =
      run_flagscale(source, way, unpatch_args() + Args{"--dir", make_temp_folder()});
  REQUIRE_MESSAGE(built.ok(), describe(built));
  const std::string start = "A_X100 " + adapted + " ";
  REQUIRE_MESSAGE(built.out.starts_with(start), describe(built));
  TestRepo output =
      TestRepo::at(built.out.substr(start.size(), built.out.size() - start.size() - 1));
  CHECK(output.rev("HEAD") == adapted);
  CHECK(output.status().empty());
  const Outcome fsck = output.try_git({"fsck", "--connectivity-only", "--no-dangling"});
  CHECK_MESSAGE((fsck.ok() && fsck.out.empty()), describe(fsck));
  return output;
}

void run_while_signing(const TestRepo& repo, const std::string& command) {
  const std::string program = make_temp_folder() + "/gpg";
  repo.config("commit.gpgSign", "true");
  repo.config("gpg.program", program);
  write_new_file(program,
                 "#!/bin/sh\n" + command +
                     "\ncat >/dev/null\nprintf '\\n[GNUPG:] SIG_CREATED \\n' >&2\necho signature\n",
                 0777);
}

std::string check_commits_as_git(const Adaptation& a, const Way& way, const Args& options) {
  (void)a.repo.try_git({"branch", "--quiet", "-D", a.branch()});
  const Outcome made = run_flagscale(a.repo, way, a.patch_args() + Args{"--no-switch"});
  REQUIRE_MESSAGE(made.ok(), describe(made));
  std::string commit = made.out.substr(0, made.out.find(' '));
  const std::string twin =
      ask_git(a.repo, way,
              Args{"commit-tree"} + options +
                  Args{"-p", a.base, "-m", "[A_X100] add a table", commit + "^{tree}"});
  CHECK(a.repo.git({"cat-file", "commit", commit}) == a.repo.git({"cat-file", "commit", twin}));
  CHECK(commit == twin);
  return commit;
}

}  // namespace flagscale::test
