// SPDX-License-Identifier: Apache-2.0
#include "commands/unpatch.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "base/error.h"
#include "base/files.h"
#include "base/parallel.h"
#include "base/quote.h"
#include "commands/base_lookup.h"
#include "commands/output_folder.h"
#include "commands/store_search.h"
#include "core/materialise.h"
#include "git/checkout_writer.h"
#include "git/command.h"
#include "git/made_objects.h"
#include "git/new_repository.h"
#include "git/repository.h"
#include "git/switch.h"

namespace flagscale::commands {
namespace {

std::vector<std::string> revisions_of(const UnpatchRequest& request) {
  std::vector<std::string> revisions = {"HEAD", request.commit_id};
  if (request.from) revisions.push_back(*request.from);
  return revisions;
}

/// Objects of more than this are made again instead of being kept.
constexpr std::size_t kMaxKept = std::size_t{32} << 20U;

/// One device type on its way.
struct Job {
  FoundPatch patch;
  git::Oid base;
  Materialised adapted;
};

class UnpatchRun {
 public:
  explicit UnpatchRun(const UnpatchRequest& request)
      : request_(request),
        repository_(git::Repository::open(revisions_of(request))),
        search_(repository_, StoreSearch::wanted_folder(repository_, request.hardware_dir)) {}

  UnpatchReport run() {
    check_request();
    find_patches();
    check_combination();
    report_.warnings.insert(report_.warnings.begin(), repository_.warnings().begin(),
                            repository_.warnings().end());
    return request_.dir ? into_folders() : in_place();
  }

 private:
  void check_request() {
    if (request_.devices.size() > 1 && !request_.dir) {
      throw_unable("several device types need --dir: each gets a folder of its own");
    }
    if (request_.dir && request_.branch) {
      throw_unable("--branch is for unpatch in place, it does not go with --dir");
    }
    if (!request_.dir) git::check_can_switch(repository_);
    if (request_.branch) check_branch();
  }

  void check_branch() {
    const std::string& name = *request_.branch;
    const ProcessResult result = git::run_git({"check-ref-format", "--branch", name});
    if (result.status != 0 || name.starts_with('-')) {
      throw_unable(in_quotes(name) + " is not a valid branch name");
    }
    if (repository_.find_ref("refs/heads/" + name)) {
      throw_refused("a branch named " + in_quotes(name) + " exists already");
    }
    const std::string full_name = "refs/heads/" + name;
    for (const git::Ref& ref : repository_.refs("refs/heads/*")) {
      if (full_name.starts_with(ref.name + "/") || ref.name.starts_with(full_name + "/")) {
        throw_refused("a branch named " + in_quotes(name) + " cannot be beside branch " +
                      in_quotes(ref.name.substr(std::string_view("refs/heads/").size())));
      }
    }
  }

  std::vector<Place> places() {
    if (!request_.from) return search_.usual_places();
    return {{*request_.from, repository_.read_commit_id(*request_.from, "commit for --from")}};
  }

  void find_patches() {
    places_ = places();
    for (const DeviceType& device : request_.devices) {
      Job job{find_patch_for(repository_, search_, places_, device, request_.commit_id), {}, {}};
      job.base = find_base_of(repository_, job.patch);
      warn_about_edited_copy(job.patch);
      jobs_.push_back(std::move(job));
    }
  }

  /// The working tree may hold an edited copy of the patch file that HEAD has.
  void warn_about_edited_copy(const FoundPatch& patch) {
    if (patch.place.label != "HEAD" || !repository_.top()) return;
    const auto copy = FolderFiles(*repository_.top()).find(patch.path);
    if (!copy || copy->view() == patch.bytes.view()) return;
    std::string plain(copy->view());
    std::erase(plain, '\r');
    std::string stored(patch.bytes.view());
    std::erase(stored, '\r');
    if (plain == stored) return;
    report_.warnings.push_back(in_quotes(patch.path) +
                               " was edited in the working tree; HEAD's version is used");
  }

  void check_combination() {
    if (request_.devices.size() < 2) return;
    for (const Job& job : jobs_) {
      if (job.base != jobs_.front().base) {
        throw_refused("the patches of " + jobs_.front().patch.device.text() + " and " +
                      job.patch.device.text() + " have different bases");
      }
    }
    const Devices wanted = normalised(request_.devices);
    std::vector<std::string> recorded;
    for (const Place& place : places_) {
      for (const RecordedCombination& c : search_.at(place).combinations(jobs_.front().base)) {
        if (contains(c.devices, wanted)) return;
        std::string text = format_devices(c.devices);
        if (std::find(recorded.begin(), recorded.end(), text) == recorded.end()) {
          recorded.push_back(std::move(text));
        }
      }
    }
    std::vector<std::string> hints;
    static constexpr std::size_t kShown = 5;
    for (std::size_t i = 0; i < recorded.size() && i < kShown; ++i) {
      hints.push_back("recorded for this base: " + recorded[i]);
    }
    if (recorded.empty()) hints.emplace_back("no combination is recorded for this base");
    hints.push_back(format_places(places_));
    throw_refused("the combination " + format_devices(wanted) + " is not recorded for base " +
                      jobs_.front().base.hex8(),
                  std::move(hints));
  }

  /// Rebuilds one job in memory, handing objects to `sink`, and checks it against its sidecar.
  void rebuild(Job& job, git::ObjectSource& source, git::ObjectSink& sink) {
    MaterialiseHelp help;
    // One alone has all cores for itself; several at once have no common count of mails.
    if (jobs_.size() == 1) help = {[&] { return repository_.borrow_odb(); }, request_.progress};
    job.adapted = materialise(source, job.base, job.patch.bytes, job.patch.path, sink, help);
    if (!job.patch.sidecar) return;
    if (job.patch.sidecar->commit != job.adapted.commit()) {
      throw_unable(in_quotes(job.patch.path) + " gives adapted commit " +
                   job.adapted.commit().hex() + ", but its sidecar says " +
                   job.patch.sidecar->commit.hex());
    }
  }

  [[nodiscard]] static UnpatchedDevice device_report(const Job& job, std::string folder) {
    UnpatchedDevice device;
    device.device = job.patch.device.text();
    device.base = job.base;
    device.adapted = job.adapted.commit();
    device.tree = job.adapted.tree;
    device.counts = job.adapted.counts;
    device.path = job.patch.path;
    device.place = job.patch.place.label;
    device.folder = std::move(folder);
    return device;
  }

  UnpatchReport in_place() {
    Job& job = jobs_.front();
    git::MadeObjects made(repository_.odb(), kMaxKept);
    rebuild(job, repository_.odb(), made);
    report_.devices.push_back(device_report(job, repository_.top().value_or("")));
    report_.branch = request_.branch.value_or("");
    if (!request_.branch && repository_.head_commit() == job.adapted.commit()) {
      report_.status = UnpatchReport::Status::unchanged;
      return std::move(report_);
    }
    std::optional<git::CheckedSwitch> checked;
    const auto check = [&] {
      checked = git::check_nothing_in_the_way(repository_, job.adapted.tree, made);
    };
    if (made.complete()) check();
    if (request_.dry_run) {
      report_.status = UnpatchReport::Status::planned;
      return std::move(report_);
    }
    const std::string way_back = describe_head();
    if (made.complete()) {
      git::write_objects_and_files(repository_, made, checked);
    } else {
      rebuild(job, repository_.odb(), repository_.odb());
      check();
    }
    if (const auto note = git::switch_to(
            repository_, {job.adapted.commit(), request_.branch, /*move_branch=*/false,
                          "flagscale unpatch: " + job.patch.path, checked})) {
      report_.warnings.push_back(*note);
    }
    report_.way_back = way_back;
    return std::move(report_);
  }

  /// Arguments of `git switch` that bring HEAD back.
  std::string describe_head() {
    static constexpr std::string_view kHeads = "refs/heads/";
    if (const auto head = repository_.head_branch()) {
      const std::string name = head->starts_with(kHeads) ? head->substr(kHeads.size()) : *head;
      return (repository_.head_commit() ? "" : "--orphan ") + shell_quoted(name);
    }
    const auto commit = repository_.head_commit();
    return commit ? "--detach " + commit->short_hex() : "";
  }

  UnpatchReport into_folders() {
    const std::string dir = canonical_path(*request_.dir);
    for (const std::string& folder : {repository_.git_dir(), repository_.common_dir()}) {
      if ((dir + "/").starts_with(canonical_path(folder) + "/")) {
        throw_refused("--dir " + in_quotes(*request_.dir) + " is inside the git folder");
      }
    }
    if (repository_.top()) {
      const std::string store =
          canonical_path(*repository_.top() + "/" + search_.at(places_.front()).paths().folder());
      if ((dir + "/").starts_with(store + "/")) {
        throw_refused("--dir " + in_quotes(*request_.dir) + " is inside the store");
      }
    }
    std::vector<OutputFolder> outputs;
    for (const Job& job : jobs_) {
      check_not_this_repository(dir + "/" + job.patch.device.text() + "/" + repository_.name());
      outputs.emplace_back(dir, job.patch.device.text(), repository_.name(), request_.force);
    }
    prove_all();
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      report_.devices.push_back(device_report(jobs_[i], outputs[i].path()));
    }
    if (request_.dry_run) {
      report_.status = UnpatchReport::Status::planned;
      return std::move(report_);
    }
    build_all(outputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      report_.devices[i].set_aside = outputs[i].put_in_place();
    }
    for (OutputFolder& output : outputs) output.settle();
    return std::move(report_);
  }

  /// Not even --force may move the repository that is being read.
  void check_not_this_repository(const std::string& place) {
    const std::string path = canonical_path(place) + "/";
    for (const std::string& folder : {repository_.git_dir(), repository_.common_dir(),
                                      repository_.top().value_or(repository_.git_dir())}) {
      if ((canonical_path(folder) + "/").starts_with(path)) {
        throw_refused(in_quotes(place) + " is where this repository is");
      }
    }
  }

  /// Nothing is written before all of them are known to work.
  void prove_all() {
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      odbs_.push_back(repository_.open_odb());
      made_.push_back(std::make_unique<git::MadeObjects>(*odbs_.back(), kMaxKept));
    }
    parallel_for(
        jobs_.size(), [] { return 0; },
        [&](int, std::size_t i) { rebuild(jobs_[i], *odbs_[i], *made_[i]); });
  }

  void build_all(std::vector<OutputFolder>& outputs) {
    for (OutputFolder& output : outputs) output.prepare();
    // What is missing in a partial clone git fetches when it checks out.
    const bool plain = git::checks_out_plainly(repository_) && !repository_.is_partial();
    std::vector<git::WorkingTree> trees(jobs_.size());
    parallel_for(
        jobs_.size(), [] { return 0; },
        [&](int, std::size_t i) {
          const std::string& folder = outputs[i].building();
          git::make_repository(repository_, folder, jobs_[i].adapted.commit());
          const auto open_target = [&] { return git::Odb::for_writing(folder + "/.git/objects"); };
          const auto target = open_target();
          if (made_[i]->complete()) {
            made_[i]->write_in_parallel(open_target);
          } else {
            rebuild(jobs_[i], *odbs_[i], *target);
          }
          trees[i].folder = folder;
          trees[i].tree = jobs_[i].adapted.tree;
          if (!plain) return;
          git::Odb objects(folder + "/.git/objects");
          trees[i].listing = git::list_tree(objects, jobs_[i].adapted.tree);
        });
    const bool attributes = std::any_of(
        trees.begin(), trees.end(), [](const auto& tree) { return tree.listing.has_attributes; });
    if (plain && !attributes) {
      git::write_working_trees(trees, request_.progress);
    } else {
      for (const git::WorkingTree& tree : trees) git::check_out_head(tree.folder);
    }
    for (std::size_t i = 0; i < jobs_.size(); ++i) outputs[i].mark(jobs_[i].adapted.commit());
  }

  const UnpatchRequest& request_;
  git::Repository repository_;
  StoreSearch search_;
  std::vector<Place> places_;
  std::vector<Job> jobs_;
  /// One each per job, when rebuilding into folders.
  std::vector<std::unique_ptr<git::Odb>> odbs_;
  std::vector<std::unique_ptr<git::MadeObjects>> made_;
  UnpatchReport report_;
};

}  // namespace

UnpatchReport run_unpatch(const UnpatchRequest& request) {
  return UnpatchRun(request).run();
}

}  // namespace flagscale::commands
