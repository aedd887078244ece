// SPDX-License-Identifier: Apache-2.0
#include "commands/patch.h"

#include <algorithm>

#include "base/error.h"
#include "base/interrupt.h"
#include "base/quote.h"
#include "commands/base_lookup.h"
#include "commands/patch_branch.h"
#include "commands/patch_commit.h"
#include "commands/patch_position.h"
#include "commands/patch_series.h"
#include "commands/patch_tree.h"
#include "commands/push_hint.h"
#include "commands/store_search.h"
#include "core/materialise.h"
#include "core/series.h"
#include "git/history.h"
#include "git/made_objects.h"
#include "git/repository.h"
#include "git/switch.h"

namespace flagscale::commands {
namespace {

std::vector<std::string> revisions_of(const PatchRequest& request) {
  std::vector<std::string> revisions = {request.base, request.current.value_or("HEAD")};
  if (request.onto) revisions.push_back(*request.onto);
  return revisions;
}

std::string reflog_text(const std::string& subject) {
  return "flagscale patch: " + subject;
}

class PatchRun {
 public:
  explicit PatchRun(const PatchRequest& request)
      : request_(request),
        device_(request.devices.back()),
        repository_(git::Repository::open(revisions_of(request))),
        search_(repository_, StoreSearch::wanted_folder(repository_, request.hardware_dir)),
        made_(repository_.odb()) {}

  PatchReport run() {
    resolve();
    check_where_we_are();
    expect_branch_to_move();
    make_series();
    find_others();
    compose();
    check_everything_may_move();
    if (request_.dry_run) return finish(PatchReport::Status::planned);
    if (is_unchanged()) {
      report_.patch_commit = is_there_already() ? parent_ : *branch_->tip();
      put_head_on_branch();
      return finish(PatchReport::Status::unchanged);
    }
    write_commit();
    put_head_on_branch();
    return finish(PatchReport::Status::written);
  }

 private:
  /// Ids, the store's folder, the branch.
  void resolve() {
    former_head_ = repository_.head_branch().value_or("");
    base_ = repository_.read_commit_id(request_.base, "base commit");
    branch_.emplace(repository_, device_, base_);
    if (!request_.no_switch) {
      if (!repository_.top()) {
        throw_refused("there is no working tree to switch to the patch commit",
                      {"--no-switch leaves HEAD, index and working tree alone"});
      }
      with_no_switch_hint([&] { git::check_can_switch(repository_); });
    }
    current_ = repository_.read_commit_id(request_.current.value_or("HEAD"), "current commit");
    parent_ =
        request_.onto ? repository_.read_commit_id(*request_.onto, "commit for --onto") : base_;
    Store& store = search_.at({"the base", base_});
    paths_.emplace(store.paths().folder());
    report_.device = device_.text();
    report_.base = base_;
    report_.current = current_;
    report_.parent = parent_;
    report_.branch = branch_->name();
    report_.path = paths_->patch(device_, base_.hex8());
  }

  void check_where_we_are() {
    const PatchPosition here{repository_, search_, *branch_, *paths_, device_, base_, current_};
    if (!request_.current) check_head_is_work(here);
    if (base_ == current_) {
      throw_refused("nothing to patch: base and current are the same commit " + base_.short_hex());
    }
    line_ = git::find_first_parent_line(repository_, base_, current_);
    if (!line_ && !git::is_ancestor(base_, current_)) throw_not_an_ancestor(here);
    if (request_.onto && git::is_ancestor(current_, parent_)) {
      throw_refused("--onto " + in_quotes(*request_.onto) +
                    " contains the work itself; the patch commit would publish it twice");
    }
    if (auto warning = find_newer_base(here)) report_.warnings.push_back(*std::move(warning));
  }

  /// Where git moves the branch it may start beside the work. The subject is that of the newest
  /// commit with a change outside the store, which is the current commit as a rule.
  void expect_branch_to_move() {
    if (!request_.no_switch || request_.dry_run) return;
    branch_->expect_move(reflog_text(git::message_subject(
        request_.message.value_or(patch_subject(repository_, device_, current_)))));
  }

  void make_series() {
    ProvedSeries series = commands::make_series(
        repository_,
        {base_, current_, std::move(line_), paths_->folder(), request_.squash, request_.progress},
        report_.path);
    for (const git::Oid& id : series.altered) {
      report_.warnings.push_back("author or message of " + id.short_hex() +
                                 " cannot pass git am unchanged; the least change was made");
    }
    series_ = std::move(series.bytes);
    adapted_ = std::move(series.adapted);
    newest_work_ = series.newest_work;
    report_.adapted = adapted_.commit();
    report_.tree = adapted_.tree;
    report_.counts = adapted_.counts;
    keep_stored_bytes();
  }

  /// Where the stored series already gives this adapted commit, its bytes stay: another build of
  /// this program may write the same commits in other bytes.
  void keep_stored_bytes() {
    for (const std::optional<git::Oid>& commit : {branch_->tip(), std::optional(parent_)}) {
      if (!commit) continue;
      Store& store = search_.at({"the stored version", commit});
      const auto sidecar = store.find_sidecar(device_, base_.hex8());
      const auto stored = store.find_patch(device_, base_.hex8());
      if (!sidecar || !stored) continue;
      if (!report_.previous) report_.previous = sidecar->counts;
      if (stored->view() == series_.view()) return;
      if (sidecar->commit != adapted_.commit() || sidecar->base != base_) continue;
      try {
        git::NullSink nowhere;
        Materialised again = materialise(repository_.odb(), base_, *stored, report_.path, nowhere,
                                         {[&] { return repository_.borrow_odb(); }, {}});
        if (again.commit() != adapted_.commit()) continue;
        series_ = *stored;
        adapted_.counts = again.counts;
        report_.counts = again.counts;
        return;
      } catch (const Error&) {
        // A damaged stored file is simply replaced.
        continue;
      }
    }
  }

  void find_others() {
    for (const DeviceType& device : request_.devices) {
      if (device == device_) continue;
      const std::vector<Place> places = places_for_others();
      auto found = search_.find_first(places, device, base_.hex8());
      if (!found) {
        throw_no_patch(search_, places, device, base_.hex8(),
                       {"publish it first, or fetch the branch that has it"}, "--onto");
      }
      report_.sources.push_back(device.text() + " from " + found->place.label);
      others_.push_back(*std::move(found));
    }
  }

  std::vector<Place> places_for_others() {
    std::vector<Place> places;
    const auto add = [&](std::string label, const std::optional<git::Oid>& commit) {
      if (commit) places.push_back({std::move(label), commit});
    };
    if (request_.onto) add(*request_.onto, parent_);
    add("HEAD", repository_.head_commit());
    add("current", current_);
    if (repository_.top()) places.push_back({"the working tree", std::nullopt});
    add("base", base_);
    if (const auto target =
            find_push_target(repository_, former_head_, branch_->name(), base_, current_)) {
      add(target->remote + "/" + target->branch, target->tip);
    }
    for (Place& place : search_.patch_branches()) places.push_back(std::move(place));
    for (const char* name : {"main", "master"}) {
      add(name, repository_.find_ref(std::string("refs/heads/") + name));
    }
    return places;
  }

  void compose() {
    contents_tree_.emplace(repository_, *paths_, parent_, branch_->tip());
    contents_tree_->fill({device_, base_, current_, series_, adapted_, others_}, search_);
    patch_tree_ = contents_tree_->flush(made_);
    report_.files = contents_tree_->changed_files(made_, patch_tree_);
    report_.subject = patch_subject(repository_, device_, newest_work_);
  }

  void check_everything_may_move() {
    if (!is_unchanged() || !request_.no_switch) branch_->check_not_elsewhere();
    if (is_unchanged() && !is_there_already()) return;
    branch_->check_may_move(parent_, paths_->folder());
    if (request_.no_switch) {
      if (!branch_->has_head()) return;
      throw_refused(
          "HEAD is on branch " + in_quotes(branch_->name()) + ", which cannot be moved under it",
          {"leave out --no-switch"});
    }
    with_no_switch_hint(
        [&] { checked_ = git::check_nothing_in_the_way(repository_, patch_tree_, made_); });
  }

  /// Whether the commit that `--onto` names holds all of it, down to the last file.
  [[nodiscard]] bool is_there_already() const { return request_.onto && report_.files.empty(); }

  /// Whether the branch's tip already publishes this adapted commit and these combinations.
  bool is_unchanged() {
    if (is_there_already()) return true;
    if (!branch_->tip()) return false;
    const git::Commit tip = repository_.read_commit(*branch_->tip());
    if (request_.onto && (tip.parents.empty() || tip.parents.front() != parent_)) return false;
    Store& store = search_.at({"the patch branch", branch_->tip()});
    const auto sidecar = store.find_sidecar(device_, base_.hex8());
    const auto stored = store.find_patch(device_, base_.hex8());
    if (!sidecar || !stored || sidecar->commit != adapted_.commit() ||
        stored->view() != series_.view()) {
      return false;
    }
    Devices wanted = normalised(request_.devices);
    if (wanted.size() < 2) return true;
    const auto recorded = store.combinations(base_);
    return std::any_of(recorded.begin(), recorded.end(),
                       [&](const RecordedCombination& c) { return contains(c.devices, wanted); }) &&
           std::all_of(others_.begin(), others_.end(), [&](const FoundPatch& other) {
             return store.find_patch(other.device, other.base8).has_value();
           });
  }

  void write_commit() {
    PatchCommitText text;
    text.tree = patch_tree_;
    text.parent = parent_;
    text.message = finished_message(repository_, request_.message.value_or(report_.subject),
                                    request_.sign_off);
    report_.subject = git::message_subject(text.message);
    const auto commit = make_patch_commit(repository_, text, made_);
    git::write_objects_and_files(repository_, made_, checked_);
    if (commit) {
      report_.patch_commit = *commit;
      return;
    }
    report_.patch_commit = write_patch_commit(repository_, text);
    // Signing takes its time, and nothing has moved yet.
    check_interrupt();
    branch_->check_not_elsewhere();
  }

  void put_head_on_branch() {
    way_back_ = describe_head();
    if (request_.no_switch) {
      if (branch_->tip() != report_.patch_commit) {
        branch_->move(report_.patch_commit, reflog_text(report_.subject));
      }
      return;
    }
    with_no_switch_hint([&] {
      if (const auto note =
              git::switch_to(repository_, {report_.patch_commit, branch_->name(), true,
                                           reflog_text(report_.subject), checked_})) {
        report_.warnings.push_back(*note);
      }
    });
    report_.switched = true;
  }

  /// Arguments of `git switch` that bring HEAD back.
  std::string describe_head() {
    static constexpr std::string_view kHeads = "refs/heads/";
    if (const auto head = repository_.head_branch()) {
      if (*head == branch_->full_name()) return "";
      const std::string name = head->starts_with(kHeads) ? head->substr(kHeads.size()) : *head;
      return (repository_.head_commit() ? "" : "--orphan ") + shell_quoted(name);
    }
    const auto commit = repository_.head_commit();
    return commit ? "--detach " + commit->short_hex() : "";
  }

  template <typename Action>
  void with_no_switch_hint(Action action) {
    try {
      action();
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::refused) throw;
      std::vector<std::string> hints = error.hints();
      hints.emplace_back(
          hints.empty() ? "--no-switch leaves HEAD, index and working tree alone"
                        : "or use --no-switch, which leaves HEAD, index and working tree alone");
      throw Error(error.kind(), error.what(), std::move(hints));
    }
  }

  PatchReport finish(PatchReport::Status status) {
    report_.status = status;
    report_.warnings.insert(report_.warnings.begin(), repository_.warnings().begin(),
                            repository_.warnings().end());
    if (status == PatchReport::Status::unchanged) {
      const git::Commit tip = repository_.read_commit(report_.patch_commit);
      report_.parent = tip.parents.empty() ? base_ : tip.parents.front();
      report_.files.clear();
      report_.previous.reset();
    }
    if (status != PatchReport::Status::planned && request_.want_hint) {
      HintSubject subject;
      subject.devices = request_.devices;
      subject.base = base_;
      subject.current = current_;
      subject.patch_commit = report_.patch_commit;
      subject.parent = report_.parent;
      subject.former_head = former_head_;
      subject.branch = branch_->name();
      subject.store_folder = paths_->folder();
      subject.path = report_.path;
      subject.versions_made_here = PatchBranch(repository_, device_, base_).versions_made_here();
      subject.switched = report_.switched;
      subject.way_back = way_back_;
      if (repository_.config().is_true("advice.flagscalePush", true)) {
        report_.hint = push_hint(repository_, subject);
      }
    }
    return std::move(report_);
  }

  const PatchRequest& request_;
  const DeviceType& device_;
  git::Repository repository_;
  StoreSearch search_;
  git::Oid base_;
  git::Oid current_;
  git::Oid parent_;
  /// Current's first-parent line after base, where base is on it.
  std::optional<std::vector<git::Oid>> line_;
  git::Oid newest_work_;
  std::optional<PatchBranch> branch_;
  std::optional<StorePaths> paths_;
  Content series_;
  Materialised adapted_;
  git::MadeObjects made_;
  std::optional<git::CheckedSwitch> checked_;
  std::vector<FoundPatch> others_;
  std::optional<PatchTree> contents_tree_;
  git::Oid patch_tree_;
  std::string former_head_;
  std::string way_back_;
  PatchReport report_;
};

}  // namespace

PatchReport run_patch(const PatchRequest& request) {
  return PatchRun(request).run();
}

}  // namespace flagscale::commands
