// SPDX-License-Identifier: Apache-2.0
#include "core/apply.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/parallel.h"
#include "base/quote.h"
#include "core/binary_patch.h"
#include "core/made_blob.h"
#include "git/path_rules.h"

namespace flagscale {
namespace {

using Kind = FileDiff::Kind;

constexpr std::uint32_t kTypeBits = 0170000;
constexpr std::uint32_t kFileType = 0100000;
constexpr std::uint32_t kFolderType = 0040000;
constexpr std::uint32_t kSymlinkType = 0120000;
constexpr std::uint32_t kGitlinkType = 0160000;
constexpr std::uint32_t kExecutableBit = 0100;
constexpr std::string_view kGitlinkText = "Subproject commit ";

std::uint32_t type_of(std::uint32_t mode) {
  return mode & kTypeBits;
}

bool is_symlink(const std::optional<std::uint32_t>& mode) {
  return mode && type_of(*mode) == kSymlinkType;
}

/// What becomes of one diff.
struct Result {
  const FileDiff* diff = nullptr;
  Kind kind = Kind::change;
  std::uint32_t mode = 0;
  Blob blob;
};

/// What is known of a path while the diffs of one mail are being worked through.
struct PathState {
  enum class Fate : std::uint8_t { to_be_removed, removed, written };
  Fate fate = Fate::to_be_removed;
  std::size_t result = 0;
};

[[noreturn]] void refuse_size(const FileDiff& diff) {
  refuse(diff, "the changed files are too large together");
}

class Applier {
 public:
  Applier(std::span<const FileDiff> diffs, TreeOverlay& tree, const ApplyHelp& help)
      : diffs_(diffs), tree_(tree), help_(help), left_(help.max_made) {}

  void run() {
    prepare();
    results_.reserve(diffs_.size());
    try {
      for (const FileDiff& diff : diffs_) work_out(diff);
    } catch (const Error&) {
      // What comes first in the patch is told first.
      make_pending();
      throw;
    }
    make_pending();
    for (const Result& result : results_) remove_old(result);
    for (const Result& result : results_) write_new(result);
  }

 private:
  /// What a diff changes: contents as the mail's earlier diffs left them, or as the tree has them.
  struct Before {
    std::uint32_t mode = 0;
    Blob blob;
  };
  /// A result whose contents are still to be made.
  struct Pending {
    std::size_t result = 0;
    std::optional<Before> before;
  };

  void prepare();
  void work_out(const FileDiff& diff);
  void count(const FileDiff& diff, std::uint64_t size);
  [[nodiscard]] std::optional<Before> find_before(const FileDiff& diff);
  static void settle_modes(const FileDiff& diff, const std::optional<Before>& before,
                           Result& result);
  void check_free(const FileDiff& diff);
  void check_paths(const FileDiff& diff, const Result& result);
  [[nodiscard]] bool is_beyond_symlink(std::string_view path);
  void make_pending();
  [[nodiscard]] bool make_on_threads(const std::vector<Pending>& pending);
  void finish(const Pending& pending, git::ObjectSource& source);
  void remove_old(const Result& result);
  void write_new(const Result& result);
  void put(const Result& result, const std::string& path);

  std::span<const FileDiff> diffs_;
  TreeOverlay& tree_;
  const ApplyHelp& help_;
  std::uint64_t left_;
  std::vector<Result> results_;
  std::vector<Pending> pending_;
  std::unordered_map<std::string_view, PathState> paths_;
  std::unordered_set<std::string_view> removed_symlinks_;
  std::unordered_set<std::string_view> kept_symlinks_;
};

/// Notes what later diffs will take away, so that files can trade places.
void Applier::prepare() {
  // Announced sizes are exact, or the data is refused: what is too much need not be unpacked.
  std::uint64_t announced = 0;
  for (const FileDiff& diff : diffs_) {
    if (diff.binary) announced += std::min(diff.binary->size, kMaxBinarySize);
    if (announced > left_) refuse_size(diff);
  }
  for (const FileDiff& diff : diffs_) {
    const bool leaves = diff.kind == Kind::remove || diff.kind == Kind::rename;
    if (leaves) {
      paths_[*diff.old_path] = PathState{};
      if (is_symlink(diff.old_mode)) removed_symlinks_.insert(*diff.old_path);
    }
    if (diff.new_path && is_symlink(diff.new_mode)) kept_symlinks_.insert(*diff.new_path);
  }
}

std::optional<Applier::Before> Applier::find_before(const FileDiff& diff) {
  // Renames and copies start from the tree as it was before the mail.
  if (diff.kind != Kind::rename && diff.kind != Kind::copy) {
    const auto state = paths_.find(*diff.old_path);
    if (state != paths_.end() && state->second.fate != PathState::Fate::to_be_removed) {
      if (state->second.fate == PathState::Fate::removed) {
        refuse(diff, "an earlier diff has renamed or removed it");
      }
      make_pending();
      const Result& earlier = results_[state->second.result];
      return Before{earlier.mode, earlier.blob};
    }
  }
  const auto file = tree_.find(*diff.old_path);
  if (!file) return std::nullopt;
  const auto mode = static_cast<std::uint32_t>(file->mode);
  if (file->mode == git::Mode::gitlink) {
    return Before{mode, {Content(std::string(kGitlinkText) + file->id.hex() + "\n"), {}}};
  }
  return Before{mode, {file->content, file->id}};
}

void Applier::settle_modes(const FileDiff& diff, const std::optional<Before>& before,
                           Result& result) {
  if (!before) {
    result.mode = diff.new_mode.value_or(static_cast<std::uint32_t>(git::Mode::file));
    return;
  }
  if (type_of(diff.old_mode.value_or(before->mode)) != type_of(before->mode)) {
    refuse(diff, "it is another type of file");
  }
  result.mode = diff.new_mode.value_or(before->mode);
  if (diff.new_path && type_of(result.mode) != type_of(before->mode)) {
    refuse(diff, "the type of a file changes within one diff");
  }
}

/// A file that is created, renamed or copied may not meet one that stays.
void Applier::check_free(const FileDiff& diff) {
  const auto state = paths_.find(*diff.new_path);
  if (state != paths_.end() && state->second.fate != PathState::Fate::written) return;
  if (tree_.find(*diff.new_path)) refuse(diff, "the file exists already");
}

bool Applier::is_beyond_symlink(std::string_view path) {
  for (std::size_t slash = path.rfind('/'); slash != std::string_view::npos && slash != 0;
       slash = path.rfind('/', slash - 1)) {
    const std::string_view folder = path.substr(0, slash);
    if (kept_symlinks_.contains(folder)) return true;
    if (removed_symlinks_.contains(folder)) continue;
    const auto file = tree_.find(folder);
    if (file && file->mode == git::Mode::symlink) return true;
  }
  return false;
}

void Applier::check_paths(const FileDiff& diff, const Result& result) {
  const auto check = [&](const std::string& path, std::uint32_t mode) {
    const bool safe =
        type_of(mode) == kSymlinkType ? git::is_safe_symlink_path(path) : git::is_safe_path(path);
    if (!safe) refuse(diff, "invalid path " + in_quotes(path));
  };
  const bool uses_old = result.kind != Kind::create && result.kind != Kind::copy;
  if (uses_old) check(*diff.old_path, diff.old_mode.value_or(result.mode));
  if (result.kind == Kind::remove) return;
  check(*diff.new_path, result.mode);
  if (is_beyond_symlink(*diff.new_path)) refuse(diff, "the path leads through a symlink");
}

void Applier::count(const FileDiff& diff, std::uint64_t size) {
  if (size > left_) refuse_size(diff);
  left_ -= size;
}

void Applier::work_out(const FileDiff& diff) {
  Result result{&diff, diff.kind, 0, {}};
  std::optional<Before> before;
  if (diff.old_path) {
    before = find_before(diff);
    if (!before) {
      if (!diff.creates_if_absent) refuse(diff, "there is no " + in_quotes(*diff.old_path));
      result.kind = Kind::create;
    }
  }
  if (result.kind != Kind::change && result.kind != Kind::remove) check_free(diff);
  settle_modes(diff, before, result);
  check_paths(diff, result);
  pending_.push_back({results_.size(), std::move(before)});
  if (result.kind != Kind::remove) {
    paths_[*diff.new_path] = PathState{PathState::Fate::written, results_.size()};
  }
  if (result.kind == Kind::remove || result.kind == Kind::rename) {
    paths_[*diff.old_path] = PathState{PathState::Fate::removed, 0};
  }
  results_.push_back(std::move(result));
}

/// Makes the contents that are still to be made. They do not depend on each other: a diff that
/// builds on an earlier one of the mail waits until that one is done.
void Applier::make_pending() {
  const std::vector<Pending> pending = std::move(pending_);
  pending_.clear();
  static constexpr std::size_t kWorthThreads = 4;
  if (pending.size() >= kWorthThreads && help_.borrow && make_on_threads(pending)) return;
  for (const Pending& one : pending) {
    finish(one, tree_.source());
    const Result& result = results_[one.result];
    if (result.blob.content) count(*result.diff, result.blob.content->size());
  }
}

/// False when it becomes too much; which file that is, only their order tells.
bool Applier::make_on_threads(const std::vector<Pending>& pending) {
  std::atomic<std::uint64_t> made = 0;
  std::atomic<bool> too_much = false;
  try {
    parallel_for(pending.size(), help_.borrow,
                 [&](const std::shared_ptr<git::ObjectSource>& source, std::size_t i) {
                   finish(pending[i], *source);
                   const Result& result = results_[pending[i].result];
                   const std::uint64_t size = result.blob.content ? result.blob.content->size() : 0;
                   if ((made += size) > left_) {
                     too_much = true;
                     refuse_size(*result.diff);
                   }
                 });
  } catch (const Error&) {
    if (!too_much) throw;
    for (const Pending& one : pending) results_[one.result].blob = {};
    return false;
  }
  left_ -= made;
  return true;
}

void Applier::finish(const Pending& pending, git::ObjectSource& source) {
  Result& result = results_[pending.result];
  const FileDiff& diff = *result.diff;
  const auto before = pending.before ? std::optional(pending.before->blob) : std::nullopt;
  result.blob = make_blob(diff, result.kind, before, source, help_);
  if (result.kind == Kind::remove) {
    if (!result.blob.content->empty()) refuse(diff, "the removed file would not be empty");
    return;
  }
  if (type_of(result.mode) != kFileType && type_of(result.mode) != kSymlinkType) return;
  if (result.blob.content && result.blob.id.is_null()) {
    result.blob.id = id_of(diff, *result.blob.content, source, help_);
  }
}

void Applier::remove_old(const Result& result) {
  if (result.kind == Kind::create || result.kind == Kind::copy) return;
  // Where the file stays in place, taking it out would only make its folder be read again.
  if (result.kind == Kind::change && result.diff->old_path == result.diff->new_path) return;
  tree_.remove(*result.diff->old_path);
}

void Applier::write_new(const Result& result) {
  if (result.kind == Kind::remove) return;
  const FileDiff& diff = *result.diff;
  const std::string& path = *diff.new_path;
  if (is_beyond_symlink(path)) refuse(diff, "the path leads through a symlink");
  if (const auto file = tree_.find_file_on_the_way(path)) {
    refuse(diff, in_quotes(*file) + " is a file and would be a folder");
  }
  if (tree_.kind(path) == PathKind::folder) refuse(diff, "it is a folder");
  put(result, path);
}

void Applier::put(const Result& result, const std::string& path) {
  const Blob& blob = result.blob;
  git::Mode mode = (result.mode & kExecutableBit) != 0 ? git::Mode::executable : git::Mode::file;
  const std::uint32_t type = type_of(result.mode);
  if (type == kFolderType) refuse(*result.diff, "a diff cannot make a folder");
  if (type == kGitlinkType) {
    const std::string_view text = blob.content->view();
    const auto id = text.starts_with(kGitlinkText)
                        ? git::Oid::parse(text.substr(kGitlinkText.size(), git::Oid::kHexSize))
                        : std::nullopt;
    if (!id || id->is_null()) refuse(*result.diff, "corrupt patch for a submodule");
    tree_.put(path, git::Mode::gitlink, *id);
    return;
  }
  if (type == kSymlinkType) {
    mode = git::Mode::symlink;
    if (blob.content && blob.content->empty()) refuse(*result.diff, "a symlink without a target");
  }
  if (!blob.content) {
    tree_.put(path, mode, blob.id);
  } else {
    tree_.put(path, mode, *blob.content, blob.id);
    if (tree_.held() > help_.max_made) refuse_size(*result.diff);
  }
}

}  // namespace

void apply_diffs(std::span<const FileDiff> diffs, TreeOverlay& tree, const ApplyHelp& help) {
  Applier(diffs, tree, help).run();
}

}  // namespace flagscale
