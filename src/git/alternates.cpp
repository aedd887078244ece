// SPDX-License-Identifier: Apache-2.0
#include "git/alternates.h"

#include <cstdlib>
#include <optional>

#include "base/bytes.h"
#include "base/files.h"
#include "base/quote.h"
#include "git/command.h"

namespace flagscale::git {
namespace {

/// The alternates of the common kind: absolute folders that are there and have no alternates
/// themselves.
std::optional<std::vector<std::string>> find_plain_alternates(const std::string& list) {
  std::vector<std::string> folders = lines_of(list);
  for (const std::string& folder : folders) {
    const bool is_plain =
        folder.starts_with('/') && find_status(folder) && !find_status(folder + "/info/alternates");
    if (!is_plain) return std::nullopt;
  }
  return folders;
}

}  // namespace

std::vector<std::string> read_alternates(const std::string& objects_dir) {
  const auto list = find_file(objects_dir + "/info/alternates");
  if (std::getenv("GIT_ALTERNATE_OBJECT_DIRECTORIES") == nullptr) {
    if (!list) return {};
    if (auto plain = find_plain_alternates(*list)) return *std::move(plain);
  }
  std::vector<std::string> folders;
  for (const std::string& line : lines_of(read_git({"count-objects", "-v"}))) {
    static constexpr std::string_view kKey = "alternate: ";
    if (!line.starts_with(kKey)) continue;
    std::string folder = line.substr(kKey.size());
    std::size_t used = 0;
    if (auto plain = parse_c_quoted(folder, used)) folder = *plain;
    folders.push_back(std::move(folder));
  }
  return folders;
}

}  // namespace flagscale::git
