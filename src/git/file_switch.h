// SPDX-License-Identifier: Apache-2.0
//
// Moving index and working tree from one tree to another by ourselves, where a plan says that we
// may (git/switch_plan.h). Everything that takes time or may fail comes first: all new files are
// written in the git folder. What remains are renames, which can all be undone: the old files stay
// in the git folder until the end.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/folder_walk.h"
#include "git/made_objects.h"
#include "git/repository.h"
#include "git/switch_plan.h"

namespace flagscale::git {

class FileSwitch {
 public:
  explicit FileSwitch(SwitchPlan plan) : plan_(std::move(plan)) {}
  FileSwitch(const FileSwitch&) = delete;
  FileSwitch& operator=(const FileSwitch&) = delete;
  /// Removes the old files, or those that were not put in place.
  ~FileSwitch();

  /// Writes the new files in the git folder, on all cores, unless that is done. Throws Error(io),
  /// (unable).
  void write_aside(Repository& repository);
  /// The same while objects are stored that were made and that the files may need.
  void write_aside_with(const MadeObjects& made, Repository& repository);

  /// Puts the files in place and writes the index. False: something has changed since the plan was
  /// made, or the file system cannot do it; nothing is changed then. Throws Error(io) when it
  /// failed, and Error(unable) when not even all could be undone.
  [[nodiscard]] bool run();

  /// After run(): puts everything back. False: not all could be.
  [[nodiscard]] bool undo();

 private:
  /// A rename that was made; `step` counts the plan's steps.
  struct Done {
    std::size_t step;
    enum class Kind { exchanged, added, removed } kind;
  };

  /// What was done in one piece of work, and what the index is to say of it.
  struct Moved {
    std::vector<Done> done;
    std::vector<IndexChange> changes;
  };

  [[nodiscard]] static std::string new_name(std::size_t step);
  [[nodiscard]] static std::string old_name(std::size_t step);
  /// Makes the folder for the new files; how many pieces of work it will be to write them.
  std::size_t begin_aside();
  void write_piece(std::size_t piece, ObjectSource& objects, const MadeObjects* made);
  void remove_old_files() noexcept;
  [[nodiscard]] std::size_t piece_count() const;
  /// The step after the last one of a piece.
  [[nodiscard]] std::size_t end_of(std::size_t piece) const;
  bool open_lock();
  /// Takes the index's lock, if the index is still the one that was read.
  bool lock_index();
  void unlock_index() noexcept;
  /// On all cores. False as for run(); `done_` has what was done, also when it throws.
  bool move_all();
  bool move(FolderWalk& walk, std::size_t step, Moved& moved);
  [[nodiscard]] bool is_as_found(const std::string& name, const SwitchStep& step) const;
  void remove_empty_folders(FolderWalk& walk);
  bool move_back(FolderWalk& walk);
  bool move_back(FolderWalk& walk, const Done& done) const;
  void write_index(const std::string& bytes);

  SwitchPlan plan_;
  std::optional<TemporaryFolder> aside_;
  Fd aside_folder_;
  Fd index_lock_;
  std::vector<Done> done_;
  std::vector<std::string> made_folders_;
  std::vector<IndexChange> index_changes_;
};

}  // namespace flagscale::git
