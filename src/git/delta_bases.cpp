// SPDX-License-Identifier: Apache-2.0
#include "git/delta_bases.h"

namespace flagscale::git {

std::optional<DeltaBases::Base> DeltaBases::find(const Place& place) {
  const std::lock_guard lock(mutex_);
  const auto at = known_.find(place);
  if (at == known_.end()) return std::nullopt;
  order_.splice(order_.begin(), order_, at->second);
  return at->second->second;
}

void DeltaBases::keep(const Place& place, const Base& base) {
  if (base.bytes.size() > kLargest) return;
  const std::lock_guard lock(mutex_);
  if (known_.contains(place)) return;
  order_.emplace_front(place, base);
  known_.emplace(place, order_.begin());
  bytes_ += base.bytes.size();
  while (bytes_ > kMaxBytes) {
    bytes_ -= order_.back().second.bytes.size();
    known_.erase(order_.back().first);
    order_.pop_back();
  }
}

}  // namespace flagscale::git
