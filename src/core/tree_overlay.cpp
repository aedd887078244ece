// SPDX-License-Identifier: Apache-2.0
#include "core/tree_overlay.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/quote.h"

namespace flagscale {
namespace {

/// The part of `path` before its first '/', and what comes after it.
std::pair<std::string_view, std::string_view> split_first(std::string_view path) {
  const std::size_t slash = path.find('/');
  if (slash == std::string_view::npos) return {path, {}};
  return {path.substr(0, slash), path.substr(slash + 1)};
}

/// The id of a tree without entries.
const git::Oid& empty_tree() {
  static const git::Oid kId = git::hash_object(git::ObjectType::tree, {});
  return kId;
}

}  // namespace

/// One entry of a folder. A folder that was never entered has no children loaded.
struct TreeOverlay::Node {
  std::string name;
  std::uint32_t mode_bits = static_cast<std::uint32_t>(git::Mode::tree);
  git::Oid id;
  std::optional<Content> content;
  /// `content` was not handed to a sink yet.
  bool unsaved = false;
  bool dirty = false;
  bool loaded = false;
  /// In git's tree order.
  std::vector<Node> children;

  /// Bytes of contents in this file, or in all of this folder.
  [[nodiscard]] std::uint64_t held() const {
    std::uint64_t bytes = content ? content->size() : 0;
    for (const Node& child : children) bytes += child.held();
    return bytes;
  }

  [[nodiscard]] bool is_tree() const {
    return mode_bits == static_cast<std::uint32_t>(git::Mode::tree);
  }

  void load(git::ObjectSource& source) {
    if (loaded) return;
    loaded = true;
    if (id.is_null()) return;
    const Content bytes = source.read(id, git::ObjectType::tree);
    for (const git::TreeEntry& entry : git::parse_tree(bytes.view())) {
      Node child;
      child.name = entry.name;
      child.mode_bits = entry.mode_bits;
      child.id = entry.id;
      children.push_back(std::move(child));
    }
  }

  [[nodiscard]] std::vector<Node>::iterator lower_bound(std::string_view child, bool as_tree) {
    return std::lower_bound(children.begin(), children.end(), child,
                            [as_tree](const Node& node, std::string_view wanted) {
                              return git::tree_order(node.name, node.is_tree(), wanted, as_tree);
                            });
  }

  /// A name can stand at two places of the order, as a file or as a folder.
  [[nodiscard]] Node* find_child(git::ObjectSource& source, std::string_view child) {
    load(source);
    for (const bool as_tree : {false, true}) {
      const auto at = lower_bound(child, as_tree);
      if (at != children.end() && at->name == child) return &*at;
    }
    return nullptr;
  }

  Node& insert_child(Node child) {
    const auto at = lower_bound(child.name, child.is_tree());
    return *children.insert(at, std::move(child));
  }

  /// Modes such as 100664 of old repositories survive only in folders that stay as they are.
  [[nodiscard]] std::uint32_t canonical_bits() const {
    const auto mode = git::canonical_mode(mode_bits);
    return mode ? static_cast<std::uint32_t>(*mode) : mode_bits;
  }

  git::Oid flush(git::ObjectSink& sink) {
    if (!dirty) return id;
    std::string bytes;
    for (Node& child : children) {
      if (child.is_tree()) {
        // git writes a folder from its index, where empty folders do not exist.
        if (child.flush(sink) == empty_tree()) continue;
      } else if (child.unsaved) {
        if (child.id.is_null()) {
          child.id = git::hash_object(git::ObjectType::blob, child.content->view());
        }
        sink.put(child.id, git::ObjectType::blob, *child.content);
        child.unsaved = false;
      }
      char mode[16];
      std::size_t digits = 0;
      for (auto bits = child.canonical_bits(); bits != 0; bits >>= 3U) {
        mode[digits++] = static_cast<char>('0' + (bits & 7U));
      }
      while (digits > 0) bytes += mode[--digits];
      bytes += ' ';
      bytes += child.name;
      bytes += '\0';
      bytes += child.id.raw_view();
    }
    id = git::hash_object(git::ObjectType::tree, bytes);
    sink.put(id, git::ObjectType::tree, Content(std::move(bytes)));
    dirty = false;
    return id;
  }

  /// Marks the folders of `path` as changed, making those that are missing, and returns the
  /// innermost; `path` is reduced to the last part.
  Node& enter_for_writing(git::ObjectSource& source, std::string_view& path) {
    Node* node = this;
    for (;;) {
      node->load(source);
      node->dirty = true;
      const auto [first, rest] = split_first(path);
      if (rest.empty()) return *node;
      Node* child = node->find_child(source, first);
      if (child == nullptr) {
        Node folder;
        folder.name = first;
        folder.loaded = true;
        child = &node->insert_child(std::move(folder));
      } else if (!child->is_tree()) {
        throw Error(ErrorKind::bug, "a file is in the way of a folder at " + in_quotes(first));
      }
      path = rest;
      node = child;
    }
  }

  [[nodiscard]] Node* find(git::ObjectSource& source, std::string_view path) {
    Node* node = this;
    while (node != nullptr && !path.empty()) {
      if (!node->is_tree()) return nullptr;
      const auto [first, rest] = split_first(path);
      node = node->find_child(source, first);
      path = rest;
    }
    return node;
  }

  Node& place(git::ObjectSource& source, std::string_view path, std::uint32_t bits) {
    Node& folder = enter_for_writing(source, path);
    const bool as_tree = bits == static_cast<std::uint32_t>(git::Mode::tree);
    Node* child = folder.find_child(source, path);
    if (child != nullptr && child->is_tree() != as_tree) {
      throw Error(ErrorKind::bug, "a folder or file is in the way at " + in_quotes(path));
    }
    if (child == nullptr) {
      Node fresh;
      fresh.name = path;
      fresh.mode_bits = bits;
      return folder.insert_child(std::move(fresh));
    }
    child->mode_bits = bits;
    return *child;
  }

  /// Removes `path` below this folder, and folders that become empty. False: not there.
  bool remove(git::ObjectSource& source, std::string_view path) {
    const auto [first, rest] = split_first(path);
    Node* const child = find_child(source, first);
    if (child == nullptr) return false;
    if (!rest.empty()) {
      if (!child->is_tree() || !child->remove(source, rest)) return false;
      dirty = true;
      if (!child->children.empty()) return true;
    }
    dirty = true;
    children.erase(children.begin() + (child - children.data()));
    return true;
  }
};

TreeOverlay::TreeOverlay(git::ObjectSource& source, const git::Oid& base)
    : source_(&source), root_(std::make_unique<Node>()) {
  root_->id = base;
  root_->dirty = base.is_null();
}

TreeOverlay::TreeOverlay(TreeOverlay&&) noexcept = default;
TreeOverlay& TreeOverlay::operator=(TreeOverlay&&) noexcept = default;
TreeOverlay::~TreeOverlay() = default;

PathKind TreeOverlay::kind(std::string_view path) {
  const Node* const node = root_->find(*source_, path);
  if (node == nullptr) return PathKind::absent;
  return node->is_tree() ? PathKind::folder : PathKind::file;
}

std::optional<TreeFile> TreeOverlay::find(std::string_view path) {
  const Node* const node = root_->find(*source_, path);
  if (node == nullptr || node->is_tree()) return std::nullopt;
  const auto mode = git::canonical_mode(node->mode_bits);
  if (!mode) throw_unable("unknown file mode at " + in_quotes(path));
  return TreeFile{*mode, node->id, node->content};
}

Content TreeOverlay::read(const TreeFile& file) {
  if (file.content) return *file.content;
  return source_->read(file.id, git::ObjectType::blob);
}

std::optional<std::string_view> TreeOverlay::find_symlink_on_the_way(std::string_view path) {
  const auto way = find_file_on_the_way(path);
  if (!way) return std::nullopt;
  const auto file = find(*way);
  return file && file->mode == git::Mode::symlink ? way : std::nullopt;
}

std::optional<std::string_view> TreeOverlay::find_file_on_the_way(std::string_view path) {
  Node* node = root_.get();
  std::size_t start = 0;
  for (std::size_t slash = path.find('/'); slash != std::string_view::npos;
       slash = path.find('/', start)) {
    node = node->find_child(*source_, path.substr(start, slash - start));
    if (node == nullptr) return std::nullopt;
    if (!node->is_tree()) return path.substr(0, slash);
    start = slash + 1;
  }
  return std::nullopt;
}

void TreeOverlay::put(std::string_view path, git::Mode mode, Content content) {
  put(path, mode, std::move(content), git::Oid());
}

void TreeOverlay::put(std::string_view path, git::Mode mode, Content content, const git::Oid& id) {
  Node& node = root_->place(*source_, path, static_cast<std::uint32_t>(mode));
  node.id = id;
  held_ += content.size() - node.held();
  node.content = std::move(content);
  node.unsaved = true;
}

void TreeOverlay::put(std::string_view path, git::Mode mode, const git::Oid& id) {
  Node& node = root_->place(*source_, path, static_cast<std::uint32_t>(mode));
  node.id = id;
  held_ -= node.held();
  node.content.reset();
  node.unsaved = false;
}

void TreeOverlay::put_tree(std::string_view path, const git::Oid& tree) {
  Node& node = root_->place(*source_, path, static_cast<std::uint32_t>(git::Mode::tree));
  node.id = tree;
  node.loaded = false;
  node.dirty = false;
  held_ -= node.held();
  node.children.clear();
}

bool TreeOverlay::remove(std::string_view path) {
  const Node* const node = root_->find(*source_, path);
  if (node == nullptr) return false;
  held_ -= node->held();
  return root_->remove(*source_, path);
}

git::Oid TreeOverlay::flush(git::ObjectSink& sink) {
  return root_->flush(sink);
}

std::optional<git::Oid> TreeOverlay::find_tree(std::string_view path) {
  const Node* const node = root_->find(*source_, path);
  if (node == nullptr || !node->is_tree()) return std::nullopt;
  return node->id;
}

}  // namespace flagscale
