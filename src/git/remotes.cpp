// SPDX-License-Identifier: Apache-2.0
#include "git/remotes.h"

#include <algorithm>

namespace flagscale::git {

std::optional<std::string> find_push_remote(Repository& repository, const std::string& branch) {
  const Config& config = repository.config();
  if (auto remote = config.find("remote.pushDefault"); remote && !remote->empty()) return remote;
  if (!branch.empty()) {
    auto remote = config.find("branch." + branch + ".remote");
    if (remote && *remote != ".") return remote;
  }
  std::vector<std::string> remotes = config.subsections("remote");
  std::erase_if(remotes,
                [&](const std::string& name) { return !config.find("remote." + name + ".url"); });
  if (remotes.size() == 1) return remotes.front();
  if (std::find(remotes.begin(), remotes.end(), "origin") != remotes.end()) return "origin";
  return std::nullopt;
}

RemoteBranch default_branch(Repository& repository, const std::string& remote) {
  const std::string prefix = "refs/remotes/" + remote + "/";
  const std::vector<Ref> refs = repository.refs(prefix + "*");
  const auto tip_of = [&](const std::string& name) -> std::optional<Oid> {
    const auto at = std::find_if(refs.begin(), refs.end(),
                                 [&](const Ref& ref) { return ref.name == prefix + name; });
    if (at == refs.end()) return std::nullopt;
    return at->id;
  };
  for (const Ref& ref : refs) {
    if (ref.name == prefix + "HEAD" && ref.target.starts_with(prefix)) {
      const std::string name = ref.target.substr(prefix.size());
      return {remote, name, tip_of(name)};
    }
  }
  for (const char* name : {"main", "master"}) {
    if (const auto tip = tip_of(name)) return {remote, name, tip};
  }
  return {remote, "main", std::nullopt};
}

std::optional<RemoteBranch> find_upstream(Repository& repository, const std::string& local,
                                          const std::string& remote) {
  const std::string prefix = "refs/remotes/" + remote + "/";
  const auto upstream = repository.find_upstream_ref(local);
  if (!upstream || !upstream->starts_with(prefix)) return std::nullopt;
  return RemoteBranch{remote, upstream->substr(prefix.size()), repository.find_ref(*upstream)};
}

}  // namespace flagscale::git
