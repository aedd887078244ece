// SPDX-License-Identifier: Apache-2.0
#include "git/text_diff.h"

#include <algorithm>
#include <utility>

#include <git2.h>
#include <git2/sys/hashsig.h>

#include "git/handle.h"

namespace flagscale::git {
namespace {

constexpr std::uint32_t kTextFlags = GIT_DIFF_FORCE_TEXT | GIT_DIFF_INDENT_HEURISTIC;
constexpr std::uint32_t kBinaryFlags = GIT_DIFF_FORCE_BINARY | GIT_DIFF_SHOW_BINARY;

git_diff_options diff_options(std::uint32_t flags) {
  git_diff_options options;
  git_diff_options_init(&options, GIT_DIFF_OPTIONS_VERSION);
  options.flags = flags;
  options.id_abbrev = GIT_OID_HEXSZ;
  options.context_lines = 3;
  return options;
}

/// The text of a patch without its header.
std::string body_of(git_patch* patch, std::uint32_t flags) {
  git_buf buffer = GIT_BUF_INIT;
  check(git_patch_to_buf(&buffer, patch), "cannot compare", "contents");
  const std::unique_ptr<git_buf, void (*)(git_buf*)> guard(&buffer, git_buf_dispose);
  const std::string_view text(buffer.ptr, buffer.size);
  // No line of the header begins like this.
  const std::size_t at = text.find(flags == kTextFlags ? "\n@@ " : "\nGIT binary patch\n");
  return at == std::string_view::npos ? std::string() : std::string(text.substr(at + 1));
}

std::string patch_text(std::string_view before, std::string_view after, std::uint32_t flags) {
  const git_diff_options options = diff_options(flags);
  git_patch* raw = nullptr;
  // libgit2 takes a null pointer for "no file", which is another diff.
  const char* const old_data = before.empty() ? "" : before.data();
  const char* const new_data = after.empty() ? "" : after.data();
  check(git_patch_from_buffers(&raw, old_data, before.size(), "f", new_data, after.size(), "f",
                               &options),
        "cannot compare", "contents");
  const PatchHandle patch(raw);
  return body_of(raw, flags);
}

}  // namespace

bool looks_binary(std::string_view bytes) {
  static constexpr std::size_t kLookedAt = 8000;
  return bytes.substr(0, kLookedAt).find('\0') != std::string_view::npos;
}

std::string format_text_hunks(std::string_view before, std::string_view after) {
  return patch_text(before, after, kTextFlags);
}

std::string format_binary_hunks(std::string_view before, std::string_view after) {
  return patch_text(before, after, kBinaryFlags);
}

struct BlobDiffer::State {
  Odb* odb = nullptr;

  /// Null for the null id.
  [[nodiscard]] BlobHandle find(const Oid& id) const {
    if (id.is_null()) return nullptr;
    if (!odb->ensure(id)) throw_unable("missing blob " + id.hex());
    git_oid raw_id;
    git_oid_fromraw(&raw_id, id.raw());
    git_blob* raw = nullptr;
    check(git_blob_lookup(&raw, odb->repository(), &raw_id), "cannot read object", id.hex());
    return BlobHandle(raw);
  }
};

BlobDiffer::BlobDiffer(Odb& odb) : state_(std::make_unique<State>()) {
  state_->odb = &odb;
}

BlobDiffer::~BlobDiffer() = default;

BlobDiffer::Difference BlobDiffer::compare(const Oid& before, const Oid& after) {
  const BlobHandle old_blob = state_->find(before);
  const BlobHandle new_blob = state_->find(after);
  Difference difference;
  for (const git_blob* blob : {old_blob.get(), new_blob.get()}) {
    if (blob == nullptr) continue;
    const auto* const data = static_cast<const char*>(git_blob_rawcontent(blob));
    difference.binary =
        difference.binary || looks_binary({data, static_cast<std::size_t>(git_blob_rawsize(blob))});
  }
  const std::uint32_t flags = difference.binary ? kBinaryFlags : kTextFlags;
  const git_diff_options options = diff_options(flags);
  git_patch* raw = nullptr;
  // Without names libgit2 asks no attributes.
  check(git_patch_from_blobs(&raw, old_blob.get(), nullptr, new_blob.get(), nullptr, &options),
        "cannot compare", before.hex());
  const PatchHandle patch(raw);
  difference.text = body_of(raw, flags);
  return difference;
}

Fingerprint::Fingerprint(std::string_view bytes) {
  git_hashsig* signature = nullptr;
  if (!bytes.empty() && git_hashsig_create(&signature, bytes.data(), bytes.size(),
                                           GIT_HASHSIG_SMART_WHITESPACE) == 0) {
    signature_ = signature;
  }
}

Fingerprint::Fingerprint(Fingerprint&& other) noexcept
    : signature_(std::exchange(other.signature_, nullptr)) {}

Fingerprint::~Fingerprint() {
  if (signature_ != nullptr) git_hashsig_free(static_cast<git_hashsig*>(signature_));
}

int Fingerprint::similarity(const Fingerprint& other) const {
  if (signature_ == nullptr || other.signature_ == nullptr) return 0;
  return std::max(0, git_hashsig_compare(static_cast<git_hashsig*>(signature_),
                                         static_cast<git_hashsig*>(other.signature_)));
}

}  // namespace flagscale::git
