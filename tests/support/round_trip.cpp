// SPDX-License-Identifier: Apache-2.0
#include "support/round_trip.h"

#include <doctest/doctest.h>

#include "support/sandbox.h"

namespace flagscale::test {
namespace {

constexpr const char* kDevice = "A_X100";

/// Current's tree with the store as base has it.
std::string expected_tree(const TestRepo& repo, const std::string& base,
                          const std::string& current) {
  const RunOptions own_index{
      .folder = {}, .env = {{"GIT_INDEX_FILE", make_temp_folder() + "/index"}}, .input = {}};
  repo.git({"read-tree", current}, own_index);
  repo.git({"rm", "-r", "--quiet", "--cached", "--ignore-unmatch", "hardwares"}, own_index);
  if (repo.has(base + ":hardwares")) {
    repo.git({"read-tree", "--prefix=hardwares/", base + ":hardwares"}, own_index);
  }
  return repo.git({"write-tree"}, own_index);
}

}  // namespace

RoundTrip check_round_trip(const TestRepo& repo, const std::string& base,
                           const std::string& current, const Args& more) {
  const std::string start = repo.rev(base + "^{commit}");
  const Patched made = patch(repo, Args{"patch", "--device-type", kDevice, "--base-commit-id", base,
                                        "--current-commit-id", current, "--no-switch"} +
                                       more);
  RoundTrip result{made.talk, repo.show(made.commit + ":" + made.path), {}};
  result.am = repo.am(result.series, start);
  CHECK_MESSAGE(result.am.outcome.ok(), describe(result.am.outcome));
  if (result.am.commits.empty()) return result;
  CHECK(result.am.tree == expected_tree(repo, start, current));

  const std::string folder = "hardwares/" + std::string(kDevice) + "/" + base8(start) + "/";
  const Json sidecar = json_at(repo, made.commit + ":" + folder + base8(start) + ".json");
  CHECK(sidecar.at("commit") == result.am.commits.back());
  CHECK(sidecar.at("tree") == result.am.tree);
  CHECK(sidecar.at("patch").at("commits") == result.am.commits.size());

  const TestRepo user =
      TestRepo::clone_of(repo, {"--no-checkout", "--single-branch", "--branch",
                                "flagscale/" + std::string(kDevice) + "/" + base8(start)});
  unpatch(user, {"--device-type", kDevice, "--commit-id", start, "--dir", "out", "--quiet"});
  const TestRepo out = TestRepo::at(user.path("out/" + std::string(kDevice) + "/repo"));
  CHECK(out.rev("HEAD") == result.am.commits.back());
  CHECK(out.git({"status", "--porcelain", "--ignored"}).empty());
  repo.git({"branch", "--quiet", "-D", "flagscale/" + std::string(kDevice) + "/" + base8(start)});
  return result;
}

std::string describe_commit(const TestRepo& repo, const std::string& commit) {
  return repo.git({"-c", "i18n.logOutputEncoding=UTF-8", "show", "-s",
                   "--format=%an <%ae> %at %ad%n%B", "--date=raw", commit});
}

}  // namespace flagscale::test
