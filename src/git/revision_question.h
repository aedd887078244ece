// SPDX-License-Identifier: Apache-2.0
//
// Asking git what names mean, many at once and while something else is done.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/process.h"
#include "git/oid.h"

namespace flagscale::git {

/// A revision with its tags peeled. `:/text` takes all that follows for text, and always names a
/// commit.
[[nodiscard]] std::string as_commit(const std::string& revision);

/// Asks git for many revisions at once. A name with a LF in it cannot be asked this way.
class RevisionQuestion {
 public:
  /// Starts asking.
  explicit RevisionQuestion(const std::vector<std::string>& revisions);

  /// Notes those that name a commit without doubt, and those that name nothing; the rest is asked
  /// again when it is needed, so that git can say what is wrong.
  void answer(std::map<std::string, Oid>& commits, std::set<std::string>& absent);
  /// What git had to say meanwhile.
  [[nodiscard]] const std::string& said() const { return said_; }

 private:
  std::vector<std::string> revisions_;
  std::string said_;
  std::string input_;
  std::unique_ptr<Process> process_;
};

}  // namespace flagscale::git
