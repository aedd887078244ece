// SPDX-License-Identifier: Apache-2.0
//
// The main function of all test programs.
#define DOCTEST_CONFIG_IMPLEMENT
#include <exception>
#include <iostream>

#include <doctest/doctest.h>
#include <git2.h>

#include "git/library.h"
#include "support/sandbox.h"

namespace {

/// Counts what was run, since a filter that matches nothing must not pass for success.
struct Counter : doctest::IReporter {
  static inline unsigned ran = 0;

  explicit Counter(const doctest::ContextOptions&) {}
  void report_query(const doctest::QueryData&) override { ran = 1; }
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats& stats) override {
    ran = stats.numTestCasesPassingFilters;
  }
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};
REGISTER_LISTENER("counter", 1, Counter);

int run(int argc, char** argv) {
  flagscale::test::Sandbox sandbox;
  const flagscale::git::Library libgit2;
  // git is kept from the machine's configuration by variables that libgit2 does not know.
  git_libgit2_opts(GIT_OPT_SET_SEARCH_PATH, GIT_CONFIG_LEVEL_SYSTEM, "");
  doctest::Context context(argc, argv);
  int status = context.run();
  if (context.shouldExit()) return status;
  if (status != 0) sandbox.keep();
  if (Counter::ran == 0) {
    std::cerr << "no test case was run\n";
    status = 1;
  }
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n";
    return 1;
  }
}
