// SPDX-License-Identifier: Apache-2.0
#include "git/pack_backend.h"

#include <cstring>
#include <exception>
#include <utility>

#include "git/pack_reader.h"

namespace flagscale::git {
namespace {

struct Backend {
  explicit Backend(std::shared_ptr<const Packs> packs) : reader(std::move(packs)) {}

  /// First, so that libgit2's pointer to it is one to all of this.
  git_odb_backend parent{};
  PackReader reader;
};

PackReader& reader_of(git_odb_backend* backend) {
  return reinterpret_cast<Backend*>(backend)->reader;
}

int read(void** bytes, std::size_t* size, git_object_t* type, git_odb_backend* backend,
         const git_oid* id) noexcept {
  try {
    const auto object = reader_of(backend).read(Oid::from_raw(id->id));
    if (!object) return GIT_PASSTHROUGH;
    const std::string_view found = object->bytes.view();
    // As libgit2's own backends have it, a NUL follows.
    void* const made = git_odb_backend_data_alloc(backend, found.size() + 1);
    if (made == nullptr) return GIT_PASSTHROUGH;
    std::memcpy(made, found.data(), found.size());
    static_cast<char*>(made)[found.size()] = 0;
    *bytes = made;
    *size = found.size();
    *type = static_cast<git_object_t>(object->type);
    return 0;
  } catch (const std::exception&) {
    // Only memory can be short; libgit2 says so if it is for it, too.
    return GIT_PASSTHROUGH;
  }
}

int has(git_odb_backend* backend, const git_oid* id) noexcept {
  try {
    return reader_of(backend).has(Oid::from_raw(id->id)) ? 1 : 0;
  } catch (const std::exception&) {
    return 0;
  }
}

/// Sizes alone are left to libgit2's own backends: those of deltas need no whole object.
int pass_header_on(std::size_t*, git_object_t*, git_odb_backend*, const git_oid*) noexcept {
  return GIT_ENOTFOUND;
}

void destroy(git_odb_backend* backend) noexcept {
  delete reinterpret_cast<Backend*>(backend);
}

}  // namespace

OdbBackendHandle pack_backend(std::shared_ptr<const Packs> packs) {
  auto made = std::make_unique<Backend>(std::move(packs));
  check(git_odb_init_backend(&made->parent, GIT_ODB_BACKEND_VERSION), "cannot prepare",
        "object database");
  made->parent.read = read;
  made->parent.read_header = pass_header_on;
  made->parent.exists = has;
  made->parent.free = destroy;
  return OdbBackendHandle(&made.release()->parent);
}

}  // namespace flagscale::git
