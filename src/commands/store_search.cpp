// SPDX-License-Identifier: Apache-2.0
#include "commands/store_search.h"

#include <set>

#include "base/error.h"
#include "base/quote.h"
#include "git/remotes.h"

namespace flagscale::commands {
namespace {

std::string without_crs(std::string_view bytes) {
  std::string out;
  while (!bytes.empty()) {
    const std::string_view line = take_line(bytes);
    out += without_eol(line);
    if (line.ends_with('\n')) out += '\n';
  }
  return out;
}

void check_blob(FoundPatch& found, StoreFiles& files) {
  if (!found.sidecar) return;
  const git::Oid& wanted = found.sidecar->blob;
  const auto known = files.find_known_id(found.path);
  if (known.value_or(git::Oid()) == wanted) return;
  if (git::hash_object(git::ObjectType::blob, found.bytes.view()) == wanted) return;
  // A checkout with core.autocrlf shows the file with CR LF; the stored one is still known.
  std::string plain = without_crs(found.bytes.view());
  if (git::hash_object(git::ObjectType::blob, plain) == wanted) {
    found.bytes = Content(std::move(plain));
    found.was_converted = true;
    return;
  }
  throw_unable("damaged patch file " + in_quotes(found.path) + " in " + found.place.label +
                   ": its blob id is not the one in its sidecar",
               {"line endings were converted, it was cut off, or it was edited by hand"});
}

}  // namespace

Store& StoreSearch::at(const Place& place) {
  std::unique_ptr<Store>& store = stores_[place.commit ? place.commit->hex() : ""];
  if (!store) {
    std::shared_ptr<StoreFiles> files;
    if (place.commit) {
      files = std::make_shared<TreeFiles>(repository_.odb(),
                                          repository_.read_commit(*place.commit).tree);
    } else {
      files = std::make_shared<FolderFiles>(*repository_.top());
    }
    store = std::make_unique<Store>(std::move(files), folder_);
  }
  return *store;
}

std::vector<Place> StoreSearch::patch_branches() {
  std::vector<Place> places;
  for (const git::Ref& ref : repository_.refs("refs/heads/flagscale[-/]*")) {
    places.push_back({ref.name.substr(std::string_view("refs/heads/").size()), ref.id});
  }
  return places;
}

std::vector<Place> StoreSearch::branches_beyond(const std::vector<Place>& places) {
  static constexpr std::size_t kMost = 1000;
  std::set<std::string> seen;
  for (const Place& place : places) {
    if (place.commit) seen.insert(place.commit->hex());
  }
  std::vector<Place> branches;
  for (const std::string& prefix : {std::string("refs/heads/"), std::string("refs/remotes/")}) {
    for (const git::Ref& ref : repository_.refs(prefix + "*")) {
      if (branches.size() == kMost || !ref.target.empty()) continue;
      if (!seen.insert(ref.id.hex()).second) continue;
      branches.push_back({ref.name.substr(prefix.size()), ref.id});
    }
  }
  return branches;
}

std::vector<Place> StoreSearch::usual_places() {
  std::vector<Place> places;
  if (const auto head = repository_.head_commit()) places.push_back({"HEAD", head});
  if (repository_.top()) places.push_back({"the working tree", std::nullopt});
  if (const auto remote = git::find_push_remote(repository_, "")) {
    const git::RemoteBranch branch = git::default_branch(repository_, *remote);
    if (branch.tip) places.push_back({branch.text(), branch.tip});
  }
  for (Place& place : patch_branches()) places.push_back(std::move(place));
  return places;
}

std::optional<FoundPatch> StoreSearch::find(const Place& place, const DeviceType& device,
                                            const std::string& base8) {
  Store& store = at(place);
  auto bytes = store.find_patch(device, base8);
  if (!bytes) return std::nullopt;
  FoundPatch found{device,
                   base8,
                   place,
                   store.paths().patch(device, base8),
                   *std::move(bytes),
                   store.find_sidecar(device, base8)};
  check_blob(found, store.files());
  return found;
}

std::optional<FoundPatch> StoreSearch::find_first(const std::vector<Place>& places,
                                                  const DeviceType& device,
                                                  const std::string& base8) {
  for (const Place& place : places) {
    if (auto found = find(place, device, base8)) return found;
  }
  return std::nullopt;
}

std::optional<std::string> StoreSearch::wanted_folder(git::Repository& repository,
                                                      const std::optional<std::string>& option) {
  if (option) return parse_store_folder(*option);
  const auto configured = repository.config().find("flagscale.hardwareDir");
  if (configured && !configured->empty()) return parse_store_folder(*configured);
  return std::nullopt;
}

std::string format_places(const std::vector<Place>& places) {
  if (places.empty()) return "there is nowhere to look";
  std::string out = "looked in ";
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (i > 0) out += i + 1 == places.size() ? " and " : ", ";
    out += escaped(places[i].label);
  }
  return out;
}

}  // namespace flagscale::commands
