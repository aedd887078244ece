// SPDX-License-Identifier: Apache-2.0
#include "git/new_repository.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/bytes.h"
#include "base/error.h"
#include "base/files.h"
#include "base/quote.h"
#include "git/command.h"

namespace flagscale::git {
namespace {

void copy_file(const std::string& from, const std::string& to) {
  const auto bytes = find_file(from);
  if (!bytes) return;
  write_new_file(to, *bytes, 0444);
}

/// Objects never change, so one file may serve two repositories.
void link_file(const std::string& from, const std::string& to) {
  if (link(from.c_str(), to.c_str()) == 0 || errno == EEXIST) return;
  switch (errno) {
    case ENOENT:
      // A repack took it away; what it held is in a newer pack.
      return;
    case EXDEV:
    case EPERM:
    case EMLINK:
    case EACCES:
    case ENOTSUP:
      copy_file(from, to);
      return;
    default:
      throw_errno("cannot link", to);
  }
}

bool belongs_to_pack(const std::string& name) {
  for (const char* ending : {".pack", ".idx", ".rev", ".promisor"}) {
    if (name.starts_with("pack-") && name.ends_with(ending)) return true;
  }
  return false;
}

void link_objects(const std::string& from, const std::string& to) {
  // An index is of no use before its pack is there, so packs come first.
  for (const bool index : {false, true}) {
    for (const std::string& name : list_folder(from + "/pack")) {
      if (!belongs_to_pack(name) || name.ends_with(".idx") != index) continue;
      link_file(from + "/pack/" + name, to + "/pack/" + name);
    }
  }
  static constexpr std::string_view kDigits = "0123456789abcdef";
  for (const char high : kDigits) {
    for (const char low : kDigits) {
      const std::string fan_out = std::string("/") + high + low;
      const std::vector<std::string> names = list_folder(from + fan_out);
      if (names.empty()) continue;
      make_folder(to + fan_out);
      for (const std::string& name : names) {
        if (name.size() == Oid::kHexSize - 2 && is_hex(name)) {
          link_file(from + fan_out + "/" + name, to + fan_out + "/" + name);
        }
      }
    }
  }
}

/// A value as git's configuration files hold it.
std::string config_value(std::string_view value) {
  std::string out = "\"";
  for (const char c : value) {
    switch (c) {
      case '\\':
      case '"':
        out += '\\';
        out += c;
        break;
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        out += c;
    }
  }
  return out + "\"";
}

/// A URL that is a relative path counts from the source's top folder.
std::string absolute_url(const std::string& url, const Repository& source) {
  const bool remote = url.find("://") != std::string::npos || url.find("::") != std::string::npos ||
                      url.find(':') < url.find('/');
  if (url.empty() || url.front() == '/' || remote) return url;
  const std::string base = source.top() ? *source.top() : source.git_dir();
  return base + "/" + url;
}

std::string remotes_config(Repository& source) {
  std::string out;
  for (const std::string& name : source.config().subsections("remote")) {
    std::string quoted_name;
    for (const char c : name) {
      if (c == '\\' || c == '"') quoted_name += '\\';
      quoted_name += c;
    }
    std::string section;
    for (const char* key :
         {"url", "pushurl", "fetch", "promisor", "partialclonefilter", "tagopt"}) {
      const bool is_url = std::string_view(key).ends_with("url");
      for (const std::string& value : source.config().find_all("remote." + name + "." + key)) {
        section += std::string("\t") + key + " = " +
                   config_value(is_url ? absolute_url(value, source) : value) + "\n";
      }
    }
    if (!section.empty()) out += "[remote \"" + quoted_name + "\"]\n" + section;
  }
  return out;
}

std::string repository_config(Repository& source) {
  const Config& config = source.config();
  const auto partial = config.find("extensions.partialClone");
  std::string out = "[core]\n";
  out += std::string("\trepositoryformatversion = ") + (partial ? "1" : "0") + "\n";
  out += std::string("\tfilemode = ") + (config.is_true("core.fileMode", true) ? "true" : "false") +
         "\n";
  out += "\tbare = false\n\tlogallrefupdates = true\n";
  for (const char* key : {"symlinks", "ignorecase", "precomposeunicode"}) {
    if (const auto value = config.find(std::string("core.") + key)) {
      out += std::string("\t") + key + " = " + config_value(*value) + "\n";
    }
  }
  if (partial) out += "[extensions]\n\tpartialClone = " + config_value(*partial) + "\n";
  return out + remotes_config(source);
}

}  // namespace

void make_repository(Repository& source, const std::string& folder, const Oid& head) {
  const std::string git_dir = folder + "/.git";
  for (const char* name : {"", "/objects", "/objects/info", "/objects/pack", "/refs", "/refs/heads",
                           "/refs/tags", "/info"}) {
    make_folder(git_dir + name);
  }
  write_new_file(git_dir + "/config", repository_config(source));
  for (const std::string& objects : source.object_folders()) {
    link_objects(objects, git_dir + "/objects");
  }
  if (const auto shallow = find_file(source.common_dir() + "/shallow")) {
    write_new_file(git_dir + "/shallow", *shallow);
  }
  write_new_file(git_dir + "/HEAD", head.hex() + "\n");
}

void check_out_head(const std::string& folder) {
  GitOptions options;
  options.where = Where::elsewhere;
  options.folder = folder;
  const ProcessResult result =
      run_git({"--git-dir=.git", "--work-tree=.", "read-tree", "--reset", "-u", "HEAD"}, options);
  if (result.status != 0) {
    throw error_from_git(ErrorKind::unable, "cannot check out " + in_quotes(folder), result.err);
  }
}

}  // namespace flagscale::git
