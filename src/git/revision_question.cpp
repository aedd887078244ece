// SPDX-License-Identifier: Apache-2.0
#include "git/revision_question.h"

#include <string_view>

#include "base/bytes.h"
#include "git/command.h"

namespace flagscale::git {

std::string as_commit(const std::string& revision) {
  return revision.starts_with(":/") ? revision : revision + "^{commit}";
}

RevisionQuestion::RevisionQuestion(const std::vector<std::string>& revisions) {
  for (const std::string& revision : revisions) {
    if (revision.empty() || revision.find('\n') != std::string::npos) continue;
    revisions_.push_back(revision);
    input_.append(as_commit(revision)).append("\n").append(revision).append("\n");
  }
  if (revisions_.empty()) return;
  GitOptions options;
  options.input = input_;
  // NOLINTNEXTLINE(modernize-make-unique): a Process stays where it was made.
  process_.reset(
      new Process(start_git({"cat-file", "--batch-check=%(objectname) %(objecttype)"}, options)));
}

void RevisionQuestion::answer(std::map<std::string, Oid>& commits, std::set<std::string>& absent) {
  if (!process_) return;
  const ProcessResult result = process_->finish();
  said_ = result.err;
  const std::vector<std::string> lines = lines_of(result.out);
  if (lines.size() != 2 * revisions_.size()) return;
  for (std::size_t i = 0; i < revisions_.size(); ++i) {
    const std::string& revision = revisions_[i];
    const std::string& peeled = lines[2 * i];
    const auto id = Oid::parse(std::string_view(peeled).substr(0, Oid::kHexSize));
    if (id && peeled == id->hex() + " commit") commits.emplace(revision, *id);
    if (peeled == as_commit(revision) + " missing" && lines[2 * i + 1] == revision + " missing") {
      absent.insert(revision);
    }
  }
}

}  // namespace flagscale::git
