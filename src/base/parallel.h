// SPDX-License-Identifier: Apache-2.0
//
// Doing independent pieces of work on all cores. The result never depends on how many there are.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <vector>

#include "base/interrupt.h"

namespace flagscale {

/// How many threads are worth having for `count` pieces.
[[nodiscard]] std::size_t thread_count(std::size_t count);

/// Runs `work` here and, if they come to it in time, on up to `helpers` other threads, which stay
/// for the next time. Returns when all that have begun have ended. `work` must not throw.
void run_with_helpers(std::size_t helpers, const std::function<void()>& work);

/// Ends the threads that stay; the next work makes new ones. For the main thread, when nothing is
/// being done.
void end_helpers();

/// Calls `work(state, i)` for every i below `count`, on several threads; each thread has a state
/// of its own, made by `make_state()`. When pieces fail, the exception of the lowest i is thrown,
/// after all threads have ended: the same one, however they ran. May be nested.
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
  run_with_helpers(thread_count(count) - 1, run);
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
}

}  // namespace flagscale
