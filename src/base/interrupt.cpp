// SPDX-License-Identifier: Apache-2.0
#include "base/interrupt.h"

#include <csignal>
#include <initializer_list>

namespace flagscale {
namespace {

volatile std::sig_atomic_t arrived = 0;

extern "C" void note_signal(int number) {
  arrived = number;
}

}  // namespace

void catch_interrupts() {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action {};
    if (sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action.sa_handler = note_signal;
    sigemptyset(&action.sa_mask);
    action.sa_flags = 0;
    sigaction(number, &action, nullptr);
  }
}

int interrupted() noexcept {
  return arrived;
}

void check_interrupt() {
  if (arrived != 0) throw Interrupted{};
}

}  // namespace flagscale
