// SPDX-License-Identifier: Apache-2.0
//
// What differs between two contents, by libgit2's line differ, binary encoder and similarity
// measure. No file names, no configuration, no attributes.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "git/odb.h"
#include "git/oid.h"

namespace flagscale::git {

/// Whether git takes the bytes for binary: a NUL among the first 8,000.
[[nodiscard]] bool looks_binary(std::string_view bytes);

/// What differs between two blobs of a repository, without hashing them again. One per thread.
class BlobDiffer {
 public:
  /// Reads through `odb`, which must outlive this.
  explicit BlobDiffer(Odb& odb);
  BlobDiffer(const BlobDiffer&) = delete;
  BlobDiffer& operator=(const BlobDiffer&) = delete;
  ~BlobDiffer();

  struct Difference {
    /// Hunks of lines, or a `GIT binary patch`; empty when there is nothing to show.
    std::string text;
    bool binary = false;
  };
  /// A null id is "no file". Throws Error(unable) when a blob is missing.
  [[nodiscard]] Difference compare(const Oid& before, const Oid& after);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The hunks that turn one text into another, from the first `@@` on, with three lines of
/// context; empty when they are equal.
[[nodiscard]] std::string format_text_hunks(std::string_view before, std::string_view after);

/// The `GIT binary patch` (both directions) that turns one content into another.
[[nodiscard]] std::string format_binary_hunks(std::string_view before, std::string_view after);

/// A fingerprint for telling how alike two contents are.
class Fingerprint {
 public:
  explicit Fingerprint(std::string_view bytes);
  Fingerprint(Fingerprint&& other) noexcept;
  Fingerprint& operator=(Fingerprint&&) = delete;
  ~Fingerprint();
  /// 0 to 100; 0 when one of them is too small to say.
  [[nodiscard]] int similarity(const Fingerprint& other) const;

 private:
  void* signature_ = nullptr;
};

}  // namespace flagscale::git
