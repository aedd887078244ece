// SPDX-License-Identifier: Apache-2.0
//
// The names that a user may give for what is in the store: for completion. Nothing is checked, and
// a place that cannot be read is passed over.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace flagscale::commands {

/// What an unfinished command line says already.
struct StoreQuery {
  std::optional<std::string> from;
  std::optional<std::string> hardware_dir;
  std::vector<std::string> devices;
  /// Any names of commits; those that are ids are understood.
  std::vector<std::string> bases;
};

/// The store of `from`, else of all places where unpatch looks.
class StoreNames {
 public:
  explicit StoreNames(StoreQuery query) : query_(std::move(query)) {}

  /// Device types that are not given yet, and have the bases that are.
  [[nodiscard]] std::vector<std::string> devices();
  /// The base8s that all of the given device types have, or any of them; those of all device types
  /// when none is given.
  [[nodiscard]] std::vector<std::string> bases(bool of_any);
  /// The top folder of the working tree; absent where there is none.
  [[nodiscard]] std::optional<std::string> top();

 private:
  using Bases = std::set<std::string>;
  [[nodiscard]] const std::map<std::string, Bases>& store();
  [[nodiscard]] bool has_given_bases(const Bases& bases) const;

  StoreQuery query_;
  std::optional<std::map<std::string, Bases>> store_;
};

}  // namespace flagscale::commands
