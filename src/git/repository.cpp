// SPDX-License-Identifier: Apache-2.0
#include "git/repository.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include <git2.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/files.h"
#include "base/quote.h"
#include "git/command.h"
#include "git/handle.h"
#include "git/library.h"

namespace flagscale::git {

struct Repository::State {
  Library library;
  std::string git_dir;
  std::string common_dir;
  std::string index_file;
  std::string objects_dir;
  std::optional<std::string> top;
  bool shallow = false;
  std::optional<std::vector<std::string>> alternates;
  std::unique_ptr<Odb> odb;
  std::mutex shelf_mutex;
  /// Handles that were lent and given back.
  std::vector<std::unique_ptr<Odb>> shelf;
  /// libgit2's view, for refs.
  RepositoryHandle libgit2;
  /// Revisions that were looked up when the repository was opened.
  std::map<std::string, Oid> known_commits;
  /// Those of them that name nothing at all.
  std::set<std::string> known_absent;
  std::vector<std::string> warnings;

  /// Keeps what git warned of, once each.
  void keep_warnings(std::string_view said) {
    while (!said.empty()) {
      std::string_view line = without_eol(take_line(said));
      static constexpr std::string_view kPrefix = "warning: ";
      if (!line.starts_with(kPrefix)) continue;
      line.remove_prefix(kPrefix.size());
      if (line.ends_with('.')) line.remove_suffix(1);
      std::string warning = escaped(line);
      if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end()) {
        warnings.push_back(std::move(warning));
      }
    }
  }
};

namespace {

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) lines.emplace_back(without_lf(take_line(text)));
  return lines;
}

/// The alternates of the common kind: absolute folders that have no alternates themselves.
std::optional<std::vector<std::string>> find_plain_alternates(const std::string& list) {
  std::vector<std::string> folders = lines_of(list);
  for (const std::string& folder : folders) {
    if (!folder.starts_with('/') || find_status(folder + "/info/alternates")) return std::nullopt;
  }
  return folders;
}

/// Folders whose objects can be read too, as git resolves them (relative ones, chains).
std::vector<std::string> read_alternates(const std::string& objects_dir) {
  const auto list = find_file(objects_dir + "/info/alternates");
  if (std::getenv("GIT_ALTERNATE_OBJECT_DIRECTORIES") == nullptr) {
    if (!list) return {};
    if (auto plain = find_plain_alternates(*list)) return *std::move(plain);
  }
  std::vector<std::string> folders;
  for (const std::string& line : lines_of(read_git({"count-objects", "-v"}))) {
    static constexpr std::string_view kKey = "alternate: ";
    if (!line.starts_with(kKey)) continue;
    std::string folder = line.substr(kKey.size());
    std::size_t used = 0;
    if (auto plain = parse_c_quoted(folder, used)) folder = *plain;
    folders.push_back(std::move(folder));
  }
  return folders;
}

/// What is asked about the repository, in this order; the last has no answer without a working
/// tree.
const std::vector<std::vector<std::string>> kQuestions = {
    {"--show-object-format"},    {"--is-bare-repository"},
    {"--is-shallow-repository"}, {"--git-dir"},
    {"--git-common-dir"},        {"--git-path", "index"},
    {"--git-path", "objects"},   {"--show-toplevel"}};

std::vector<std::string> question_words() {
  std::vector<std::string> words = {"rev-parse", "--path-format=absolute"};
  for (const auto& question : kQuestions) {
    words.insert(words.end(), question.begin(), question.end());
  }
  return words;
}

/// A path with a LF in it makes more lines than there are questions.
std::vector<std::string> ask_one_by_one() {
  std::vector<std::string> answers;
  for (const auto& question : kQuestions) {
    std::vector<std::string> words = {"rev-parse", "--path-format=absolute"};
    words.insert(words.end(), question.begin(), question.end());
    ProcessResult answer = run_git(words);
    if (answer.status != 0) break;
    if (answer.out.ends_with('\n')) answer.out.pop_back();
    answers.push_back(std::move(answer.out));
  }
  return answers;
}

/// Whether these are the answers that git gives, with or without a working tree.
bool are_complete(const std::vector<std::string>& answers, bool failed) {
  return answers.size() == kQuestions.size() - (failed ? 1 : 0);
}

/// The ref that HEAD was made a symlink to (core.preferSymlinkRefs).
std::optional<std::string> find_symlink_target(const std::string& head) {
  std::array<char, PATH_MAX> target{};
  const ssize_t size = readlink(head.c_str(), target.data(), target.size());
  const std::string name(target.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  return name.starts_with("refs/") ? std::optional(name) : std::nullopt;
}

/// A revision with its tags peeled. `:/text` takes all that follows for text, and always names a
/// commit.
std::string as_commit(const std::string& revision) {
  return revision.starts_with(":/") ? revision : revision + "^{commit}";
}

/// Asks git for many revisions at once. A name with a LF in it cannot be asked this way.
class RevisionQuestion {
 public:
  explicit RevisionQuestion(const std::vector<std::string>& revisions) {
    for (const std::string& revision : revisions) {
      if (revision.empty() || revision.find('\n') != std::string::npos) continue;
      revisions_.push_back(revision);
      input_.append(as_commit(revision)).append("\n").append(revision).append("\n");
    }
    if (revisions_.empty()) return;
    GitOptions options;
    options.input = input_;
    process_.reset(
        new Process(start_git({"cat-file", "--batch-check=%(objectname) %(objecttype)"}, options)));
  }

  /// Notes those that name a commit without doubt, and those that name nothing; the rest is asked
  /// again when it is needed, so that git can say what is wrong.
  void answer(std::map<std::string, Oid>& commits, std::set<std::string>& absent) {
    if (!process_) return;
    const ProcessResult result = process_->finish();
    said_ = result.err;
    const std::vector<std::string> lines = lines_of(result.out);
    if (lines.size() != 2 * revisions_.size()) return;
    for (std::size_t i = 0; i < revisions_.size(); ++i) {
      const std::string& revision = revisions_[i];
      const std::string& peeled = lines[2 * i];
      const auto id = Oid::parse(std::string_view(peeled).substr(0, Oid::kHexSize));
      if (id && peeled == id->hex() + " commit") commits.emplace(revision, *id);
      if (peeled == as_commit(revision) + " missing" && lines[2 * i + 1] == revision + " missing") {
        absent.insert(revision);
      }
    }
  }
  /// What git had to say meanwhile.
  [[nodiscard]] const std::string& said() const { return said_; }

 private:
  std::vector<std::string> revisions_;
  std::string said_;
  std::string input_;
  std::unique_ptr<Process> process_;
};

/// What is going on in a working tree that will come back to a branch (full name), though HEAD is
/// not on it.
std::optional<std::string> find_operation_on(const std::string& git_dir,
                                             const std::string& branch) {
  for (const char* file : {"/rebase-merge/head-name", "/rebase-apply/head-name"}) {
    const auto name = find_file(git_dir + file);
    if (name && without_eol(*name) == branch) return "being rebased";
  }
  if (const auto listing = find_file(git_dir + "/rebase-merge/update-refs")) {
    const std::vector<std::string> names = lines_of(*listing);
    if (std::find(names.begin(), names.end(), branch) != names.end()) return "being rebased";
  }
  const auto start = find_file(git_dir + "/BISECT_START");
  if (start && "refs/heads/" + std::string(without_eol(*start)) == branch) return "being bisected";
  return std::nullopt;
}

/// Throws what git said of a revision, if that is more than that it names nothing: no upstream, a
/// path that is not there.
void check_is_just_unknown(const std::string& said) {
  if (said.find("fatal: ") == std::string::npos ||
      said.find("Needed a single revision") != std::string::npos) {
    return;
  }
  throw error_from_git(ErrorKind::unable, "", said);
}

[[noreturn]] void throw_damaged_ref(const std::string& name) {
  throw_unable("ref " + in_quotes(name) + " is damaged",
               {"git fsck tells what is wrong with the repository"});
}

/// Follows a ref to its commit; absent when it leads to none.
std::optional<Oid> peel_to_commit(const git_reference* ref) {
  git_object* raw = nullptr;
  if (git_reference_peel(&raw, ref, GIT_OBJECT_COMMIT) < 0) return std::nullopt;
  const ObjectHandle object(raw);
  return Oid::from_raw(git_object_id(raw)->id);
}

}  // namespace

Repository::Repository(std::unique_ptr<State> state) : state_(std::move(state)) {}
Repository::Repository(Repository&&) noexcept = default;
Repository::~Repository() = default;

Repository Repository::open(const std::vector<std::string>& revisions) {
  Process question = start_git(question_words());
  auto state = std::make_unique<State>();
  ask_for_config();
  RevisionQuestion names(revisions);
  const ProcessResult answer = question.finish();
  std::vector<std::string> lines = lines_of(answer.out);
  bool failed = answer.status != 0;
  if (!lines.empty() && !are_complete(lines, failed)) {
    lines = ask_one_by_one();
    failed = lines.size() < kQuestions.size();
  }
  if (!are_complete(lines, failed)) {
    throw error_from_git(ErrorKind::unable, "cannot find a git repository", answer.err);
  }
  if (lines[0] != "sha1") {
    throw_unable("repositories with " + escaped(lines[0]) + " object ids are not supported");
  }
  state->shallow = lines[2] == "true";
  state->git_dir = lines[3];
  state->common_dir = lines[4];
  state->index_file = lines[5];
  state->objects_dir = lines[6];
  if (!failed) state->top = lines.back();
  names.answer(state->known_commits, state->known_absent);
  state->keep_warnings(names.said());
  return Repository(std::move(state));
}

const std::string& Repository::git_dir() const {
  return state_->git_dir;
}
const std::string& Repository::common_dir() const {
  return state_->common_dir;
}
const std::string& Repository::index_file() const {
  return state_->index_file;
}
const std::string& Repository::objects_dir() const {
  return state_->objects_dir;
}
const std::optional<std::string>& Repository::top() const {
  return state_->top;
}
bool Repository::is_shallow() const {
  return state_->shallow;
}

const std::vector<std::string>& Repository::warnings() const {
  return state_->warnings;
}

std::string Repository::name() const {
  if (state_->top) return std::string(base_name(*state_->top));
  std::string name(base_name(state_->common_dir));
  if (name == ".git") name = base_name(dir_name(state_->common_dir));
  if (name.size() > 4 && name.ends_with(".git")) name.resize(name.size() - 4);
  return name;
}

git_repository* Repository::libgit2() {
  if (!state_->libgit2) {
    const std::string storage = config().find("extensions.refStorage").value_or("files");
    if (storage != "files") {
      throw_unable("repositories with " + escaped(storage) + " refs are not supported");
    }
    git_repository* raw = nullptr;
    check(
        git_repository_open_ext(&raw, state_->git_dir.c_str(),
                                GIT_REPOSITORY_OPEN_NO_SEARCH | GIT_REPOSITORY_OPEN_BARE, nullptr),
        "cannot open", state_->git_dir);
    state_->libgit2.reset(raw);
    use_no_configuration(raw);
  }
  return state_->libgit2.get();
}

const Config& Repository::config() const {
  return here_config();
}

std::vector<std::string> Repository::object_folders() const {
  if (!state_->alternates) state_->alternates = read_alternates(state_->objects_dir);
  std::vector<std::string> folders = {state_->objects_dir};
  folders.insert(folders.end(), state_->alternates->begin(), state_->alternates->end());
  return folders;
}

bool Repository::is_partial() {
  const Config& settings = config();
  if (settings.find("extensions.partialClone")) return true;
  const std::vector<std::string> remotes = settings.subsections("remote");
  return std::any_of(remotes.begin(), remotes.end(), [&](const std::string& name) {
    return settings.is_true("remote." + name + ".promisor", false);
  });
}

std::unique_ptr<Odb> Repository::open_odb() {
  const std::vector<std::string> folders = object_folders();
  auto odb = std::make_unique<Odb>(folders.front(),
                                   std::vector<std::string>(folders.begin() + 1, folders.end()));
  if (is_partial()) odb->fetch_what_is_missing();
  odb->share(SharedMode::from(config()));
  return odb;
}

std::shared_ptr<Odb> Repository::borrow_odb() {
  State* const state = state_.get();
  const std::lock_guard lock(state->shelf_mutex);
  std::unique_ptr<Odb> odb;
  if (state->shelf.empty()) {
    odb = open_odb();
  } else {
    odb = std::move(state->shelf.back());
    state->shelf.pop_back();
  }
  return {odb.release(), [state](Odb* given_back) {
            std::unique_ptr<Odb> kept(given_back);
            const std::lock_guard shelf_lock(state->shelf_mutex);
            state->shelf.push_back(std::move(kept));
          }};
}

Odb& Repository::odb() {
  if (!state_->odb) state_->odb = open_odb();
  return *state_->odb;
}

std::optional<Oid> Repository::find_commit(const std::string& revision) {
  if (const auto known = state_->known_commits.find(revision);
      known != state_->known_commits.end()) {
    return known->second;
  }
  if (state_->known_absent.contains(revision)) return std::nullopt;
  // A full id needs no rules; everything else is git's to read.
  if (const auto id = Oid::parse(revision);
      id && odb().find_type(*id) == std::optional(ObjectType::commit)) {
    return id;
  }
  const ProcessResult result =
      run_git({"rev-parse", "--verify", "--end-of-options", as_commit(revision)});
  if (result.status == 0) {
    for (const std::string& line : lines_of(result.out)) {
      if (const auto id = Oid::parse(line)) {
        state_->keep_warnings(result.err);
        return id;
      }
    }
  }
  const std::string& said = result.err;
  if (said.find("ambiguous") != std::string::npos) {
    Error error = error_from_git(ErrorKind::unable, "", said);
    throw Error(ErrorKind::unable, in_quotes(revision) + " is ambiguous", error.hints());
  }
  const ProcessResult any = run_git({"rev-parse", "--verify", "-q", "--end-of-options", revision});
  const auto id = Oid::parse(without_lf(any.out));
  if (any.status != 0 || !id) {
    check_is_just_unknown(said);
    return std::nullopt;
  }
  const auto type = odb().find_type(*id);
  if (!type || *type == ObjectType::commit) return std::nullopt;
  throw_unable(in_quotes(revision) + " is a " + std::string(type_name(*type)) + ", not a commit");
}

Oid Repository::read_commit_id(const std::string& revision, std::string_view what) {
  if (const auto id = find_commit(revision)) return *id;
  std::vector<std::string> hints;
  if (is_hex(revision)) {
    hints.push_back("it may not be fetched yet: git fetch <remote> " + revision);
  }
  throw_unable("no such " + std::string(what) + ": " + in_quotes(revision), std::move(hints));
}

Commit Repository::read_commit(const Oid& id) {
  return parse_commit(odb().read(id, ObjectType::commit).view());
}

std::optional<std::string> Repository::head_branch() const {
  if (auto target = find_symlink_target(state_->git_dir + "/HEAD")) return target;
  const auto head = find_file(state_->git_dir + "/HEAD");
  static constexpr std::string_view kSymbolic = "ref:";
  if (!head || !head->starts_with(kSymbolic)) return std::nullopt;
  std::string_view name = without_eol(std::string_view(*head).substr(kSymbolic.size()));
  while (name.starts_with(' ') || name.starts_with('\t')) name.remove_prefix(1);
  return std::string(name);
}

std::optional<Oid> Repository::head_commit() {
  const auto head = find_file(state_->git_dir + "/HEAD");
  if (head) {
    if (const auto id = Oid::parse(without_eol(*head))) return id;
  }
  return find_ref("HEAD");
}

std::vector<Ref> Repository::refs(const std::string& glob) {
  git_reference_iterator* raw_iterator = nullptr;
  check(git_reference_iterator_glob_new(&raw_iterator, libgit2(), glob.c_str()), "cannot list refs",
        glob);
  const std::unique_ptr<git_reference_iterator, void (*)(git_reference_iterator*)> iterator(
      raw_iterator, git_reference_iterator_free);
  std::vector<Ref> refs;
  git_reference* raw = nullptr;
  int code = 0;
  while ((code = git_reference_next(&raw, raw_iterator)) == 0) {
    const ReferenceHandle ref(raw);
    const auto id = peel_to_commit(raw);
    if (!id) continue;
    const char* const target = git_reference_symbolic_target(raw);
    refs.push_back({git_reference_name(raw), *id, target != nullptr ? target : ""});
  }
  if (code != GIT_ITEROVER) check(code, "cannot list refs", glob);
  std::sort(refs.begin(), refs.end(), [](const Ref& a, const Ref& b) { return a.name < b.name; });
  return refs;
}

std::optional<Oid> Repository::find_ref(const std::string& full_name) {
  git_reference* raw = nullptr;
  const int code = git_reference_lookup(&raw, libgit2(), full_name.c_str());
  if (code == GIT_ENOTFOUND || code == GIT_EINVALIDSPEC) return std::nullopt;
  if (code < 0) throw_damaged_ref(full_name);
  const ReferenceHandle ref(raw);
  git_reference* last = nullptr;
  // Absence has a code of its own: an unborn branch is no damage.
  if (git_reference_resolve(&last, raw) == GIT_ERROR) {
    const char* const target = git_reference_symbolic_target(raw);
    throw_damaged_ref(target != nullptr ? target : full_name);
  }
  const ReferenceHandle resolved(last);
  return peel_to_commit(raw);
}

std::optional<std::string> Repository::find_other_use(const std::string& branch) {
  const std::vector<std::string> linked = list_folder(state_->common_dir + "/worktrees");
  if (const auto use = find_operation_on(state_->common_dir, branch)) {
    return *use + " at " + in_quotes(dir_name(state_->common_dir));
  }
  for (const std::string& name : linked) {
    const std::string git_dir = state_->common_dir + "/worktrees/" + name;
    const auto use = find_operation_on(git_dir, branch);
    if (!use) continue;
    const std::string place = find_file(git_dir + "/gitdir").value_or(git_dir);
    return *use + " at " + in_quotes(dir_name(without_eol(place)));
  }
  if (linked.empty() || head_branch() == branch) return std::nullopt;
  std::string path = read_git({"for-each-ref", "--format=%(worktreepath)", branch});
  while (path.ends_with('\n')) path.pop_back();
  return path.empty() ? std::nullopt : std::optional("checked out at " + in_quotes(path));
}

std::optional<std::string> Repository::find_upstream_ref(const std::string& branch) {
  static constexpr std::string_view kHeads = "refs/heads/";
  if (!branch.starts_with(kHeads) ||
      !config().find("branch." + branch.substr(kHeads.size()) + ".merge")) {
    return std::nullopt;
  }
  const std::string name = read_git({"for-each-ref", "--format=%(upstream)", branch});
  return name.size() > 1 ? std::optional(std::string(without_lf(name))) : std::nullopt;
}

std::optional<std::string> Repository::operation_in_progress() const {
  struct Operation {
    const char* file;
    const char* what;
  };
  static constexpr std::array<Operation, 8> kOperations{{
      {"rebase-apply/applying", "an am session"},
      {"rebase-apply", "a rebase"},
      {"rebase-merge", "a rebase"},
      {"MERGE_HEAD", "a merge"},
      {"CHERRY_PICK_HEAD", "a cherry-pick"},
      {"REVERT_HEAD", "a revert"},
      {"sequencer", "a cherry-pick or revert"},
      {"BISECT_LOG", "a bisect"},
  }};
  for (const Operation& operation : kOperations) {
    if (find_status(state_->git_dir + "/" + operation.file)) return operation.what;
  }
  return std::nullopt;
}

}  // namespace flagscale::git
