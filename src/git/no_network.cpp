// SPDX-License-Identifier: Apache-2.0
//
// Stands in for the network parts of a static libgit2. This program never talks to a network by
// libgit2, but linking its TLS, SSH, HTTP and Kerberos code costs 15 ms at every start. Defining
// these symbols here keeps those members of the archive out; a libgit2 that needs others fails
// the link check at configure time, and the shared library is used instead.

// The signatures do not matter: nothing calls these, but for the first three, which libgit2 calls
// without arguments when it starts.
extern "C" {

int git_mbedtls_stream_global_init();
int git_transport_ssh_global_init();
int git_hash_sha256_global_init();
int git_mbedtls_stream_global_init() {
  return 0;
}
int git_transport_ssh_global_init() {
  return 0;
}
int git_hash_sha256_global_init() {
  return 0;
}

#define FLAGSCALE_ABSENT(name) \
  int name();                  \
  int name() {                 \
    return -1;                 \
  }

FLAGSCALE_ABSENT(git_mbedtls_stream_new)
FLAGSCALE_ABSENT(git_mbedtls_stream_wrap)
FLAGSCALE_ABSENT(git_mbedtls__set_cert_location)
FLAGSCALE_ABSENT(git_smart_subtransport_http)
FLAGSCALE_ABSENT(git_smart_subtransport_ssh)
FLAGSCALE_ABSENT(git_transport_ssh_with_paths)
FLAGSCALE_ABSENT(git_hash_sha256_ctx_init)
FLAGSCALE_ABSENT(git_hash_sha256_ctx_cleanup)
FLAGSCALE_ABSENT(git_hash_sha256_init)
FLAGSCALE_ABSENT(git_hash_sha256_update)
FLAGSCALE_ABSENT(git_hash_sha256_final)
FLAGSCALE_ABSENT(http_parser_parse_url)

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): libgit2's name.
extern bool git_http__expect_continue;
// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the same.
bool git_http__expect_continue = false;

}  // extern "C"

#ifdef FLAGSCALE_LINK_CHECK
#include <git2.h>
#include <git2/sys/hashsig.h>

// Pulls in what the program uses, so that a missing symbol shows at configure time.
int main() {
  git_odb* odb = nullptr;
  git_patch* patch = nullptr;
  git_hashsig* signature = nullptr;
  git_buf buffer = GIT_BUF_INIT;
  git_index* index = nullptr;
  return git_libgit2_init() + git_odb_open(&odb, "") +
         git_patch_from_buffers(&patch, "", 0, "", "", 0, "", nullptr) +
         git_patch_to_buf(&buffer, patch) + git_index_open(&index, "") +
         git_hashsig_create(&signature, "", 0, GIT_HASHSIG_NORMAL);
}
#endif
