// SPDX-License-Identifier: Apache-2.0
#include "core/diff_writer.h"

#include "base/quote.h"
#include "core/renames.h"
#include "git/text_diff.h"

namespace flagscale {
namespace {

std::string id_or_zeros(const std::optional<git::TreeItem>& item) {
  return item ? item->id.hex() : git::Oid().hex();
}

bool is_gitlink(const std::optional<git::TreeItem>& item) {
  return item && item->mode == git::Mode::gitlink;
}

/// A diff shows a gitlink as one line of text.
std::string gitlink_text(const std::optional<git::TreeItem>& item) {
  return item ? "Subproject commit " + item->id.hex() + "\n" : std::string();
}

git::BlobDiffer::Difference compare(git::BlobDiffer& differ, const git::TreeChange& change) {
  if (is_gitlink(change.before) || is_gitlink(change.after)) {
    return {git::format_text_hunks(gitlink_text(change.before), gitlink_text(change.after)), false};
  }
  return differ.compare(change.before ? change.before->id : git::Oid(),
                        change.after ? change.after->id : git::Oid());
}

/// A name on a `diff --git` line. Where a folder's name ends with a blank, git takes that for the
/// end of the name unless it is quoted.
std::string header_name(const char* prefix, const std::string& path) {
  std::string name = format_c_quoted(prefix + path);
  if (name.front() == '"' || path.find(" /") == std::string::npos) return name;
  return '"' + name + '"';
}

/// A name after `---` or `+++`: git ends names that hold a blank with a TAB.
std::string side_name(const char* prefix, const std::string& path) {
  std::string name = format_c_quoted(prefix + path);
  if (path.find(' ') != std::string::npos) name += '\t';
  return name;
}

void append_contents(std::string& out, git::BlobDiffer& differ, const PairedChange& paired,
                     const std::string& old_path) {
  const git::TreeChange& change = paired.change;
  const git::BlobDiffer::Difference difference = compare(differ, change);
  if (!difference.binary && !difference.text.empty()) {
    out += "--- " + (change.before ? side_name("a/", old_path) : "/dev/null") + "\n";
    out += "+++ " + (change.after ? side_name("b/", change.path) : "/dev/null") + "\n";
  }
  out += difference.text;
}

void append_change(std::string& out, git::BlobDiffer& differ, const PairedChange& paired) {
  const git::TreeChange& change = paired.change;
  const std::string& old_path = paired.renamed_from ? *paired.renamed_from : change.path;
  out += "diff --git " + header_name("a/", old_path) + " " + header_name("b/", change.path) + "\n";
  const bool both = change.before && change.after;
  if (!change.before) {
    out += "new file mode " + git::format_mode(change.after->mode) + "\n";
  } else if (!change.after) {
    out += "deleted file mode " + git::format_mode(change.before->mode) + "\n";
  } else if (change.before->mode != change.after->mode) {
    out += "old mode " + git::format_mode(change.before->mode) + "\n";
    out += "new mode " + git::format_mode(change.after->mode) + "\n";
  }
  if (paired.renamed_from) {
    out += "similarity index " + std::to_string(paired.similarity) + "%\n";
    out += "rename from " + format_c_quoted(old_path) + "\n";
    out += "rename to " + format_c_quoted(change.path) + "\n";
  }
  if (both && change.before->id == change.after->id) return;
  out += "index " + id_or_zeros(change.before) + ".." + id_or_zeros(change.after);
  if (both && change.before->mode == change.after->mode) {
    out += " " + git::format_mode(change.after->mode);
  }
  out += "\n";
  append_contents(out, differ, paired, old_path);
}

/// A path that changes its type is removed and made anew, as git writes it.
bool changes_type(const git::TreeChange& change) {
  return change.before && change.after && change.before->mode != change.after->mode &&
         !(git::is_regular(change.before->mode) && git::is_regular(change.after->mode));
}

}  // namespace

std::string format_diff(git::Odb& odb, std::span<const PairedChange> changes) {
  git::BlobDiffer differ(odb);
  std::string out;
  for (const PairedChange& paired : changes) {
    const git::TreeChange& change = paired.change;
    if (!changes_type(change)) {
      append_change(out, differ, paired);
      continue;
    }
    append_change(out, differ, {{change.path, change.before, std::nullopt}, {}, 0});
    append_change(out, differ, {{change.path, std::nullopt, change.after}, {}, 0});
  }
  return out;
}

}  // namespace flagscale
