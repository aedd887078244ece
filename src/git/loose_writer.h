// SPDX-License-Identifier: Apache-2.0
//
// Writes loose objects as git does (gitrepository-layout(5)): compressed quickly, since they are
// read soon and packed some day, and not synced to disk.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "git/object.h"
#include "git/oid.h"
#include "git/shared_mode.h"

struct libdeflate_compressor;

namespace flagscale::git {

/// For one thread; any number may write to the same folder.
class LooseWriter {
 public:
  explicit LooseWriter(std::string objects_dir);
  LooseWriter(const LooseWriter&) = delete;
  LooseWriter& operator=(const LooseWriter&) = delete;
  ~LooseWriter();

  /// From now on files and folders get the permissions that core.sharedRepository asks for.
  void share(const SharedMode& mode) noexcept { shared_ = mode; }

  /// The most bytes that write() takes: objects are compressed in one go, in memory.
  static constexpr std::size_t kMaxSize = std::size_t{8} << 20U;
  /// Writes an object, there whole or not at all. One that is there already stays as it is.
  /// Throws Error(io) that names the file.
  void write(const Oid& id, ObjectType type, std::string_view bytes);

 private:
  [[nodiscard]] std::string_view pack(ObjectType type, std::string_view bytes);

  std::string objects_dir_;
  SharedMode shared_;
  std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> compressor_;
  std::string plain_;
  std::string packed_;
};

}  // namespace flagscale::git
