// SPDX-License-Identifier: Apache-2.0
//
// SIGINT, SIGTERM and SIGHUP: noticed between two pieces of work, so that everything that was
// begun is cleaned up by the usual means before the program ends by the signal.
#pragma once

namespace flagscale {

/// Starts noticing. Signals that are ignored (nohup) stay ignored.
void catch_interrupts();

/// The signal that arrived, or 0.
[[nodiscard]] int interrupted() noexcept;

/// Thrown by check_interrupt; not an Error, since there is nothing to say.
struct Interrupted {};

/// Throws Interrupted once a signal has arrived. Cheap.
void check_interrupt();

}  // namespace flagscale
