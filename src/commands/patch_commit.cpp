// SPDX-License-Identifier: Apache-2.0
#include "commands/patch_commit.h"

#include <ctime>

#include "base/bytes.h"
#include "base/error.h"
#include "commands/identity.h"
#include "core/message_cleanup.h"
#include "core/series.h"
#include "git/command.h"

namespace flagscale::commands {
namespace {

/// Whether a line looks like `Token: value`.
bool is_trailer(std::string_view line) {
  const std::size_t colon = line.find(": ");
  return colon != std::string_view::npos && colon > 0 &&
         line.substr(0, colon).find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-") ==
             std::string_view::npos;
}

/// Whether the last paragraph, which is not the first, consists of trailers.
bool ends_with_trailers(std::string_view message) {
  const std::size_t paragraph = message.rfind("\n\n");
  if (paragraph == std::string_view::npos) return false;
  std::string_view rest = message.substr(paragraph + 2);
  while (!rest.empty()) {
    if (!is_trailer(without_lf(take_line(rest)))) return false;
  }
  return true;
}

std::string committer(git::Repository& repository) {
  auto who = find_plain_identity(repository.config(), Role::committer, 0);
  if (!who) who = git::parse_signature(git::read_git({"var", "GIT_COMMITTER_IDENT"}));
  return who->name + " <" + who->email + ">";
}

bool is_signed(git::Repository& repository) {
  return repository.config().is_true("commit.gpgSign", false);
}

}  // namespace

std::string patch_subject(git::Repository& repository, const DeviceType& device,
                          const git::Oid& work) {
  std::string subject =
      git::message_subject(fix_utf8(message_in_utf8(repository.read_commit(work))));
  if (subject.starts_with('[')) {
    const std::size_t close = subject.find(']');
    if (close != std::string::npos) {
      const std::size_t text = subject.find_first_not_of(' ', close + 1);
      subject = text == std::string::npos ? "" : subject.substr(text);
    }
  }
  return "[" + device.text() + "] " + (subject.empty() ? "adapt" : subject);
}

std::string with_sign_off(std::string message, const std::string& who) {
  const std::string trailer = "Signed-off-by: " + who + "\n";
  message = strip_space(message);
  if (message.ends_with("\n" + trailer)) return message;
  if (!ends_with_trailers(message)) message += "\n";
  return message + trailer;
}

std::string finished_message(git::Repository& repository, std::string message, bool sign_off) {
  message = strip_space(fix_utf8(std::move(message)));
  if (message.empty()) throw_refused("the commit message is empty");
  return sign_off ? with_sign_off(std::move(message), committer(repository)) : message;
}

std::optional<git::Oid> make_patch_commit(git::Repository& repository, const PatchCommitText& text,
                                          git::MadeObjects& made) {
  // Git refuses a NUL in its own words.
  if (is_signed(repository) || text.message.find('\0') != std::string::npos) return std::nullopt;
  const std::time_t now = std::time(nullptr);
  auto author = find_plain_identity(repository.config(), Role::author, now);
  auto committer = find_plain_identity(repository.config(), Role::committer, now);
  if (!author || !committer) return std::nullopt;
  git::Commit commit;
  commit.tree = text.tree;
  commit.parents = {text.parent};
  commit.author = *std::move(author);
  commit.committer = *std::move(committer);
  commit.message = text.message;
  std::string bytes = git::format_commit(commit);
  const git::Oid id = git::hash_object(git::ObjectType::commit, bytes);
  made.put(id, git::ObjectType::commit, Content(std::move(bytes)));
  return id;
}

git::Oid write_patch_commit(git::Repository& repository, const PatchCommitText& text) {
  std::vector<std::string> arguments = {"-c", "i18n.commitEncoding=UTF-8", "commit-tree"};
  if (is_signed(repository)) arguments.emplace_back("-S");
  arguments.insert(arguments.end(), {"-p", text.parent.hex(), "-F", "-", text.tree.hex()});
  git::GitOptions options;
  options.input = text.message;
  const ProcessResult result = git::run_git(arguments, options);
  const auto id = git::Oid::parse(without_lf(result.out));
  if (result.status != 0 || !id) {
    throw git::error_from_git(ErrorKind::unable, "cannot write the patch commit", result.err);
  }
  return *id;
}

}  // namespace flagscale::commands
