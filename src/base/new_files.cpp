// SPDX-License-Identifier: Apache-2.0
#include "base/new_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <utility>

#include "base/error.h"
#include "base/files.h"
#include "base/quote.h"

namespace flagscale {
namespace {

constexpr int kFolder = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;

Fd open_folder(int above, const std::string& name, const std::string& shown) {
  Fd folder(openat(above, name.c_str(), kFolder));
  if (folder.is_open()) return folder;
  if (errno == ELOOP || errno == ENOTDIR) throw_refused(in_quotes(shown) + " is not a folder");
  throw_errno("cannot open folder", shown);
}

/// Opens the folder that holds `path`. The folders that had to be made for it go to `made`; null:
/// none are made.
Fd open_parent(const std::string& root, const std::string& path, std::vector<std::string>* made) {
  Fd folder(open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder.is_open()) throw_errno("cannot open folder", root);
  std::size_t start = 0;
  for (std::size_t slash = path.find('/'); slash != std::string::npos;
       start = slash + 1, slash = path.find('/', start)) {
    const std::string name = path.substr(start, slash - start);
    const std::string shown = path.substr(0, slash);
    if (made != nullptr) {
      if (mkdirat(folder.get(), name.c_str(), 0777) == 0) {
        made->push_back(shown);
      } else if (errno != EEXIST) {
        throw_errno("cannot make folder", shown);
      }
    }
    folder = open_folder(folder.get(), name, shown);
  }
  return folder;
}

/// A file under another name until it is whole.
class Unfinished {
 public:
  Unfinished(int folder, const std::string& shown)
      : folder_(folder), name_(".flagscale-" + std::to_string(getpid())), shown_(shown) {}
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;
  ~Unfinished() {
    if (is_there_) unlinkat(folder_, name_.c_str(), 0);
  }

  void write(std::string_view bytes) {
    const Fd fd(
        openat(folder_, name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
    if (!fd.is_open()) throw_errno("cannot make", shown_);
    is_there_ = true;
    write_all(fd.get(), bytes, shown_);
  }

  void finish(const std::string& name) {
    struct stat status {};
    if (fstatat(folder_, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) {
      throw_refused(in_quotes(shown_) + " is in the way");
    }
    if (renameat(folder_, name_.c_str(), folder_, name.c_str()) != 0) {
      throw_errno("cannot make", shown_);
    }
    is_there_ = false;
  }

 private:
  int folder_;
  std::string name_;
  const std::string& shown_;
  bool is_there_ = false;
};

}  // namespace

NewFiles::~NewFiles() {
  for (const std::string& file : files_) {
    try {
      const Fd folder = open_parent(root_, file, nullptr);
      unlinkat(folder.get(), std::string(base_name(file)).c_str(), 0);
    } catch (const Error&) {
      // Nothing is left that could be done, and the first error is the one to tell.
    }
  }
  // Inner ones first.
  for (; !folders_.empty(); folders_.pop_back()) rmdir((root_ + "/" + folders_.back()).c_str());
}

void NewFiles::add(const std::string& path, std::string_view bytes) {
  const Fd folder = open_parent(root_, path, &folders_);
  Unfinished file(folder.get(), path);
  file.write(bytes);
  file.finish(std::string(base_name(path)));
  files_.push_back(path);
}

void NewFiles::keep() noexcept {
  files_.clear();
  folders_.clear();
}

void remove_file_below(const std::string& root, const std::string& path) {
  {
    const Fd folder = open_parent(root, path, nullptr);
    if (unlinkat(folder.get(), std::string(base_name(path)).c_str(), 0) != 0) {
      throw_errno("cannot remove", path);
    }
  }
  for (std::size_t slash = path.rfind('/'); slash != std::string::npos && slash > 0;
       slash = path.rfind('/', slash - 1)) {
    if (rmdir((root + "/" + path.substr(0, slash)).c_str()) != 0) return;
  }
}

}  // namespace flagscale
