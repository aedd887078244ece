// SPDX-License-Identifier: Apache-2.0
#include "core/patched_text.h"

#include <algorithm>
#include <utility>

#include "base/quote.h"

namespace flagscale {
namespace {

/// A line that stands at more places than this is not worth looking up.
constexpr std::size_t kManyPlaces = 1000;

std::vector<std::size_t> find_line_starts(std::string_view text) {
  std::vector<std::size_t> starts;
  for (std::size_t at = 0; at < text.size();) {
    starts.push_back(at);
    const std::size_t lf = text.find('\n', at);
    at = lf == std::string_view::npos ? text.size() : lf + 1;
  }
  starts.push_back(text.size());
  return starts;
}

std::string shortened(std::string_view line) {
  static constexpr std::size_t kMost = 60;
  line = without_lf(line);
  return line.size() <= kMost ? in_quotes(line) : in_quotes(line.substr(0, kMost)) + "...";
}

}  // namespace

PatchedText::PatchedText(std::string_view before, std::size_t patience)
    : PatchedText(before, patience, find_line_starts(before)) {}

PatchedText::PatchedText(std::string_view before, std::size_t patience,
                         std::vector<std::size_t> starts)
    : before_(before),
      starts_(std::move(starts)),
      order_(starts_.size() - 1),
      patience_(patience) {}

std::size_t PatchedText::wanted_number(const Hunk& hunk) const {
  const std::uint64_t wanted = hunk.new_start == 0 ? 0 : hunk.new_start - 1;
  return static_cast<std::size_t>(std::min<std::uint64_t>(wanted, order_.total()));
}

bool PatchedText::fits_loosely(std::size_t first) const {
  std::string whole;
  whole.reserve(old_.bytes);
  for (std::size_t i = 0; i < old_.lines.size(); ++i) {
    if (loose_hash(old_.lines[i]) != loose_hash(line(first + i))) return false;
    whole += old_.lines[i];
  }
  return before_.substr(starts_[first]).starts_with(whole);
}

/// Whether the hunk's old lines stand at this line of the original, none of them replaced.
bool PatchedText::fits(std::size_t first) {
  const std::size_t count = old_.lines.size();
  if (count > original_lines() - first) return false;
  if (!old_.ragged && count != 0 && line(first + probe_) != old_.lines[probe_]) {
    ++compared_;
    return false;
  }
  for (std::size_t i = 0; i < count; ++i) {
    ++compared_;
    if (!order_.is_kept(first + i)) return false;
    if (!old_.ragged && line(first + i) != old_.lines[i]) return false;
  }
  return !old_.ragged || fits_loosely(first);
}

/// Where a hunk fits that may only stand at the start, the end, or both.
std::optional<std::size_t> PatchedText::fit_at_edge(bool at_start, bool at_end) {
  const std::size_t count = old_.lines.size();
  const std::size_t number = at_start ? 0 : order_.total() - count;
  if (at_end && number + count != order_.total()) return std::nullopt;
  if (count == 0) return original_lines();
  const std::size_t first = order_.line_at(number);
  if (!fits(first)) return std::nullopt;
  if (at_end && starts_[first + count] - starts_[first] != old_.bytes) return std::nullopt;
  return first;
}

/// The nearest place to a line's number where the hunk fits.
std::optional<std::size_t> PatchedText::search(std::size_t number) {
  if (compared_ > patience_ && !old_.ragged) {
    if (!index_) make_index();
    const auto* const places = find_rarest();
    if (places == nullptr) return std::nullopt;
    if (places->size() <= kManyPlaces) return look_up(number, *places);
  }
  return walk(number);
}

/// The number that `line` has now, another line's being known.
std::size_t PatchedText::number_near(std::size_t line, std::size_t known_line,
                                     std::size_t known_number) const {
  if (line == known_line + 1) return known_number + 1;
  if (line + 1 == known_line) return known_number - 1;
  return order_.number_of(line);
}

/// Tries the kept lines one by one, from `number` outwards, downwards first.
std::optional<std::size_t> PatchedText::walk(std::size_t number) {
  const std::size_t end = original_lines();
  const std::size_t from = std::min(order_.line_at(number), end);
  std::size_t down = order_.next_kept(from);
  std::size_t down_number = order_.number_of(down);
  std::size_t up_end = order_.previous_kept_end(from);
  std::size_t up_number = up_end == 0 ? 0 : order_.number_of(up_end - 1);
  while (down < end || up_end > 0) {
    if (compared_ > patience_ && !index_ && !old_.ragged) return search(number);
    if (up_end == 0 || (down < end && down_number - number <= number - up_number)) {
      if (fits(down)) return down;
      const std::size_t next = order_.next_kept(down + 1);
      down_number = number_near(next, down, down_number);
      down = next;
    } else {
      if (fits(up_end - 1)) return up_end - 1;
      const std::size_t next_end = order_.previous_kept_end(up_end - 1);
      if (next_end != 0) up_number = number_near(next_end - 1, up_end - 1, up_number);
      up_end = next_end;
    }
  }
  return std::nullopt;
}

void PatchedText::make_index() {
  index_.emplace();
  index_->reserve(starts_.size());
  for (std::size_t i = 0; i < original_lines(); ++i) (*index_)[line(i)].push_back(i);
}

/// Makes the rarest of the hunk's old lines the one that is compared first, and returns where it
/// stands in the original; null when one stands nowhere.
const std::vector<std::size_t>* PatchedText::find_rarest() {
  const std::vector<std::size_t>* rarest = nullptr;
  for (std::size_t i = 0; i < old_.lines.size(); ++i) {
    const auto at = index_->find(old_.lines[i]);
    if (at == index_->end()) return nullptr;
    if (rarest != nullptr && rarest->size() <= at->second.size()) continue;
    rarest = &at->second;
    probe_ = i;
  }
  return rarest;
}

/// Finds what walk() finds, given that the line compared first stands at `places` only.
std::optional<std::size_t> PatchedText::look_up(std::size_t number,
                                                const std::vector<std::size_t>& places) {
  std::optional<std::size_t> best;
  std::size_t best_distance = 0;
  for (const std::size_t place : places) {
    if (place < probe_ || !fits(place - probe_)) continue;
    const std::size_t found = order_.number_of(place - probe_);
    const std::size_t distance = found < number ? number - found : found - number;
    // Of two places that are equally far, the lower one comes later here and wins.
    if (best && distance > best_distance) continue;
    best = place - probe_;
    best_distance = distance;
  }
  return best;
}

bool PatchedText::apply(const Hunk& hunk) {
  old_.read(hunk);
  probe_ = 0;
  if (old_.lines.size() > order_.total()) return false;
  // git has a hunk that starts on the first line stay there, and one without context behind its
  // last change stay at the end.
  const bool at_start = hunk.old_start <= 1;
  const bool at_end = hunk.trailing == 0;
  const auto found =
      at_start || at_end ? fit_at_edge(at_start, at_end) : search(wanted_number(hunk));
  if (!found) return false;
  replacements_.push_back({*found, old_.lines.size(), &hunk});
  order_.replace(*found, old_.lines.size(), old_.new_count);
  return true;
}

std::string PatchedText::text() {
  std::stable_sort(replacements_.begin(), replacements_.end(),
                   [](const Replacement& a, const Replacement& b) { return a.first < b.first; });
  std::size_t added = 0;
  for (const Replacement& replacement : replacements_) added += replacement.hunk->body.size();
  std::string out;
  out.reserve(before_.size() + added);
  std::size_t next = 0;
  for (const Replacement& replacement : replacements_) {
    out += before_.substr(starts_[next], starts_[replacement.first] - starts_[next]);
    for_each_hunk_line(replacement.hunk->body, [&](char kind, std::string_view line) {
      if (kind != '-') out += line;
    });
    next = replacement.first + replacement.count;
  }
  out += before_.substr(starts_[next]);
  return out;
}

std::string PatchedText::explain(const Hunk& hunk) const {
  std::size_t number = wanted_number(hunk);
  if (hunk.old_start <= 1) {
    number = 0;
  } else if (hunk.trailing == 0) {
    number = order_.total() - std::min(order_.total(), old_.lines.size());
  }
  for (const std::string_view expected : old_.lines) {
    const std::string at = "line " + std::to_string(number + 1);
    if (number >= order_.total()) {
      return ": expected " + shortened(expected) + ", but there is no " + at;
    }
    const std::size_t place = order_.line_at(number);
    if (place == original_lines() || !order_.is_kept(place)) {
      return ": " + at + " belongs to an earlier hunk";
    }
    if (line(place) != expected) {
      return ": expected " + shortened(expected) + " at " + at + ", found " +
             shortened(line(place));
    }
    ++number;
  }
  return number < order_.total() ? ": the file goes on after the hunk" : "";
}

}  // namespace flagscale
