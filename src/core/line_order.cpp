// SPDX-License-Identifier: Apache-2.0
#include "core/line_order.h"

#include <bit>
#include <numeric>

namespace flagscale {
namespace {

std::size_t lowest_bit(std::size_t value) {
  return value & (~value + 1);
}

/// Follows shortcuts to where they end, making them shorter on the way.
std::size_t follow(std::vector<std::size_t>& shortcuts, std::size_t at) {
  while (shortcuts[at] != at) {
    shortcuts[at] = shortcuts[shortcuts[at]];
    at = shortcuts[at];
  }
  return at;
}

}  // namespace

LineOrder::LineOrder(std::size_t count)
    : sums_(count + 2), next_(count + 1), previous_(count + 1), total_(count) {
  for (std::size_t i = 1; i <= count; ++i) sums_[i] = lowest_bit(i);
  // The last place stands for what is put at the end: nothing yet.
  sums_[count + 1] = lowest_bit(count + 1) - 1;
  std::iota(next_.begin(), next_.end(), std::size_t{0});
  std::iota(previous_.begin(), previous_.end(), std::size_t{0});
}

void LineOrder::add(std::size_t slot, std::size_t amount) {
  for (std::size_t i = slot + 1; i < sums_.size(); i += lowest_bit(i)) sums_[i] += amount;
}

std::size_t LineOrder::number_of(std::size_t line) const {
  std::size_t sum = 0;
  for (std::size_t i = line; i > 0; i -= lowest_bit(i)) sum += sums_[i];
  return sum;
}

std::size_t LineOrder::line_at(std::size_t number) const {
  std::size_t at = 0;
  for (std::size_t step = std::bit_floor(sums_.size()); step > 0; step /= 2) {
    if (at + step >= sums_.size() || sums_[at + step] > number) continue;
    at += step;
    number -= sums_[at];
  }
  return at;
}

std::size_t LineOrder::next_kept(std::size_t line) {
  return follow(next_, line);
}

std::size_t LineOrder::previous_kept_end(std::size_t line) {
  return follow(previous_, line);
}

void LineOrder::replace(std::size_t first, std::size_t count, std::size_t new_count) {
  for (std::size_t line = first; line < first + count; ++line) {
    next_[line] = line + 1;
    previous_[line + 1] = line;
    add(line, ~std::size_t{0});
  }
  add(first, new_count);
  total_ = total_ - count + new_count;
}

}  // namespace flagscale
