// SPDX-License-Identifier: Apache-2.0
//
// Objects that were made but are not in a repository yet: they can be read back, and written
// once everything that can fail has been tried.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "git/object_source.h"

namespace flagscale::git {

class MadeObjects final : public ObjectSink, public ObjectSource {
 public:
  /// Reads what was not made here from `below`, which must outlive this. When more than
  /// `max_bytes` come together, all are forgotten and the list is not `complete()`.
  explicit MadeObjects(ObjectSource& below, std::size_t max_bytes = SIZE_MAX)
      : below_(below), left_(max_bytes) {}

  void put(const Oid& id, ObjectType type, const Content& bytes) override {
    if (!complete_ || made_.contains(id)) return;
    if (bytes.size() > left_) {
      complete_ = false;
      made_.clear();
      order_.clear();
      return;
    }
    left_ -= bytes.size();
    made_.emplace(id, std::pair(type, bytes));
    order_.push_back(id);
  }

  [[nodiscard]] bool complete() const noexcept { return complete_; }

  [[nodiscard]] std::optional<Content> find(const Oid& id, ObjectType type) override {
    return made_.contains(id) ? find_made(id, type) : below_.find(id, type);
  }
  /// What was made here; several threads may ask at once.
  [[nodiscard]] std::optional<Content> find_made(const Oid& id, ObjectType type) const {
    const auto at = made_.find(id);
    if (at == made_.end() || at->second.first != type) return std::nullopt;
    return at->second.second;
  }

  [[nodiscard]] std::optional<std::uint64_t> find_blob_size(const Oid& id) override {
    return made_.contains(id) ? ObjectSource::find_blob_size(id) : below_.find_blob_size(id);
  }
  [[nodiscard]] bool fetches() const override { return below_.fetches(); }
  void expect(const std::vector<Oid>& ids) override { below_.expect(ids); }

  /// Hands everything over, parts before wholes.
  void write_to(ObjectSink& sink) const {
    for (const Oid& id : order_) {
      const auto& [type, bytes] = made_.at(id);
      sink.put(id, type, bytes);
    }
  }

  /// The same on several threads, each with a sink that `open_sink()` gives (a pointer). They also
  /// do `pieces` of other work: `work(sink, i)` for every i below.
  template <typename OpenSink, typename Work>
  void write_in_parallel(OpenSink open_sink, std::size_t pieces, Work work) const {
    std::vector<Oid> blobs;
    std::vector<Oid> wholes;
    for (const Oid& id : order_) {
      (made_.at(id).first == ObjectType::blob ? blobs : wholes).push_back(id);
    }
    parallel_for(blobs.size() + pieces, open_sink, [&](auto& sink, std::size_t i) {
      if (i < blobs.size()) {
        sink->put(blobs[i], ObjectType::blob, made_.at(blobs[i]).second);
      } else {
        work(sink, i - blobs.size());
      }
    });
    const auto sink = open_sink();
    for (const Oid& id : wholes) {
      const auto& [type, bytes] = made_.at(id);
      sink->put(id, type, bytes);
    }
  }
  template <typename OpenSink>
  void write_in_parallel(OpenSink open_sink) const {
    write_in_parallel(open_sink, 0, [](auto& /*sink*/, std::size_t /*i*/) {});
  }

 private:
  [[nodiscard]] std::vector<std::string> why_missing() const override {
    return below_.why_missing();
  }

  ObjectSource& below_;
  std::size_t left_;
  bool complete_ = true;
  std::unordered_map<Oid, std::pair<ObjectType, Content>> made_;
  std::vector<Oid> order_;
};

}  // namespace flagscale::git
