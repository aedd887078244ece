// SPDX-License-Identifier: Apache-2.0
#include "core/renames.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/files.h"
#include "git/text_diff.h"

namespace flagscale {
namespace {

constexpr std::size_t kMaxCompared = 1000;
constexpr int kLeastSimilarity = 50;
/// Comparing larger files costs more than the shorter patch is worth.
constexpr std::size_t kMaxComparedSize = std::size_t{1} << 20U;

struct Candidate {
  int similarity;
  bool same_name;
  std::size_t removed;
  std::size_t added;
};

class Pairing {
 public:
  Pairing(git::ObjectSource& source, std::vector<git::TreeChange>& changes)
      : source_(source), changes_(changes), partner_(changes.size(), kNone) {
    for (std::size_t i = 0; i < changes.size(); ++i) {
      // A path that changes its type stays where it is; its old side may not be moved away.
      // Neither may a symlink: a folder could take its place, and git am takes the new files for
      // files beyond the symlink then.
      const git::TreeChange& change = changes[i];
      const bool removed = change.before && !change.after;
      if (removed && change.before->mode != git::Mode::symlink) removed_.push_back(i);
      if (!change.before && change.after) added_.push_back(i);
    }
  }

  void pair_equal() {
    std::multimap<git::Oid, std::size_t> by_id;
    for (const std::size_t i : removed_) by_id.emplace(changes_[i].before->id, i);
    for (const std::size_t to : added_) {
      const auto [first, last] = by_id.equal_range(changes_[to].after->id);
      auto best = last;
      for (auto at = first; at != last; ++at) {
        if (!same_type(at->second, to)) continue;
        const bool better =
            best == last || (!same_name(best->second, to) && same_name(at->second, to));
        if (better) best = at;
      }
      if (best == last) continue;
      join(best->second, to, 100);
      by_id.erase(best);
    }
  }

  void pair_alike() {
    const auto from = unpaired(removed_, /*removed=*/true);
    const auto to = unpaired(added_, /*removed=*/false);
    if (from.empty() || to.empty() || from.size() > kMaxCompared || to.size() > kMaxCompared) {
      return;
    }
    std::vector<Candidate> candidates;
    std::vector<git::Fingerprint> prints;
    prints.reserve(from.size());
    for (const auto& [index, bytes] : from) prints.emplace_back(bytes.view());
    for (const auto& [added, bytes] : to) {
      const git::Fingerprint print(bytes.view());
      for (std::size_t i = 0; i < from.size(); ++i) {
        if (!comparable(from[i].second.size(), bytes.size())) continue;
        const int similarity = prints[i].similarity(print);
        if (similarity < kLeastSimilarity) continue;
        candidates.push_back(
            {std::min(similarity, 99), same_name(from[i].first, added), from[i].first, added});
      }
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) {
                       if (a.similarity != b.similarity) return a.similarity > b.similarity;
                       return a.same_name && !b.same_name;
                     });
    for (const Candidate& c : candidates) {
      if (partner_[c.removed] == kNone && partner_[c.added] == kNone) {
        join(c.removed, c.added, c.similarity);
      }
    }
  }

  [[nodiscard]] std::vector<PairedChange> take() {
    std::vector<PairedChange> out;
    for (std::size_t i = 0; i < changes_.size(); ++i) {
      git::TreeChange& change = changes_[i];
      if (partner_[i] == kNone) {
        out.push_back({std::move(change), std::nullopt, 0});
      } else if (change.after) {
        const git::TreeChange& source = changes_[partner_[i]];
        change.before = source.before;
        out.push_back({std::move(change), source.path, similarity_.at(i)});
      }
    }
    return out;
  }

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  [[nodiscard]] bool same_type(std::size_t from, std::size_t to) const {
    const git::Mode a = changes_[from].before->mode;
    const git::Mode b = changes_[to].after->mode;
    return a == b || (git::is_regular(a) && git::is_regular(b));
  }
  [[nodiscard]] bool same_name(std::size_t from, std::size_t to) const {
    return base_name(changes_[from].path) == base_name(changes_[to].path);
  }
  /// Contents whose sizes differ by more than half cannot be half alike.
  static bool comparable(std::size_t a, std::size_t b) {
    return std::min(a, b) * 2 >= std::max(a, b);
  }

  void join(std::size_t from, std::size_t to, int similarity) {
    partner_[from] = to;
    partner_[to] = from;
    similarity_[to] = similarity;
  }

  /// Regular files that may be compared, with their contents.
  std::vector<std::pair<std::size_t, Content>> unpaired(const std::vector<std::size_t>& indexes,
                                                        bool removed) {
    std::vector<std::pair<std::size_t, Content>> out;
    for (const std::size_t i : indexes) {
      const git::TreeItem& item = removed ? *changes_[i].before : *changes_[i].after;
      if (partner_[i] != kNone || !git::is_regular(item.mode)) continue;
      if (out.size() > kMaxCompared) break;
      Content bytes = source_.read(item.id, git::ObjectType::blob);
      if (!bytes.empty() && bytes.size() <= kMaxComparedSize) out.emplace_back(i, std::move(bytes));
    }
    return out;
  }

  git::ObjectSource& source_;
  std::vector<git::TreeChange>& changes_;
  std::vector<std::size_t> removed_;
  std::vector<std::size_t> added_;
  std::vector<std::size_t> partner_;
  std::map<std::size_t, int> similarity_;
};

}  // namespace

std::vector<PairedChange> find_renames(git::ObjectSource& source,
                                       std::vector<git::TreeChange> changes) {
  Pairing pairing(source, changes);
  pairing.pair_equal();
  pairing.pair_alike();
  return pairing.take();
}

}  // namespace flagscale
