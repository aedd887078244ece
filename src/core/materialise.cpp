// SPDX-License-Identifier: Apache-2.0
#include "core/materialise.h"

#include <set>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/quote.h"
#include "core/apply.h"
#include "core/patch_file.h"
#include "core/tree_overlay.h"

namespace flagscale {
namespace {

/// After CRs were taken out, a file that had CRs of its own would silently lose them; the index
/// lines tell.
void check_result_ids(const std::vector<FileDiff>& diffs, TreeOverlay& tree) {
  std::set<std::string> seen;
  for (auto diff = diffs.rbegin(); diff != diffs.rend(); ++diff) {
    if (diff->new_id.empty() || !diff->new_path || !seen.insert(*diff->new_path).second) continue;
    const auto file = tree.find(*diff->new_path);
    if (!file || file->mode == git::Mode::gitlink) continue;
    const git::Oid id =
        file->content ? git::hash_object(git::ObjectType::blob, file->content->view()) : file->id;
    if (!id.hex().starts_with(diff->new_id)) {
      throw_unable("line endings of the patch file were converted and " +
                   in_quotes(*diff->new_path) + " cannot be restored");
    }
  }
}

/// A bare diff names nobody and no moment.
void complete_bare_diff(Mail& mail, const git::Oid& base, std::string_view base_bytes) {
  const git::Signature when = git::parse_commit(base_bytes).committer;
  mail.author = {"unknown", "unknown", when.seconds, when.zone};
  mail.message = "adaptation of " + base.hex8() + "\n";
}

Materialised materialise_bytes(git::ObjectSource& source, const git::Oid& base,
                               const Content& patch, git::ObjectSink& sink) {
  PatchFile file = parse_patch_file(patch);
  const Content base_bytes = source.read(base, git::ObjectType::commit);
  TreeOverlay tree(source, git::commit_tree(base_bytes.view()));
  if (file.is_bare_diff) complete_bare_diff(file.mails.front(), base, base_bytes.view());
  Materialised result;
  PatchTally tally;
  git::Oid parent = base;
  for (const Mail& mail : file.mails) {
    check_interrupt();
    const std::vector<FileDiff> diffs = parse_mail_diffs(mail);
    apply_diffs(diffs, tree);
    if (file.was_mangled) check_result_ids(diffs, tree);
    tally.add_commit(diffs);
    git::Commit commit;
    commit.tree = tree.flush(sink);
    commit.parents = {parent};
    commit.author = mail.author;
    commit.committer = mail.author;
    commit.message = mail.message;
    std::string bytes = git::format_commit(commit);
    parent = git::hash_object(git::ObjectType::commit, bytes);
    sink.put(parent, git::ObjectType::commit, Content(std::move(bytes)));
    result.commits.push_back(parent);
    result.tree = commit.tree;
  }
  result.counts = tally.counts();
  return result;
}

}  // namespace

Materialised materialise(git::ObjectSource& source, const git::Oid& base, const Content& patch,
                         const std::string& name, git::ObjectSink& sink) {
  try {
    return materialise_bytes(source, base, patch, sink);
  } catch (const Error& error) {
    throw Error(error.kind(), escaped(name) + ": " + error.what(), error.hints());
  }
}

}  // namespace flagscale
