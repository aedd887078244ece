// SPDX-License-Identifier: Apache-2.0
//
// How far long work is, told to whoever wants to know. Says nothing itself.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>

namespace flagscale {

/// Told how many steps of a stage ("Applying mails") are done: from any thread, one call at a
/// time. Empty when nobody wants to know.
using ProgressCallback =
    std::function<void(const char* stage, std::size_t done, std::size_t total)>;

/// Counts the steps of one stage, from any thread.
class StageProgress {
 public:
  StageProgress(const ProgressCallback& callback, const char* stage, std::size_t total)
      : callback_(callback), stage_(stage), total_(total) {}

  void step(std::size_t count = 1) {
    if (!callback_) return;
    const std::lock_guard lock(mutex_);
    done_ += count;
    callback_(stage_, done_, total_);
  }

 private:
  const ProgressCallback& callback_;
  const char* stage_;
  std::size_t total_;
  std::mutex mutex_;
  std::size_t done_ = 0;
};

}  // namespace flagscale
