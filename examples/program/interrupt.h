// SPDX-License-Identifier: MIT
// Ctrl-C as a question that a loop asks.
#pragma once

namespace examples {

/// While it lives, the first SIGINT or SIGTERM is only noted; a second one ends the program. The
/// scopes of several threads note the same signal.
class InterruptScope {
 public:
  InterruptScope();
  ~InterruptScope();
  InterruptScope(const InterruptScope&) = delete;
  InterruptScope& operator=(const InterruptScope&) = delete;

  /// Whether a signal has come.
  bool requested() const;
};

}  // namespace examples
