// SPDX-License-Identifier: Apache-2.0
#include "git/object.h"

#include <algorithm>
#include <charconv>

#include <git2.h>

#include "base/error.h"
#include "git/object_source.h"

namespace flagscale::git {
namespace {

[[noreturn]] void damaged(std::string_view what) {
  throw_unable("damaged " + std::string(what) + " object");
}

/// Takes `key SP value LF` off the front of a commit's header, if it is there.
bool take_header(std::string_view& rest, std::string_view key, std::string_view& value) {
  if (!rest.starts_with(key) || rest.size() <= key.size() || rest[key.size()] != ' ') return false;
  value = without_lf(take_line(rest)).substr(key.size() + 1);
  return true;
}

std::string_view trimmed(std::string_view text) {
  static constexpr std::string_view kBlank = " \t\r\n\v\f";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

}  // namespace

std::string_view type_name(ObjectType type) {
  switch (type) {
    case ObjectType::commit:
      return "commit";
    case ObjectType::tree:
      return "tree";
    case ObjectType::blob:
      return "blob";
    case ObjectType::tag:
      return "tag";
  }
  return "object";
}

Oid hash_object(ObjectType type, std::string_view bytes) {
  git_oid raw;
  const char* const data = bytes.data() == nullptr ? "" : bytes.data();
  if (git_odb_hash(&raw, data, bytes.size(), static_cast<git_object_t>(type)) < 0) {
    throw Error(ErrorKind::bug, "cannot hash an object");
  }
  return Oid::from_raw(raw.id);
}

std::optional<Mode> canonical_mode(std::uint32_t bits) {
  switch (bits & 0170000U) {
    case 0100000:
      return (bits & 0100U) != 0 ? Mode::executable : Mode::file;
    case 0120000:
      return Mode::symlink;
    case 0040000:
      return Mode::tree;
    case 0160000:
      return Mode::gitlink;
    default:
      return std::nullopt;
  }
}

std::string format_mode(Mode mode) {
  auto bits = static_cast<std::uint32_t>(mode);
  std::string out(6, '0');
  for (std::size_t i = out.size(); i-- > 0; bits >>= 3U) {
    out[i] = static_cast<char>('0' + (bits & 7U));
  }
  return out;
}

std::vector<TreeEntry> parse_tree(std::string_view bytes) {
  std::vector<TreeEntry> entries;
  entries.reserve(bytes.size() / 32);
  while (!bytes.empty()) {
    TreeEntry entry;
    const char* const end = bytes.data() + bytes.size();
    const auto [stop, error] = std::from_chars(bytes.data(), end, entry.mode_bits, 8);
    if (error != std::errc{} || stop == end || *stop != ' ') damaged("tree");
    bytes.remove_prefix(static_cast<std::size_t>(stop - bytes.data()) + 1);
    const std::size_t nul = bytes.find('\0');
    if (nul == 0 || nul == std::string_view::npos || bytes.size() - nul - 1 < Oid::kRawSize) {
      damaged("tree");
    }
    entry.name = bytes.substr(0, nul);
    entry.id = Oid::from_raw(bytes.data() + nul + 1);
    bytes.remove_prefix(nul + 1 + Oid::kRawSize);
    entries.push_back(entry);
  }
  return entries;
}

bool tree_order(std::string_view a, bool a_is_tree, std::string_view b, bool b_is_tree) {
  const std::size_t common = std::min(a.size(), b.size());
  if (const int order = a.substr(0, common).compare(b.substr(0, common)); order != 0) {
    return order < 0;
  }
  const auto next = [common](std::string_view name, bool is_tree) -> int {
    if (name.size() > common) return static_cast<unsigned char>(name[common]);
    return is_tree ? '/' : 0;
  };
  return next(a, a_is_tree) < next(b, b_is_tree);
}

std::string format_signature(const Signature& who) {
  return who.name + " <" + who.email + "> " + std::to_string(who.seconds) + " " + who.zone;
}

Signature parse_signature(std::string_view line) {
  Signature who;
  const std::size_t open = line.find('<');
  const std::size_t close = line.rfind('>');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    who.name = trimmed(line);
    who.has_moment = false;
    return who;
  }
  who.name = trimmed(line.substr(0, open));
  who.email = line.substr(open + 1, close - open - 1);
  const std::string_view moment = trimmed(line.substr(close + 1));
  const std::size_t blank = moment.find(' ');
  std::uint64_t seconds = 0;
  who.has_moment =
      parse_decimal(moment.substr(0, blank), seconds) && blank != std::string_view::npos;
  who.seconds = seconds;
  if (blank != std::string_view::npos) who.zone = trimmed(moment.substr(blank));
  return who;
}

Commit parse_commit(std::string_view bytes) {
  Commit commit;
  std::string_view rest = bytes;
  std::string_view value;
  const auto id_of = [](std::string_view hex) {
    const auto id = Oid::parse(hex);
    if (!id) damaged("commit");
    return *id;
  };
  if (!take_header(rest, "tree", value)) damaged("commit");
  commit.tree = id_of(value);
  while (take_header(rest, "parent", value)) commit.parents.push_back(id_of(value));
  if (take_header(rest, "author", value)) commit.author = parse_signature(value);
  if (take_header(rest, "committer", value)) commit.committer = parse_signature(value);
  while (!rest.empty()) {
    if (take_header(rest, "encoding", value)) {
      commit.encoding = value;
    } else if (take_line(rest) == "\n") {
      break;
    }
  }
  commit.message = rest;
  return commit;
}

std::string format_commit(const Commit& commit) {
  std::string out = "tree " + commit.tree.hex() + "\n";
  for (const Oid& parent : commit.parents) out += "parent " + parent.hex() + "\n";
  out += "author " + format_signature(commit.author) + "\n";
  out += "committer " + format_signature(commit.committer) + "\n";
  if (!commit.encoding.empty()) out += "encoding " + commit.encoding + "\n";
  out += "\n";
  out += commit.message;
  return out;
}

Oid commit_tree(std::string_view bytes) {
  std::string_view value;
  if (take_header(bytes, "tree", value)) {
    if (const auto id = Oid::parse(value)) return *id;
  }
  damaged("commit");
}

std::string message_subject(std::string_view message) {
  std::string subject;
  // git reads no message beyond a NUL.
  message = message.substr(0, message.find('\0'));
  while (!message.empty()) {
    const std::string_view line = trimmed(take_line(message));
    if (line.empty()) {
      if (subject.empty()) continue;
      break;
    }
    if (!subject.empty()) subject += ' ';
    subject += line;
  }
  return subject;
}

std::optional<std::uint64_t> ObjectSource::find_blob_size(const Oid& id) {
  const auto found = find(id, ObjectType::blob);
  if (!found) return std::nullopt;
  return found->size();
}

Content ObjectSource::read(const Oid& id, ObjectType type) {
  if (auto found = find(id, type)) return *std::move(found);
  throw_unable("missing " + std::string(type_name(type)) + " " + id.hex(), why_missing());
}

}  // namespace flagscale::git
