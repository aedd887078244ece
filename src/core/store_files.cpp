// SPDX-License-Identifier: Apache-2.0
#include "core/store_files.h"

#include <sys/stat.h>

#include <algorithm>

#include "base/error.h"
#include "base/files.h"
#include "base/quote.h"
#include "core/patch_file.h"

namespace flagscale {

namespace {

void check_size(const std::string& path, std::uint64_t size) {
  if (size > kMaxPatchFile) throw_unable(escaped(path) + ": larger than 1023 MiB");
}

}  // namespace

std::vector<std::string> TreeFiles::names(const std::string& folder, bool folders) {
  const auto id = tree_.find_tree(folder);
  if (!id || id->is_null()) return {};
  const Content bytes = source_.read(*id, git::ObjectType::tree);
  std::vector<std::string> names;
  for (const git::TreeEntry& entry : git::parse_tree(bytes.view())) {
    const auto mode = git::canonical_mode(entry.mode_bits);
    if (mode && (folders ? *mode == git::Mode::tree : git::is_regular(*mode))) {
      names.emplace_back(entry.name);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

std::vector<std::string> TreeFiles::files(const std::string& folder) {
  return names(folder, false);
}

std::vector<std::string> TreeFiles::folders(const std::string& folder) {
  return names(folder, true);
}

std::optional<Content> TreeFiles::find(const std::string& path) {
  const auto file = tree_.find(path);
  if (!file || !git::is_regular(file->mode)) return std::nullopt;
  check_size(path, source_.find_blob_size(file->id).value_or(0));
  return tree_.read(*file);
}

std::optional<git::Oid> TreeFiles::find_known_id(const std::string& path) {
  const auto file = tree_.find(path);
  if (!file || !git::is_regular(file->mode)) return std::nullopt;
  return file->id;
}

bool FolderFiles::is_below_symlink(const std::string& path) const {
  for (std::size_t slash = path.find('/'); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    const auto status = find_status(root_ + "/" + path.substr(0, slash));
    if (!status || !S_ISDIR(status->st_mode)) return true;
  }
  return false;
}

std::vector<std::string> FolderFiles::names(const std::string& folder, mode_t type) const {
  const auto status = find_status(root_ + "/" + folder);
  if (is_below_symlink(folder) || !status || !S_ISDIR(status->st_mode)) return {};
  std::vector<std::string> names = list_folder(root_ + "/" + folder);
  std::erase_if(names, [&](const std::string& name) {
    const auto inside = find_status(root_ + "/" + folder + "/" + name);
    return !inside || (inside->st_mode & S_IFMT) != type;
  });
  return names;
}

std::vector<std::string> FolderFiles::files(const std::string& folder) {
  return names(folder, S_IFREG);
}

std::vector<std::string> FolderFiles::folders(const std::string& folder) {
  return names(folder, S_IFDIR);
}

bool FolderFiles::exists(const std::string& path) {
  return find_status(root_ + "/" + path).has_value();
}

std::optional<Content> FolderFiles::find(const std::string& path) {
  const auto status = find_status(root_ + "/" + path);
  if (is_below_symlink(path) || !status || !S_ISREG(status->st_mode)) return std::nullopt;
  check_size(path, static_cast<std::uint64_t>(status->st_size));
  auto bytes = find_file(root_ + "/" + path);
  if (!bytes) return std::nullopt;
  return Content(*std::move(bytes));
}

}  // namespace flagscale
