// SPDX-License-Identifier: Apache-2.0
//
// Objects in memory, for tests of code that reads and makes objects without a repository.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "git/object_source.h"

namespace flagscale::test {

/// An ObjectSource and ObjectSink over a map. Counts reads, so that tests can see laziness.
class MemoryObjects final : public git::ObjectSource, public git::ObjectSink {
 public:
  [[nodiscard]] std::optional<Content> find(const git::Oid& id, git::ObjectType type) override {
    ++reads_;
    const auto at = objects_.find(id);
    if (at == objects_.end() || at->second.first != type) return std::nullopt;
    return at->second.second;
  }
  void put(const git::Oid& id, git::ObjectType type, const Content& bytes) override {
    objects_.insert_or_assign(id, std::pair(type, bytes));
  }
  /// Stores an object and returns its id.
  git::Oid add(git::ObjectType type, std::string bytes) {
    const git::Oid id = git::hash_object(type, bytes);
    put(id, type, Content(std::move(bytes)));
    return id;
  }

  [[nodiscard]] std::size_t size() const noexcept { return objects_.size(); }
  [[nodiscard]] int reads() const noexcept { return reads_; }

 private:
  std::map<git::Oid, std::pair<git::ObjectType, Content>> objects_;
  int reads_ = 0;
};

}  // namespace flagscale::test
