// SPDX-License-Identifier: Apache-2.0
#include "commands/show.h"

#include <utility>

#include "base/error.h"
#include "base/quote.h"

namespace flagscale::commands {
namespace {

class ShowRun {
 public:
  explicit ShowRun(const ShowRequest& request)
      : repository_(git::Repository::open()),
        search_(repository_, StoreSearch::wanted_folder(repository_, request.hardware_dir)),
        view_(repository_, search_, request.from),
        report_{request.device, std::nullopt, {}, {}} {
    StoreSelection selection;
    selection.devices = {request.device};
    if (request.base) selection.bases = {*request.base};
    // A branch may be named like a device type.
    if (request.base && DeviceType::find(*request.base) &&
        !repository_.find_commit(*request.base)) {
      throw_usage(
          "show takes one device type, " + in_quotes(*request.base) + " is a second one",
          {"in one table: git flagscale list " + request.device.text() + " " + *request.base});
    }
    patches_ = view_.select(selection);
  }

  ShowReport report() {
    read_vendor();
    const auto combinations = view_.combinations(report_.warnings);
    for (PatchCheck& check : check_patches(repository_, search_, patches_, nullptr)) {
      ShownPatch shown{std::move(check), std::nullopt, {}, {}, {}};
      shown.combinations = combinations_of(shown.check.patch, combinations);
      if (shown.check.state != PatchCheck::State::encrypted) describe(shown);
      report_.patches.push_back(std::move(shown));
    }
    return std::move(report_);
  }

  Content bytes() {
    if (patches_.size() > 1) {
      std::string bases;
      for (const StoredPatch& patch : patches_) bases += " " + patch.base8;
      throw_refused("which patch of " + report_.device.text() + "? there are several",
                    {"name the base:" + bases});
    }
    const StoredPatch& patch = patches_.front();
    auto bytes = search_.at(patch.place).find_patch(patch.device, patch.base8);
    if (!bytes) {
      throw_refused("the patch of " + patch.device.text() + " for " + patch.base8 +
                    " is encrypted");
    }
    return *std::move(bytes);
  }

 private:
  void read_vendor() {
    Store& store = search_.at(patches_.front().place);
    const std::string path = store.paths().vendor(report_.device);
    const auto text = store.files().find(path);
    if (!text) return;
    try {
      check_vendor(path, text->view(), report_.device);
      report_.vendor = JsonFile(path, text->view()).object();
    } catch (const Error& error) {
      report_.warnings.emplace_back(error.what());
    }
  }

  /// What can be said without applying anything.
  static void describe(ShownPatch& shown) {
    try {
      const PatchFile file = parse_patch_file(shown.check.bytes);
      PatchCounter counter;
      PatchTally tally;
      for (std::size_t i = 0; i < file.mails.size(); ++i) {
        const Mail& mail = file.mails[i];
        const std::vector<FileDiff> diffs = parse_mail_diffs(mail);
        counter.add_commit(diffs);
        tally.add_commit(diffs);
        ShownCommit& commit = shown.commits.emplace_back();
        if (shown.check.adapted) commit.id = shown.check.adapted->commits.at(i);
        commit.author = mail.author;
        commit.subject = git::message_subject(mail.message);
      }
      if (file.is_bare_diff) shown.commits.clear();
      shown.counts = counter.counts();
      shown.files = tally.files();
    } catch (const Error&) {
      // The check has failed for the same reason and tells it.
      shown.commits.clear();
    }
  }

  git::Repository repository_;
  StoreSearch search_;
  StoreView view_;
  std::vector<StoredPatch> patches_;
  ShowReport report_;
};

}  // namespace

ShowReport run_show(const ShowRequest& request) {
  return ShowRun(request).report();
}

Content read_shown_patch(const ShowRequest& request) {
  return ShowRun(request).bytes();
}

}  // namespace flagscale::commands
