// SPDX-License-Identifier: Apache-2.0
//
// RAII and error handling for libgit2. Private to src/git.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <git2.h>
#include <git2/sys/odb_backend.h>
#include <git2/sys/repository.h>

#include "base/error.h"
#include "base/quote.h"
#include "git/oid.h"

namespace flagscale::git {

/// One stateless deleter per libgit2 free function.
template <auto Free>
struct Deleter {
  void operator()(auto* raw) const noexcept { Free(raw); }
};
template <typename T, auto Free>
using Handle = std::unique_ptr<T, Deleter<Free>>;

inline void free_odb_backend(git_odb_backend* backend) noexcept {
  backend->free(backend);
}

using OdbBackendHandle = Handle<git_odb_backend, free_odb_backend>;
using OdbHandle = Handle<git_odb, git_odb_free>;
using IndexHandle = Handle<git_index, git_index_free>;
using PatchHandle = Handle<git_patch, git_patch_free>;
using RepositoryHandle = Handle<git_repository, git_repository_free>;
using BlobHandle = Handle<git_blob, git_blob_free>;
using ReferenceHandle = Handle<git_reference, git_reference_free>;
using ObjectHandle = Handle<git_object, git_object_free>;

/// Throws Error(unable) `<doing> '<subject>': <what libgit2 said>` when code reports a failure.
inline void check(int code, std::string_view doing, std::string_view subject) {
  if (code >= 0) return;
  const git_error* const last = git_error_last();
  throw Error(ErrorKind::unable, std::string(doing) + " " + in_quotes(subject) + ": " +
                                     (last != nullptr ? last->message : "unknown error"));
}

/// Follows a ref to its commit; absent when it leads to none.
inline std::optional<Oid> peel_to_commit(const git_reference* ref) {
  git_object* raw = nullptr;
  if (git_reference_peel(&raw, ref, GIT_OBJECT_COMMIT) < 0) return std::nullopt;
  const ObjectHandle object(raw);
  return Oid::from_raw(git_object_id(raw)->id);
}

/// Keeps libgit2 from reading configuration: it knows less of it than git, whose answers we have,
/// and core.ignoreCase would change the order of an index.
inline void use_no_configuration(git_repository* repository) {
  git_config* raw = nullptr;
  check(git_config_new(&raw), "cannot prepare", "configuration");
  const std::unique_ptr<git_config, Deleter<git_config_free>> config(raw);
  check(git_repository_set_config(repository, raw), "cannot prepare", "configuration");
}

}  // namespace flagscale::git
