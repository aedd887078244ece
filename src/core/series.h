// SPDX-License-Identifier: Apache-2.0
//
// The adaptation as an ordered list of mails: which commits become mails, and the patch file
// that holds them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "git/object.h"
#include "git/repository.h"

namespace flagscale {

/// One mail to be: a difference between two trees and whose work it is.
struct SeriesStep {
  /// The commit that author and message come from.
  git::Oid commit;
  git::Signature author;
  /// In UTF-8.
  std::string message;
  git::Oid before;
  git::Oid after;
};

struct SeriesPlan {
  /// Steps that change nothing outside the store are left out; so there may be none.
  std::vector<SeriesStep> steps;
  /// The newest commit between base and current that is no merge and changes something outside
  /// the store; else current.
  git::Oid newest_work;
};

/// Plans the series from `base` to `current`, an ancestor and a descendant; `line` is current's
/// first-parent line after base, where base is on it. With a line, and when `squash` is not asked
/// for: one step per commit of that line, a merge being one step. Otherwise one step, with author
/// and message of the newest work.
[[nodiscard]] SeriesPlan plan_series(git::Repository& repository, const git::Oid& base,
                                     const git::Oid& current,
                                     const std::optional<std::vector<git::Oid>>& line,
                                     std::string_view store_folder, bool squash);

/// A commit's message in UTF-8, converted from its `encoding` header where that can be done.
[[nodiscard]] std::string message_in_utf8(const git::Commit& commit);

struct SeriesFile {
  std::string bytes;
  /// Commits whose author or message `git am` cannot give back unchanged.
  std::vector<git::Oid> altered;
};

/// A mail that was just made, and what its contents can be read through.
struct SeriesMail {
  Content bytes;
  git::ObjectSource& source;
  /// Set where other threads have nothing else to do.
  git::BorrowSource borrow;
};

/// Is shown each mail as soon as it is made, in any order and on any thread.
using MailObserver = std::function<void(std::size_t step, const SeriesMail& mail)>;

/// Writes the steps as a mailbox. Throws Error(refused) naming the commit when `git am` would
/// refuse its author or date.
[[nodiscard]] SeriesFile format_series(git::Repository& repository,
                                       const std::vector<SeriesStep>& steps,
                                       std::string_view store_folder, const MailObserver& observer,
                                       const ProgressCallback& progress = {});

}  // namespace flagscale
