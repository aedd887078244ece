// SPDX-License-Identifier: Apache-2.0
#include "core/series_proof.h"

#include <utility>

#include "base/error.h"
#include "core/tree_overlay.h"

namespace flagscale {

git::Oid tree_with_store(git::ObjectSource& source, const git::Oid& tree,
                         const std::string& store_folder, const std::optional<git::Oid>& store) {
  TreeOverlay overlay(source, tree);
  const auto own = overlay.find_tree(store_folder);
  if (own == store) return tree;
  if (own) overlay.remove(store_folder);
  if (store && overlay.kind(store_folder) == PathKind::absent) {
    overlay.put_tree(store_folder, *store);
  }
  git::NullSink nowhere;
  return overlay.flush(nowhere);
}

SeriesProof::SeriesProof(git::ObjectSource& source, const std::vector<SeriesStep>& steps,
                         const git::Oid& base_tree, std::string store_folder)
    : steps_(steps),
      base_tree_(base_tree),
      store_folder_(std::move(store_folder)),
      store_(TreeOverlay(source, base_tree).find_tree(store_folder_)),
      proved_(steps.size()) {}

void SeriesProof::check(std::size_t step, const SeriesMail& mail) {
  try {
    proved_[step] = prove(steps_[step], mail);
  } catch (const Error&) {
    proved_[step].reset();
  }
}

std::optional<SeriesProof::Proved> SeriesProof::prove(const SeriesStep& step,
                                                      const SeriesMail& mail) const {
  Proved proved;
  proved.mail = mail.bytes;
  proved.before = tree_with_store(mail.source, step.before, store_folder_, store_);
  proved.after = tree_with_store(mail.source, step.after, store_folder_, store_);
  const PatchFile file = parse_patch_file(mail.bytes);
  if (file.mails.size() != 1 || file.is_bare_diff || file.was_mangled) return std::nullopt;
  const Mail& read = file.mails.front();
  proved.author = read.author;
  proved.message = read.message;
  const std::vector<FileDiff> diffs = parse_mail_diffs(read);
  TreeOverlay tree(mail.source, proved.before);
  apply_diffs(diffs, tree, {nullptr, mail.borrow, /*results_exist=*/true});
  git::NullSink nowhere;
  if (tree.flush(nowhere) != proved.after) return std::nullopt;
  proved.counter.add_commit(diffs);
  proved.held = tree.held();
  return proved;
}

std::optional<Materialised> SeriesProof::finish(const git::Oid& base, const Content& file,
                                                std::uint64_t max_held) const {
  if (file.size() > kMaxPatchFile || proved_.size() > kMaxMails) return std::nullopt;
  const std::vector<RawMail> mails = split_mailbox(file);
  if (mails.size() != proved_.size()) return std::nullopt;
  Materialised result;
  PatchCounter counter;
  git::Oid tree = base_tree_;
  git::Oid parent = base;
  std::uint64_t held = 0;
  for (std::size_t i = 0; i < mails.size(); ++i) {
    const auto& proved = proved_[i];
    if (!proved || proved->before != tree || mails[i].bytes.view() != proved->mail.view()) {
      return std::nullopt;
    }
    held += proved->held;
    if (held > max_held) return std::nullopt;
    tree = proved->after;
    parent = git::hash_object(git::ObjectType::commit,
                              format_adapted_commit(parent, tree, proved->author, proved->message));
    result.commits.push_back(parent);
    counter.add(proved->counter);
  }
  result.tree = tree;
  result.counts = counter.counts();
  return result;
}

}  // namespace flagscale
