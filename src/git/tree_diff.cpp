// SPDX-License-Identifier: Apache-2.0
#include "git/tree_diff.h"

#include <algorithm>

#include "base/error.h"
#include "base/quote.h"

namespace flagscale::git {
namespace {

class Walk {
 public:
  Walk(ObjectSource& source, std::string_view left_out, std::vector<FolderChange>* folders,
       bool stops_early = false)
      : source_(source), left_out_(left_out), folders_(folders), stops_early_(stops_early) {}

  void compare(const Oid& before, const Oid& after, const std::string& folder) {
    if (before == after) return;
    if (folders_ != nullptr) {
      folders_->push_back(
          {folder.substr(0, folder.size() - (folder.empty() ? 0 : 1)), before, after});
    }
    const Content old_bytes = bytes_of(before);
    const Content new_bytes = bytes_of(after);
    const auto old_entries = parse_tree(old_bytes.view());
    const auto new_entries = parse_tree(new_bytes.view());
    auto old_at = old_entries.begin();
    auto new_at = new_entries.begin();
    while (old_at != old_entries.end() || new_at != new_entries.end()) {
      if (new_at == new_entries.end() ||
          (old_at != old_entries.end() && comes_before(*old_at, *new_at))) {
        visit(&*old_at++, nullptr, folder);
      } else if (old_at == old_entries.end() || comes_before(*new_at, *old_at)) {
        visit(nullptr, &*new_at++, folder);
      } else {
        if (old_at->id != new_at->id || old_at->mode_bits != new_at->mode_bits) {
          visit(&*old_at, &*new_at, folder);
        }
        ++old_at;
        ++new_at;
      }
      if (stops_early_ && !changes_.empty()) return;
    }
  }

  [[nodiscard]] bool any() const { return !changes_.empty(); }

  [[nodiscard]] std::vector<TreeChange> take() {
    // Tree order has "a" before "a.b" before folder "a/"; a file that became a folder must
    // still come right before what is in it.
    std::sort(changes_.begin(), changes_.end(),
              [](const TreeChange& a, const TreeChange& b) { return a.path < b.path; });
    return std::move(changes_);
  }

 private:
  static bool is_tree(const TreeEntry& entry) {
    return (entry.mode_bits & 0170000U) == static_cast<std::uint32_t>(Mode::tree);
  }
  static bool comes_before(const TreeEntry& a, const TreeEntry& b) {
    return tree_order(a.name, is_tree(a), b.name, is_tree(b));
  }

  Content bytes_of(const Oid& tree) {
    return tree.is_null() ? Content() : source_.read(tree, ObjectType::tree);
  }

  static std::optional<TreeItem> item_of(const TreeEntry* entry, const std::string& path) {
    if (entry == nullptr || is_tree(*entry)) return std::nullopt;
    const auto mode = canonical_mode(entry->mode_bits);
    if (!mode) throw_unable("unknown file mode at " + in_quotes(path));
    return TreeItem{*mode, entry->id};
  }

  void visit(const TreeEntry* before, const TreeEntry* after, const std::string& folder) {
    const std::string path = folder + std::string((before != nullptr ? before : after)->name);
    const bool old_tree = before != nullptr && is_tree(*before);
    const bool new_tree = after != nullptr && is_tree(*after);
    if (old_tree || new_tree) {
      if (path == left_out_) return;
      compare(old_tree ? before->id : Oid(), new_tree ? after->id : Oid(), path + "/");
    }
    TreeChange change{path, item_of(before, path), item_of(after, path)};
    if (change.before != change.after) changes_.push_back(std::move(change));
  }

  ObjectSource& source_;
  std::string_view left_out_;
  std::vector<FolderChange>* folders_;
  bool stops_early_;
  std::vector<TreeChange> changes_;
};

}  // namespace

std::vector<TreeChange> diff_trees(ObjectSource& source, const Oid& before, const Oid& after,
                                   std::string_view left_out, std::vector<FolderChange>* folders) {
  Walk walk(source, left_out, folders);
  walk.compare(before, after, "");
  return walk.take();
}

bool trees_differ(ObjectSource& source, const Oid& before, const Oid& after,
                  std::string_view left_out) {
  Walk walk(source, left_out, nullptr, /*stops_early=*/true);
  walk.compare(before, after, "");
  return walk.any();
}

}  // namespace flagscale::git
