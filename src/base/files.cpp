// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "base/error.h"

namespace flagscale {
namespace {

struct DirCloser {
  void operator()(DIR* dir) const noexcept { closedir(dir); }
};

/// The names in an open folder; takes the descriptor over.
std::vector<std::string> names_in(int fd, const std::string& name) {
  const std::unique_ptr<DIR, DirCloser> dir(fdopendir(fd));
  if (!dir) {
    const int error = errno;
    close(fd);
    throw_errno("cannot read folder", name, error);
  }
  std::vector<std::string> names;
  errno = 0;
  while (const dirent* entry = readdir(dir.get())) {
    std::string text = entry->d_name;
    if (text != "." && text != "..") names.push_back(std::move(text));
    errno = 0;
  }
  if (errno != 0) throw_errno("cannot read folder", name);
  std::sort(names.begin(), names.end());
  return names;
}

void remove_at(int folder, const std::string& name, const std::string& shown) {
  if (unlinkat(folder, name.c_str(), 0) == 0 || errno == ENOENT) return;
  if (errno != EISDIR && errno != EPERM) throw_errno("cannot remove", shown);
  const int fd = openat(folder, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) throw_errno("cannot remove", shown);
  const Fd inside(fd);
  for (const std::string& child : names_in(dup(fd), shown)) {
    remove_at(fd, child, shown + "/" + child);
  }
  if (unlinkat(folder, name.c_str(), AT_REMOVEDIR) != 0) throw_errno("cannot remove", shown);
}

}  // namespace

Fd::~Fd() {
  if (fd_ >= 0) close(fd_);
}

void open_closed_standard_files() noexcept {
  // open() takes the lowest number that is free.
  int fd = 0;
  while (fd >= 0 && fd <= STDERR_FILENO) fd = open("/dev/null", O_RDONLY);
  if (fd >= 0) close(fd);
}

std::optional<struct stat> find_status(const std::string& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) == 0) return status;
  if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
  throw_errno("cannot look at", path);
}

std::string read_all(int fd, const std::string& name) {
  std::string bytes;
  struct stat status {};
  if (fstat(fd, &status) == 0 && status.st_size > 0) {
    bytes.reserve(static_cast<std::size_t>(status.st_size));
  }
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t count = read(fd, buffer.data(), buffer.size());
    if (count == 0) return bytes;
    if (count > 0) {
      bytes.append(buffer.data(), static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      throw_errno("cannot read", name);
    }
  }
}

std::optional<std::string> find_file(const std::string& path) {
  // Should it be a pipe, nobody may ever write to it.
  const Fd fd(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!fd.is_open()) {
    if (errno == ENOENT || errno == ENOTDIR) return std::nullopt;
    throw_errno("cannot open", path);
  }
  return read_all(fd.get(), path);
}

std::optional<Content> map_file(const std::string& path) {
  const Fd fd(open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (!fd.is_open() || fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_size <= 0 || !std::in_range<std::size_t>(status.st_size)) {
    return std::nullopt;
  }
  const auto size = static_cast<std::size_t>(status.st_size);
  void* const bytes = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
  if (bytes == MAP_FAILED) return std::nullopt;
  const std::shared_ptr<const void> owner(bytes,
                                          [bytes, size](const void*) { munmap(bytes, size); });
  return Content(owner, {static_cast<const char*>(bytes), size});
}

void write_all(int fd, std::string_view bytes, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t count = write(fd, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw_errno("cannot write", name);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

void write_new_file(const std::string& path, std::string_view bytes, mode_t mode) {
  const Fd fd(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (!fd.is_open()) throw_errno("cannot make", path);
  try {
    write_all(fd.get(), bytes, path);
  } catch (const Error&) {
    unlink(path.c_str());
    throw;
  }
}

void make_folder(const std::string& path) {
  if (mkdir(path.c_str(), 0777) != 0 && errno != EEXIST) throw_errno("cannot make folder", path);
}

void make_folders(const std::string& path) {
  for (std::size_t slash = path.find('/', 1); slash != std::string::npos;
       slash = path.find('/', slash + 1)) {
    make_folder(path.substr(0, slash));
  }
  make_folder(path);
}

std::vector<std::string> list_folder(const std::string& path) {
  const int fd = open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) {
    if (errno == ENOENT || errno == ENOTDIR) return {};
    throw_errno("cannot read folder", path);
  }
  return names_in(fd, path);
}

void remove_tree(const std::string& path) {
  remove_at(AT_FDCWD, path, path);
}

TemporaryFolder::TemporaryFolder(const std::string& prefix) {
  for (bool is_ours = false; !is_ours;) {
    path_ = prefix + "XXXXXX";
    if (mkdtemp(path_.data()) == nullptr) {
      const int error = errno;
      throw_errno("cannot make folder", std::exchange(path_, {}), error);
    }
    lock_ = Fd(open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // Somebody who took it for abandoned before it was locked may be removing it.
    struct stat status {};
    is_ours = lock_.is_open() ? flock(lock_.get(), LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK
                              : errno != ENOENT;
    is_ours = is_ours && lstat(path_.c_str(), &status) == 0;
  }
}

TemporaryFolder::~TemporaryFolder() {
  if (path_.empty()) return;
  // Once more, for a failure that passes; after that nothing is left that could be done.
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      remove_tree(path_);
      return;
    } catch (const Error&) {
      continue;
    }
  }
}

void TemporaryFolder::remove_abandoned(const std::string& prefix) {
  static constexpr std::size_t kRandom = 6;
  const std::string above = dir_name(prefix);
  const std::string start(prefix.substr(prefix.rfind('/') + 1));
  for (const std::string& name : list_folder(above)) {
    if (name.size() != start.size() + kRandom || !name.starts_with(start)) continue;
    const std::string path = above + "/" + name;
    const Fd folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!folder.is_open() || flock(folder.get(), LOCK_EX | LOCK_NB) != 0) continue;
    try {
      remove_tree(path);
    } catch (const Error&) {
      continue;
    }
  }
}

std::string canonical_path(const std::string& path) {
  std::error_code error;
  const auto canonical = std::filesystem::weakly_canonical(path.empty() ? "." : path, error);
  if (error) throw_errno("cannot resolve", path, error.value());
  std::string text = std::filesystem::absolute(canonical).string();
  while (text.size() > 1 && text.ends_with('/')) text.pop_back();
  return text;
}

std::string_view base_name(std::string_view path) {
  while (path.size() > 1 && path.back() == '/') path.remove_suffix(1);
  return path.substr(path.rfind('/') + 1);
}

std::string folder_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return std::string(path.substr(0, slash == std::string_view::npos ? 0 : slash));
}

std::string dir_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) return ".";
  return slash == 0 ? "/" : std::string(path.substr(0, slash));
}

}  // namespace flagscale
