// SPDX-License-Identifier: Apache-2.0
#include "support/apply_random.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "core/apply.h"
#include "support/apply_oracle.h"

using namespace flagscale;
using namespace flagscale::test;

namespace {

constexpr std::size_t kUsualRounds = 500;
/// Histories that are made at once.
constexpr std::size_t kBatch = 250;

std::size_t wanted_rounds() {
  const char* const value = std::getenv("FLAGSCALE_RANDOM_ROUNDS");
  const unsigned long rounds = value != nullptr ? std::strtoul(value, nullptr, 10) : 0;
  return rounds != 0 ? rounds : kUsualRounds;
}

/// Whether a refusal is one of those in which the reader is stricter than git on purpose.
bool is_meant(const std::string& message) {
  for (const char* const reason :
       {"prefix such as a/ and b/", "binary patch", "corrupt patch", "inconsistent", "overlong",
        "cannot tell message from patch", "invalid path", "hunk without a diff header",
        "invalid file mode", "symlink without a target"}) {
    if (message.find(reason) != std::string::npos) return true;
  }
  return false;
}

struct Round {
  std::size_t before;
  std::size_t after;
  std::size_t base;
  Args options;
};

struct Tally {
  std::size_t compared = 0;
  std::size_t refused = 0;
  std::size_t stricter = 0;
  std::size_t half_applied = 0;

  void check(const Comparison& result, const std::string& patch, bool is_damaged) {
    CAPTURE(patch);
    CAPTURE(result.git_says);
    CAPTURE(result.own_says);
    ++compared;
    if (result.git_tree.empty()) ++refused;
    // git leaves out the damaged file and all that follow, and reports success.
    if (result.git_says.find(" binary patch at line") != std::string::npos) {
      CHECK(is_damaged);
      ++half_applied;
    } else if (is_damaged && result.own_tree.empty() && !result.git_tree.empty()) {
      CHECK(is_meant(result.own_says));
      ++stricter;
    } else {
      CHECK(result.own_tree == result.git_tree);
    }
  }
};

void run_batch(RandomTrees& random, std::size_t rounds, Tally& tally) {
  TestRepo repo;
  CommitBuilder builder;
  std::vector<Round> batch;
  for (std::size_t i = 0; i < rounds; ++i) {
    const TestTree before = random.tree();
    const TestTree after = random.changed(before, static_cast<int>(1 + random.below(5)));
    const TestTree base = random.changed(before, static_cast<int>(1 + random.below(4)));
    batch.push_back(
        {builder.add(before), builder.add(after), builder.add(base), random.diff_options()});
  }
  const std::vector<std::string> commits = builder.import(repo);
  ApplyOracle oracle(repo);
  for (const Round& round : batch) {
    Args args{"diff"};
    args.insert(args.end(), round.options.begin(), round.options.end());
    args.insert(args.end(), {commits[round.before], commits[round.after]});
    const std::string patch = oracle.output(args);
    const std::string damaged = random.damaged(patch);
    if (patch.empty()) continue;
    tally.check(oracle.compare(commits[round.before], patch), patch, false);
    tally.check(oracle.compare(commits[round.base], patch), patch, false);
    tally.check(oracle.compare(commits[round.before], damaged), damaged, true);
  }
}

}  // namespace

TEST_CASE("random changes, bases and damages come out as with git") {
  const std::size_t rounds = wanted_rounds();
  Tally tally;
  for (std::size_t done = 0; done < rounds; done += kBatch) {
    RandomTrees random(static_cast<std::uint32_t>(1000 + done));
    run_batch(random, std::min(kBatch, rounds - done), tally);
  }
  MESSAGE(tally.compared << " comparisons, " << tally.refused << " refused by git, "
                         << tally.stricter << " damaged patches refused where git is lenient, "
                         << tally.half_applied << " applied in part by git");
}
