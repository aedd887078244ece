// SPDX-License-Identifier: Apache-2.0
#include "core/made_blob.h"

#include <utility>

#include "base/error.h"
#include "base/quote.h"
#include "core/binary_patch.h"
#include "core/patched_text.h"

namespace flagscale {
namespace {

Content read(const Blob& blob, git::ObjectSource& source) {
  return blob.content ? *blob.content : source.read(blob.id, git::ObjectType::blob);
}

Blob make_binary(const FileDiff& diff, const std::optional<Blob>& before, git::ObjectSource& source,
                 const ApplyHelp& help) {
  const auto old_id = git::Oid::parse(diff.old_id);
  const auto new_id = git::Oid::parse(diff.new_id);
  if (!old_id || !new_id) refuse(diff, "a binary patch needs full ids on its index line");
  const Content old = before ? read(*before, source) : Content();
  if (before) {
    const git::Oid id =
        before->id.is_null() ? git::hash_object(git::ObjectType::blob, old.view()) : before->id;
    if (id.hex() != diff.old_id) refuse(diff, "the file is not the one the binary patch is for");
  }
  if (new_id->is_null()) {
    // The file goes; but damaged data means that the patch is damaged.
    if (diff.binary) (void)unpack_binary(*diff.binary);
    return {Content(std::string()), {}};
  }
  if (!diff.binary) {
    auto content =
        help.known != nullptr ? help.known->find(*new_id, git::ObjectType::blob) : std::nullopt;
    if (!content) refuse(diff, "the patch lacks the binary file's data");
    return {std::move(content), *new_id};
  }
  Content content(apply_binary(*diff.binary, old.view()));
  const git::Oid id = git::hash_object(git::ObjectType::blob, content.view());
  if (id.hex() != diff.new_id) refuse(diff, "the binary patch makes a file with another id");
  return {std::move(content), id};
}

}  // namespace

void refuse(const FileDiff& diff, const std::string& why) {
  throw_unable("patch does not apply to " + in_quotes(diff.path()) + " (line " +
               std::to_string(diff.line) + " of the patch): " + why);
}

Blob make_blob(const FileDiff& diff, FileDiff::Kind kind, const std::optional<Blob>& before,
               git::ObjectSource& source, const ApplyHelp& help) {
  if (diff.binary || diff.binary_without_data) return make_binary(diff, before, source, help);
  if (diff.hunks.empty()) {
    if (!before) return {Content(std::string()), {}};
    if (kind == FileDiff::Kind::remove) return {read(*before, source), {}};
    return *before;
  }
  const Content old = before ? read(*before, source) : Content();
  return {Content(apply_hunks(old.view(), diff)), {}};
}

git::Oid id_of(const FileDiff& diff, const Content& content, git::ObjectSource& source,
               const ApplyHelp& help) {
  if (help.results_exist) {
    const auto id = git::Oid::parse(diff.new_id);
    const auto known = id ? source.find(*id, git::ObjectType::blob) : std::nullopt;
    if (known && known->view() == content.view()) return *id;
  }
  return git::hash_object(git::ObjectType::blob, content.view());
}

std::string apply_hunks(std::string_view before, const FileDiff& diff) {
  PatchedText text(before);
  for (std::size_t i = 0; i < diff.hunks.size(); ++i) {
    const Hunk& hunk = diff.hunks[i];
    if (text.apply(hunk)) continue;
    throw_unable("patch does not apply to " + in_quotes(diff.path()) + ": hunk " +
                 std::to_string(i + 1) + " (line " + std::to_string(hunk.line) + " of the patch)" +
                 text.explain(hunk));
  }
  return text.text();
}

}  // namespace flagscale
