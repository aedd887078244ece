// SPDX-License-Identifier: Apache-2.0
#include "git/shared_mode.h"

#include <charconv>

#include "base/error.h"
#include "base/files.h"
#include "base/quote.h"

namespace flagscale::git {
namespace {

constexpr const char* kKey = "core.sharedRepository";
constexpr mode_t kGroup = 0660;
constexpr mode_t kEverybody = 0664;
constexpr mode_t kOwner = 0600;
constexpr mode_t kPermissions = 0777;
constexpr mode_t kReadable = 0444;
constexpr mode_t kWritable = 0222;

}  // namespace

SharedMode SharedMode::from(const Config& config) {
  SharedMode mode;
  const auto value = config.find(kKey);
  if (!value || *value == "umask") return mode;
  if (*value == "all" || *value == "world" || *value == "everybody" || *value == "2") {
    mode.bits_ = kEverybody;
    return mode;
  }
  unsigned number = 1;
  const char* const end = value->data() + value->size();
  const bool is_number =
      !value->empty() && *value != "1" && std::from_chars(value->data(), end, number, 8).ptr == end;
  if (!is_number) {
    if (*value == "group" || config.is_true(kKey, false)) mode.bits_ = kGroup;
    return mode;
  }
  if (number == 0) return mode;
  if ((number & kOwner) != kOwner) {
    throw_unable("bad value " + in_quotes(*value) + " for " + in_quotes(kKey) +
                     ": the owner must be able to read and write",
                 {});
  }
  mode.bits_ = number & (kReadable | kWritable);
  mode.exact_ = true;
  return mode;
}

mode_t SharedMode::adjust(mode_t mode) const noexcept {
  if (!is_set()) return mode;
  mode_t bits = bits_;
  if ((mode & S_IWUSR) == 0) bits &= ~kWritable;
  if ((mode & S_IXUSR) != 0) bits |= (bits & kReadable) >> 2U;
  mode = exact_ ? (mode & ~kPermissions) | bits : mode | bits;
  if (S_ISDIR(mode)) {
    mode |= (mode & kReadable) >> 2U;
    mode |= S_ISGID;
  }
  return mode;
}

void SharedMode::apply_to(const std::string& path) const {
  if (!is_set()) return;
  const auto status = find_status(path);
  if (!status) return;
  const mode_t wanted = adjust(status->st_mode);
  if (wanted == status->st_mode) return;
  if (chmod(path.c_str(), wanted & ~static_cast<mode_t>(S_IFMT)) != 0) {
    throw_errno("cannot set the permissions of", path);
  }
}

}  // namespace flagscale::git
