// SPDX-License-Identifier: Apache-2.0
//
// The folder that `unpatch --dir` fills: built beside its place and renamed into it, so that it
// is there whole or not at all. Whatever stood there is never destroyed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files.h"
#include "git/oid.h"

namespace flagscale::commands {

class OutputFolder {
 public:
  /// The place `<dir>/<device>/<name>`; `dir` is absolute. Throws Error(refused) when something
  /// stands there that may not be replaced (with `force`: that will be set aside), naming it.
  /// Makes nothing yet.
  OutputFolder(const std::string& dir, const std::string& device, const std::string& name,
               bool force);
  OutputFolder(OutputFolder&&) noexcept;
  OutputFolder& operator=(OutputFolder&&) = delete;
  /// Removes what was not put in place, and the folders made for it.
  ~OutputFolder();

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// Makes the folder to build in, next to the place, and returns its path.
  const std::string& prepare();
  [[nodiscard]] const std::string& building() const noexcept { return building_path_; }
  /// Marks a finished output, so that a later run may know it again.
  void mark(const git::Oid& adapted) const;
  /// Puts what was built in its place. Returns where the former content was set aside, if so.
  std::optional<std::string> put_in_place();
  /// Undoes put_in_place, for when another output failed.
  void take_back() noexcept;
  /// Nothing will be undone after this; the former output goes when this object does.
  void settle() noexcept { settled_ = true; }

 private:
  enum class Former { nothing, own_output, set_aside };

  void make_parents();

  std::string parent_;
  std::string name_;
  std::string path_;
  std::vector<std::string> made_folders_;
  bool made_ignore_file_ = false;
  /// Holds `building_path_`, and after an exchange the former output; removed in the end.
  std::optional<TemporaryFolder> building_;
  std::string building_path_;
  Former former_ = Former::nothing;
  std::string set_aside_path_;
  bool in_place_ = false;
  bool settled_ = false;
};

}  // namespace flagscale::commands
