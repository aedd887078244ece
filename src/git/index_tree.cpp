// SPDX-License-Identifier: Apache-2.0
#include "git/index_tree.h"

#include <algorithm>
#include <charconv>

#include "base/bytes.h"

namespace flagscale::git {
namespace {

/// Deeper than any path can be.
constexpr std::size_t kMaxDepth = 4096;

/// Git's order of the folders in a folder: shorter names first.
bool comes_before(std::string_view a, std::string_view b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

/// Takes a number, which may be -1, and the character after it.
bool take_number(std::string_view& bytes, char end, long long& value) {
  const auto [stop, error] = std::from_chars(bytes.data(), bytes.data() + bytes.size(), value);
  if (error != std::errc{} || stop == bytes.data() + bytes.size() || *stop != end) return false;
  bytes.remove_prefix(static_cast<std::size_t>(stop - bytes.data()) + 1);
  return value >= -1;
}

/// How many more entries there are below a folder than before; all of them are new when it is.
std::ptrdiff_t count_new_entries(const std::vector<TreeChange>& changes,
                                 const std::string& folder) {
  const std::string prefix = folder.empty() ? "" : folder + "/";
  auto at = std::lower_bound(changes.begin(), changes.end(), prefix,
                             [](const TreeChange& c, const std::string& p) { return c.path < p; });
  std::ptrdiff_t count = 0;
  for (; at != changes.end() && at->path.starts_with(prefix); ++at) {
    count += (at->after ? 1 : 0) - (at->before ? 1 : 0);
  }
  return count;
}

}  // namespace

std::optional<IndexTree> IndexTree::parse(std::string_view bytes) {
  IndexTree tree;
  if (!parse_folder(bytes, tree.top_, 0) || !bytes.empty()) return std::nullopt;
  return tree;
}

bool IndexTree::parse_folder(std::string_view& bytes, Folder& folder, std::size_t depth) {
  const std::size_t nul = bytes.find('\0');
  if (nul == std::string_view::npos || depth > kMaxDepth) return false;
  folder.name = bytes.substr(0, nul);
  bytes.remove_prefix(nul + 1);
  long long entries = 0;
  long long folders = 0;
  if (!take_number(bytes, ' ', entries) || !take_number(bytes, '\n', folders) || folders < 0) {
    return false;
  }
  if (entries >= 0) {
    if (bytes.size() < Oid::kRawSize) return false;
    folder.entries = static_cast<std::size_t>(entries);
    folder.id = Oid::from_raw(bytes.data());
    bytes.remove_prefix(Oid::kRawSize);
  }
  for (; folders > 0; --folders) {
    folder.folders.emplace_back();
    if (!parse_folder(bytes, folder.folders.back(), depth + 1)) return false;
  }
  return std::is_sorted(
      folder.folders.begin(), folder.folders.end(),
      [](const Folder& a, const Folder& b) { return comes_before(a.name, b.name); });
}

void IndexTree::update(const std::vector<FolderChange>& folders,
                       const std::vector<TreeChange>& changes) {
  for (const FolderChange& change : folders) update_folder(change, changes);
}

IndexTree::Folder* IndexTree::find_parent(std::string_view path) {
  Folder* at = &top_;
  while (true) {
    const std::size_t slash = path.find('/');
    if (slash == std::string_view::npos) return at;
    const std::string_view name = path.substr(0, slash);
    const auto inner = std::find_if(at->folders.begin(), at->folders.end(),
                                    [&](const Folder& folder) { return folder.name == name; });
    if (inner == at->folders.end()) return nullptr;
    at = &*inner;
    path.remove_prefix(slash + 1);
  }
}

void IndexTree::update_folder(const FolderChange& change, const std::vector<TreeChange>& changes) {
  const std::ptrdiff_t more = count_new_entries(changes, change.path);
  const auto move = [&](Folder& folder) {
    if (folder.entries && folder.id == change.before) {
      folder.id = change.after;
      folder.entries =
          static_cast<std::size_t>(static_cast<std::ptrdiff_t>(*folder.entries) + more);
    } else {
      folder.entries.reset();
    }
  };
  if (change.path.empty()) {
    move(top_);
    return;
  }
  Folder* const parent = find_parent(change.path);
  if (parent == nullptr) return;
  const std::string name = change.path.substr(change.path.rfind('/') + 1);
  auto at = std::lower_bound(
      parent->folders.begin(), parent->folders.end(), name,
      [](const Folder& folder, const std::string& n) { return comes_before(folder.name, n); });
  const bool is_known = at != parent->folders.end() && at->name == name;
  if (change.after.is_null()) {
    if (is_known) parent->folders.erase(at);
  } else if (is_known) {
    move(*at);
  } else {
    Folder fresh;
    fresh.name = name;
    // A folder that was there, but not known, stays so, and nothing is known of those above it.
    if (change.before.is_null()) {
      fresh.entries = static_cast<std::size_t>(more);
      fresh.id = change.after;
    }
    parent->folders.insert(at, std::move(fresh));
  }
}

std::string IndexTree::format() const {
  std::string out;
  format_folder(top_, out);
  return out;
}

void IndexTree::format_folder(const Folder& folder, std::string& out) {
  out.append(folder.name).push_back('\0');
  out.append(folder.entries ? std::to_string(*folder.entries) : "-1").push_back(' ');
  out.append(std::to_string(folder.folders.size())).push_back('\n');
  if (folder.entries) out.append(folder.id.raw_view());
  for (const Folder& inner : folder.folders) format_folder(inner, out);
}

}  // namespace flagscale::git
