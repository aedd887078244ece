// SPDX-License-Identifier: Apache-2.0
#include "git/switch_plan.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <map>

#include "base/error.h"
#include "base/files.h"
#include "base/folder_walk.h"
#include "base/parallel.h"
#include "git/checkout_writer.h"
#include "git/object.h"
#include "git/path_rules.h"

namespace flagscale::git {
namespace {

constexpr std::string_view kAttributes = ".gitattributes";

bool is_attributes(std::string_view path) {
  return path == kAttributes || path.ends_with("/.gitattributes");
}

/// Settings that change how git compares or writes files and index.
bool has_special_settings(Repository& repository) {
  const Config& config = repository.config();
  static constexpr std::array<const char*, 14> kKeys{
      "core.trustctime",        "core.checkstat",      "core.splitIndex",  "core.untrackedCache",
      "core.fsmonitor",         "core.fsync",          "core.fsyncMethod", "core.ignoreStat",
      "core.precomposeUnicode", "index.version",       "index.sparse",     "index.skipHash",
      "feature.manyFiles",      "feature.experimental"};
  return std::any_of(kKeys.begin(), kKeys.end(),
                     [&](const char* key) { return config.find(key).has_value(); }) ||
         config.is_true("core.ignoreCase", false) || !config.is_true("core.fileMode", true) ||
         SharedMode::from(config).is_set() || std::getenv("GIT_INDEX_VERSION") != nullptr;
}

/// Whether something besides `.gitattributes` in the trees may filter files.
bool has_attributes(Repository& repository) {
  const auto own = find_status(repository.common_dir() + "/info/attributes");
  return !checks_out_plainly(repository) || (own && own->st_size > 0);
}

/// Whether files that are made elsewhere and renamed into a folder would not be as if made there:
/// another file system, a group or permissions that the folder hands down.
bool hands_something_down(int folder, const struct stat& git_dir) {
  struct stat status {};
  return fstat(folder, &status) != 0 || status.st_dev != git_dir.st_dev ||
         (status.st_mode & S_ISGID) != 0 ||
         fgetxattr(folder, "system.posix_acl_default", nullptr, 0) > 0;
}

/// The contents of a file or symlink in a folder; absent when it is neither, or gone.
std::optional<std::string> find_contents(int folder, const std::string& name, std::uint32_t mode) {
  if (mode == static_cast<std::uint32_t>(Mode::symlink)) {
    std::string target(kMaxPathSize + 1, '\0');
    const ssize_t size = readlinkat(folder, name.c_str(), target.data(), target.size());
    if (size < 0) return std::nullopt;
    target.resize(static_cast<std::size_t>(size));
    return target;
  }
  const Fd fd(openat(folder, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (mode == 0 || !fd.is_open()) return std::nullopt;
  return read_all(fd.get(), name);
}

/// Goes through the paths that differ.
class Planner {
 public:
  Planner(const SwitchPlan& plan, const struct stat& git_dir)
      : plan_(plan), git_dir_(git_dir), walk_(plan.top) {}

  /// What happens at a path; absent when that is for git to say.
  std::optional<SwitchStep> find_step(const TreeChange& change) {
    if (is_attributes(change.path) || (change.after && !is_safe(change.path, *change.after)) ||
        !enter(folder_of(change.path))) {
      return std::nullopt;
    }
    SwitchStep step{change.path, change.after, std::nullopt};
    if (is_folder_there_) {
      struct stat status {};
      const std::string name(base_name(change.path));
      if (fstatat(walk_.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) {
        step.found = IndexStat::from(status);
      } else if (errno != ENOENT) {
        return std::nullopt;
      }
    }
    return is_free(change, step) ? std::optional(std::move(step)) : std::nullopt;
  }

 private:
  static bool is_safe(const std::string& path, const TreeItem& item) {
    return item.mode == Mode::symlink ? is_safe_symlink_path(path) : is_safe_path(path);
  }

  /// Goes to a folder, if it is there; looks at it and at those above it first.
  bool enter(const std::string& folder) {
    if (!looked_at_.contains(folder)) {
      if (!look_at("")) return false;
      for (std::size_t slash = folder.find('/'); slash != std::string::npos;
           slash = folder.find('/', slash + 1)) {
        if (!look_at(folder.substr(0, slash))) return false;
      }
      if (!look_at(folder)) return false;
    }
    is_folder_there_ = looked_at_.at(folder);
    return !is_folder_there_ || walk_.enter(folder) == FolderWalk::Found::folder;
  }

  /// Whether files may be written into a folder as git would: it is one, or can become one.
  bool look_at(const std::string& folder) {
    if (looked_at_.contains(folder)) return true;
    const FolderWalk::Found found = walk_.enter(folder);
    if (found == FolderWalk::Found::something_else || plan_.index.find(folder) != nullptr) {
      return false;
    }
    const bool is_there = found == FolderWalk::Found::folder;
    if (is_there && hands_something_down(walk_.get(), git_dir_)) return false;
    // Those that are not tracked count, too.
    if (is_there && faccessat(walk_.get(), kAttributes.data(), F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
      return false;
    }
    looked_at_.emplace(folder, is_there);
    return true;
  }

  /// Whether nothing of the user's stands at the path.
  bool is_free(const TreeChange& change, const SwitchStep& step) {
    const IndexEntry* const entry = plan_.index.find(change.path);
    if (!change.before) {
      return entry == nullptr && !plan_.index.has_folder(change.path) &&
             (!step.found || holds(step, *change.after));
    }
    if (entry == nullptr || !entry->is_plain() || entry->id != change.before->id ||
        entry->status.mode != static_cast<std::uint32_t>(change.before->mode)) {
      return false;
    }
    // What is gone already may go; what was removed and would come back is for git to judge.
    if (!step.found) return !change.after;
    const bool is_racy = entry->status.mtime >= plan_.index_status.mtime;
    return (!is_racy && entry->status.is_same_file(*step.found)) || holds(step, *change.before) ||
           (change.after && holds(step, *change.after));
  }

  bool holds(const SwitchStep& step, const TreeItem& item) {
    if (step.found->mode != static_cast<std::uint32_t>(item.mode)) return false;
    const auto contents =
        find_contents(walk_.get(), std::string(base_name(step.path)), step.found->mode);
    return contents && hash_object(ObjectType::blob, *contents) == item.id;
  }

  const SwitchPlan& plan_;
  const struct stat& git_dir_;
  FolderWalk walk_;
  bool is_folder_there_ = false;
  /// Whether each folder is there.
  std::map<std::string, bool> looked_at_;
};

/// Looks at all paths that differ. False: one of them is for git.
bool find_steps(SwitchPlan& plan, const struct stat& git_dir,
                const std::vector<TreeChange>& changes) {
  // Fewer are looked at before another thread is there.
  static constexpr std::size_t kPiece = 256;
  plan.steps.resize(changes.size());
  std::atomic<bool> are_ours = true;
  parallel_for((changes.size() + kPiece - 1) / kPiece, [&] { return Planner(plan, git_dir); },
               [&](Planner& planner, std::size_t piece) {
                 const std::size_t end = std::min(changes.size(), (piece + 1) * kPiece);
                 for (std::size_t i = piece * kPiece; i < end && are_ours; ++i) {
                   if (auto step = planner.find_step(changes[i])) {
                     plan.steps[i] = *std::move(step);
                   } else {
                     are_ours = false;
                   }
                 }
               });
  return are_ours;
}

struct ReadIndex {
  IndexFile index;
  IndexStat status;
};

/// The index, if it is one that we understand.
std::optional<ReadIndex> read_index(const std::string& path) {
  const Fd fd(open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (!fd.is_open() || fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return std::nullopt;
  }
  auto index = IndexFile::parse(read_all(fd.get(), path));
  if (!index) return std::nullopt;
  return ReadIndex{*std::move(index), IndexStat::from(status)};
}

}  // namespace

bool needs_checkout(Repository& repository, const std::vector<TreeChange>& changes) {
  const Config& config = repository.config();
  const auto is_gitlink = [](const std::optional<TreeItem>& item) {
    return item && item->mode == Mode::gitlink;
  };
  if (config.is_true("core.sparseCheckout", false) || config.find("submodule.recurse") ||
      std::any_of(changes.begin(), changes.end(), [&](const TreeChange& change) {
        return is_gitlink(change.before) || is_gitlink(change.after);
      })) {
    return true;
  }
  // What git checkout removes, since it belongs to the commit that was being made.
  for (const char* file :
       {"/SQUASH_MSG", "/MERGE_MSG", "/MERGE_MODE", "/MERGE_RR", "/AUTO_MERGE"}) {
    if (find_status(repository.git_dir() + file)) return true;
  }
  return config.find("core.hooksPath") ||
         find_status(repository.common_dir() + "/hooks/post-checkout");
}

std::optional<SwitchPlan> plan_switch(Repository& repository,
                                      const std::vector<TreeChange>& changes,
                                      const std::vector<FolderChange>& folders) {
  if (has_special_settings(repository) || has_attributes(repository) || repository.is_partial() ||
      find_status(repository.common_dir() + "/hooks/post-index-change") ||
      needs_checkout(repository, changes)) {
    return std::nullopt;
  }
  auto read = read_index(repository.index_file());
  if (!read) return std::nullopt;
  const std::vector<IndexEntry>& entries = read->index.entries();
  if (std::any_of(entries.begin(), entries.end(), [](const IndexEntry& entry) {
        return is_attributes(entry.path) || entry.is_in_conflict();
      })) {
    return std::nullopt;
  }
  SwitchPlan plan{*repository.top(),
                  repository.git_dir(),
                  repository.index_file(),
                  std::move(read->index),
                  read->status,
                  {},
                  {}};
  const auto git_dir = find_status(plan.git_dir);
  if (!git_dir || (git_dir->st_mode & S_ISGID) != 0) return std::nullopt;
  if (!find_steps(plan, *git_dir, changes)) return std::nullopt;
  plan.tree = plan.index.tree();
  if (plan.tree) plan.tree->update(folders, changes);
  return plan;
}

std::vector<std::size_t> find_racy_edits(const SwitchPlan& plan) {
  const std::vector<IndexEntry>& entries = plan.index.entries();
  std::vector<std::size_t> racy;
  auto step = plan.steps.begin();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    while (step != plan.steps.end() && step->path < entries[i].path) ++step;
    if (step != plan.steps.end() && step->path == entries[i].path) continue;
    if (entries[i].status.mtime >= plan.index_status.mtime) racy.push_back(i);
  }
  std::vector<char> edited(racy.size());
  parallel_for(
      racy.size(), [&] { return FolderWalk(plan.top); },
      [&](FolderWalk& walk, std::size_t i) {
        const IndexEntry& entry = entries[racy[i]];
        const std::string path(entry.path);
        if (walk.enter(folder_of(path)) != FolderWalk::Found::folder) return;
        const std::string name(base_name(path));
        struct stat status {};
        // What is gone, or is no file any more, shows without help.
        if (fstatat(walk.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 ||
            IndexStat::from(status).mode != entry.status.mode) {
          return;
        }
        const auto contents = find_contents(walk.get(), name, entry.status.mode);
        edited[i] = !contents || hash_object(ObjectType::blob, *contents) != entry.id ? 1 : 0;
      });
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < racy.size(); ++i) {
    if (edited[i] != 0) found.push_back(racy[i]);
  }
  return found;
}

}  // namespace flagscale::git
