// SPDX-License-Identifier: Apache-2.0
#include "base/folder_walk.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "base/error.h"

namespace flagscale {
namespace {

constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

}  // namespace

FolderWalk::FolderWalk(const std::string& root) {
  levels_.push_back({"", Fd(open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC))});
  if (!levels_.back().folder.is_open()) throw_errno("cannot open folder", root);
}

FolderWalk::Found FolderWalk::enter(std::string_view folder, bool make) {
  std::size_t depth = 1;
  std::size_t start = 0;
  while (start < folder.size()) {
    const std::size_t end = std::min(folder.find('/', start), folder.size());
    const std::string name(folder.substr(start, end - start));
    const std::string shown(folder.substr(0, end));
    start = end + 1;
    if (depth < levels_.size() && levels_[depth].name == name) {
      ++depth;
      continue;
    }
    levels_.resize(depth);
    if (make) {
      if (mkdirat(get(), name.c_str(), 0777) == 0) {
        made_.push_back(shown);
      } else if (errno != EEXIST) {
        throw_errno("cannot make folder", shown);
      }
    }
    Fd inner(openat(get(), name.c_str(), kFolder));
    if (!inner.is_open()) {
      if (errno == ENOENT) return Found::nothing;
      if (errno == ELOOP || errno == ENOTDIR) return Found::something_else;
      throw_errno("cannot open folder", shown);
    }
    levels_.push_back({name, std::move(inner)});
    ++depth;
  }
  levels_.resize(depth);
  return Found::folder;
}

}  // namespace flagscale
