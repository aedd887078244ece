// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/files.h"
#include "base/new_files.h"
#include "base/quote.h"
#include "commands/base_lookup.h"
#include "commands/hetero.h"
#include "commands/hetero_store.h"

namespace flagscale::commands {
namespace {

/// An old mapping file.
struct Mapping {
  std::string name;
  std::string text;
};

class ImportRun {
 public:
  explicit ImportRun(const HeteroImportRequest& request)
      : request_(request), store_(request.hardware_dir) {}

  HeteroReport run() {
    for (const Mapping& mapping : mappings()) {
      for (const HeteroLine& line : parse_hetero_text(mapping.name, mapping.text)) {
        add(mapping.name + ":" + std::to_string(line.line), line);
      }
    }
    return write();
  }

 private:
  std::vector<Mapping> mappings() {
    if (request_.file) {
      auto text = find_file(*request_.file);
      if (!text) throw_unable("there is no file " + in_quotes(*request_.file));
      return {{*request_.file, *std::move(text)}};
    }
    std::vector<Mapping> found;
    std::vector<Place> places = store_.places();
    // What is imported is what the user has before them.
    std::reverse(places.begin(), places.end());
    for (const Place& place : places) {
      Store& store = store_.search().at(place);
      for (const std::string& path : store.combination_files()) {
        if (!is_old_mapping(path)) continue;
        if (const auto text = store.files().find(path)) {
          found.push_back({path, std::string(text->view())});
          old_mappings_.push_back(path);
        }
      }
      if (!found.empty()) return found;
    }
    throw_refused("there is no old mapping file here",
                  {"name it: git flagscale hetero import <file>"});
  }

  void add(const std::string& where, const HeteroLine& line) {
    Combination combination{find_base(where, line), line.devices};
    for (const DeviceType& device : line.devices) {
      if (store_.has_patch(device, combination.base)) continue;
      throw_refused(escaped(where) + ": " + device.text() + " has no patch for base " +
                        combination.base.hex8(),
                    {"take it out of the line, or publish that patch first"});
    }
    wanted_.push_back(std::move(combination));
  }

  /// The store knows its bases in full; a repository may hold other objects that begin alike.
  git::Oid find_base(const std::string& where, const HeteroLine& line) {
    std::set<git::Oid> bases;
    for (const Place& place : store_.places()) {
      Store& store = store_.search().at(place);
      for (const DeviceType& device : line.devices) {
        for (const std::string& base8 : store.bases(device)) {
          const auto sidecar = store.find_sidecar(device, base8);
          if (sidecar && sidecar->base.hex().starts_with(line.base)) bases.insert(sidecar->base);
        }
      }
    }
    if (bases.size() == 1) return *bases.begin();
    if (bases.size() > 1) {
      throw_unable(escaped(where) + ": base " + line.base + " is ambiguous: " +
                   bases.begin()->hex() + " or " + std::next(bases.begin())->hex());
    }
    const auto commit = store_.repository().find_commit(line.base);
    if (commit && commit->hex().starts_with(line.base)) return *commit;
    throw_unable(escaped(where) + ": there is no commit " + line.base + " here",
                 {"git fetch brings it, if the remote still has it"});
  }

  HeteroReport write() {
    // Larger ones first: they make smaller ones unnecessary.
    std::stable_sort(wanted_.begin(), wanted_.end(), [](const auto& a, const auto& b) {
      return a.devices.size() > b.devices.size();
    });
    std::vector<RecordedCombination> recorded = store_.files().combinations();
    std::erase_if(recorded, [](const RecordedCombination& c) { return c.line != 0; });
    HeteroReport report;
    NewFiles files(store_.top());
    for (const Combination& combination : wanted_) {
      if (HeteroStore::find_containing(recorded, combination) != nullptr) continue;
      report.combinations.push_back(store_.place_for(combination));
      files.add(report.combinations.back().path, format_combination(combination));
      recorded.push_back(report.combinations.back());
    }
    files.keep();
    report.status = report.combinations.empty() ? HeteroReport::Status::unchanged
                                                : HeteroReport::Status::written;
    if (!report.combinations.empty()) {
      report.hints = {"others get them with a commit:", "  " + commit_command(report.combinations)};
    }
    for (const std::string& path : old_mappings_) {
      report.hints.push_back("nothing needs " + in_quotes(path) + " any more:");
      report.hints.push_back("  git rm " + shell_quoted(":/" + path));
    }
    return report;
  }

  const HeteroImportRequest& request_;
  HeteroStore store_;
  std::vector<Combination> wanted_;
  std::vector<std::string> old_mappings_;
};

}  // namespace

HeteroReport run_hetero_import(const HeteroImportRequest& request) {
  return ImportRun(request).run();
}

}  // namespace flagscale::commands
