// SPDX-License-Identifier: Apache-2.0
//
// The user's configuration, environment and attributes change neither the stored bytes nor what
// is rebuilt from them.
#include <doctest/doctest.h>

#include "support/adaptation.h"
#include "support/sandbox.h"

namespace flagscale::test {
namespace {

/// Work of many kinds, and what patch makes of it without any configuration.
struct Plain : Adaptation {
  Patched made;
  std::string blob;
  std::string adapted;

  Plain() {
    repo.git({"mv", "README.md", "docs.md"});
    repo.write("src/caf\xc3\xa9 \"x\".c", "int x;\r\nint y; \t\n");
    repo.write("src/engine.c", repo.read("src/engine.c") + "void last(void)\n{\n}\n\n\n");
    repo.commit("names, blanks and a rename");
    repo.write("copy.c", repo.read("src/engine.c"));
    repo.symlink("docs.md", "link");
    current = repo.commit("a copy and a link");
    made = patch(repo, patch_args() + Args{"--no-switch"});
    blob = repo.rev(made.commit + ":" + made.path);
    adapted = json_at(repo, made.commit + ":" + stored("json")).at("commit");
    CHECK(adapted == repo.am(repo.show(blob), base).commits.back());
    forget();
  }
  void forget() const { repo.git({"branch", "--quiet", "-D", branch()}); }

  /// The same bytes now; with them the same commits, in place and in a folder.
  void check_same(const RunOptions& options = {}) const {
    const Patched again = patch(repo, patch_args() + Args{"--no-switch"}, options);
    CHECK(repo.rev(again.commit + ":" + again.path) == blob);
    CHECK(repo.rev(again.commit + "^{tree}") == repo.rev(made.commit + "^{tree}"));
    const auto built = unpatch(repo,
                               {"--device-type", "A_X100", "--commit-id", base, "--from", branch(),
                                "--dir", make_temp_folder()},
                               options);
    CHECK(built.at(0).commit == adapted);
    CHECK(TestRepo::at(built.at(0).folder).rev("HEAD") == adapted);
    forget();
  }
};

TEST_CASE("configuration of diff, format-patch, apply, am and more") {
  const Plain p;
  p.repo.write(".git/order", "src/*\n*.md\n");
  p.repo.write(".git/mailmap", "Else One <else@example.com> <author@example.com>\n");
  struct Setting {
    const char* key;
    std::string value;
  };
  const std::vector<Setting> settings = {
      {"diff.noprefix", "true"},
      {"diff.mnemonicPrefix", "true"},
      {"diff.srcPrefix", "x/"},
      {"diff.dstPrefix", "y/"},
      {"diff.relative", "true"},
      {"diff.external", "false"},
      {"diff.renames", "false"},
      {"diff.renames", "copies"},
      {"diff.renameLimit", "1"},
      {"diff.algorithm", "patience"},
      {"diff.algorithm", "histogram"},
      {"diff.algorithm", "minimal"},
      {"diff.orderFile", p.repo.path(".git/order")},
      {"diff.context", "0"},
      {"diff.context", "20"},
      {"diff.interHunkContext", "50"},
      {"diff.indentHeuristic", "false"},
      {"diff.suppressBlankEmpty", "true"},
      {"diff.submodule", "log"},
      {"diff.ignoreSubmodules", "all"},
      {"diff.wsErrorHighlight", "all"},
      {"diff.colorMoved", "zebra"},
      {"diff.dirstat", "lines"},
      {"diff.statGraphWidth", "10"},
      {"color.ui", "always"},
      {"color.diff", "always"},
      {"format.attach", "x"},
      {"format.signature", "mine"},
      {"format.signOff", "true"},
      {"format.subjectPrefix", "RFC"},
      {"format.suffix", ".txt"},
      {"format.numbered", "true"},
      {"format.headers", "X-Mine: yes"},
      {"format.to", "x@y.z"},
      {"format.cc", "x@y.z"},
      {"format.from", "true"},
      {"format.forceInBodyFrom", "true"},
      {"format.thread", "true"},
      {"format.coverLetter", "true"},
      {"format.useAutoBase", "true"},
      {"format.encodeEmailHeaders", "false"},
      {"format.outputDirectory", "elsewhere"},
      {"format.pretty", "fuller"},
      {"format.notes", "true"},
      {"format.noprefix", "true"},
      {"format.mboxrd", "true"},
      {"log.showSignature", "true"},
      {"log.date", "relative"},
      {"log.decorate", "full"},
      {"log.follow", "true"},
      {"log.mailmap", "true"},
      {"mailmap.file", p.repo.path(".git/mailmap")},
      {"author.name", "Else One"},
      {"committer.email", "else@example.com"},
      {"apply.whitespace", "fix"},
      {"apply.whitespace", "error-all"},
      {"apply.ignoreWhitespace", "change"},
      {"am.keepcr", "true"},
      {"am.threeWay", "true"},
      {"am.messageId", "true"},
      {"mailinfo.scissors", "true"},
      {"mailinfo.quotedCr", "strip"},
      {"i18n.commitEncoding", "GBK"},
      {"i18n.logOutputEncoding", "GBK"},
      {"core.quotePath", "false"},
      {"core.quotePath", "true"},
      {"core.autocrlf", "input"},
      {"core.autocrlf", "true"},
      {"core.eol", "crlf"},
      {"core.whitespace", "tab-in-indent,cr-at-eol"},
      {"core.abbrev", "4"},
      {"core.bigFileThreshold", "1"},
      {"core.ignoreCase", "true"},
      {"core.fileMode", "false"},
      {"core.symlinks", "false"},
      {"core.notesRef", "refs/notes/x"},
      {"core.checkRoundtripEncoding", "UTF-16"},
      {"core.useReplaceRefs", "false"},
      {"core.commitGraph", "false"},
      {"core.multiPackIndex", "false"},
      {"core.compression", "0"},
      {"core.looseCompression", "9"},
      {"core.pager", "false"},
      {"core.commentChar", "["},
      {"core.precomposeUnicode", "true"},
      {"core.logAllRefUpdates", "false"},
      {"core.hooksPath", "/nonexistent"},
      {"core.untrackedCache", "true"},
      {"core.attributesFile", "/nonexistent"},
      {"commit.cleanup", "scissors"},
      {"commit.verbose", "true"},
      {"commit.template", "/nonexistent"},
      {"merge.renames", "false"},
      {"status.showUntrackedFiles", "no"},
      {"status.relativePaths", "false"},
      {"status.branch", "true"},
      {"advice.detachedHead", "true"},
      {"branch.autoSetupMerge", "always"},
      {"branch.autoSetupRebase", "always"},
      {"checkout.defaultRemote", "nobody"},
      {"init.defaultBranch", "x"},
      {"init.defaultObjectFormat", "sha1"},
      {"init.templateDir", "/nonexistent"},
      {"rerere.enabled", "true"},
      {"push.default", "nothing"},
      {"index.version", "4"},
      {"feature.manyFiles", "true"},
      {"column.ui", "always"},
      {"tar.umask", "user"},
      {"trailer.separators", "="},
      {"user.useConfigOnly", "true"},
      {"alias.commit-tree", "!false"},
      {"alias.rev-list", "!false"},
  };
  for (const Setting& setting : settings) {
    CAPTURE(setting.key);
    CAPTURE(setting.value);
    p.repo.config(setting.key, setting.value);
    p.check_same();
    p.repo.git({"config", "--unset-all", setting.key});
  }
}

TEST_CASE("all of the diff and mail configuration at once, from the user's file") {
  const Plain p;
  const std::string file = make_temp_folder() + "/config";
  for (const auto& [key, value] :
       std::vector<std::pair<std::string, std::string>>{{"diff.noprefix", "true"},
                                                        {"diff.external", "false"},
                                                        {"diff.renames", "copies"},
                                                        {"diff.context", "1"},
                                                        {"diff.algorithm", "patience"},
                                                        {"format.attach", "x"},
                                                        {"format.signOff", "true"},
                                                        {"apply.whitespace", "fix"},
                                                        {"core.autocrlf", "true"},
                                                        {"core.quotePath", "false"},
                                                        {"color.ui", "always"},
                                                        {"commit.cleanup", "strip"}}) {
    p.repo.git({"config", "--file", file, key, value});
  }
  p.check_same({.folder = {}, .env = {{"GIT_CONFIG_GLOBAL", file}}, .input = {}});
}

TEST_CASE("the environment") {
  const Plain p;
  for (const auto& variable :
       std::vector<std::pair<std::string, std::string>>{{"GIT_DIFF_OPTS", "--unified=0"},
                                                        {"GIT_EXTERNAL_DIFF", "false"},
                                                        {"GIT_PAGER", "false"},
                                                        {"PAGER", "false"},
                                                        {"GIT_EDITOR", "false"},
                                                        {"GIT_PREFIX", "src/"},
                                                        {"GIT_DEFAULT_HASH", "sha256"},
                                                        {"GIT_LITERAL_PATHSPECS", "1"},
                                                        {"GIT_GLOB_PATHSPECS", "1"},
                                                        {"GIT_ICASE_PATHSPECS", "1"},
                                                        {"GIT_NOGLOB_PATHSPECS", "1"},
                                                        {"GIT_OPTIONAL_LOCKS", "0"},
                                                        {"GIT_REFLOG_ACTION", "mine"},
                                                        {"GIT_MERGE_VERBOSITY", "5"},
                                                        {"GIT_TEMPLATE_DIR", "/nonexistent"},
                                                        {"GIT_COLUMNS", "10"},
                                                        {"COLUMNS", "10"},
                                                        {"TZ", "Asia/Kolkata"},
                                                        {"LC_ALL", "C.UTF-8"},
                                                        {"LANGUAGE", "de"},
                                                        {"TERM", "xterm-256color"},
                                                        {"GIT_TRACE_REDACT", "0"},
                                                        {"GIT_AUTHOR_NAME", "Else One"},
                                                        {"GIT_AUTHOR_EMAIL", "else@example.com"},
                                                        {"GIT_AUTHOR_DATE", "1234567890 -0700"},
                                                        {"GIT_COMMITTER_NAME", "Else One"},
                                                        {"GIT_COMMITTER_DATE", "1234567890 -0700"},
                                                        {"GIT_NO_REPLACE_OBJECTS", "1"},
                                                        {"GIT_ATTR_NOSYSTEM", "1"},
                                                        {"GREP_OPTIONS", "--color=always"}}) {
    INFO(variable.first);
    p.check_same({.folder = {}, .env = {{variable.first, variable.second}}, .input = {}});
  }
}

TEST_CASE("attributes of the user's that hide or rewrite diffs") {
  const Plain p;
  p.repo.config("diff.mine.textconv", "sed s/engine/motor/");
  p.repo.config("diff.mine.xfuncname", "^engine 3$");
  p.repo.config("diff.mine.binary", "true");
  p.repo.config("diff.mine.command", "false");
  p.repo.config("merge.mine.driver", "false");
  for (const char* attributes :
       {"* -diff", "* diff=mine", "* binary", "* -text", "* text eol=crlf", "* ident", "* -merge",
        "* merge=mine", "* whitespace=fix", "* export-subst", "*.c diff=cpp",
        "* working-tree-encoding=UTF-16", "* delta=no", "*.patch -diff", "hardwares/** binary"}) {
    CAPTURE(attributes);
    // The current ones count for git's diffs, and those of info for everything.
    p.repo.write(".git/info/attributes", std::string(attributes) + "\n");
    p.check_same();
  }
}

TEST_CASE("filters work on checkout as git's do, and nowhere else") {
  Plain p;
  p.repo.git({"checkout", "--quiet", "--detach", p.base});
  // The user's own filter, for the files of the adaptation.
  p.repo.config("filter.mine.smudge", "sed s/int/INT/");
  p.repo.config("filter.mine.clean", "sed s/INT/int/");
  p.repo.write(".git/info/attributes", "src/x100/*.c filter=mine\n");
  p.check_same();
  const Patched made = patch(p.repo, p.patch_args() + Args{"--no-switch"});
  unpatch(p.repo, {"--device-type", "A_X100", "--commit-id", p.base, "--from", made.commit});
  CHECK(p.repo.rev("HEAD") == p.adapted);
  CHECK(p.repo.read("src/x100/kernel.c") == "INT x100;\n");
  CHECK(p.repo.status().empty());
}

TEST_CASE("attributes in the work itself") {
  Adaptation a;
  a.repo.write(".gitattributes", "*.c -diff\n*.txt text eol=crlf\n*.x binary\n*.id ident\n");
  a.repo.write("src/hidden.c", "int hidden;\n");
  a.repo.write("a.txt", "one\ntwo\n");
  a.repo.write("b.x", "text\n");
  a.repo.write("c.id", "$Id$\n");
  a.current = a.repo.commit("hide");
  const Patched made = patch(a.repo, a.patch_args());
  const auto am = a.repo.am(a.repo.show("HEAD:" + made.path), a.base);
  REQUIRE_MESSAGE(am.outcome.ok(), describe(am.outcome));
  CHECK(am.tree == a.repo.tree_of(a.current));
  const auto built = unpatch(
      a.repo, {"--device-type", "A_X100", "--commit-id", a.base, "--dir", make_temp_folder()});
  const TestRepo out = TestRepo::at(built.at(0).folder);
  CHECK(out.rev("HEAD") == am.commits.back());
  CHECK(out.status().empty());
  CHECK(out.read("a.txt") == "one\r\ntwo\r\n");
  CHECK(has_text(out.read("c.id"), "$Id: "));
}

}  // namespace
}  // namespace flagscale::test
