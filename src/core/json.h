// SPDX-License-Identifier: Apache-2.0
//
// JSON as the store's files hold it: read strictly, written one way. The only user of the JSON
// library for files; what the values mean is for core/sidecar.h and core/hetero.h to say.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "git/oid.h"

namespace flagscale {

using Json = nlohmann::ordered_json;

/// A parsed file and what is needed to point into it.
class JsonFile {
 public:
  /// Parses one object. Refused with Error(unable) naming file and line: anything that is not
  /// JSON (RFC 8259), a doubled key, text after the object, more than 64 levels, more than 1 MiB,
  /// a `version` that is not 1.
  JsonFile(std::string name, std::string_view text);

  [[nodiscard]] const Json& object() const noexcept { return object_; }

  /// Required members, by type; Error(unable) with file and line when missing or of another type.
  [[nodiscard]] std::string text(const Json& in, const std::string& key) const;
  [[nodiscard]] std::uint64_t count(const Json& in, const std::string& key) const;
  [[nodiscard]] git::Oid id(const Json& in, const std::string& key) const;
  [[nodiscard]] const Json& object(const Json& in, const std::string& key) const;
  [[nodiscard]] std::vector<std::string> texts(const Json& in, const std::string& key) const;

  /// Throws Error(unable) `<file>:<line of key>: <what>`.
  [[noreturn]] void fail(const std::string& key, const std::string& what) const;

 private:
  [[nodiscard]] const Json& member(const Json& in, const std::string& key) const;

  std::string name_;
  std::string text_;
  Json object_;
};

/// Two blanks of indentation, LF, one final LF.
[[nodiscard]] std::string format_json(const Json& value);

/// Bytes as a JSON string value: as they are when they are UTF-8 and do not begin with a double
/// quote, else in git's C-style quoting, which always begins with one.
[[nodiscard]] std::string format_json_bytes(std::string_view bytes);
/// Undoes format_json_bytes.
[[nodiscard]] std::string parse_json_bytes(const std::string& value);

}  // namespace flagscale
