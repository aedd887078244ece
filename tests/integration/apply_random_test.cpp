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

/// Damaged patches are not always worth the same to both.
struct RandomTally : Tally {
  std::size_t stricter = 0;
  std::size_t half_applied = 0;

  void check_damaged(const Comparison& result) {
    // git leaves out the damaged file and all that follow, and reports success.
    const bool is_half = result.git_says.find(" binary patch at line") != std::string::npos;
    const bool is_stricter = result.own_tree.empty() && !result.git_tree.empty();
    if (!is_half && !is_stricter) return check(result);
    ++compared;
    if (is_half) {
      ++half_applied;
      return;
    }
    ++stricter;
    CAPTURE(result.own_says);
    CHECK(is_meant(result.own_says));
  }
};

void run_batch(RandomTrees& random, std::size_t rounds, RandomTally& tally) {
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
    {
      CAPTURE(patch);
      tally.check(oracle.compare(commits[round.before], patch));
      tally.check(oracle.compare(commits[round.base], patch));
    }
    CAPTURE(damaged);
    tally.check_damaged(oracle.compare(commits[round.before], damaged));
  }
}

}  // namespace

TEST_CASE("random changes, bases and damages come out as with git") {
  const std::size_t rounds = wanted_rounds();
  RandomTally tally;
  for (std::size_t done = 0; done < rounds; done += kBatch) {
    RandomTrees random(static_cast<std::uint32_t>(1000 + done));
    run_batch(random, std::min(kBatch, rounds - done), tally);
  }
  MESSAGE(tally.text() << ", " << tally.stricter
                       << " damaged patches refused where git is lenient, " << tally.half_applied
                       << " applied in part by git");
}
