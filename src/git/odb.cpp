// SPDX-License-Identifier: Apache-2.0
#include "git/odb.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <git2/sys/repository.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/files.h"
#include "base/quote.h"
#include "git/command.h"
#include "git/handle.h"
#include "git/loose_writer.h"
#include "git/pack_backend.h"
#include "git/pack_reader.h"

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
  /// Asked before libgit2 is.
  std::optional<PackReader> packed;
  LooseWriter writer;
  /// Writes objects that are too large for `writer`; made when the first one comes.
  OdbBackendHandle large_writer;
  bool lazy = false;
  /// What git said when it could not fetch.
  std::string complaint;
  SharedMode shared;

  explicit State(const std::string& folder) : objects_dir(folder), writer(folder) {}
  void write_large(const Oid& id, ObjectType type, std::string_view bytes);
};

namespace {

RepositoryHandle as_repository(git_odb* odb, const std::string& objects_dir) {
  git_repository* raw = nullptr;
  check(git_repository_wrap_odb(&raw, odb), "cannot open the object database", objects_dir);
  return RepositoryHandle(raw);
}

OdbBackendHandle loose_backend(const std::string& objects_dir) {
  git_odb_backend* raw = nullptr;
  static constexpr int kFastest = 1;
  check(git_odb_backend_loose(&raw, objects_dir.c_str(), kFastest, 0, 0, 0),
        "cannot open the object database", objects_dir);
  return OdbBackendHandle(raw);
}

std::vector<std::string> all_of(const std::string& first, const std::vector<std::string>& others) {
  std::vector<std::string> all = {first};
  all.insert(all.end(), others.begin(), others.end());
  return all;
}

/// Adds a way to read objects; those of the highest priority are asked first.
void add_backend(git_odb* odb, OdbBackendHandle backend, int priority, const std::string& folder) {
  check(git_odb_add_backend(odb, backend.get(), priority), "cannot open the object database",
        folder);
  // The database frees it.
  (void)backend.release();
}

}  // namespace

Odb::Odb(const std::string& objects_dir, const std::vector<std::string>& alternates,
         std::shared_ptr<const Packs> packs)
    : state_(std::make_unique<State>(objects_dir)) {
  // libgit2's own have 2 and less.
  static constexpr int kBeforeAll = 3;
  git_odb* raw = nullptr;
  check(git_odb_open(&raw, objects_dir.c_str()), "cannot open the object database", objects_dir);
  state_->odb.reset(raw);
  state_->repository = as_repository(raw, objects_dir);
  for (const std::string& folder : alternates) {
    check(git_odb_add_disk_alternate(raw, folder.c_str()), "cannot open the object database",
          folder);
  }
  if (!packs) packs = std::make_shared<const Packs>(all_of(objects_dir, alternates));
  state_->packed.emplace(packs);
  add_backend(raw, pack_backend(std::move(packs)), kBeforeAll, objects_dir);
}

Odb::Odb(std::unique_ptr<State> state) : state_(std::move(state)) {}

Odb::~Odb() = default;

std::unique_ptr<Odb> Odb::for_writing(const std::string& objects_dir) {
  auto state = std::make_unique<State>(objects_dir);
  git_odb* raw = nullptr;
  check(git_odb_new(&raw), "cannot open the object database", objects_dir);
  state->odb.reset(raw);
  state->repository = as_repository(raw, objects_dir);
  add_backend(raw, loose_backend(objects_dir), 1, objects_dir);
  return std::unique_ptr<Odb>(new Odb(std::move(state)));
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
  if (auto packed = state_->packed ? state_->packed->read(id) : std::nullopt) {
    return packed->type == type ? std::optional(std::move(packed->bytes)) : std::nullopt;
  }
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
  options.ignore_output = true;
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
  state_->writer.share(mode);
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

void Odb::State::write_large(const Oid& id, ObjectType type, std::string_view bytes) {
  const git_oid raw_id = to_libgit2(id);
  if (!large_writer) large_writer = loose_backend(objects_dir);
  const std::string folder = objects_dir + "/" + id.hex().substr(0, 2);
  const bool new_folder = shared.is_set() && !find_status(folder);
  // git_odb_write would hash the object once more.
  check(large_writer->write(large_writer.get(), &raw_id, bytes.data(), bytes.size(),
                            static_cast<git_object_t>(type)),
        "cannot write object", id.hex());
  if (new_folder) shared.apply_to(folder);
  shared.apply_to(folder + "/" + id.hex().substr(2));
}

void Odb::put(const Oid& id, ObjectType type, const Content& bytes) {
  const git_oid raw_id = to_libgit2(id);
  if (git_odb_exists_ext(state_->odb.get(), &raw_id, GIT_ODB_LOOKUP_NO_REFRESH) == 1) return;
  if (bytes.size() <= LooseWriter::kMaxSize) {
    state_->writer.write(id, type, bytes.view());
  } else {
    state_->write_large(id, type, bytes.view());
  }
}

}  // namespace flagscale::git
