// SPDX-License-Identifier: Apache-2.0
#include "git/odb.h"

#include <algorithm>

#include <git2/sys/repository.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/files.h"
#include "base/quote.h"
#include "git/command.h"
#include "git/handle.h"

namespace flagscale::git {
namespace {

git_oid to_libgit2(const Oid& id) {
  git_oid out;
  git_oid_fromraw(&out, id.raw());
  return out;
}

}  // namespace

struct Odb::State {
  std::string objects_dir;
  OdbHandle odb;
  RepositoryHandle repository;
  /// Writes loose objects; made when the first one is.
  OdbBackendHandle writer;
  bool lazy = false;
  /// What git said when it could not fetch.
  std::string complaint;
  SharedMode shared;
};

namespace {

RepositoryHandle as_repository(git_odb* odb, const std::string& objects_dir) {
  git_repository* raw = nullptr;
  check(git_repository_wrap_odb(&raw, odb), "cannot open the object database", objects_dir);
  return RepositoryHandle(raw);
}

OdbBackendHandle loose_writer(const std::string& objects_dir) {
  git_odb_backend* raw = nullptr;
  static constexpr int kFastest = 1;
  check(git_odb_backend_loose(&raw, objects_dir.c_str(), kFastest, 0, 0, 0),
        "cannot open the object database", objects_dir);
  return OdbBackendHandle(raw);
}

}  // namespace

Odb::Odb(const std::string& objects_dir, const std::vector<std::string>& alternates)
    : state_(std::make_unique<State>()) {
  state_->objects_dir = objects_dir;
  git_odb* raw = nullptr;
  check(git_odb_open(&raw, objects_dir.c_str()), "cannot open the object database", objects_dir);
  state_->odb.reset(raw);
  state_->repository = as_repository(raw, objects_dir);
  for (const std::string& folder : alternates) {
    check(git_odb_add_disk_alternate(raw, folder.c_str()), "cannot open the object database",
          folder);
  }
}

Odb::Odb() : state_(std::make_unique<State>()) {}

Odb::~Odb() = default;

std::unique_ptr<Odb> Odb::for_writing(const std::string& objects_dir) {
  std::unique_ptr<Odb> odb(new Odb());
  odb->state_->objects_dir = objects_dir;
  git_odb* raw = nullptr;
  check(git_odb_new(&raw), "cannot open the object database", objects_dir);
  odb->state_->odb.reset(raw);
  odb->state_->repository = as_repository(raw, objects_dir);
  OdbBackendHandle loose = loose_writer(objects_dir);
  check(git_odb_add_backend(raw, loose.get(), 1), "cannot open the object database", objects_dir);
  // The database frees it.
  (void)loose.release();
  return odb;
}

git_repository* Odb::repository() noexcept {
  return state_->repository.get();
}

git_odb* Odb::handle() noexcept {
  return state_->odb.get();
}

std::optional<Content> Odb::find(const Oid& id, ObjectType type) {
  auto content = look_up(id, type);
  if (!content && state_->lazy && ensure(id)) content = look_up(id, type);
  return content;
}

std::optional<Content> Odb::look_up(const Oid& id, ObjectType type) {
  const git_oid raw_id = to_libgit2(id);
  git_odb_object* raw = nullptr;
  git_blob* raw_blob = nullptr;
  // Only what is read as a blob stays in the cache for the next one who reads it as a blob.
  const int code = type == ObjectType::blob
                       ? git_blob_lookup(&raw_blob, state_->repository.get(), &raw_id)
                       : git_odb_read(&raw, state_->odb.get(), &raw_id);
  if (code == GIT_ENOTFOUND) return std::nullopt;
  if (code < 0) {
    throw_unable("damaged " + std::string(type_name(type)) + " " + id.hex(),
                 {"git fsck tells what is wrong with the repository"});
  }
  if (type == ObjectType::blob) {
    const std::shared_ptr<git_blob> blob(raw_blob, git_blob_free);
    return Content(blob, {static_cast<const char*>(git_blob_rawcontent(raw_blob)),
                          static_cast<std::size_t>(git_blob_rawsize(raw_blob))});
  }
  const std::shared_ptr<git_odb_object> object(raw, git_odb_object_free);
  if (git_odb_object_type(raw) != static_cast<git_object_t>(type)) return std::nullopt;
  const auto* const data = static_cast<const char*>(git_odb_object_data(raw));
  return Content(object, {data, git_odb_object_size(raw)});
}

std::optional<std::uint64_t> Odb::find_blob_size(const Oid& id) {
  if (!ensure(id)) return std::nullopt;
  const git_oid raw_id = to_libgit2(id);
  std::size_t size = 0;
  git_object_t type = GIT_OBJECT_INVALID;
  check(git_odb_read_header(&size, &type, state_->odb.get(), &raw_id), "cannot read object",
        id.hex());
  if (type != GIT_OBJECT_BLOB) return std::nullopt;
  return size;
}

void Odb::fetch_what_is_missing() noexcept {
  state_->lazy = true;
}

bool Odb::fetches() const {
  return state_->lazy;
}

void Odb::expect(const std::vector<Oid>& ids) {
  if (!state_->lazy) return;
  std::string missing;
  for (const Oid& id : ids) {
    if (!has(id)) missing += id.hex() + "\n";
  }
  if (missing.empty()) return;
  // Packing is what makes git fetch all that it lacks in one go; the pack itself is of no use.
  GitOptions options;
  options.input = missing;
  (void)run_git({"pack-objects", "--stdout", "-q", "--window=0"}, options);
  git_odb_refresh(state_->odb.get());
}

bool Odb::ensure(const Oid& id) {
  if (has(id)) return true;
  if (!state_->lazy) return false;
  const ProcessResult result = run_git({"cat-file", "-e", id.hex()});
  if (result.status != 0) {
    state_->complaint = result.err;
    return false;
  }
  git_odb_refresh(state_->odb.get());
  return has(id);
}

std::vector<std::string> Odb::why_missing() const {
  if (state_->complaint.empty()) return {};
  std::string_view said = state_->complaint;
  std::string_view line = without_eol(take_line(said));
  const std::size_t prefix = line.find(": ");
  if (prefix != std::string_view::npos) line.remove_prefix(prefix + 2);
  return {"this is a partial clone, and git cannot fetch it: " + escaped(line)};
}

void Odb::share(const SharedMode& mode) noexcept {
  state_->shared = mode;
}

bool Odb::has(const Oid& id) {
  const git_oid raw_id = to_libgit2(id);
  return git_odb_exists(state_->odb.get(), &raw_id) == 1;
}

std::optional<ObjectType> Odb::find_type(const Oid& id) {
  const git_oid raw_id = to_libgit2(id);
  std::size_t size = 0;
  git_object_t type = GIT_OBJECT_INVALID;
  const int code = git_odb_read_header(&size, &type, state_->odb.get(), &raw_id);
  if (code == GIT_ENOTFOUND) return std::nullopt;
  check(code, "cannot read object", id.hex());
  return static_cast<ObjectType>(type);
}

void Odb::put(const Oid& id, ObjectType type, const Content& bytes) {
  const git_oid raw_id = to_libgit2(id);
  if (git_odb_exists_ext(state_->odb.get(), &raw_id, GIT_ODB_LOOKUP_NO_REFRESH) == 1) return;
  if (!state_->writer) state_->writer = loose_writer(state_->objects_dir);
  git_odb_backend* const writer = state_->writer.get();
  const std::string folder = state_->objects_dir + "/" + id.hex().substr(0, 2);
  const bool new_folder = state_->shared.is_set() && !find_status(folder);
  const char* const data = bytes.empty() ? "" : bytes.view().data();
  // git_odb_write would hash the object once more.
  check(writer->write(writer, &raw_id, data, bytes.size(), static_cast<git_object_t>(type)),
        "cannot write object", id.hex());
  if (new_folder) state_->shared.apply_to(folder);
  state_->shared.apply_to(folder + "/" + id.hex().substr(2));
}

}  // namespace flagscale::git
