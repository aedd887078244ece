// SPDX-License-Identifier: Apache-2.0
#include "git/repository.h"

#include <algorithm>
#include <memory>

#include <git2.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/files.h"
#include "base/quote.h"
#include "git/alternates.h"
#include "git/command.h"
#include "git/plain_names.h"
#include "git/repository_state.h"
#include "git/revision_question.h"

namespace flagscale::git {
namespace {

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

}  // namespace

Repository::Repository(std::unique_ptr<State> state) : state_(std::move(state)) {}
Repository::Repository(Repository&&) noexcept = default;
Repository::~Repository() = default;

Repository Repository::open(const std::vector<std::string>& revisions) {
  Process question = start_git(question_words());
  auto state = std::make_unique<State>();
  ask_for_config();
  std::vector<std::string> intricate = revisions;
  std::erase_if(intricate, is_plain_name);
  RevisionQuestion names(intricate);
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
  Repository repository(std::move(state));
  // Git is still reading the configuration; this takes none.
  repository.state_->open();
  names.answer(repository.state_->known_commits, repository.state_->known_absent);
  repository.state_->keep_warnings(names.said());
  return repository;
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
GitOptions Repository::at_top() const {
  GitOptions options;
  options.folder = state_->top.value();
  options.environment = {{"GIT_DIR", state_->git_dir},
                         {"GIT_WORK_TREE", *state_->top},
                         {"GIT_INDEX_FILE", state_->index_file},
                         {"GIT_LITERAL_PATHSPECS", "1"},
                         {"GIT_OPTIONAL_LOCKS", "0"}};
  return options;
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

void Repository::State::open() {
  object_folders = {objects_dir};
  const std::vector<std::string> others = read_alternates(objects_dir);
  object_folders.insert(object_folders.end(), others.begin(), others.end());
  packs = std::make_shared<const Packs>(object_folders);
  odb = open_odb();
  git_repository* raw = nullptr;
  check(git_repository_open_ext(&raw, git_dir.c_str(),
                                GIT_REPOSITORY_OPEN_NO_SEARCH | GIT_REPOSITORY_OPEN_BARE, nullptr),
        "cannot open", git_dir);
  libgit2.reset(raw);
  use_no_configuration(raw);
  // It would open the same packs again.
  check(git_repository_set_odb(raw, odb->handle()), "cannot open", git_dir);
}

std::unique_ptr<Odb> Repository::State::open_odb() const {
  return std::make_unique<Odb>(
      object_folders.front(),
      std::vector<std::string>(object_folders.begin() + 1, object_folders.end()), packs);
}

git_repository* Repository::libgit2() {
  const std::string storage = config().find("extensions.refStorage").value_or("files");
  if (storage != "files") {
    throw_unable("repositories with " + escaped(storage) + " refs are not supported");
  }
  return state_->libgit2.get();
}

// NOLINTNEXTLINE(readability-convert-member-functions-to-static): one asks a repository for it.
const Config& Repository::config() const {
  return here_config();
}

const std::vector<std::string>& Repository::object_folders() const {
  return state_->object_folders;
}

bool Repository::is_partial() const {
  const Config& settings = config();
  if (settings.find("extensions.partialClone")) return true;
  const std::vector<std::string> remotes = settings.subsections("remote");
  return std::any_of(remotes.begin(), remotes.end(), [&](const std::string& name) {
    return settings.is_true("remote." + name + ".promisor", false);
  });
}

void Repository::configure(Odb& odb) const {
  if (is_partial()) odb.fetch_what_is_missing();
  odb.share(SharedMode::from(config()));
}

std::unique_ptr<Odb> Repository::open_odb() const {
  auto odb = state_->open_odb();
  configure(*odb);
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
  if (!state_->is_odb_configured) configure(*state_->odb);
  state_->is_odb_configured = true;
  return *state_->odb;
}

}  // namespace flagscale::git
