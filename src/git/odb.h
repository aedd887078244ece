// SPDX-License-Identifier: Apache-2.0
//
// The object database of a repository on disk: an ObjectSource and an ObjectSink over libgit2.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "git/object_source.h"
#include "git/packs.h"
#include "git/shared_mode.h"

struct git_odb;
struct git_repository;

namespace flagscale::git {

/// Reads and writes one objects folder and its alternates. Not for sharing between threads: open
/// one each; they share the packs they are given, and nothing else.
class Odb final : public ObjectSource, public ObjectSink {
 public:
  /// Opens `objects_dir`, with further folders to read from. `packs` are those of all these
  /// folders, if others have them open.
  explicit Odb(const std::string& objects_dir, const std::vector<std::string>& alternates = {},
               std::shared_ptr<const Packs> packs = nullptr);
  /// Opens an objects folder for writing many new objects: quickly, since they are read soon and
  /// packed some day.
  [[nodiscard]] static std::unique_ptr<Odb> for_writing(const std::string& objects_dir);
  ~Odb() override;

  [[nodiscard]] std::optional<Content> find(const Oid& id, ObjectType type) override;
  [[nodiscard]] std::optional<std::uint64_t> find_blob_size(const Oid& id) override;
  /// From now on git is asked to fetch objects that are missing (a partial clone).
  void fetch_what_is_missing() noexcept;
  [[nodiscard]] bool fetches() const override;
  void expect(const std::vector<Oid>& ids) override;
  /// From now on files and folders that are made get the permissions that core.sharedRepository
  /// asks for.
  void share(const SharedMode& mode) noexcept;
  /// Fetches an object if it is missing and may be fetched. False: it is not there.
  bool ensure(const Oid& id);
  [[nodiscard]] bool has(const Oid& id);
  /// The type of an object; absent when there is none.
  [[nodiscard]] std::optional<ObjectType> find_type(const Oid& id);
  /// Writes a loose object, unless it is there already.
  void put(const Oid& id, ObjectType type, const Content& bytes) override;

  /// libgit2's handles, for use inside src/git: the database, and a repository that is nothing but
  /// this database, through which blobs are read and kept in its cache.
  [[nodiscard]] ::git_odb* handle() noexcept;
  [[nodiscard]] ::git_repository* repository() noexcept;

 private:
  struct State;
  explicit Odb(std::unique_ptr<State> state);
  [[nodiscard]] std::optional<Content> look_up(const Oid& id, ObjectType type);
  [[nodiscard]] std::vector<std::string> why_missing() const override;
  std::unique_ptr<State> state_;
};

}  // namespace flagscale::git
