// SPDX-License-Identifier: Apache-2.0
#include "git/switch_refusal.h"

#include <set>
#include <string_view>
#include <utility>

#include "base/bytes.h"
#include "base/error.h"
#include "base/quote.h"
#include "git/command.h"

namespace flagscale::git {
namespace {

constexpr std::size_t kShownFiles = 4;

/// As git writes a path in a message: a `?` for each control character but TAB and LF.
std::string as_git_says(std::string path) {
  for (char& c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x20 && c != '\t' && c != '\n') || byte == 0x7f) c = '?';
  }
  return path;
}

/// A path for people: as it is, or quoted where it has something that git would quote.
std::string shown_path(const std::string& path) {
  const std::string safe = escaped(path);
  return safe == path && path.find_first_of("\"\\") == std::string::npos ? path
                                                                         : format_c_quoted(path);
}

/// Takes names that git has made unreadable out of what it said: those are found among `paths`,
/// which the switch would write.
std::vector<std::string> take_odd_names(std::string& said, const std::vector<std::string>& paths) {
  std::vector<std::string> files;
  for (const std::string& path : paths) {
    const std::string seen = as_git_says(path);
    if (seen == path && seen.find('\n') == std::string::npos) continue;
    for (const auto& [before, after] : {std::pair("\t", "\n"), std::pair("'", "'")}) {
      const std::string text = before + seen + after;
      const std::size_t at = said.find(text);
      if (at == std::string::npos) continue;
      files.push_back(path);
      said.replace(at, text.size(), "\n");
      break;
    }
  }
  return files;
}

/// git lists the files in the way on lines that begin with a TAB; read-tree names one in a sentence
/// of its own.
void add_named_files(const std::string& said, std::vector<std::string>& files) {
  for (const std::string& line : lines_of(said)) {
    if (line.starts_with('\t')) files.emplace_back(line.substr(1));
    for (const std::string_view start :
         {"error: Entry '", "error: Untracked working tree file '", "error: Updating '"}) {
      if (!line.starts_with(start)) continue;
      const std::size_t end = line.rfind('\'');
      if (end >= start.size()) files.push_back(line.substr(start.size(), end - start.size()));
    }
  }
}

/// The first of the files, each on a line of its own.
std::string listed(const std::vector<std::string>& files) {
  std::string text;
  for (std::size_t i = 0; i < files.size() && i < kShownFiles; ++i) {
    text += "\n  " + shown_path(files[i]);
  }
  if (files.size() > kShownFiles) {
    text += "\n  and " + std::to_string(files.size() - kShownFiles) + " more";
  }
  return text;
}

}  // namespace

void throw_conflicts(const std::vector<std::string>& files) {
  throw_refused("these files have conflicts that are not resolved:" + listed(files),
                {"resolve them first"});
}

void throw_in_the_way(std::string said, const std::vector<std::string>& paths) {
  std::vector<std::string> files = take_odd_names(said, paths);
  add_named_files(said, files);
  if (files.empty()) throw error_from_git(ErrorKind::refused, "git refuses to switch", said);
  // One file may be in the way of several.
  std::set<std::string> seen;
  std::erase_if(files, [&](const std::string& file) { return !seen.insert(file).second; });
  const bool untracked = said.find("ntracked") != std::string::npos;
  throw_refused((untracked ? "untracked files would be overwritten by the switch:"
                           : "local changes would be overwritten by the switch:") +
                    listed(files),
                {untracked ? "move or remove them first" : "commit or stash them first"});
}

bool names_files_in_the_way(const std::string& said) {
  return said.starts_with('\t') || said.find("\n\t") != std::string::npos;
}

}  // namespace flagscale::git
