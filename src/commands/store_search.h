// SPDX-License-Identifier: Apache-2.0
//
// Where patch files may stand besides the commit at hand, and looking for them there in order.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/store.h"
#include "git/repository.h"

namespace flagscale::commands {

/// One place to look: a commit, or the working tree.
struct Place {
  /// As messages name it: "HEAD", "origin/main", "the working tree".
  std::string label;
  /// Absent: the working tree.
  std::optional<git::Oid> commit;
};

/// A patch file that was found, checked against its sidecar.
struct FoundPatch {
  DeviceType device;
  std::string base8;
  Place place;
  /// Path from the top of the repository.
  std::string path;
  Content bytes;
  std::optional<Sidecar> sidecar;
  /// The place holds it with CR LF at the ends of lines; they were taken out.
  bool was_converted = false;
};

class StoreSearch {
 public:
  /// `folder` is the store folder that the user named, if any.
  StoreSearch(git::Repository& repository, std::optional<std::string> folder)
      : repository_(repository), folder_(std::move(folder)) {}

  [[nodiscard]] git::Repository& repository() noexcept { return repository_; }

  /// The store at a place. Lives as long as the search.
  [[nodiscard]] Store& at(const Place& place);

  /// HEAD, the working tree, the remote's default branch, the branches flagscale/*.
  [[nodiscard]] std::vector<Place> usual_places();
  [[nodiscard]] std::vector<Place> patch_branches();
  /// All other branches, those of remotes too: where to look before giving up.
  [[nodiscard]] std::vector<Place> branches_beyond(const std::vector<Place>& places);

  /// The patch file of a device and base8 at a place. Throws Error(unable) when it is there but
  /// damaged (its blob id is not the sidecar's; converted line endings are converted back).
  [[nodiscard]] std::optional<FoundPatch> find(const Place& place, const DeviceType& device,
                                               const std::string& base8);
  /// The first place that has it.
  [[nodiscard]] std::optional<FoundPatch> find_first(const std::vector<Place>& places,
                                                     const DeviceType& device,
                                                     const std::string& base8);

  /// `--hardware-dir` or flagscale.hardwareDir, checked.
  [[nodiscard]] static std::optional<std::string> wanted_folder(
      git::Repository& repository, const std::optional<std::string>& option);

 private:
  git::Repository& repository_;
  std::optional<std::string> folder_;
  std::map<std::string, std::unique_ptr<Store>> stores_;
};

/// Names the places for an error: "looked in HEAD, the working tree and origin/main".
[[nodiscard]] std::string format_places(const std::vector<Place>& places);

}  // namespace flagscale::commands
