// SPDX-License-Identifier: Apache-2.0
//
// Doing independent pieces of work on all cores. The result never depends on how many there are.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>
#include <vector>

#include "base/interrupt.h"

namespace flagscale {

/// How many threads are worth starting for `count` pieces.
[[nodiscard]] inline std::size_t thread_count(std::size_t count) {
  static constexpr std::size_t kMost = 8;
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  return std::max<std::size_t>(1, std::min({count, cores, kMost}));
}

/// Calls `work(state, i)` for every i below `count`, on several threads; each thread has a state
/// of its own, made by `make_state()`. When pieces fail, the exception of the lowest i is thrown,
/// after all threads have ended: the same one, however they ran.
template <typename MakeState, typename Work>
void parallel_for(std::size_t count, MakeState make_state, Work work) {
  std::atomic<std::size_t> next = 0;
  std::atomic<std::size_t> failed = count;
  std::vector<std::exception_ptr> errors(count);
  const auto run = [&] {
    std::size_t i = next++;
    if (i >= count) return;
    try {
      auto state = make_state();
      for (; i < count && i < failed; i = next++) {
        try {
          check_interrupt();
          work(state, i);
        } catch (...) {
          errors[i] = std::current_exception();
          for (std::size_t seen = failed; i < seen && !failed.compare_exchange_weak(seen, i);) {
          }
        }
      }
    } catch (...) {
      errors[i] = std::current_exception();
      failed = 0;
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t t = 1; t < thread_count(count); ++t) threads.emplace_back(run);
  run();
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace flagscale
