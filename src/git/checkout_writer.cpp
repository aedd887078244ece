// SPDX-License-Identifier: Apache-2.0
#include "git/checkout_writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <unordered_map>

#include <git2.h>

#include "base/error.h"
#include "base/files.h"
#include "base/parallel.h"
#include "base/quote.h"
#include "git/handle.h"
#include "git/index_file.h"
#include "git/odb.h"
#include "git/path_rules.h"
#include "git/working_file.h"

namespace flagscale::git {
namespace {

/// Enough work for a thread to be worth the counter it takes.
constexpr std::size_t kBlobsPerPiece = 32;

class Walk {
 public:
  Walk(ObjectSource& source, TreeListing& listing) : source_(source), listing_(listing) {}

  void enter(const Oid& tree, const std::string& folder) {
    const Content bytes = source_.read(tree, ObjectType::tree);
    for (const TreeEntry& entry : parse_tree(bytes.view())) {
      const std::string path = folder + std::string(entry.name);
      const auto mode = canonical_mode(entry.mode_bits);
      if (!mode || !is_safe_path(entry.name)) {
        throw_unable("the tree holds " + in_quotes(path) + ", which cannot be checked out");
      }
      if (*mode == Mode::tree) {
        listing_.folders.push_back(path);
        enter(entry.id, path + "/");
        continue;
      }
      listing_.has_attributes = listing_.has_attributes || entry.name == ".gitattributes";
      listing_.files.push_back({path, *mode, entry.id});
    }
  }

 private:
  ObjectSource& source_;
  TreeListing& listing_;
};

bool has_content(const std::string& path) {
  const auto status = find_status(path);
  return status && status->st_size > 0;
}

/// The user's own attributes file, if there is one.
bool has_user_attributes(const Config& config) {
  if (const auto path = config.find("core.attributesFile")) return !path->empty();
  const char* const xdg = std::getenv("XDG_CONFIG_HOME");
  const char* const home = std::getenv("HOME");
  if (xdg != nullptr && *xdg != 0) return has_content(std::string(xdg) + "/git/attributes");
  return home != nullptr && has_content(std::string(home) + "/.config/git/attributes");
}

/// Files written in the same second as the index count as changed until git has read them; two
/// seconds earlier they do not.
void set_back(int fd, const timespec& moment, const std::string& path) {
  const std::array<timespec, 2> times{moment, moment};
  if (futimens(fd, times.data()) != 0) throw_errno("cannot set the time of", path);
}

/// A file of one of several working trees.
struct FilePlace {
  std::size_t tree;
  std::size_t file;
};

/// All places of each blob, in the order in which they come first.
std::vector<std::vector<FilePlace>> places_by_blob(const std::vector<WorkingTree>& trees) {
  std::unordered_map<Oid, std::size_t> known;
  std::vector<std::vector<FilePlace>> blobs;
  for (std::size_t t = 0; t < trees.size(); ++t) {
    const std::vector<TreePath>& files = trees[t].listing.files;
    known.reserve(known.size() + files.size());
    for (std::size_t f = 0; f < files.size(); ++f) {
      const auto [at, fresh] = known.emplace(files[f].id, blobs.size());
      if (fresh) blobs.emplace_back();
      blobs[at->second].push_back({t, f});
    }
  }
  return blobs;
}

/// Where the objects of a working tree are.
struct Objects {
  std::string folder;
  std::shared_ptr<const Packs> packs;
};

std::vector<Objects> objects_of(const std::vector<WorkingTree>& trees) {
  std::vector<Objects> all;
  for (const WorkingTree& tree : trees) {
    const std::string folder = tree.folder + "/.git/objects";
    all.push_back({folder, std::make_shared<const Packs>(std::vector<std::string>{folder})});
  }
  return all;
}

/// One thread's way to the objects of each working tree.
class Sources {
 public:
  explicit Sources(const std::vector<Objects>& objects)
      : objects_(objects), odbs_(objects.size()) {}

  [[nodiscard]] Content read(std::size_t tree, const TreePath& file) {
    if (file.mode == Mode::gitlink) return {};
    if (!odbs_[tree]) {
      const auto& [folder, packs] = objects_[tree];
      odbs_[tree] = std::make_unique<Odb>(folder, std::vector<std::string>(), packs);
    }
    return odbs_[tree]->read(file.id, ObjectType::blob);
  }

 private:
  const std::vector<Objects>& objects_;
  std::vector<std::unique_ptr<Odb>> odbs_;
};

/// Another order of 0, 1, ... `count` - 1, in which neighbours are far from each other: threads
/// that make files in one folder wait for each other.
std::size_t spread(std::size_t number, std::size_t count) {
  static constexpr std::size_t kStrips = 8;
  const std::size_t strip = number % kStrips;
  // The first strips have one more where it does not come out even.
  return strip * (count / kStrips) + std::min(strip, count % kStrips) + number / kStrips;
}

struct stat write_file(int top, const Content& bytes, const TreePath& file,
                       const timespec& moment) {
  struct stat status {};
  if (file.mode == Mode::gitlink) {
    if (mkdirat(top, file.path.c_str(), 0777) != 0) throw_errno("cannot make folder", file.path);
    return status;
  }
  const Fd fd = make_working_file(top, file.path, file.mode, bytes, file.path);
  if (file.mode == Mode::symlink) {
    const std::array<timespec, 2> times{moment, moment};
    utimensat(top, file.path.c_str(), times.data(), AT_SYMLINK_NOFOLLOW);
    if (fstatat(top, file.path.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      throw_errno("cannot look at", file.path);
    }
    return status;
  }
  set_back(fd.get(), moment, file.path);
  if (fstat(fd.get(), &status) != 0) throw_errno("cannot look at", file.path);
  return status;
}

void fill_entry(git_index_entry& entry, const struct stat& status) {
  const IndexStat noted = IndexStat::from(status);
  entry.ctime = {static_cast<std::int32_t>(noted.ctime), noted.ctime_nanoseconds};
  entry.mtime = {static_cast<std::int32_t>(noted.mtime), noted.mtime_nanoseconds};
  entry.dev = noted.dev;
  entry.ino = noted.ino;
  entry.uid = noted.uid;
  entry.gid = noted.gid;
  entry.file_size = noted.size;
}

/// Reads the tree into a new index, which brings git's cache of subtrees along, and adds what
/// the file system says about each file.
void write_index(const WorkingTree& working_tree, const std::vector<struct stat>& statuses) {
  const std::string& folder = working_tree.folder;
  const std::vector<TreePath>& files = working_tree.listing.files;
  git_repository* raw_repository = nullptr;
  check(git_repository_open_ext(&raw_repository, (folder + "/.git").c_str(),
                                GIT_REPOSITORY_OPEN_NO_SEARCH, nullptr),
        "cannot open", folder);
  const RepositoryHandle repository(raw_repository);
  use_no_configuration(raw_repository);
  git_oid id;
  git_oid_fromraw(&id, working_tree.tree.raw());
  git_tree* raw_tree = nullptr;
  check(git_tree_lookup(&raw_tree, raw_repository, &id), "cannot read tree",
        working_tree.tree.hex());
  const std::unique_ptr<git_tree, Deleter<git_tree_free>> tree_handle(raw_tree);
  git_index* raw_index = nullptr;
  check(git_repository_index(&raw_index, raw_repository), "cannot open the index of", folder);
  const IndexHandle index(raw_index);
  check(git_index_read_tree(raw_index, raw_tree), "cannot fill the index of", folder);
  if (git_index_entrycount(raw_index) != files.size()) {
    throw Error(ErrorKind::bug, "the index does not match the tree");
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    // The entry is the index's own and not constant; adding it anew would drop the cache.
    auto* const entry = const_cast<git_index_entry*>(git_index_get_byindex(raw_index, i));
    if (files[i].path != entry->path) {
      throw Error(ErrorKind::bug, "the index is not in the order of the tree");
    }
    if (files[i].mode != Mode::gitlink) fill_entry(*entry, statuses[i]);
  }
  check(git_index_write(raw_index), "cannot write the index of", folder);
}

}  // namespace

TreeListing list_tree(ObjectSource& source, const Oid& tree) {
  TreeListing listing;
  Walk(source, listing).enter(tree, "");
  return listing;
}

bool checks_out_plainly(Repository& repository) {
  const Config& config = repository.config();
  const std::string autocrlf = config.find("core.autocrlf").value_or("false");
  if (autocrlf != "false" && autocrlf != "input" && autocrlf != "0") return false;
  if (!config.is_true("core.symlinks", true)) return false;
  return !has_user_attributes(config) && !find_status("/etc/gitattributes");
}

void write_working_trees(const std::vector<WorkingTree>& trees, const ProgressCallback& progress) {
  std::vector<Fd> tops;
  for (const WorkingTree& tree : trees) {
    tops.emplace_back(open(tree.folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!tops.back().is_open()) throw_errno("cannot open", tree.folder);
    for (const std::string& path : tree.listing.folders) {
      if (mkdirat(tops.back().get(), path.c_str(), 0777) != 0) {
        throw_errno("cannot make folder", path);
      }
    }
  }
  timespec moment{};
  clock_gettime(CLOCK_REALTIME, &moment);
  moment.tv_sec -= 2;
  std::vector<std::vector<struct stat>> statuses;
  statuses.reserve(trees.size());
  for (const WorkingTree& tree : trees) statuses.emplace_back(tree.listing.files.size());
  const std::vector<std::vector<FilePlace>> blobs = places_by_blob(trees);
  const std::size_t pieces = (blobs.size() + kBlobsPerPiece - 1) / kBlobsPerPiece;
  const std::vector<Objects> objects = objects_of(trees);
  StageProgress stage(progress, "Writing files", blobs.size());
  parallel_for(
      pieces, [&] { return Sources(objects); },
      [&](Sources& sources, std::size_t number) {
        const std::size_t piece = spread(number, pieces);
        const std::size_t end = std::min(blobs.size(), (piece + 1) * kBlobsPerPiece);
        for (std::size_t i = piece * kBlobsPerPiece; i < end; ++i) {
          const FilePlace& first = blobs[i].front();
          const Content bytes =
              sources.read(first.tree, trees[first.tree].listing.files[first.file]);
          for (const FilePlace& place : blobs[i]) {
            statuses[place.tree][place.file] = write_file(
                tops[place.tree].get(), bytes, trees[place.tree].listing.files[place.file], moment);
          }
        }
        stage.step(end - piece * kBlobsPerPiece);
      });
  parallel_for(
      trees.size(), [] { return 0; },
      [&](int, std::size_t i) { write_index(trees[i], statuses[i]); });
}

}  // namespace flagscale::git
