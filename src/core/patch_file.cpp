// SPDX-License-Identifier: Apache-2.0
#include "core/patch_file.h"

#include <string_view>
#include <utility>

#include "base/error.h"

namespace flagscale {
namespace {

/// A patch file as it was before its line endings were converted, if they were.
struct Unmangled {
  Content bytes;
  bool was_mangled = false;
};

Unmangled unmangle(const Content& file) {
  std::string_view rest = file.view();
  if (!take_line(rest).ends_with("\r\n")) return {file, false};
  std::string plain;
  plain.reserve(file.size());
  rest = file.view();
  for (std::size_t number = 1; !rest.empty(); ++number) {
    const std::string_view line = take_line(rest);
    if (line.ends_with('\n') && !line.ends_with("\r\n")) {
      throw_unable("line endings were damaged: line " + std::to_string(number) +
                   " ends in LF, others in CR LF");
    }
    plain += without_eol(line);
    if (line.ends_with('\n')) plain += '\n';
  }
  return {Content(std::move(plain)), true};
}

}  // namespace

PatchFile parse_patch_file(const Content& file) {
  if (file.size() > kMaxPatchFile) throw_unable("larger than 1023 MiB");
  const Unmangled plain = unmangle(file);
  PatchFile parsed;
  parsed.was_mangled = plain.was_mangled;
  if (plain.bytes.view().starts_with("diff --git ")) {
    parsed.is_bare_diff = true;
    parsed.mails.emplace_back().patch = plain.bytes;
    return parsed;
  }
  for (const RawMail& raw : split_mailbox(plain.bytes)) {
    Mail mail = parse_mail(raw);
    if (!mail.skipped) parsed.mails.push_back(std::move(mail));
  }
  if (parsed.mails.empty()) throw_unable("there is no mail in it");
  return parsed;
}

std::vector<FileDiff> parse_mail_diffs(const Mail& mail) {
  std::vector<FileDiff> diffs = parse_diff(mail.patch.view(), mail.patch_line);
  if (diffs.empty()) {
    throw_unable("the mail at line " + std::to_string(mail.line) + " holds no diff");
  }
  return diffs;
}

void PatchCounter::add_commit(const std::vector<FileDiff>& diffs) {
  ++counts_.commits;
  for (const FileDiff& diff : diffs) {
    counts_.insertions += diff.insertions;
    counts_.deletions += diff.deletions;
    for (const auto& path : {diff.old_path, diff.new_path}) {
      if (path && (path != diff.old_path || diff.kind != FileDiff::Kind::copy)) {
        paths_.insert(*path);
      }
    }
  }
}

void PatchCounter::add(const PatchCounter& other) {
  counts_.commits += other.counts_.commits;
  counts_.insertions += other.counts_.insertions;
  counts_.deletions += other.counts_.deletions;
  paths_.insert(other.paths_.begin(), other.paths_.end());
}

PatchCounts PatchCounter::counts() const {
  PatchCounts counts = counts_;
  counts.files_changed = paths_.size();
  return counts;
}

void PatchTally::add_commit(const std::vector<FileDiff>& diffs) {
  for (const FileDiff& diff : diffs) add_to_file(diff);
}

void PatchTally::add_to_file(const FileDiff& diff) {
  FileStat stat;
  if (diff.kind == FileDiff::Kind::rename) {
    // What was counted under the old name moves along.
    if (const auto old = files_.extract(*diff.old_path)) stat = old.mapped();
    if (!stat.old_path) stat.old_path = diff.old_path;
  } else if (diff.kind == FileDiff::Kind::copy) {
    stat.old_path = diff.old_path;
  } else if (const auto old = files_.find(diff.path()); old != files_.end()) {
    stat = old->second;
  }
  stat.path = diff.path();
  if (stat.old_path == stat.path) stat.old_path.reset();
  stat.insertions += diff.insertions;
  stat.deletions += diff.deletions;
  stat.binary = stat.binary || diff.binary.has_value();
  files_[stat.path] = std::move(stat);
}

std::vector<FileStat> PatchTally::files() const {
  std::vector<FileStat> files;
  for (const auto& [path, stat] : files_) files.push_back(stat);
  return files;
}

}  // namespace flagscale
