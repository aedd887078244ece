// SPDX-License-Identifier: Apache-2.0
#include "base/parallel.h"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>

namespace flagscale {
namespace {

/// One call of run_with_helpers. It may be over before a helper comes to it.
class Task {
 public:
  explicit Task(const std::function<void()>& work) : work_(&work) {}

  void help() {
    {
      const std::lock_guard lock(mutex_);
      if (work_ == nullptr) return;
      ++busy_;
    }
    (*work_)();
    const std::lock_guard lock(mutex_);
    --busy_;
    ended_.notify_all();
  }

  /// No helper begins any more, and those that had begun have ended.
  void close() {
    std::unique_lock lock(mutex_);
    ended_.wait(lock, [&] { return busy_ == 0; });
    work_ = nullptr;
  }

 private:
  std::mutex mutex_;
  std::condition_variable ended_;
  const std::function<void()>* work_;
  std::size_t busy_ = 0;
};

class Helpers {
 public:
  static Helpers& shared() {
    static Helpers helpers;
    return helpers;
  }

  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;
  ~Helpers() { end(); }

  void end() {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
    over_ = false;
  }

  void call(const std::shared_ptr<Task>& task, std::size_t count) {
    {
      const std::lock_guard lock(mutex_);
      while (threads_.size() < count) threads_.emplace_back([this] { run(); });
      tasks_.insert(tasks_.end(), count, task);
    }
    wake_.notify_all();
  }

 private:
  Helpers() = default;

  void run() {
    for (;;) {
      std::shared_ptr<Task> task;
      {
        std::unique_lock lock(mutex_);
        wake_.wait(lock, [&] { return over_ || !tasks_.empty(); });
        if (over_) return;
        task = std::move(tasks_.front());
        tasks_.pop_front();
      }
      task->help();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::shared_ptr<Task>> tasks_;
  bool over_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace

std::size_t thread_count(std::size_t count) {
  static constexpr std::size_t kMost = 8;
  static const std::size_t kCores = std::max(1U, std::thread::hardware_concurrency());
  return std::max<std::size_t>(1, std::min({count, kCores, kMost}));
}

void run_with_helpers(std::size_t helpers, const std::function<void()>& work) {
  if (helpers == 0) return work();
  const auto task = std::make_shared<Task>(work);
  Helpers::shared().call(task, helpers);
  work();
  task->close();
}

void end_helpers() {
  Helpers::shared().end();
}

}  // namespace flagscale
