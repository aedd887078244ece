// SPDX-License-Identifier: Apache-2.0
//
// Configuration, from wherever git takes it, and what else the user's surroundings set. The rows
// of docs/situations.md under "Configuration".
#include <filesystem>

#include <doctest/doctest.h>

#include "support/sandbox.h"
#include "support/situation.h"

namespace flagscale::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* kKey = "flagscale.hardwareDir";

/// The store's folder that a patch made in this way goes to; first asks git what the key says.
std::string store_folder(const Adaptation& a, const Way& way) {
  const std::string asked = ask_git(a.repo, way, {"config", "--get", kKey});
  const Outcome made = run_flagscale(a.repo, way, a.patch_args() + Args{"--dry-run", "--json"});
  REQUIRE_MESSAGE(made.ok(), describe(made));
  const std::string path = Json::parse(made.out).at("path");
  std::string folder = path.substr(0, path.find("/A_X100/"));
  CHECK(folder == asked);
  return folder;
}

std::string config_file(const Adaptation& a, const std::string& key, const std::string& value) {
  std::string file = make_temp_folder() + "/config";
  a.repo.git({"config", "--file", file, key, value});
  return file;
}

TEST_CASE("configuration: git -c") {
  const Adaptation a;
  a.repo.config(kKey, "local");
  CHECK(
      store_folder(a, {.words = {"-c", "flagscale.hardwareDir=words"}, .folder = {}, .env = {}}) ==
      "words");
  CHECK(
      store_folder(a, {.words = {"-c", "FLAGSCALE.HARDWAREDIR=a", "-c", "flagscale.hardwaredir=b"},
                       .folder = "src",
                       .env = {}}) == "b");
}

TEST_CASE("configuration: --config-env") {
  const Adaptation a;
  CHECK(store_folder(a, {.words = {"--config-env=flagscale.hardwareDir=WHERE"},
                         .folder = {},
                         .env = {{"WHERE", "from env"}}}) == "from env");
}

TEST_CASE("configuration: GIT_CONFIG_COUNT and GIT_CONFIG_PARAMETERS") {
  const Adaptation a;
  CHECK(store_folder(a, {.words = {},
                         .folder = {},
                         .env = {{"GIT_CONFIG_COUNT", "1"},
                                 {"GIT_CONFIG_KEY_0", kKey},
                                 {"GIT_CONFIG_VALUE_0", "counted"}}}) == "counted");
  CHECK(store_folder(a, {.words = {},
                         .folder = {},
                         .env = {{"GIT_CONFIG_PARAMETERS", "'flagscale.hardwaredir=it'\\''s'"}}}) ==
        "it's");
}

TEST_CASE("configuration: GIT_CONFIG_GLOBAL") {
  const Adaptation a;
  const std::string file = config_file(a, kKey, "global");
  CHECK(store_folder(a, {.words = {}, .folder = {}, .env = {{"GIT_CONFIG_GLOBAL", file}}}) ==
        "global");
}

TEST_CASE("configuration: GIT_CONFIG_SYSTEM and GIT_CONFIG_NOSYSTEM") {
  const Adaptation a;
  const std::string file = config_file(a, kKey, "system");
  CHECK(store_folder(a, {.words = {},
                         .folder = {},
                         .env = {{"GIT_CONFIG_SYSTEM", file}, {"GIT_CONFIG_NOSYSTEM", "0"}}}) ==
        "system");
  a.repo.config(kKey, "local");
  CHECK(store_folder(a, {.words = {},
                         .folder = {},
                         .env = {{"GIT_CONFIG_SYSTEM", file}, {"GIT_CONFIG_NOSYSTEM", "1"}}}) ==
        "local");
}

TEST_CASE("configuration: the files of HOME and XDG_CONFIG_HOME") {
  const Adaptation a;
  const std::string home = make_temp_folder();
  fs::create_directories(home + "/xdg/git");
  a.repo.git({"config", "--file", home + "/xdg/git/config", kKey, "xdg"});
  Way way{
      .words = {},
      .folder = {},
      .env = {
          {"GIT_CONFIG_GLOBAL", std::nullopt}, {"HOME", home}, {"XDG_CONFIG_HOME", home + "/xdg"}}};
  CHECK(store_folder(a, way) == "xdg");
  a.repo.git({"config", "--file", home + "/.gitconfig", kKey, "home"});
  CHECK(store_folder(a, way) == "home");
  way.env["HOME"] = std::nullopt;
  CHECK(store_folder(a, way) == "xdg");
}

TEST_CASE("configuration: include.path, relative and in a chain") {
  const Adaptation a;
  a.repo.config("include.path", "more/one");
  fs::create_directories(a.repo.path(".git/more"));
  a.repo.git({"config", "--file", ".git/more/one", "include.path", "two"});
  a.repo.git({"config", "--file", ".git/more/two", kKey, "included"});
  CHECK(store_folder(a, {.words = {}, .folder = "src", .env = {}}) == "included");
}

TEST_CASE("configuration: includeIf by folder, branch and remote") {
  for (const std::string& condition :
       {std::string("gitdir:**/repo/.git"), std::string("onbranch:w*"),
        std::string("hasconfig:remote.*.url:/**")}) {
    CAPTURE(condition);
    const Adaptation a;
    const std::string included = config_file(a, kKey, "conditional");
    const std::string file = config_file(a, "includeIf." + condition + ".path", included);
    const Way way{.words = {}, .folder = "src", .env = {{"GIT_CONFIG_GLOBAL", file}}};
    CHECK(store_folder(a, way) == "conditional");
    a.repo.git({"switch", "--quiet", "--detach"});
    a.repo.git({"remote", "remove", "origin"});
    const bool still = run_git(a.repo, way, {"config", kKey}).ok();
    CHECK(still == condition.starts_with("gitdir"));
    const Outcome made = run_flagscale(a.repo, way, a.patch_args() + Args{"--dry-run"});
    REQUIRE_MESSAGE(made.ok(), describe(made));
  }
}

TEST_CASE("configuration: config.worktree") {
  const Adaptation a;
  const std::string tree = make_temp_folder() + "/tree";
  a.repo.config("core.repositoryFormatVersion", "1");
  a.repo.config("extensions.worktreeConfig", "true");
  a.repo.git({"worktree", "add", "--quiet", "--detach", tree, "work"});
  a.repo.config(kKey, "all");
  TestRepo::at(tree).git({"config", "--worktree", kKey, "only here"});
  CHECK(store_folder(a, {.words = {"-C", tree}, .folder = {}, .env = {}}) == "only here");
  CHECK(store_folder(a, {}) == "all");
  check_same_repository(a, {.words = {"-C", tree}, .folder = {}, .env = {}});
}

TEST_CASE("configuration: GIT_CONFIG is for git config alone") {
  const Adaptation a;
  a.repo.config(kKey, "local");
  const std::string file = config_file(a, kKey, "other");
  const Way way{.words = {}, .folder = {}, .env = {{"GIT_CONFIG", file}}};
  CHECK(ask_git(a.repo, way, {"config", kKey}) == "other");
  const Outcome made = run_flagscale(a.repo, way, a.patch_args() + Args{"--no-switch"});
  CHECK_MESSAGE(has_text(made.out, " local/A_X100/"), describe(made));
}

TEST_CASE("configuration: truth values") {
  const Adaptation a;
  for (const char* value : {"true", "TRUE", "yes", "on", "1", "2", "-1", "0x10", "1k", "false",
                            "No", "off", "0", "00", ""}) {
    CAPTURE(value);
    const Way way{
        .words = {"-c", std::string("advice.flagscalePush=") + value}, .folder = {}, .env = {}};
    const bool wanted =
        ask_git(a.repo, way, {"config", "--type=bool", "advice.flagscalePush"}) == "true";
    const Outcome made = run_flagscale(a.repo, way, a.patch_args() + Args{"--no-switch"});
    CHECK_MESSAGE(has_text(made.err, "hint:") == wanted, describe(made));
  }
  const Outcome alone =
      run_flagscale(a.repo, {.words = {"-c", "advice.flagscalePush"}, .folder = {}, .env = {}},
                    a.patch_args() + Args{"--no-switch"});
  CHECK(has_text(alone.err, "hint:"));
}

TEST_CASE("configuration: what is no truth value") {
  const Adaptation a;
  const Way way{.words = {"-c", "commit.gpgSign=perhaps"}, .folder = {}, .env = {}};
  const Outcome git = run_git(a.repo, way, {"config", "--type=bool", "commit.gpgSign"});
  CHECK(git.status == 128);
  check_fails(run_flagscale(a.repo, way, a.patch_args() + Args{"--no-switch"}), 128, git.err);
}

TEST_CASE("configuration: a file that git cannot read") {
  const Adaptation a;
  const std::string file = make_temp_folder() + "/config";
  for (const char* text : {"[core\n", "[core]\n\tx = \"open\n",
                           "[include]\n\tpath = ~nobody-at-all/x\n", "[core]\n\tbare = hm\n"}) {
    CAPTURE(text);
    a.repo.git({"config", "--file", file, "a.b", "c"});
    TestRepo::at(a.repo.path()).write("../config", text);
    const Way way{
        .words = {}, .folder = {}, .env = {{"GIT_CONFIG_GLOBAL", a.repo.path("../config")}}};
    const Outcome git = run_git(a.repo, way, {"rev-parse", "--git-dir"});
    const Outcome ours = run_flagscale(a.repo, way, {"list"});
    CHECK_MESSAGE(ours.status == git.status, describe(git) << describe(ours));
    CHECK_MESSAGE(ours.err.find(git.err) != std::string::npos, describe(ours));
  }
}

TEST_CASE("configuration: core.ignoreCase does not change the order of the index") {
  Adaptation a;
  a.repo.config("core.ignoreCase", "true");
  for (const char* name : {"Zed/x", "abc", "ABD", "src/Upper.c"}) a.repo.write(name, name);
  const std::string current = a.repo.commit("upper and lower case");
  const Args args{"patch", "--device-type", "A_X100", "--base-commit-id", a.base};
  const Patched made = patch(a.repo, args);
  const auto built = unpatch(
      a.repo, {"--device-type", "A_X100", "--commit-id", a.base, "--dir", make_temp_folder()});
  const TestRepo output = TestRepo::at(built.at(0).folder);
  CHECK(output.git({"config", "core.ignoreCase"}) == "true");
  CHECK(output.status().empty());
  CHECK(output.tree_of("HEAD") == a.repo.tree_of(current));
  CHECK(output.git({"ls-files", "-s"}) ==
        output.git({"ls-tree", "-r", "--format=%(objectmode) %(objectname) 0%x09%(path)", "HEAD"}));
}

TEST_CASE("configuration: split index and file system monitor for all repositories") {
  const Published p;
  const std::string file = config_file(p, "core.splitIndex", "true");
  p.repo.git({"config", "--file", file, "core.untrackedCache", "true"});
  p.repo.git({"config", "--file", file, "core.eol", "lf"});
  // A file for attributes makes git write the working tree, and the index as it is set.
  p.repo.git({"config", "--file", file, "core.attributesFile", "/nonexistent"});
  const Way way{.words = {}, .folder = {}, .env = {{"GIT_CONFIG_GLOBAL", file}}};
  const std::string dir = make_temp_folder();
  for (int i = 0; i < 2; ++i) {
    const Outcome built = run_flagscale(p.repo, way, p.unpatch_args() + Args{"--dir", dir});
    CHECK_MESSAGE(built.ok(), describe(built));
    CHECK(ask_git(p.repo, {.words = {}, .folder = dir + "/A_X100/repo", .env = way.env},
                  {"status", "--porcelain"})
              .empty());
  }
}

TEST_CASE("configuration: GIT_TRACE changes no message") {
  const Adaptation a;
  const std::string lock = a.repo.path(".git/refs/heads/flagscale");
  const Way traced{.words = {},
                   .folder = {},
                   .env = {{"GIT_TRACE", "1"}, {"GIT_TRACE_SETUP", "1"}, {"GIT_TRACE2", "1"}}};
  const auto last_line = [](const Outcome& outcome) { return lines_of(outcome.err).back(); };
  const Args wrong{"patch", "--device-type", "A_X100", "--base-commit-id", "HEAD:nowhere"};
  const Outcome plain = a.repo.flagscale(wrong);
  const Outcome talkative = run_flagscale(a.repo, traced, wrong);
  CHECK(plain.status == 128);
  CHECK(talkative.status == plain.status);
  CHECK_MESSAGE(has_text(talkative.err, "\n" + last_line(plain)), describe(talkative));
  const Way lost{.words = {}, .folder = make_temp_folder(), .env = traced.env};
  CHECK(has_text(run_flagscale(a.repo, lost, {"list"}).err, "\nfatal: not a git repository"));
  a.repo.write_executable(".git/hooks/reference-transaction", "#!/bin/sh\nexit 1\n");
  const Outcome refused = run_flagscale(a.repo, traced, a.patch_args() + Args{"--no-switch"});
  CHECK_MESSAGE(has_text(refused.err, "\nerror: ref updates aborted by hook"), describe(refused));
}

TEST_CASE("configuration: the user's language") {
  const Adaptation a;
  for (const char* language : {"C.UTF-8", "de_DE.UTF-8", "nonsense"}) {
    const Way way{.words = {},
                  .folder = {},
                  .env = {{"LC_ALL", language}, {"LANGUAGE", "de:fr"}, {"LANG", language}}};
    a.repo.write("src/engine.c", "an edit in the way\n");
    const Outcome refused = run_flagscale(a.repo, way, a.patch_args());
    check_fails(refused, 1,
                "error: local changes would be overwritten by the switch:\n  src/engine.c\n");
  }
}

}  // namespace
}  // namespace flagscale::test
