// SPDX-License-Identifier: Apache-2.0
//
// The files that unpatch leaves are those of `git checkout`, byte for byte, whatever attributes and
// filters the patch brings along and the user has set.
#include <fstream>

#include <doctest/doctest.h>

#include "support/adaptation.h"
#include "support/sandbox.h"

namespace flagscale::test {
namespace {

/// An adaptation whose attributes ask for every conversion that git has, some of them changed by
/// the patch, in a world with a configuration file of the user's.
struct Converted : Adaptation {
  std::string config = make_temp_folder() + "/config";
  std::string kept = make_temp_folder();
  Patched made;

  Converted() {
    repo.set_env("GIT_CONFIG_GLOBAL", config);
    set("user.name", "U");
    set("user.email", "u@u.example");
    use_filter(true);
    // The base has attributes of its own, which the patch takes back in part.
    repo.git({"switch", "--quiet", "-C", "work", base});
    repo.write(".gitattributes", "*.c text eol=crlf\n*.u16 working-tree-encoding=UTF-16LE-BOM\n");
    repo.write("was.u16", wide("was\n"));
    base = repo.commit("attributes upstream");
    repo.git({"push", "--quiet", "origin", "HEAD:main"});
    repo.git({"fetch", "--quiet", "origin"});
    repo.write("new.u16", wide("new\n\xc3"));
    repo.write("was.u16", wide("is\n"));
    repo.commit("wide characters");
    repo.write(".gitattributes",
               "*.c -text\n*.txt text eol=crlf\n*.lf text eol=lf\n*.auto text=auto\n*.id ident\n"
               "*.u16 working-tree-encoding=UTF-16LE-BOM\n*.gbk working-tree-encoding=GBK\n"
               "*.bin filter=pointer -text -diff\n*.md text=auto ident\nsub/* eol=crlf\n"
               "mixed.* -text\n");
    repo.write("a.txt", "one\r\ntwo\r\n");
    repo.write("b.lf", "one\ntwo\n");
    repo.write("c.auto", "one\ntwo\n");
    repo.write("c2.auto", std::string("one\n\0two\n", 9));
    repo.write("d.id", "$Id$\n$Id: something $\n");
    repo.write("e.gbk", "\xd6\xd0\xce\xc4\n");
    repo.write("f.bin", std::string("contents\0\xff", 10));
    repo.write("g.bin", std::string(150000, 'g'));
    repo.write("empty.bin", "");
    repo.write("sub/h", "one\n");
    repo.write("sub/.gitattributes", "h -eol -text\ni text\n");
    repo.write("sub/i", "one\n");
    repo.write("mixed.txt", "one\r\ntwo\n");
    repo.write_executable("j.txt", "one\n");
    repo.symlink("a.txt", "link.txt");
    current = repo.commit("every conversion");
    made = patch(repo, patch_args());
  }

  void set(const std::string& key, const std::string& value) const {
    repo.git({"config", "--file", config, key, value});
  }
  /// The pointer filter, as one process for all files or as one for each.
  void use_filter(bool long_running) const {
    const std::string script = data_folder() + "/../support/pointer_filter.py";
    const std::string command = "python3 '" + script + "' '" + kept + "' ";
    set("filter.pointer.required", "true");
    set("filter.pointer.clean", command + "clean");
    set("filter.pointer.smudge", command + "smudge");
    if (long_running) {
      set("filter.pointer.process", command + "process");
    } else {
      repo.git({"config", "--file", config, "--unset", "filter.pointer.process"});
    }
  }

  /// UTF-16, little endian, with a mark.
  static std::string wide(const std::string& text) {
    std::string out = "\xff\xfe";
    for (const char c : text) out += {c, '\0'};
    return out;
  }
};

/// What stands in the files of a working tree.
std::string files_of(const TestRepo& repo) {
  const std::string paths = repo.git({"ls-tree", "-r", "--name-only", "HEAD"}) + "\n";
  return repo.git({"hash-object", "--no-filters", "--stdin-paths"},
                  {.folder = {}, .env = {}, .input = paths});
}

/// A clone for a user with that configuration, with nothing checked out yet.
TestRepo clone_for(const Converted& c, const TestRepo& source) {
  const std::string folder = make_temp_folder() + "/clone";
  c.repo.git({"clone", "--quiet", "--no-checkout", source.path(), folder});
  TestRepo clone = TestRepo::at(folder);
  clone.set_env("GIT_CONFIG_GLOBAL", c.config);
  return clone;
}

/// Both ways of unpatch against clones in which git checked out.
void check_checkouts(const Converted& c) {
  const Args what{"--device-type", "A_X100", "--commit-id", c.base, "--from", c.made.commit};
  const auto built = unpatch(c.repo, what + Args{"--dir", make_temp_folder()});
  const std::string& adapted = built.at(0).commit;
  TestRepo out = TestRepo::at(built.at(0).folder);
  out.set_env("GIT_CONFIG_GLOBAL", c.config);
  const TestRepo clone = clone_for(c, out);
  clone.git({"checkout", "--quiet", "--detach", adapted});
  CHECK(files_of(out) == files_of(clone));
  CHECK(out.status() == clone.status());
  // What the index says of the files is not believed.
  out.remove(".git/index");
  out.git({"reset", "--quiet"});
  CHECK(out.status() == clone.status());

  // In place files that do not change stay as they are, whatever becomes of their attributes.
  const TestRepo place = clone_for(c, c.repo);
  place.git({"checkout", "--quiet", "--detach", c.base});
  unpatch(place, what);
  CHECK(place.rev("HEAD") == adapted);
  const TestRepo other = clone_for(c, out);
  other.git({"checkout", "--quiet", "--detach", c.base});
  other.git({"checkout", "--quiet", "--detach", adapted});
  CHECK(files_of(place) == files_of(other));
}

TEST_CASE("attributes and filters that the patch brings along") {
  const Converted c;
  check_checkouts(c);
  const auto am = c.repo.am(c.repo.show(c.made.commit + ":" + c.made.path), c.base);
  REQUIRE_MESSAGE(am.outcome.ok(), describe(am.outcome));
  CHECK(am.tree == c.repo.tree_of(c.current));
  CHECK(json_at(c.repo, c.made.commit + ":" + c.stored("json")).at("commit") == am.commits.back());
  c.use_filter(false);
  check_checkouts(c);
}

TEST_CASE("an edit elsewhere does not make filtered files look edited") {
  const Converted c;
  c.repo.git({"checkout", "--quiet", "work"});
  c.repo.write("README.md", "edited\n");
  CHECK(patch(c.repo, c.patch_args()).commit == c.made.commit);
  CHECK(c.repo.read("README.md") == "edited\n");
}

TEST_CASE("settings of the user's that checkout honours") {
  const Converted c;
  std::ofstream(c.kept + "/attributes") << "*.md text eol=crlf\nrun.sh text eol=crlf\n";
  struct Setting {
    const char* key;
    std::string value;
  };
  for (const Setting& setting :
       std::vector<Setting>{{"core.autocrlf", "true"},
                            {"core.autocrlf", "input"},
                            {"core.eol", "crlf"},
                            {"core.symlinks", "false"},
                            {"core.attributesFile", c.kept + "/attributes"},
                            {"core.bigFileThreshold", "1"},
                            {"index.version", "4"},
                            {"checkout.workers", "2"},
                            {"feature.manyFiles", "true"}}) {
    CAPTURE(setting.key);
    CAPTURE(setting.value);
    c.set(setting.key, setting.value);
    check_checkouts(c);
    c.repo.git({"config", "--file", c.config, "--unset", setting.key});
  }
}

}  // namespace
}  // namespace flagscale::test
