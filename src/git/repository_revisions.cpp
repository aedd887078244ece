// SPDX-License-Identifier: Apache-2.0
//
// Which commit a name means.
#include "base/bytes.h"
#include "base/error.h"
#include "base/quote.h"
#include "git/command.h"
#include "git/plain_names.h"
#include "git/repository_state.h"
#include "git/revision_question.h"

namespace flagscale::git {
namespace {

/// Throws what git said of a revision, if that is more than that it names nothing: no upstream, a
/// path that is not there.
void check_is_just_unknown(const std::string& said) {
  if (said.find("fatal: ") == std::string::npos ||
      said.find("Needed a single revision") != std::string::npos) {
    return;
  }
  throw error_from_git(ErrorKind::unable, "", said);
}

}  // namespace

void Repository::State::keep_warnings(std::string_view said) {
  while (!said.empty()) {
    std::string_view line = without_eol(take_line(said));
    static constexpr std::string_view kPrefix = "warning: ";
    if (!line.starts_with(kPrefix)) continue;
    line.remove_prefix(kPrefix.size());
    if (line.ends_with('.')) line.remove_suffix(1);
    std::string warning = escaped(line);
    if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) {
      warnings.push_back(std::move(warning));
    }
  }
}

std::optional<Oid> Repository::find_commit(const std::string& revision) {
  if (const auto known = state_->known_commits.find(revision);
      known != state_->known_commits.end()) {
    return known->second;
  }
  if (state_->known_absent.contains(revision)) return std::nullopt;
  if (is_plain_name(revision)) {
    const PlainAnswer answer =
        look_up_plain_name(libgit2(), odb(), state_->git_dir, state_->common_dir, revision);
    if (answer.kind == PlainAnswer::Kind::commit) return answer.commit;
    if (answer.kind == PlainAnswer::Kind::absent) return std::nullopt;
  }
  const ProcessResult result =
      run_git({"rev-parse", "--verify", "--end-of-options", as_commit(revision)});
  if (result.status == 0) {
    for (const std::string& line : lines_of(result.out)) {
      if (const auto id = Oid::parse(line)) {
        state_->keep_warnings(result.err);
        return id;
      }
    }
  }
  const std::string& said = result.err;
  if (said.find("ambiguous") != std::string::npos) {
    Error error = error_from_git(ErrorKind::unable, "", said);
    throw Error(ErrorKind::unable, in_quotes(revision) + " is ambiguous", error.hints());
  }
  const ProcessResult any = run_git({"rev-parse", "--verify", "-q", "--end-of-options", revision});
  const auto id = Oid::parse(without_lf(any.out));
  if (any.status != 0 || !id) {
    check_is_just_unknown(said);
    return std::nullopt;
  }
  const auto type = odb().find_type(*id);
  if (!type || *type == ObjectType::commit) return std::nullopt;
  throw_unable(in_quotes(revision) + " is a " + std::string(type_name(*type)) + ", not a commit");
}

Oid Repository::read_commit_id(const std::string& revision, std::string_view what) {
  if (const auto id = find_commit(revision)) return *id;
  std::vector<std::string> hints;
  if (is_hex(revision)) {
    hints.push_back("it may not be fetched yet: git fetch <remote> " + revision);
  }
  throw_unable("no such " + std::string(what) + ": " + in_quotes(revision), std::move(hints));
}

Commit Repository::read_commit(const Oid& id) {
  return parse_commit(odb().read(id, ObjectType::commit).view());
}

}  // namespace flagscale::git
