// SPDX-License-Identifier: Apache-2.0
#include "git/packs.h"

#include "base/error.h"
#include "base/files.h"

namespace flagscale::git {
namespace {

/// Where there are more, looking into one after the other is slower than git's multi-pack-index.
constexpr std::size_t kMaxPacks = 500;

std::vector<std::string> find_indexes(const std::string& folder) {
  std::vector<std::string> names;
  try {
    names = list_folder(folder);
  } catch (const Error&) {
    // Whoever is asked next tells what is wrong with the folder.
    return {};
  }
  std::erase_if(names, [](const std::string& name) {
    return !name.starts_with("pack-") || !name.ends_with(".idx");
  });
  return names;
}

}  // namespace

void Packs::open() const {
  for (const std::string& objects_dir : objects_dirs_) {
    const std::string folder = objects_dir + "/pack/";
    const std::vector<std::string> names = find_indexes(folder);
    if (packs_.size() + names.size() > kMaxPacks) continue;
    for (const std::string& name : names) {
      if (auto pack = Pack::open(folder + name)) packs_.push_back(std::move(pack));
    }
  }
}

std::optional<Packs::Place> Packs::find(const Oid& id, const Pack* first) const {
  std::call_once(opened_, [&] { open(); });
  if (first != nullptr) {
    if (const auto offset = first->find(id)) return Place{first, *offset};
  }
  for (const auto& pack : packs_) {
    if (pack.get() == first) continue;
    if (const auto offset = pack->find(id)) return Place{pack.get(), *offset};
  }
  return std::nullopt;
}

}  // namespace flagscale::git
