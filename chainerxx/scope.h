// SPDX-License-Identifier: MIT
// Modes of the current thread that hold until the end of a scope.
#pragma once

#include <cstdint>

#include "cupyxx/export.h"
#include "cupyxx/precision.h"

namespace chainerxx {

using cupyxx::Precision;

/// Whether functions record themselves in the graph on this thread; true outside of NoGradScope.
CUPYXX_API bool is_recording();
/// Whether functions such as dropout behave as in training; true outside of TrainScope(false).
CUPYXX_API bool is_training();
/// Whether functions run again for their gradients, within functions::forget: what a function does
/// beside its results, such as running statistics, is done already.
CUPYXX_API bool is_recomputing();
/// The type in which functions that are called on this thread multiply: in a PrecisionScope what it
/// says, else the environment's CHAINERXX_PRECISION, float32 without it. Throws ValueError for a
/// name in the environment that is no precision.
CUPYXX_API Precision current_precision();
/// Whether float32 convolutions and products on devices may be reduced to TF32: faster, with 10
/// bits instead of 23. So where the precision is tf32 or narrower.
CUPYXX_API bool is_tf32_allowed();

/// The order of the elements of images, of shape (n, c, h, w) in any case.
enum class Layout : std::uint8_t {
  automatic,     ///< convolutions take the faster one by dtype and device
  plain,         ///< that of the shape: rows of one channel lie together
  channels_last  ///< (n, h, w, c): the channels of a pixel lie together
};
/// The layout in which convolutions of this thread put their results: in a LayoutScope what it
/// says, else the environment's CHAINERXX_LAYOUT (automatic, plain, channels_last), automatic
/// without it. Throws ValueError for another name in the environment.
CUPYXX_API Layout current_layout();
/// Whether functions look for values that are not finite on this thread: in a DebugScope what it
/// says, else what set_debug said last, at first whether the environment has CHAINER_DEBUG=1.
CUPYXX_API bool is_debug();
/// Debug mode of all threads. The function that first produces a NaN or an infinity, in forward or
/// in backward, throws a ValueError that names it, the array and the element; one whose inputs have
/// them already passes them on. Infinities count where no input is infinite or NaN; a network that
/// needs them can make them outside of functions. Waits for every result, so it is slow.
CUPYXX_API void set_debug(bool debug);

namespace internal {

/// Set the modes of this thread that TrainScope and RecordScope set for a scope.
CUPYXX_API void set_training(bool train);
CUPYXX_API void set_recording(bool record);

/// Sets a mode until its end.
template <class T>
class CUPYXX_API ModeScope {
 public:
  ModeScope(const ModeScope&) = delete;
  ModeScope& operator=(const ModeScope&) = delete;

 protected:
  ModeScope(T& mode, T value) : mode_(mode), previous_(mode) { mode = value; }
  ~ModeScope() { mode_ = previous_; }

 private:
  T& mode_;
  T previous_;
};

}  // namespace internal

/// Chooses whether functions record themselves in the graph.
class CUPYXX_API RecordScope : public internal::ModeScope<bool> {
 public:
  [[nodiscard("give it a name")]] explicit RecordScope(bool record);
};

/// Functions applied in this scope leave no graph behind, as if all inputs were volatile.
class NoGradScope : public RecordScope {
 public:
  [[nodiscard("give it a name")]] NoGradScope() : RecordScope(false) {}
};

/// Chooses training or evaluation for functions that know both and are not told.
class CUPYXX_API TrainScope : public internal::ModeScope<bool> {
 public:
  [[nodiscard("give it a name")]] explicit TrainScope(bool train);
};

/// The type in which functions multiply that are called in this scope; layers are as they were
/// made. Gradients follow what forward did, wherever backward runs. docs/precision.md says,
/// function by function, what is computed in which type.
///
///   const PrecisionScope narrow(Precision::bfloat16);
///   Variable loss = model(x, t);  // products and convolutions of bfloat16, parameters of float32
///
/// tf32: float32 arrays everywhere; convolutions and products on devices read 10 bits of them.
/// bfloat16, float16: products and convolutions round their float32 inputs and parameters to this
/// type, and their results, which what follows takes as they are, have it; sums, normalisation,
/// softmax and losses compute in float32. Parameters, their gradients and the states of optimizers
/// stay float32.
class CUPYXX_API PrecisionScope : public internal::ModeScope<std::int8_t> {
 public:
  [[nodiscard("give it a name")]] explicit PrecisionScope(Precision precision);
};

/// PrecisionScope(Precision::tf32), or with `allow` false PrecisionScope(Precision::float32).
class Tf32Scope : public PrecisionScope {
 public:
  [[nodiscard("give it a name")]] explicit Tf32Scope(bool allow = true)
      : PrecisionScope(allow ? Precision::tf32 : Precision::float32) {}
};

/// The layout of the images that convolutions called in this scope make. Functions behind them keep
/// the layout that they are given; strides() and data() of an image then show it.
class CUPYXX_API LayoutScope : public internal::ModeScope<std::int8_t> {
 public:
  [[nodiscard("give it a name")]] explicit LayoutScope(Layout layout);
};

/// Debug mode of this thread, on or off; see set_debug.
class CUPYXX_API DebugScope {
 public:
  [[nodiscard("give it a name")]] explicit DebugScope(bool debug = true);
  ~DebugScope();
  DebugScope(const DebugScope&) = delete;
  DebugScope& operator=(const DebugScope&) = delete;

 private:
  signed char previous_;
};

}  // namespace chainerxx
