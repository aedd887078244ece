// SPDX-License-Identifier: Apache-2.0
//
// Files and folders by name. Names are bytes; every failure is an Error(io) that names the file.
#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bytes.h"

namespace flagscale {

/// A file descriptor that closes itself.
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Fd();
  [[nodiscard]] int get() const noexcept { return fd_; }
  [[nodiscard]] bool is_open() const noexcept { return fd_ >= 0; }

 private:
  int fd_ = -1;
};

/// Puts something that cannot be written to where stdin, stdout or stderr is closed, lest a file
/// that is opened later takes its place and is written into.
void open_closed_standard_files() noexcept;

/// What lstat says; absent when nothing is there.
[[nodiscard]] std::optional<struct stat> find_status(const std::string& path);

/// The whole of a file; absent when there is none.
[[nodiscard]] std::optional<std::string> find_file(const std::string& path);
/// Reads an open file to its end.
[[nodiscard]] std::string read_all(int fd, const std::string& name);

/// The whole of a file that nobody writes to any more, mapped into memory; absent when it cannot be
/// mapped or is empty. The bytes stay after the file is removed.
[[nodiscard]] std::optional<Content> map_file(const std::string& path);

/// Makes a new file with these bytes, whole or not at all; fails when something is there.
void write_new_file(const std::string& path, std::string_view bytes, mode_t mode = 0666);

/// Writes all bytes to a file descriptor.
void write_all(int fd, std::string_view bytes, const std::string& name);

/// Makes a folder; fine when it is there.
void make_folder(const std::string& path);
/// Makes a folder and those above it.
void make_folders(const std::string& path);

/// The names in a folder, without "." and "..", sorted by bytes; empty when it is not there.
[[nodiscard]] std::vector<std::string> list_folder(const std::string& path);

/// Removes a file or a whole folder, never following a symlink. Fine when nothing is there.
void remove_tree(const std::string& path);

/// Makes a fresh folder `<prefix>XXXXXX`, locked for as long as this object lives, and removes it
/// with all in it in the end.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& prefix);
  TemporaryFolder(TemporaryFolder&& other) noexcept
      : path_(std::exchange(other.path_, {})), lock_(std::move(other.lock_)) {}
  TemporaryFolder& operator=(TemporaryFolder&&) = delete;
  ~TemporaryFolder();
  [[nodiscard]] const std::string& path() const noexcept { return path_; }

  /// Removes the folders with this prefix that processes have left behind which are gone. What
  /// cannot be removed stays.
  static void remove_abandoned(const std::string& prefix);

 private:
  std::string path_;
  Fd lock_;
};

/// An absolute path without symlinks, "." and "..", as far as its folders exist; what does not
/// exist yet is kept as it is.
[[nodiscard]] std::string canonical_path(const std::string& path);

/// The last part of a path: "c" of "/a/b/c".
[[nodiscard]] std::string_view base_name(std::string_view path);
/// The folder of a path within a tree: "a/b" of "a/b/c", "" of "c".
[[nodiscard]] std::string folder_of(std::string_view path);
/// Everything before the last '/': "/a/b" of "/a/b/c", "." of "c".
[[nodiscard]] std::string dir_name(std::string_view path);

}  // namespace flagscale
