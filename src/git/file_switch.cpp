// SPDX-License-Identifier: Apache-2.0
#include "git/file_switch.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <iterator>
#include <memory>
#include <mutex>
#include <set>

#include "base/error.h"
#include "base/parallel.h"
#include "git/undo_switch.h"
#include "git/working_file.h"

namespace flagscale::git {
namespace {

/// A failure that passes must not keep a file from its place.
constexpr int kAttempts = 8;

/// Enough files for a thread to be worth the object database that it opens.
constexpr std::size_t kFilesPerPiece = 16;

/// Threads that make files in one folder wait for each other.
constexpr std::size_t kFolders = 8;

std::string folder_aside(std::size_t piece) {
  return std::to_string(piece % kFolders);
}

std::string name_of(const std::string& path) {
  return std::string(base_name(path));
}

/// Whether a rename failed for the way in which it was asked for.
bool is_unsupported(int error) {
  return error == EINVAL || error == ENOSYS || error == EXDEV || error == EOPNOTSUPP;
}

/// What the index says of a file that has just been put in place.
IndexEntry note_new_file(int folder, const SwitchStep& step) {
  const std::string name = name_of(step.path);
  // It counts as written now: what was built from the old file is older.
  if (step.after->mode != Mode::symlink &&
      utimensat(folder, name.c_str(), nullptr, AT_SYMLINK_NOFOLLOW) != 0) {
    throw_errno("cannot set the time of", step.path);
  }
  struct stat status {};
  if (fstatat(folder, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
    throw_errno("cannot look at", step.path);
  }
  IndexEntry entry;
  entry.status = IndexStat::from(status);
  entry.status.mode = static_cast<std::uint32_t>(step.after->mode);
  entry.id = step.after->id;
  return entry;
}

}  // namespace

std::string FileSwitch::new_name(std::size_t step) {
  return folder_aside(step / kFilesPerPiece) + "/n" + std::to_string(step);
}

std::string FileSwitch::old_name(std::size_t step) {
  return folder_aside(step / kFilesPerPiece) + "/o" + std::to_string(step);
}

std::size_t FileSwitch::piece_count() const {
  return (plan_.steps.size() + kFilesPerPiece - 1) / kFilesPerPiece;
}

std::size_t FileSwitch::end_of(std::size_t piece) const {
  return std::min(plan_.steps.size(), (piece + 1) * kFilesPerPiece);
}

FileSwitch::~FileSwitch() {
  unlock_index();
  remove_old_files();
}

std::size_t FileSwitch::begin_aside() {
  TemporaryFolder::remove_abandoned(plan_.git_dir + "/flagscale-");
  aside_.emplace(plan_.git_dir + "/flagscale-");
  aside_folder_ = Fd(open(aside_->path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!aside_folder_.is_open()) throw_errno("cannot open folder", aside_->path());
  for (std::size_t i = 0; i < std::min(piece_count(), kFolders); ++i) {
    make_folder(aside_->path() + "/" + folder_aside(i));
  }
  return piece_count();
}

void FileSwitch::write_piece(std::size_t piece, ObjectSource& objects, const MadeObjects* made) {
  for (std::size_t i = piece * kFilesPerPiece; i < end_of(piece); ++i) {
    const SwitchStep& step = plan_.steps[i];
    if (!step.after) continue;
    auto bytes = made != nullptr ? made->find_made(step.after->id, ObjectType::blob) : std::nullopt;
    if (!bytes) bytes = objects.read(step.after->id, ObjectType::blob);
    (void)make_working_file(aside_folder_.get(), new_name(i), step.after->mode, *bytes, step.path);
  }
}

void FileSwitch::write_aside(Repository& repository) {
  if (aside_) return;
  parallel_for(
      begin_aside(), [&] { return repository.borrow_odb(); },
      [&](const std::shared_ptr<Odb>& odb, std::size_t i) { write_piece(i, *odb, nullptr); });
}

void FileSwitch::write_aside_with(const MadeObjects& made, Repository& repository) {
  made.write_in_parallel(
      [&] { return repository.borrow_odb(); }, begin_aside(),
      [&](const std::shared_ptr<Odb>& odb, std::size_t i) { write_piece(i, *odb, &made); });
}

void FileSwitch::remove_old_files() noexcept {
  if (!aside_folder_.is_open()) return;
  try {
    // On all cores, since the file system takes its time to free them.
    parallel_for(
        piece_count(), [] { return 0; },
        [&](int, std::size_t piece) {
          for (std::size_t i = piece * kFilesPerPiece; i < end_of(piece); ++i) {
            // An exchange has put the old file where the new one was.
            const std::string name = plan_.steps[i].after ? new_name(i) : old_name(i);
            unlinkat(aside_folder_.get(), name.c_str(), 0);
          }
        });
  } catch (...) {
    // What is left goes with the folder.
    return;
  }
}

bool FileSwitch::run() {
  FolderWalk walk(plan_.top);
  if (!lock_index()) return false;
  bool is_done = false;
  std::exception_ptr failure;
  std::string said;
  try {
    is_done = move_all();
    if (is_done) {
      remove_empty_folders(walk);
      write_index(plan_.index.with_changes(index_changes_, find_racy_edits(plan_), plan_.tree));
    }
  } catch (const Error& error) {
    failure = std::current_exception();
    said = error.what();
  } catch (...) {
    failure = std::current_exception();
  }
  if (is_done && !failure) return true;
  const bool is_whole = move_back(walk);
  unlock_index();
  if (!is_whole) throw_half_way(said);
  if (failure) std::rethrow_exception(failure);
  return false;
}

bool FileSwitch::open_lock() {
  const std::string path = plan_.index_path + ".lock";
  index_lock_ = Fd(open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  return index_lock_.is_open();
}

bool FileSwitch::lock_index() {
  if (!open_lock()) return false;
  const auto now = find_status(plan_.index_path);
  if (now && IndexStat::from(*now).is_same_file(plan_.index_status)) return true;
  unlock_index();
  return false;
}

void FileSwitch::unlock_index() noexcept {
  if (!index_lock_.is_open()) return;
  index_lock_ = Fd();
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    if (unlink((plan_.index_path + ".lock").c_str()) == 0 || errno == ENOENT) return;
  }
}

bool FileSwitch::move_all() {
  std::vector<Moved> pieces(piece_count());
  std::vector<std::unique_ptr<FolderWalk>> walks;
  std::mutex mutex;
  const auto begin_walk = [&] {
    auto walk = std::make_unique<FolderWalk>(plan_.top);
    const std::lock_guard lock(mutex);
    return walks.emplace_back(std::move(walk)).get();
  };
  std::atomic<bool> is_as_planned = true;
  std::exception_ptr failure;
  try {
    parallel_for(pieces.size(), begin_walk, [&](FolderWalk* walk, std::size_t piece) {
      for (std::size_t i = piece * kFilesPerPiece; i < end_of(piece) && is_as_planned; ++i) {
        if (!move(*walk, i, pieces[piece])) is_as_planned = false;
      }
    });
  } catch (...) {
    failure = std::current_exception();
  }
  for (Moved& piece : pieces) {
    done_.insert(done_.end(), piece.done.begin(), piece.done.end());
    std::move(piece.changes.begin(), piece.changes.end(), std::back_inserter(index_changes_));
  }
  for (const auto& walk : walks) {
    made_folders_.insert(made_folders_.end(), walk->made().begin(), walk->made().end());
  }
  // Parents before children.
  std::sort(made_folders_.begin(), made_folders_.end());
  if (failure) std::rethrow_exception(failure);
  return is_as_planned;
}

bool FileSwitch::move(FolderWalk& walk, std::size_t step_number, Moved& moved) {
  const SwitchStep& step = plan_.steps[step_number];
  if (!step.found && !step.after) {
    moved.changes.push_back({step.path, std::nullopt});
    return true;
  }
  if (walk.enter(folder_of(step.path), step.after.has_value()) != FolderWalk::Found::folder) {
    return false;
  }
  const std::string name = name_of(step.path);
  const int aside = aside_folder_.get();
  const auto complain = [&](const char* doing) {
    if (errno == ENOENT || errno == EEXIST || is_unsupported(errno)) return false;
    throw_errno(doing, step.path);
  };
  if (!step.after) {
    if (renameat2(walk.get(), name.c_str(), aside, old_name(step_number).c_str(),
                  RENAME_NOREPLACE) != 0) {
      return complain("cannot remove");
    }
    moved.done.push_back({step_number, Done::Kind::removed});
    moved.changes.push_back({step.path, std::nullopt});
    return is_as_found(old_name(step_number), step);
  }
  const std::string fresh = new_name(step_number);
  if (renameat2(aside, fresh.c_str(), walk.get(), name.c_str(),
                step.found ? RENAME_EXCHANGE : RENAME_NOREPLACE) != 0) {
    return complain("cannot write");
  }
  moved.done.push_back({step_number, step.found ? Done::Kind::exchanged : Done::Kind::added});
  if (step.found && !is_as_found(fresh, step)) return false;
  moved.changes.push_back({step.path, note_new_file(walk.get(), step)});
  return true;
}

bool FileSwitch::is_as_found(const std::string& name, const SwitchStep& step) const {
  struct stat status {};
  if (fstatat(aside_folder_.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return false;
  IndexStat now = IndexStat::from(status);
  // The rename itself.
  now.ctime = step.found->ctime;
  now.ctime_nanoseconds = step.found->ctime_nanoseconds;
  return now.is_same_file(*step.found);
}

void FileSwitch::remove_empty_folders(FolderWalk& walk) {
  struct stat here {};
  const bool has_here = stat(".", &here) == 0;
  std::set<std::string> folders;
  for (const Done& done : done_) {
    if (done.kind != Done::Kind::removed) continue;
    std::string folder = folder_of(plan_.steps[done.step].path);
    while (!folder.empty() && folders.insert(folder).second) folder = folder_of(folder);
  }
  // Inner ones first.
  for (auto folder = folders.rbegin(); folder != folders.rend(); ++folder) {
    struct stat status {};
    const std::string name = name_of(*folder);
    if (walk.enter(folder_of(*folder)) != FolderWalk::Found::folder ||
        fstatat(walk.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      continue;
    }
    // Git does not pull the current folder from under people either. What is not empty stays.
    if (has_here && status.st_dev == here.st_dev && status.st_ino == here.st_ino) continue;
    unlinkat(walk.get(), name.c_str(), AT_REMOVEDIR);
  }
}

bool FileSwitch::move_back(FolderWalk& walk) {
  bool is_whole = true;
  for (; !done_.empty(); done_.pop_back()) {
    bool is_back = false;
    for (int attempt = 0; attempt < kAttempts && !is_back; ++attempt) {
      try {
        is_back = move_back(walk, done_.back());
      } catch (const Error&) {
        continue;
      }
    }
    is_whole = is_whole && is_back;
  }
  // Inner ones first; one that somebody has put something into stays.
  for (; !made_folders_.empty(); made_folders_.pop_back()) {
    const std::string& folder = made_folders_.back();
    if (walk.enter(folder_of(folder)) == FolderWalk::Found::folder) {
      unlinkat(walk.get(), name_of(folder).c_str(), AT_REMOVEDIR);
    }
  }
  index_changes_.clear();
  return is_whole;
}

bool FileSwitch::move_back(FolderWalk& walk, const Done& done) const {
  const SwitchStep& step = plan_.steps[done.step];
  if (walk.enter(folder_of(step.path), true) != FolderWalk::Found::folder) return false;
  const std::string name = name_of(step.path);
  const int aside = aside_folder_.get();
  switch (done.kind) {
    case Done::Kind::exchanged:
      return renameat2(aside, new_name(done.step).c_str(), walk.get(), name.c_str(),
                       RENAME_EXCHANGE) == 0;
    case Done::Kind::added:
      return renameat2(walk.get(), name.c_str(), aside, new_name(done.step).c_str(),
                       RENAME_NOREPLACE) == 0;
    case Done::Kind::removed:
      return renameat2(aside, old_name(done.step).c_str(), walk.get(), name.c_str(),
                       RENAME_NOREPLACE) == 0;
  }
  return false;
}

void FileSwitch::write_index(const std::string& bytes) {
  const std::string path = plan_.index_path + ".lock";
  write_all(index_lock_.get(), bytes, path);
  if (rename(path.c_str(), plan_.index_path.c_str()) != 0) throw_errno("cannot write", path);
  index_lock_ = Fd();
}

bool FileSwitch::undo() {
  bool is_whole = true;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    try {
      if (!open_lock()) continue;
      FolderWalk walk(plan_.top);
      is_whole = move_back(walk) && is_whole;
      write_index(plan_.index.bytes());
      return is_whole;
    } catch (const Error&) {
      unlock_index();
    }
  }
  return false;
}

}  // namespace flagscale::git
