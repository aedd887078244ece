// SPDX-License-Identifier: Apache-2.0
#include "commands/verify.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/quote.h"

namespace flagscale::commands {
namespace {

class VerifyRun {
 public:
  explicit VerifyRun(const VerifyRequest& request)
      : request_(request),
        repository_(git::Repository::open()),
        search_(repository_, StoreSearch::wanted_folder(repository_, request.hardware_dir)),
        view_(repository_, search_, request.from) {}

  VerifyReport run() {
    const std::vector<StoredPatch> patches = view_.select(request_.selection);
    report_.patches = check_patches(repository_, search_, patches, request_.progress);
    for (const Place& place : view_.places()) {
      check_names(search_.at(place));
      check_combinations(search_.at(place));
    }
    if (report_.patches.empty()) report_.hints = view_.hints_elsewhere();
    return std::move(report_);
  }

 private:
  [[nodiscard]] bool is_selected(const DeviceType& device) const {
    const auto& devices = request_.selection.devices;
    return devices.empty() || std::find(devices.begin(), devices.end(), device) != devices.end();
  }

  [[nodiscard]] bool is_selected(const RecordedCombination& c) const {
    const StoreSelection& selection = request_.selection;
    if (selection.devices.empty() && selection.bases.empty()) return true;
    return std::any_of(report_.patches.begin(), report_.patches.end(), [&](const PatchCheck& p) {
      return is_for_base8(c, p.patch.base8) && contains(c.devices, {p.patch.device});
    });
  }

  void add_problem(std::string subject, std::string reason) {
    if (!seen_.insert(subject + "\n" + reason).second) return;
    report_.problems.push_back({std::move(subject), std::move(reason)});
  }

  /// Names that some file systems cannot hold beside each other, and metadata without a patch.
  void check_names(Store& store) {
    const std::vector<DeviceType> devices = store.devices();
    for (const DeviceType& device : devices) {
      if (!is_selected(device)) continue;
      for (const DeviceType& other : devices) {
        if (device < other && differ_in_case_only(device.text(), other.text())) {
          add_problem(store.paths().device(device), "differs from " + store.paths().device(other) +
                                                        " in upper and lower case only");
        }
      }
      const std::vector<std::string> bases = store.bases(device);
      for (const std::string& name : store.files().folders(store.paths().device(device))) {
        if (!is_base8(name) || std::find(bases.begin(), bases.end(), name) != bases.end()) continue;
        const std::string sidecar = store.paths().sidecar(device, name);
        if (store.files().find(sidecar)) add_problem(sidecar, "there is no patch file beside it");
      }
    }
  }

  void check_combinations(Store& store) {
    for (const std::string& path : store.combination_files()) {
      // What HEAD holds was checked there.
      if (!seen_files_.insert(path).second) continue;
      try {
        for (const RecordedCombination& c : store.read_combinations(path)) check(store, c);
      } catch (const Error& error) {
        add_unreadable(error.what());
      }
    }
  }

  /// From "<file>:<line>: <reason>".
  void add_unreadable(const std::string& message) {
    const std::size_t end = message.find(": ");
    if (end == std::string::npos) return add_problem("the store", message);
    add_problem(message.substr(0, end), message.substr(end + 2));
  }

  void check(const Store& store, const RecordedCombination& c) {
    if (!is_selected(c)) return;
    ++report_.combinations;
    const std::string subject = escaped(c.path) + (c.line == 0 ? "" : ":" + std::to_string(c.line));
    if (c.line == 0) {
      const std::string wanted = store.paths().combination(c.base.substr(0, 8), c.devices);
      if (c.path != wanted) {
        add_problem(subject, "its name does not match its devices, it should be " +
                                 std::string(base_name(wanted)));
      }
    }
    for (const DeviceType& device : c.devices) {
      if (!has_patch(device, c)) {
        add_problem(subject, device.text() + " has no patch for base " + c.base.substr(0, 8));
      }
    }
  }

  bool has_patch(const DeviceType& device, const RecordedCombination& c) {
    return std::any_of(view_.places().begin(), view_.places().end(), [&](const Place& place) {
      Store& store = search_.at(place);
      const std::vector<std::string> bases = store.bases(device);
      return std::any_of(bases.begin(), bases.end(), [&](const std::string& base8) {
        return has_base(store, device, base8, c);
      });
    });
  }

  /// The folder's eight digits may be those of another base.
  static bool has_base(Store& store, const DeviceType& device, const std::string& base8,
                       const RecordedCombination& c) {
    if (!is_for_base8(c, base8)) return false;
    try {
      const auto sidecar = store.find_sidecar(device, base8);
      return !sidecar || c.is_for(sidecar->base);
    } catch (const Error&) {
      // Told once, where the patch itself is checked.
      return true;
    }
  }

  const VerifyRequest& request_;
  git::Repository repository_;
  StoreSearch search_;
  StoreView view_;
  VerifyReport report_;
  std::set<std::string> seen_;
  std::set<std::string> seen_files_;
};

}  // namespace

bool VerifyReport::failed() const {
  return !problems.empty() ||
         std::any_of(patches.begin(), patches.end(), [](const PatchCheck& check) {
           return check.state == PatchCheck::State::failed;
         });
}

VerifyReport run_verify(const VerifyRequest& request) {
  return VerifyRun(request).run();
}

}  // namespace flagscale::commands
