// SPDX-License-Identifier: Apache-2.0
#include "git/loose_writer.h"

#include <fcntl.h>
#include <libdeflate.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <new>
#include <utility>

#include "base/error.h"
#include "base/files.h"

namespace flagscale::git {
namespace {

/// A file under another name until it is whole; removed unless it gets its own.
class Unfinished {
 public:
  /// Makes it beside `path`, which it gets in the end, and the folder, if need be.
  Unfinished(const std::string& path, const SharedMode& shared) : path_(path), shared_(shared) {
    const std::string folder = dir_name(path);
    // git prune takes files of such names away, should this process be killed.
    static std::atomic<unsigned> serial = 0;
    const std::string prefix = folder + "/tmp_obj_" + std::to_string(getpid()) + "_";
    for (bool may_make_folder = true; fd_ < 0;) {
      temporary_ = prefix + std::to_string(serial++);
      fd_ = open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0444);
      if (fd_ >= 0 || errno == EEXIST) continue;
      if (errno != ENOENT || !may_make_folder) throw_errno("cannot make", path_);
      make_folder(folder);
      shared_.apply_to(folder);
      may_make_folder = false;
    }
  }
  Unfinished(const Unfinished&) = delete;
  Unfinished& operator=(const Unfinished&) = delete;
  ~Unfinished() {
    if (fd_ >= 0) close(fd_);
    if (!temporary_.empty()) unlink(temporary_.c_str());
  }

  void write(std::string_view bytes) {
    write_all(fd_, bytes, path_);
    if (close(std::exchange(fd_, -1)) != 0) throw_errno("cannot write", path_);
    shared_.apply_to(temporary_);
  }

  void finish() {
    if (renameat2(AT_FDCWD, temporary_.c_str(), AT_FDCWD, path_.c_str(), RENAME_NOREPLACE) != 0) {
      // Whoever made it in the meantime has written the same.
      if (errno == EEXIST) return;
      // Not every file system can tell; then the same bytes come into the same place.
      const bool unknown = errno == EINVAL || errno == ENOSYS;
      if (!unknown || rename(temporary_.c_str(), path_.c_str()) != 0) {
        throw_errno("cannot make", path_);
      }
    }
    temporary_.clear();
  }

 private:
  const std::string& path_;
  const SharedMode& shared_;
  std::string temporary_;
  int fd_ = -1;
};

}  // namespace

LooseWriter::LooseWriter(std::string objects_dir)
    : objects_dir_(std::move(objects_dir)), compressor_(nullptr, libdeflate_free_compressor) {}

LooseWriter::~LooseWriter() = default;

std::string_view LooseWriter::pack(ObjectType type, std::string_view bytes) {
  static constexpr int kFastest = 1;
  if (!compressor_) compressor_.reset(libdeflate_alloc_compressor(kFastest));
  if (!compressor_) throw std::bad_alloc();
  plain_ = type_name(type);
  plain_ += ' ';
  plain_ += std::to_string(bytes.size());
  plain_ += '\0';
  plain_ += bytes;
  const std::size_t most = libdeflate_zlib_compress_bound(compressor_.get(), plain_.size());
  if (packed_.size() < most) packed_.resize(most);
  const std::size_t size = libdeflate_zlib_compress(compressor_.get(), plain_.data(), plain_.size(),
                                                    packed_.data(), packed_.size());
  return std::string_view(packed_).substr(0, size);
}

void LooseWriter::write(const Oid& id, ObjectType type, std::string_view bytes) {
  const std::string hex = id.hex();
  const std::string path = objects_dir_ + "/" + hex.substr(0, 2) + "/" + hex.substr(2);
  Unfinished file(path, shared_);
  file.write(pack(type, bytes));
  file.finish();
}

}  // namespace flagscale::git
