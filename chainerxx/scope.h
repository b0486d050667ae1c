// SPDX-License-Identifier: MIT
// Modes of the current thread that hold until the end of a scope.
#pragma once

#include "cupyxx/export.h"

namespace chainerxx {

/// Whether functions record themselves in the graph on this thread; true outside of NoGradScope.
CUPYXX_API bool is_recording();
/// Whether functions such as dropout behave as in training; true outside of TrainScope(false).
CUPYXX_API bool is_training();
/// Whether functions run again for their gradients, within functions::forget: what a function does
/// beside its results, such as running statistics, is done already.
CUPYXX_API bool is_recomputing();
/// Whether float32 convolutions on devices may be reduced to TF32 where their options do not say:
/// faster, with 10 bits instead of 23; false outside of Tf32Scope.
CUPYXX_API bool is_tf32_allowed();
/// Whether functions look for values that are not finite on this thread: in a DebugScope what it
/// says, else what set_debug said last, at first whether the environment has CHAINER_DEBUG=1.
CUPYXX_API bool is_debug();
/// Debug mode of all threads. The function that first produces a NaN or an infinity, in forward or
/// in backward, throws a ValueError that names it, the array and the element; one whose inputs have
/// them already passes them on. Infinities count where no input is infinite or NaN; a network that
/// needs them can make them outside of functions. Waits for every result, so it is slow.
CUPYXX_API void set_debug(bool debug);

namespace internal {

/// Sets a mode until its end.
class CUPYXX_API ModeScope {
 public:
  ModeScope(const ModeScope&) = delete;
  ModeScope& operator=(const ModeScope&) = delete;

 protected:
  ModeScope(bool& mode, bool value);
  ~ModeScope();

 private:
  bool& mode_;
  bool previous_;
};

}  // namespace internal

/// Chooses whether functions record themselves in the graph.
class CUPYXX_API RecordScope : public internal::ModeScope {
 public:
  explicit RecordScope(bool record);
};

/// Functions applied in this scope leave no graph behind, as if all inputs were volatile.
class NoGradScope : public RecordScope {
 public:
  NoGradScope() : RecordScope(false) {}
};

/// Chooses training or evaluation for functions that know both and are not told.
class CUPYXX_API TrainScope : public internal::ModeScope {
 public:
  explicit TrainScope(bool train);
};

/// Allows TF32 to the convolutions of layers that are made, and of functions that are called, in
/// this scope.
class CUPYXX_API Tf32Scope : public internal::ModeScope {
 public:
  explicit Tf32Scope(bool allow = true);
};

/// Debug mode of this thread, on or off; see set_debug.
class CUPYXX_API DebugScope {
 public:
  explicit DebugScope(bool debug = true);
  ~DebugScope();
  DebugScope(const DebugScope&) = delete;
  DebugScope& operator=(const DebugScope&) = delete;

 private:
  signed char previous_;
};

}  // namespace chainerxx
