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

/// Passes on what it is given, up to a number of bytes.
class Metered final : public git::ObjectSink {
 public:
  Metered(git::ObjectSink& sink, std::uint64_t max_bytes) : sink_(sink), left_(max_bytes) {}

  void put(const git::Oid& id, git::ObjectType type, const Content& bytes) override {
    if (bytes.size() > left_) throw_unable("its commits are too large all together");
    left_ -= bytes.size();
    sink_.put(id, type, bytes);
  }

 private:
  git::ObjectSink& sink_;
  std::uint64_t left_;
};

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

/// An error says which mail it is, where there are several.
std::vector<FileDiff> apply_mail(const PatchFile& file, const Mail& mail, TreeOverlay& tree,
                                 const git::BorrowSource& borrow) {
  try {
    std::vector<FileDiff> diffs = parse_mail_diffs(mail);
    apply_diffs(diffs, tree, {nullptr, borrow, false});
    if (file.was_mangled) check_result_ids(diffs, tree);
    return diffs;
  } catch (const Error& error) {
    if (file.mails.size() == 1) throw;
    const auto number = &mail - file.mails.data() + 1;
    throw Error(error.kind(),
                "mail " + std::to_string(number) + " of " + std::to_string(file.mails.size()) +
                    ", " + in_quotes(git::message_subject(mail.message)) + ": " + error.what(),
                error.hints());
  }
}

/// Lets a source that has to fetch get all files of the base that the patch is about at once.
void fetch_together(git::ObjectSource& source, const PatchFile& file, TreeOverlay& tree) {
  std::vector<git::Oid> ids;
  std::set<std::string> seen;
  for (const Mail& mail : file.mails) {
    for (const FileDiff& diff : parse_mail_diffs(mail)) {
      if (!diff.old_path || !seen.insert(*diff.old_path).second) continue;
      const auto there = tree.find(*diff.old_path);
      if (there && there->mode != git::Mode::gitlink) ids.push_back(there->id);
    }
  }
  source.expect(ids);
}

Materialised materialise_bytes(git::ObjectSource& source, const git::Oid& base,
                               const Content& patch, git::ObjectSink& sink,
                               const MaterialiseHelp& help) {
  PatchFile file = parse_patch_file(patch);
  const Content base_bytes = source.read(base, git::ObjectType::commit);
  TreeOverlay tree(source, git::commit_tree(base_bytes.view()));
  if (file.is_bare_diff) complete_bare_diff(file.mails.front(), base, base_bytes.view());
  if (source.fetches()) fetch_together(source, file, tree);
  Materialised result;
  PatchCounter counter;
  git::Oid parent = base;
  StageProgress stage(help.progress, "Applying mails", file.mails.size());
  for (const Mail& mail : file.mails) {
    check_interrupt();
    const std::vector<FileDiff> diffs = apply_mail(file, mail, tree, help.borrow);
    counter.add_commit(diffs);
    result.tree = tree.flush(sink);
    std::string bytes = format_adapted_commit(parent, result.tree, mail.author, mail.message);
    parent = git::hash_object(git::ObjectType::commit, bytes);
    sink.put(parent, git::ObjectType::commit, Content(std::move(bytes)));
    result.commits.push_back(parent);
    stage.step();
  }
  result.counts = counter.counts();
  return result;
}

}  // namespace

std::string format_adapted_commit(const git::Oid& parent, const git::Oid& tree,
                                  const git::Signature& author, const std::string& message) {
  git::Commit commit;
  commit.tree = tree;
  commit.parents = {parent};
  commit.author = author;
  commit.committer = author;
  commit.message = message;
  return git::format_commit(commit);
}

Materialised materialise(git::ObjectSource& source, const git::Oid& base, const Content& patch,
                         const std::string& name, git::ObjectSink& sink,
                         const MaterialiseHelp& help) {
  Metered metered(sink, help.max_made);
  try {
    return materialise_bytes(source, base, patch, metered, help);
  } catch (const Error& error) {
    throw Error(error.kind(), escaped(name) + ": " + error.what(), error.hints());
  }
}

}  // namespace flagscale
