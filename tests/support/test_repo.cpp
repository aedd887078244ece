// SPDX-License-Identifier: Apache-2.0
#include "support/test_repo.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include <doctest/doctest.h>

#include "base/bytes.h"
#include "git/object.h"
#include "support/sandbox.h"

namespace flagscale::test {
namespace {

namespace fs = std::filesystem;

std::string without_last_lf(std::string text) {
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

std::string slurp(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) FAIL("cannot read " << file.string());
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

void spew(const fs::path& file, std::string_view bytes) {
  std::ofstream out(file, std::ios::binary | std::ios::trunc);
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  out.close();
  if (!out) FAIL("cannot write " << file.string());
}

std::string command_line(std::string_view program, const Args& args) {
  std::string line(program);
  for (const std::string& word : args) line += " " + word;
  return line;
}

/// One line on one entry of a folder: its kind, permissions, contents' id and name.
std::string describe_entry(const fs::path& entry, const std::string& name) {
  struct stat info {};
  if (lstat(entry.c_str(), &info) != 0) return "gone " + name + "\n";
  if (S_ISLNK(info.st_mode))
    return "link " + name + " -> " + fs::read_symlink(entry).string() + "\n";
  if (S_ISDIR(info.st_mode)) return "folder " + name + "\n";
  if (!S_ISREG(info.st_mode)) return "special " + name + "\n";
  const char* const kind = (info.st_mode & S_IXUSR) != 0 ? "executable " : "file ";
  return kind + git::hash_object(git::ObjectType::blob, slurp(entry)).hex() + " " + name + "\n";
}

/// Describes everything below `folder`, in order, but what `skipped` names at its top.
std::string describe_folder(const fs::path& folder, const std::vector<std::string>& skipped) {
  std::vector<std::string> lines;
  for (auto at = fs::recursive_directory_iterator(folder); at != fs::end(at); ++at) {
    const std::string name = at->path().lexically_relative(folder).string();
    if (std::find(skipped.begin(), skipped.end(), name) != skipped.end()) {
      at.disable_recursion_pending();
      continue;
    }
    lines.push_back(describe_entry(at->path(), name));
  }
  std::sort(lines.begin(), lines.end());
  std::string out;
  for (const std::string& line : lines) out += line;
  return out;
}

/// A commit object with other parents, its committer being its author.
std::string with_author_as_committer(std::string_view commit, const std::string& parent) {
  std::string out;
  std::string_view author;
  while (!commit.empty()) {
    const std::string_view line = take_line(commit);
    if (line.starts_with("author ")) author = line.substr(7);
    if (line.starts_with("parent ")) {
      out += "parent " + parent + "\n";
    } else if (line.starts_with("committer ")) {
      out += "committer ";
      out += author;
    } else {
      out += line;
    }
    if (line == "\n") break;
  }
  out += commit;
  return out;
}

}  // namespace

TestRepo::TestRepo(const Args& init_options) : path_(make_temp_folder() + "/repo") {
  fs::create_directory(path_);
  Args args{"init", "--quiet"};
  args.insert(args.end(), init_options.begin(), init_options.end());
  git(args);
}

TestRepo TestRepo::clone_of(const TestRepo& source, const Args& options) {
  TestRepo clone(Existing{}, make_temp_folder() + "/repo");
  fs::create_directory(clone.path_);
  Args args{"clone", "--quiet"};
  args.insert(args.end(), options.begin(), options.end());
  args.insert(args.end(), {source.path(), "."});
  clone.git(args);
  clone.minutes_ = source.minutes_;
  return clone;
}

TestRepo TestRepo::at(const std::string& folder) {
  TestRepo repo(Existing{}, folder);
  if (!repo.try_git({"rev-parse", "--git-dir"}).ok()) FAIL("no repository at " << folder);
  return repo;
}

std::string TestRepo::path(std::string_view name) const {
  return path_ + "/" + std::string(name);
}

Environment TestRepo::environment(const RunOptions& options) const {
  static constexpr int kStart = 1'700'000'000;
  const std::string now = std::to_string(kStart + 60 * minutes_) + " +0800";
  Environment all = options.env;
  all.insert(env_.begin(), env_.end());
  all.insert({{"GIT_AUTHOR_DATE", now}, {"GIT_COMMITTER_DATE", now}});
  return all;
}

Outcome TestRepo::try_git(const Args& args, const RunOptions& options) const {
  Args argv{"git"};
  argv.insert(argv.end(), args.begin(), args.end());
  const fs::path folder = fs::path(path_) / options.folder;
  return run_command(argv, folder.string(), environment(options), options.input);
}

std::string TestRepo::git(const Args& args, const RunOptions& options) const {
  Outcome outcome = try_git(args, options);
  if (!outcome.ok()) FAIL(command_line("git", args) << ": " << describe(outcome));
  return without_last_lf(std::move(outcome.out));
}

Outcome TestRepo::flagscale(const Args& args, const RunOptions& options) const {
  Args all{"flagscale"};
  all.insert(all.end(), args.begin(), args.end());
  return try_git(all, options);
}

std::string TestRepo::flagscale_ok(const Args& args, const RunOptions& options) const {
  Outcome outcome = flagscale(args, options);
  if (!outcome.ok()) FAIL(command_line("git flagscale", args) << ": " << describe(outcome));
  return without_last_lf(std::move(outcome.out));
}

void TestRepo::config(const std::string& key, const std::string& value) const {
  git({"config", key, value});
}

void TestRepo::write(const std::string& name, std::string_view bytes) const {
  const fs::path file = path(name);
  fs::create_directories(file.parent_path());
  spew(file, bytes);
}

void TestRepo::write_executable(const std::string& name, std::string_view bytes) const {
  write(name, bytes);
  set_executable(name, true);
}

void TestRepo::set_executable(const std::string& name, bool executable) const {
  const auto bits = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
  fs::permissions(path(name), bits, executable ? fs::perm_options::add : fs::perm_options::remove);
}

void TestRepo::symlink(const std::string& target, const std::string& name) const {
  const fs::path link = path(name);
  fs::create_directories(link.parent_path());
  fs::remove(link);
  fs::create_symlink(target, link);
}

std::string TestRepo::read(const std::string& name) const {
  return slurp(path(name));
}

bool TestRepo::exists(const std::string& name) const {
  return fs::exists(fs::symlink_status(path(name)));
}

void TestRepo::remove(const std::string& name) const {
  if (fs::remove_all(path(name)) == 0) FAIL("nothing to remove at " << name);
}

void TestRepo::tick() {
  ++minutes_;
}

std::string TestRepo::commit(const std::string& message) {
  tick();
  git({"add", "--all", "--force"});
  git({"commit", "--quiet", "--allow-empty", "--allow-empty-message", "--cleanup=verbatim",
       "--file=-"},
      {.folder = {}, .env = {}, .input = message + "\n"});
  return rev("HEAD");
}

std::string TestRepo::commit_file(const std::string& name, std::string_view bytes,
                                  const std::string& message) {
  write(name, bytes);
  return commit(message);
}

std::string TestRepo::rev(const std::string& revision) const {
  return git({"rev-parse", "--verify", "--end-of-options", revision});
}

std::string TestRepo::tree_of(const std::string& revision) const {
  return rev(revision + "^{tree}");
}

bool TestRepo::has(const std::string& revision) const {
  return try_git({"cat-file", "-e", revision}).ok();
}

std::string TestRepo::show(const std::string& revision_and_path) const {
  const Outcome outcome = try_git({"cat-file", "blob", revision_and_path});
  if (!outcome.ok()) FAIL("no " << revision_and_path << ": " << outcome.err);
  return outcome.out;
}

std::string TestRepo::head_branch() const {
  return without_last_lf(try_git({"symbolic-ref", "--short", "--quiet", "HEAD"}).out);
}

std::string TestRepo::status() const {
  return git({"status", "--porcelain"});
}

std::string TestRepo::snapshot() const {
  const std::string git_dir = git({"rev-parse", "--absolute-git-dir"});
  const std::string common_dir =
      fs::weakly_canonical(fs::path(path_) / git({"rev-parse", "--git-common-dir"})).string();
  // The index's bytes change whenever git refreshes what it knows of the files.
  const std::vector<std::string> skipped{"objects", "index"};
  std::string out = "HEAD " + slurp(git_dir + "/HEAD");
  out +=
      "--- refs\n" + try_git({"for-each-ref", "--format=%(refname) %(objectname) %(symref)"}).out;
  if (git({"rev-parse", "--is-bare-repository"}) != "true") {
    out += "--- index\n" + git({"ls-files", "-s", "-t", "-v"}) + "\n";
    out += "--- stashes\n" + git({"stash", "list", "--format=%H %gs"}) + "\n";
    out += "--- files\n" + describe_folder(path_, {".git"});
  }
  out += "--- git folder\n" + describe_folder(git_dir, skipped);
  if (common_dir != git_dir) out += "--- common folder\n" + describe_folder(common_dir, skipped);
  return out;
}

std::string TestRepo::objects() const {
  return git({"cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)"});
}

AmResult TestRepo::am(std::string_view patch_file, const std::string& base,
                      const Args& config) const {
  const std::string file = make_temp_folder() + "/series.patch";
  spew(file, patch_file);
  TestRepo scratch = clone_of(*this, {"--shared", "--no-checkout"});
  scratch.git({"checkout", "--quiet", "--detach", rev(base + "^{commit}")});

  Args args{"-c", "i18n.commitEncoding=UTF-8", "-c", "commit.gpgSign=false",
            "-c", "apply.whitespace=nowarn",   "-c", "am.threeWay=false"};
  for (const std::string& setting : config) args.insert(args.end(), {"-c", setting});
  args.insert(args.end(), {"am", "--quiet", "--keep-non-patch", "--keep-cr", file});
  AmResult result{scratch.try_git(args), {}, {}, scratch.path()};
  if (!result.outcome.ok()) return result;

  std::string parent = rev(base + "^{commit}");
  std::string ids = scratch.git({"rev-list", "--reverse", parent + "..HEAD"});
  for (std::string_view rest = ids; !rest.empty();) {
    const std::string id(without_lf(take_line(rest)));
    const std::string bytes = scratch.try_git({"cat-file", "commit", id}).out;
    parent =
        scratch.git({"hash-object", "-t", "commit", "-w", "--stdin"},
                    {.folder = {}, .env = {}, .input = with_author_as_committer(bytes, parent)});
    result.commits.push_back(parent);
  }
  result.tree = scratch.tree_of(parent);
  return result;
}

}  // namespace flagscale::test
