// SPDX-License-Identifier: Apache-2.0
#include "support/apply_oracle.h"

#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/apply.h"
#include "support/apply_cases.h"

using namespace flagscale;
using namespace flagscale::test;

namespace {

/// How a patch is made of a commit.
struct Form {
  std::string name;
  Args options;
  bool is_mail = true;
};

const std::vector<Form>& forms() {
  static const std::vector<Form> kAll = {
      {"format-patch", {}, true},
      {"binary, full index", {"--binary", "--full-index"}, true},
      {"no renames", {"--no-renames"}, true},
      {"copies", {"-C", "-C", "--find-copies-harder"}, true},
      {"raw diff", {"--binary"}, false},
  };
  return kAll;
}

std::string make_patch(const ApplyOracle& oracle, const Form& form, const std::string& from,
                       const std::string& to) {
  Args args{form.is_mail ? "format-patch" : "diff"};
  if (form.is_mail) args.emplace_back("--stdout");
  args.insert(args.end(), form.options.begin(), form.options.end());
  args.push_back(from + ".." + to);
  const std::string text = oracle.output(args);
  return form.is_mail ? patch_part(text) : text;
}

}  // namespace

TEST_CASE("fresh patches give the tree they were made from, as with git") {
  const std::vector<ChangeCase> cases = change_cases();
  TestRepo repo;
  repo.config("core.ignoreCase", "false");
  CommitBuilder builder;
  for (const ChangeCase& change : cases) {
    const std::size_t before = builder.add(change.before);
    builder.add(change.after, before);
  }
  const std::vector<std::string> commits = builder.import(repo);
  ApplyOracle oracle(repo);
  Tally tally;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    CAPTURE(cases[i].name);
    const std::string& before = commits[2 * i];
    const std::string& after = commits[2 * i + 1];
    const std::string wanted = repo.tree_of(after);
    for (const Form& form : forms()) {
      CAPTURE(form.name);
      const Comparison result = oracle.compare(before, make_patch(oracle, form, before, after));
      tally.check(result);
      if (!result.git_tree.empty()) CHECK(result.own_tree == wanted);
    }
  }
  MESSAGE(cases.size() << " histories, " << tally.text());
}

TEST_CASE("git am in a working tree makes the same trees") {
  const std::vector<ChangeCase> cases = change_cases();
  TestRepo repo;
  CommitBuilder builder;
  for (const ChangeCase& change : cases) {
    const std::size_t before = builder.add(change.before);
    builder.add(change.after, before);
  }
  const std::vector<std::string> commits = builder.import(repo);
  ApplyOracle oracle(repo);
  std::size_t compared = 0;
  // A working tree takes its time: some of the cases of each kind.
  for (std::size_t i = 0; i < cases.size(); i += 4) {
    CAPTURE(cases[i].name);
    const std::string mail = oracle.output({"format-patch", "--stdout", "--binary", "--full-index",
                                            commits[2 * i] + ".." + commits[2 * i + 1]});
    const AmResult am = repo.am(mail, commits[2 * i]);
    const Comparison result = oracle.compare(commits[2 * i], patch_part(mail));
    CAPTURE(am.outcome.err);
    CAPTURE(result.own_says);
    CHECK(result.own_tree == am.tree);
    ++compared;
  }
  MESSAGE(compared << " comparisons");
}
