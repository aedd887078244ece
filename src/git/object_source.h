// SPDX-License-Identifier: Apache-2.0
//
// The two seams through which everything above src/git reads and makes objects. Tests and
// proofs plug in sources and sinks of their own.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "git/object.h"
#include "git/oid.h"

namespace flagscale::git {

/// Reads objects by id. One source per thread.
class ObjectSource {
 public:
  ObjectSource() = default;
  ObjectSource(const ObjectSource&) = delete;
  ObjectSource& operator=(const ObjectSource&) = delete;
  virtual ~ObjectSource() = default;

  /// The object's bytes; absent when there is no such object or it has another type. Throws
  /// Error(unable) when the object is there but damaged.
  [[nodiscard]] virtual std::optional<Content> find(const Oid& id, ObjectType type) = 0;
  /// The size of a blob, without reading it where that is possible; absent when there is none.
  [[nodiscard]] virtual std::optional<std::uint64_t> find_blob_size(const Oid& id);
  /// The same as find, but throws Error(unable) naming the missing object.
  [[nodiscard]] Content read(const Oid& id, ObjectType type);
  /// Whether objects may be missing that this source can fetch.
  [[nodiscard]] virtual bool fetches() const { return false; }
  /// Says what is going to be read, so that a source that fetches can do it all at once. Never
  /// fails: what cannot be fetched shows when it is read.
  virtual void expect(const std::vector<Oid>& ids) { (void)ids; }

 protected:
  /// Why an object could not be fetched, as hints; empty when there is nothing to say.
  [[nodiscard]] virtual std::vector<std::string> why_missing() const { return {}; }
  friend class MadeObjects;
};

/// Lends a source to a thread; it is given back when the pointer goes. May be called by several
/// threads at once.
using BorrowSource = std::function<std::shared_ptr<ObjectSource>()>;

/// Takes objects that were made. The caller gives the id, since it has always computed it.
class ObjectSink {
 public:
  ObjectSink() = default;
  ObjectSink(const ObjectSink&) = delete;
  ObjectSink& operator=(const ObjectSink&) = delete;
  virtual ~ObjectSink() = default;

  virtual void put(const Oid& id, ObjectType type, const Content& bytes) = 0;
};

/// Forgets what it is given: a proof needs ids, not stored objects.
class NullSink : public ObjectSink {
 public:
  void put(const Oid&, ObjectType, const Content&) override {}
};

}  // namespace flagscale::git
