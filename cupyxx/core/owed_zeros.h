// SPDX-License-Identifier: MIT
// Arrays that owe their zeros: a gradient that is set to zero before a product overwrites it is not
// written twice, nor read. The memory keeps what was there until somebody asks for the elements,
// whoever that is, and gets zeros; shape, dtype and device can be asked for before.
//
// A graph repeats what was done while it was captured, so what is owed when a capture begins or
// ends is paid there, and what a graph uses is paid before each of its runs (Graph::launch).
#pragma once

#include "cupyxx/core/body.h"

namespace cupyxx::internal {

namespace gpu {
class Capture;
}

/// A handle's body; null for None.
inline bool owes_zeros(const Body* body) noexcept {
  return body != nullptr && body->state.load(std::memory_order_acquire) == BodyState::zeros;
}
/// Whether a body that has its elements, or owes zeros, may owe them: nobody else sees the memory.
bool may_owe_zeros(const Body* body);
/// Makes its elements zeros that nobody has written; it may owe them.
void owe_zeros(Body* body);
/// Writes what a body owes. Throws Error in a capture where it has been owed before that began, and
/// outside of the capture in which it is owed.
void pay_zeros(Body* body);
/// The body, which is dying, owes nothing any more.
void forget_zeros(Body* body) noexcept;

/// While an object lives, an array that owes zeros owes none, because a call is going to overwrite
/// every element. If that fails, it owes them again.
class OverwrittenZeros {
 public:
  explicit OverwrittenZeros(Body* body) : body_(body), is_owed_(owes_zeros(body) && take()) {}
  ~OverwrittenZeros() {
    if (is_owed_) give_back();
  }
  OverwrittenZeros(const OverwrittenZeros&) = delete;
  OverwrittenZeros& operator=(const OverwrittenZeros&) = delete;

  /// Whether there were any.
  bool are_owed() const { return is_owed_; }
  /// They have been overwritten.
  void done() { is_owed_ = false; }

 private:
  bool take();
  void give_back() noexcept;

  Body* const body_;
  bool is_owed_;
};

/// Pays what this thread owes, before it begins a capture.
void pay_zeros_before_capture();
/// Pays what is owed since a capture of this thread began, within it.
void pay_zeros_of(const gpu::Capture* capture);
/// The capture has failed: what was there stays.
void forget_zeros_of(const gpu::Capture* capture) noexcept;
}  // namespace cupyxx::internal
