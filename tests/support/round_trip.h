// SPDX-License-Identifier: Apache-2.0
//
// Publishes a range of commits with `git flagscale patch` and holds the stored file to the real
// `git am` and to `git flagscale unpatch` in another repository.
#pragma once

#include <string>
#include <vector>

#include "support/adaptation.h"
#include "support/test_repo.h"

namespace flagscale::test {

struct RoundTrip {
  /// What patch said.
  std::string talk;
  std::string series;
  /// What real `git am` made of it.
  AmResult am;
};

/// Checks that the stored file rebuilds current's tree (the store left out), in the commits that
/// the sidecar names, with real git and with unpatch. HEAD, index and working tree of `repo` are
/// left alone.
RoundTrip check_round_trip(const TestRepo& repo, const std::string& base,
                           const std::string& current, const Args& more = {});

/// Author, date and message of a commit, as text.
[[nodiscard]] std::string describe_commit(const TestRepo& repo, const std::string& commit);

}  // namespace flagscale::test
