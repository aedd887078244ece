// SPDX-License-Identifier: Apache-2.0
#include "git/library.h"

#include <array>

#include <git2.h>

#include "base/error.h"
#include "base/parallel.h"

namespace flagscale::git {

Library::Library() {
  const int count = git_libgit2_init();
  if (count < 0) throw Error(ErrorKind::bug, "cannot start libgit2");
  if (count > 1) return;
  git_libgit2_opts(GIT_OPT_SET_OWNER_VALIDATION, 0);
  git_libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
  // Uncapped, the caches of all handles together grow to 256 MiB. What is in packs we keep
  // ourselves (git/delta_bases.h).
  git_libgit2_opts(GIT_OPT_SET_CACHE_MAX_SIZE, static_cast<ssize_t>(1) << 20);
  // A loose blob is read again soon after: to be compared, or to prove a diff. Making room for
  // trees takes longer than reading them again.
  static constexpr std::size_t kLargestCachedBlob = std::size_t{256} << 10U;
  git_libgit2_opts(GIT_OPT_SET_CACHE_OBJECT_LIMIT, GIT_OBJECT_BLOB, kLargestCachedBlob);
  git_libgit2_opts(GIT_OPT_SET_CACHE_OBJECT_LIMIT, GIT_OBJECT_TREE, std::size_t{0});
  git_libgit2_opts(GIT_OPT_SET_CACHE_OBJECT_LIMIT, GIT_OBJECT_COMMIT, std::size_t{0});
  // What git itself was asked about; other ref stores than files are refused where refs are read.
  std::array<const char*, 6> extensions{"noop-v1",         "worktreeconfig",    "partialclone",
                                        "preciousobjects", "relativeworktrees", "refstorage"};
  git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, extensions.data(), extensions.size());
}

Library::~Library() {
  // What libgit2 keeps for each thread goes with the thread, and only before libgit2 does.
  end_helpers();
  git_libgit2_shutdown();
}

}  // namespace flagscale::git
