// SPDX-License-Identifier: Apache-2.0
#include "git/index_file.h"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <nettle/sha1.h>

#include "base/bytes.h"

namespace flagscale::git {
namespace {

constexpr std::size_t kHeaderSize = 12;
/// Ten numbers, the id and the flags.
constexpr std::size_t kFixedSize = 62;
constexpr std::size_t kSizeField = 36;
constexpr std::size_t kCheckSumSize = 20;

constexpr std::uint16_t kExtended = 0x4000;
constexpr std::uint16_t kStage = 0x3000;
constexpr std::uint16_t kNameSize = 0x0fff;
/// Of the extended flags.
constexpr std::uint16_t kSkipWorktree = 0x4000;

std::uint16_t number16(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint16_t>(static_cast<unsigned char>(bytes[at]) << 8U |
                                    static_cast<unsigned char>(bytes[at + 1]));
}

void add16(std::string& out, std::uint16_t value) {
  out.push_back(static_cast<char>(value >> 8U));
  out.push_back(static_cast<char>(value & 0xffU));
}

void add32(std::string& out, std::uint32_t value) {
  add16(out, static_cast<std::uint16_t>(value >> 16U));
  add16(out, static_cast<std::uint16_t>(value & 0xffffU));
}

/// The numbers of an entry's status, in the order of the file.
constexpr std::array<std::uint32_t IndexStat::*, 10> kFields{
    &IndexStat::ctime, &IndexStat::ctime_nanoseconds,
    &IndexStat::mtime, &IndexStat::mtime_nanoseconds,
    &IndexStat::dev,   &IndexStat::ino,
    &IndexStat::mode,  &IndexStat::uid,
    &IndexStat::gid,   &IndexStat::size};

/// With the NULs after the path: one at least, up to a multiple of eight.
std::size_t padded_size(std::size_t unpadded) {
  return (unpadded + 8) & ~std::size_t{7};
}

void add_entry(std::string& out, const std::string& path, const IndexEntry& entry) {
  const std::size_t start = out.size();
  for (const auto field : kFields) add32(out, entry.status.*field);
  out.append(entry.id.raw_view());
  add16(out, static_cast<std::uint16_t>(std::min<std::size_t>(path.size(), kNameSize)));
  out.append(path);
  out.append(padded_size(out.size() - start) - (out.size() - start), '\0');
}

bool comes_before(const IndexEntry& a, const IndexEntry& b) {
  const int order = a.path.compare(b.path);
  return order != 0 ? order < 0 : (a.flags & kStage) < (b.flags & kStage);
}

}  // namespace

IndexStat IndexStat::from(const struct stat& status) {
  IndexStat out;
  const auto low = [](auto value) { return static_cast<std::uint32_t>(value); };
  out.ctime = low(status.st_ctim.tv_sec);
  out.ctime_nanoseconds = low(status.st_ctim.tv_nsec);
  out.mtime = low(status.st_mtim.tv_sec);
  out.mtime_nanoseconds = low(status.st_mtim.tv_nsec);
  out.dev = low(status.st_dev);
  out.ino = low(status.st_ino);
  out.mode = S_ISLNK(status.st_mode)   ? 0120000U
             : S_ISREG(status.st_mode) ? ((status.st_mode & S_IXUSR) != 0 ? 0100755U : 0100644U)
                                       : 0U;
  out.uid = low(status.st_uid);
  out.gid = low(status.st_gid);
  out.size = low(status.st_size);
  return out;
}

bool IndexStat::is_same_file(const IndexStat& other) const {
  IndexStat copy = other;
  copy.dev = dev;
  return std::all_of(kFields.begin(), kFields.end(),
                     [&](auto field) { return this->*field == copy.*field; });
}

bool IndexEntry::is_plain() const {
  return (flags & ~kNameSize) == 0 && extended_flags == 0;
}

bool IndexEntry::is_in_conflict() const {
  return (flags & kStage) != 0;
}

std::optional<IndexFile> IndexFile::parse(std::string bytes) {
  if (bytes.size() < kHeaderSize + kCheckSumSize || !bytes.starts_with("DIRC")) return std::nullopt;
  const std::uint32_t version = big_endian_32(bytes, 4);
  const std::uint32_t count = big_endian_32(bytes, 8);
  if (version != 2 && version != 3) return std::nullopt;
  IndexFile index(std::move(bytes), version);
  std::size_t at = kHeaderSize;
  if (!index.parse_entries(count, at) || !index.parse_extensions(at)) return std::nullopt;
  return index;
}

bool IndexFile::parse_entries(std::size_t count, std::size_t& at) {
  const std::string_view all = std::string_view(bytes_).substr(0, bytes_.size() - kCheckSumSize);
  if (count > all.size() / kFixedSize) return false;
  entries_.reserve(count);
  for (; count > 0; --count) {
    if (all.size() - at < kFixedSize + 2) return false;
    IndexEntry entry;
    entry.at = at;
    std::size_t field_at = at;
    for (const auto field : kFields) {
      entry.status.*field = big_endian_32(all, field_at);
      field_at += 4;
    }
    entry.id = Oid::from_raw(all.data() + field_at);
    entry.flags = number16(all, at + kFixedSize - 2);
    std::size_t path_at = at + kFixedSize;
    if ((entry.flags & kExtended) != 0) {
      entry.extended_flags = number16(all, path_at);
      path_at += 2;
      // A sparse checkout.
      if (version_ < 3 || (entry.extended_flags & kSkipWorktree) != 0) return false;
    }
    const std::size_t nul = all.find('\0', path_at);
    if (nul == std::string_view::npos || nul == path_at) return false;
    entry.path = all.substr(path_at, nul - path_at);
    entry.size = padded_size(nul - at);
    // A folder is an entry only in a sparse index.
    if (entry.size > all.size() - at || entry.path.ends_with('/')) return false;
    if (!entries_.empty() && !comes_before(entries_.back(), entry)) return false;
    at += entry.size;
    entries_.push_back(entry);
  }
  return true;
}

bool IndexFile::parse_extensions(std::size_t at) {
  const std::string_view all = std::string_view(bytes_).substr(0, bytes_.size() - kCheckSumSize);
  static constexpr std::size_t kPrefixSize = 8;
  while (at < all.size()) {
    if (all.size() - at < kPrefixSize) return false;
    const std::string_view name = all.substr(at, 4);
    const std::size_t size = big_endian_32(all, at + 4);
    at += kPrefixSize;
    if (size > all.size() - at) return false;
    if (name == "TREE") {
      if (tree_) return false;
      tree_ = IndexTree::parse(all.substr(at, size));
      if (!tree_) return false;
    } else if (name != "EOIE" && name != "IEOT") {
      // Those two help to read the index in parts; git makes them anew.
      return false;
    }
    at += size;
  }
  return true;
}

const IndexEntry* IndexFile::find(std::string_view path) const {
  const auto at =
      std::lower_bound(entries_.begin(), entries_.end(), path,
                       [](const IndexEntry& entry, std::string_view p) { return entry.path < p; });
  return at == entries_.end() || at->path != path ? nullptr : &*at;
}

bool IndexFile::has_folder(std::string_view folder) const {
  const std::string prefix = std::string(folder) + "/";
  const auto at = std::lower_bound(
      entries_.begin(), entries_.end(), prefix,
      [](const IndexEntry& entry, const std::string& p) { return entry.path < p; });
  return at != entries_.end() && at->path.starts_with(prefix);
}

std::string IndexFile::with_changes(const std::vector<IndexChange>& changes,
                                    const std::vector<std::size_t>& edited,
                                    const std::optional<IndexTree>& tree) const {
  std::string out;
  out.reserve(bytes_.size() + changes.size() * 128);
  out.append(bytes_, 0, kHeaderSize);
  std::size_t count = entries_.size();
  std::size_t next = 0;
  auto mark = edited.begin();
  const auto copy_until = [&](std::size_t end) {
    if (next == end) return;
    const std::size_t from = entries_[next].at;
    const std::size_t to = entries_[end - 1].at + entries_[end - 1].size;
    const std::size_t start = out.size();
    out.append(bytes_, from, to - from);
    for (; mark != edited.end() && *mark < end; ++mark) {
      // Git looks into a file whose size is noted as none.
      if (*mark >= next) out.replace(start + entries_[*mark].at - from + kSizeField, 4, 4, '\0');
    }
    next = end;
  };
  for (const IndexChange& change : changes) {
    const auto at = std::lower_bound(
        entries_.begin(), entries_.end(), change.path,
        [](const IndexEntry& entry, const std::string& p) { return entry.path < p; });
    const auto number = static_cast<std::size_t>(at - entries_.begin());
    copy_until(number);
    if (at != entries_.end() && at->path == change.path) {
      ++next;
      --count;
    }
    if (change.entry) {
      add_entry(out, change.path, *change.entry);
      ++count;
    }
  }
  copy_until(entries_.size());
  std::string counted;
  add32(counted, static_cast<std::uint32_t>(count));
  out.replace(8, 4, counted);
  if (tree) {
    const std::string contents = tree->format();
    out.append("TREE");
    add32(out, static_cast<std::uint32_t>(contents.size()));
    out.append(contents);
  }
  sha1_ctx context{};
  sha1_init(&context);
  sha1_update(&context, out.size(), reinterpret_cast<const std::uint8_t*>(out.data()));
  std::array<std::uint8_t, kCheckSumSize> sum{};
  sha1_digest(&context, sum.size(), sum.data());
  out.append(reinterpret_cast<const char*>(sum.data()), sum.size());
  return out;
}

}  // namespace flagscale::git
