// SPDX-License-Identifier: Apache-2.0
#include "git/plain_names.h"

#include <algorithm>
#include <array>
#include <climits>

#include <git2.h>

#include "base/bytes.h"
#include "base/files.h"
#include "git/handle.h"

namespace flagscale::git {
namespace {

using Kind = PlainAnswer::Kind;

/// What git takes for the start of an id.
constexpr std::size_t kShortest = 4;

bool may_be_id(const std::string& name) {
  return name.size() >= kShortest && name.size() <= Oid::kHexSize && is_hex(name);
}

/// git would read what it finds under such a name in the git folder: FETCH_HEAD, a file of its own.
bool is_name_of_a_file(const std::string& git_dir, const std::string& common_dir,
                       const std::string& name) {
  return find_status(git_dir + "/" + name) || find_status(common_dir + "/" + name);
}

PlainAnswer look_up_id(Odb& odb, const std::string& name) {
  if (!may_be_id(name)) return {Kind::absent, {}};
  git_oid start;
  git_oid found;
  if (git_oid_fromstrn(&start, name.c_str(), name.size()) < 0) return {};
  const int code = git_odb_exists_prefix(&found, odb.handle(), &start, name.size());
  if (code == GIT_ENOTFOUND) return odb.fetches() ? PlainAnswer{} : PlainAnswer{Kind::absent, {}};
  if (code < 0) return {};
  const Oid id = Oid::from_raw(found.id);
  return odb.find_type(id) == ObjectType::commit ? PlainAnswer{Kind::commit, id} : PlainAnswer{};
}

}  // namespace

bool is_plain_name(const std::string& name) {
  static constexpr std::string_view kSigns = "/_.-";
  const auto is_plain = [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
           kSigns.find(c) != std::string_view::npos;
  };
  // What no folder can hold is for git to complain of.
  return !name.empty() && name.size() <= NAME_MAX && name.front() != '-' &&
         name.find("..") == std::string::npos && std::all_of(name.begin(), name.end(), is_plain);
}

PlainAnswer look_up_plain_name(git_repository* repository, Odb& odb, const std::string& git_dir,
                               const std::string& common_dir, const std::string& name) {
  // "v1-3-g1234567" may be what git describe has said.
  if (name.find("-g") != std::string::npos) return {};
  if (name != "HEAD" && !name.starts_with("refs/") &&
      is_name_of_a_file(git_dir, common_dir, name)) {
    return {};
  }
  // gitrevisions(7) has the places.
  static constexpr std::array<std::pair<const char*, const char*>, 6> kPlaces{{
      {"", ""},
      {"refs/", ""},
      {"refs/tags/", ""},
      {"refs/heads/", ""},
      {"refs/remotes/", ""},
      {"refs/remotes/", "/HEAD"},
  }};
  ReferenceHandle only;
  for (const auto& [before, after] : kPlaces) {
    git_reference* raw = nullptr;
    const int code = git_reference_lookup(&raw, repository, (before + name + after).c_str());
    if (code == GIT_ENOTFOUND || code == GIT_EINVALIDSPEC) continue;
    ReferenceHandle ref(raw);
    if (code < 0 || only) return {};
    only = std::move(ref);
  }
  if (!only) return look_up_id(odb, name);
  const auto id = peel_to_commit(only.get());
  // A full id comes before a ref that is named like one, and git warns of it.
  if (!id || (name.size() == Oid::kHexSize && is_hex(name))) return {};
  return {Kind::commit, *id};
}

}  // namespace flagscale::git
