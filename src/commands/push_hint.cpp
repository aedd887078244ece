// SPDX-License-Identifier: Apache-2.0
#include "commands/push_hint.h"

#include <algorithm>

#include "base/quote.h"
#include "core/tree_overlay.h"
#include "git/command.h"
#include "git/history.h"
#include "git/remotes.h"
#include "git/tree_diff.h"

namespace flagscale::commands {
namespace {

bool holds_work(const git::Oid& tip, const git::Oid& base, const git::Oid& current) {
  const auto work = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"--first-parent", current.hex(), "^" + base.hex()});
    return git::rev_list(std::move(more)).size();
  };
  return work({}) != work({"^" + tip.hex()});
}

class Hint {
 public:
  Hint(git::Repository& repository, const HintSubject& subject, PushTarget target)
      : repository_(repository), subject_(subject), target_(std::move(target)) {
    remote_ = shell_quoted(target_.remote);
    refspec_ = (subject.switched ? "HEAD" : subject.branch) + ":" + target_.branch;
  }

  std::vector<std::string> write() {
    if (!target_.tip || reaches(*target_.tip)) {
      publish();
    } else if (!git::is_ancestor(subject_.base, *target_.tip)) {
      lacks_base();
    } else if (const auto foreign = foreign_version()) {
      other_version(*foreign);
    } else if (only_own_versions()) {
      replace_own();
    } else {
      moved_on();
    }
    ways_out();
    return std::move(lines_);
  }

 private:
  void say(std::string text) { lines_.push_back(std::move(text)); }
  void command(const std::string& text) { lines_.push_back("  " + text); }
  /// Why, and the command: on one line where a terminal of 80 columns has room for it.
  void offer(const std::string& why, const std::string& text) {
    static constexpr std::size_t kRoom = std::string_view("hint: : ").size();
    if (kRoom + why.size() + text.size() <= 80) {
      say(why + ": " + text);
    } else {
      say(why + ":");
      command(text);
    }
  }

  [[nodiscard]] std::string remote_text() const {
    return escaped(target_.remote + "/" + target_.branch);
  }
  [[nodiscard]] std::string push(const std::string& option) const {
    return "git push " + option + (option.empty() ? "" : " ") + remote_ + " " +
           shell_quoted(refspec_);
  }
  [[nodiscard]] std::string devices() const {
    std::string words;
    for (const DeviceType& device : subject_.devices) words += " " + device.text();
    return words;
  }
  [[nodiscard]] std::string patch_onto() const {
    return "git flagscale patch --device-type" + devices() + " --base-commit-id " +
           subject_.base.hex8() + " --current-commit-id " + subject_.current.short_hex() +
           " --onto " + shell_quoted(target_.remote + "/" + target_.branch);
  }

  /// Whether the tip is an ancestor of the patch commit.
  [[nodiscard]] bool reaches(const git::Oid& tip) const {
    return tip == subject_.patch_commit || git::is_ancestor(tip, subject_.parent);
  }

  [[nodiscard]] bool made_here(const git::Oid& commit) const {
    const auto& versions = subject_.versions_made_here;
    return std::find(versions.begin(), versions.end(), commit) != versions.end();
  }

  /// The newest commit of the remote branch that touched the patch file, when it was not made
  /// here and the file is not ours.
  [[nodiscard]] std::optional<git::Oid> foreign_version() {
    const auto blob_in = [&](const git::Oid& commit) {
      return TreeOverlay(repository_.odb(), repository_.read_commit(commit).tree)
          .find(subject_.path);
    };
    const auto theirs = blob_in(*target_.tip);
    if (!theirs) return std::nullopt;
    for (const git::Oid& version : subject_.versions_made_here) {
      const auto ours = blob_in(version);
      if (ours && ours->id == theirs->id) return std::nullopt;
    }
    const auto commits = git::rev_list({"-1", target_.tip->hex(), "--", subject_.path});
    if (commits.empty() || made_here(commits.front())) return std::nullopt;
    return commits.front();
  }

  [[nodiscard]] bool only_own_versions() const {
    const auto beyond =
        git::rev_list({target_.tip->hex(), "^" + subject_.base.hex(), "^" + subject_.parent.hex()});
    return std::all_of(beyond.begin(), beyond.end(),
                       [&](const git::Oid& id) { return made_here(id); });
  }

  void publish() {
    offer(target_.tip ? remote_text() + " leads here, so a plain push will do" : "publish it",
          push(""));
    rebase();
  }

  void replace_own() {
    offer(remote_text() + " has only earlier versions made here; replace them",
          push("--force-with-lease=" + shell_quoted(target_.branch + ":" + target_.tip->hex())));
    rebase();
  }

  void moved_on() {
    const std::size_t lost = git::count_commits({*target_.tip}, {subject_.patch_commit});
    say(remote_text() + " has gone on: a forced push would drop " + std::to_string(lost) +
        (lost == 1 ? " commit" : " commits") + " there");
    say("put the patch commit on top of it instead, then push:");
    command(patch_onto());
    command(push(""));
    rebase();
  }

  void other_version(const git::Oid& commit) {
    const git::Commit theirs = repository_.read_commit(commit);
    const std::string now = remote_text();
    say(now + " holds another version of this patch file, by " + escaped(theirs.author.name) +
        ", " + date_of(commit));
    say("merge the work, not the patch file: rebuild theirs, put yours on it, patch again:");
    command("git flagscale unpatch --device-type " + subject_.devices.back().text() +
            " --commit-id " + subject_.base.hex8() + " --from " +
            shell_quoted(target_.remote + "/" + target_.branch) + " --branch theirs");
    command("git rebase --onto theirs " + subject_.base.hex8() + " " +
            subject_.current.short_hex());
    command("git flagscale patch --device-type" + devices() + " --base-commit-id " +
            subject_.base.hex8() + " --onto " +
            shell_quoted(target_.remote + "/" + target_.branch));
  }

  void lacks_base() {
    std::vector<std::string> vanishing;
    const git::Oid theirs = repository_.read_commit(*target_.tip).tree;
    const git::Oid ours = repository_.read_commit(subject_.patch_commit).tree;
    for (const git::TreeChange& change : git::diff_trees(repository_.odb(), ours, theirs, "")) {
      if (!change.before && change.path.starts_with(subject_.store_folder + "/") &&
          change.path.ends_with(".patch")) {
        vanishing.push_back(change.path);
      }
    }
    say(remote_text() + " does not contain the base; a forced push would replace all of it");
    static constexpr std::size_t kShown = 5;
    for (std::size_t i = 0; i < vanishing.size() && i < kShown; ++i) {
      say("this patch file would vanish: " + escaped(vanishing[i]));
    }
    if (vanishing.size() > kShown) {
      say("and " + std::to_string(vanishing.size() - kShown) + " more");
    }
  }

  void rebase() {
    if (!subject_.switched) return;
    offer("if " + remote_text() + " moves first, put the patch commit on top of it",
          "git fetch " + remote_ + " && git rebase -X theirs --onto " +
              shell_quoted(target_.remote + "/" + target_.branch) + " HEAD^");
  }

  void ways_out() {
    offer("unchecked, whatever is there", push("--force"));
    if (!subject_.switched || subject_.way_back.empty()) return;
    offer("the way back", "git switch " + subject_.way_back);
  }

  [[nodiscard]] static std::string date_of(const git::Oid& commit) {
    std::string date =
        git::read_git({"log", "-1", "--no-show-signature", "--format=%as", commit.hex()});
    while (date.ends_with('\n')) date.pop_back();
    return date;
  }

  git::Repository& repository_;
  const HintSubject& subject_;
  PushTarget target_;
  std::string remote_;
  std::string refspec_;
  std::vector<std::string> lines_;
};

}  // namespace

std::optional<PushTarget> find_push_target(git::Repository& repository,
                                           const std::string& former_head,
                                           const std::string& patch_branch, const git::Oid& base,
                                           const git::Oid& current) {
  std::string short_head = former_head;
  static constexpr std::string_view kHeads = "refs/heads/";
  if (short_head.starts_with(kHeads)) short_head.erase(0, kHeads.size());
  const auto remote = git::find_push_remote(repository, short_head);
  if (!remote) return std::nullopt;
  std::vector<git::RemoteBranch> candidates;
  if (auto upstream = git::find_upstream(repository, "refs/heads/" + patch_branch, *remote)) {
    candidates.push_back(*std::move(upstream));
  }
  candidates.push_back(git::default_branch(repository, *remote));
  if (candidates.back().name != "main") {
    candidates.push_back(
        {*remote, "main", repository.find_ref("refs/remotes/" + *remote + "/main")});
  }
  for (const git::RemoteBranch& candidate : candidates) {
    if (!candidate.tip || !holds_work(*candidate.tip, base, current)) {
      return PushTarget{*remote, candidate.name, candidate.tip};
    }
  }
  // Every other branch holds the work itself: the patch commit gets a branch of its own.
  return PushTarget{*remote, patch_branch,
                    repository.find_ref("refs/remotes/" + *remote + "/" + patch_branch)};
}

std::vector<std::string> push_hint(git::Repository& repository, const HintSubject& subject) {
  auto target = find_push_target(repository, subject.former_head, subject.branch, subject.base,
                                 subject.current);
  // Without a remote the upstream procedure's own names are the best guess.
  if (!target) target = PushTarget{"origin", "main", std::nullopt};
  return Hint(repository, subject, *std::move(target)).write();
}

}  // namespace flagscale::commands
