// SPDX-License-Identifier: MIT
// Walking over the axes of a reduction, and bringing elements together for the loops.
#pragma once

#include <cstdint>
#include <cstring>

#include "cupyxx/half.h"
#include "cupyxx/internal/cpu/copy_bytes.h"
#include "cupyxx/internal/cpu/elementwise/cast.h"
#include "cupyxx/internal/cpu/parallel.h"
#include "cupyxx/internal/cpu/reduce/loops.h"
#include "cupyxx/internal/element_types.h"
#include "cupyxx/internal/reduction_plan.h"

namespace cupyxx::internal::cpu {

/// Runs body(task) for each of `tasks` tasks, on several threads if `parallel`.
template <class Body>
void for_each_task(std::int64_t tasks, bool parallel, const Body& body) {
  if (!parallel || tasks == 1) {
    for (std::int64_t task = 0; task < tasks; ++task) body(task);
    return;
  }
  run_tasks(thread_count(), tasks, body);
}

/// Narrow elements are converted to float before the loops take them.
inline std::int64_t loaded_itemsize(dtype in) { return is_narrow(in) ? 4 : in.itemsize(); }

/// The byte offset of a linear index over some axes.
inline std::int64_t offset_of(std::int64_t index, const ReduceAxis* axes, int ndim,
                              std::int64_t ReduceAxis::*stride) {
  std::int64_t offset = 0;
  for (int d = ndim - 1; d > 0; --d) {
    const std::int64_t quotient = index / axes[d].extent;
    offset += (index - quotient * axes[d].extent) * (axes[d].*stride);
    index = quotient;
  }
  return offset + (ndim > 0 ? index * (axes[0].*stride) : 0);
}

inline void gather_words(dtype type, void* out, const char* in, std::int64_t stride,
                         std::int64_t n) {
  char* const pair[] = {static_cast<char*>(out), const_cast<char*>(in)};
  const std::int64_t strides[] = {type.itemsize(), stride};
  cast_loop(type, type)(pair, strides, n);
}

/// Brings n elements together in `out`, 16-bit floats converted.
inline void gather(const ReduceIsa& isa, dtype in_dtype, void* out, const char* in,
                   std::int64_t stride, std::int64_t n) {
  const WidenFn to_float =
      is_narrow(in_dtype) ? isa.to_float[static_cast<int>(in_dtype.code())] : nullptr;
  if (stride == in_dtype.itemsize()) {
    if (to_float != nullptr) {
      to_float(static_cast<float*>(out), in, n);
    } else {
      copy_bytes(out, in, static_cast<std::size_t>(n * stride));
    }
    return;
  }
  if (to_float != nullptr) {
    constexpr std::int64_t kPiece = 512;
    std::uint16_t bits[kPiece];
    for (std::int64_t i = 0; i < n; i += kPiece) {
      const std::int64_t count = n - i < kPiece ? n - i : kPiece;
      gather_words(in_dtype.itemsize() == 1 ? uint8 : uint16, bits, in + i * stride, stride, count);
      to_float(static_cast<float*>(out) + i, bits, count);
    }
    return;
  }
  gather_words(in_dtype, out, in, stride, n);
}

/// The linear index over some axes and its offset, moved forward without divisions.
class Walker {
 public:
  Walker(const ReduceAxis* axes, int ndim, std::int64_t index) : axes_(axes), ndim_(ndim) {
    for (int d = ndim - 1; d >= 0; --d) {
      place_[d] = d > 0 ? index % axes[d].extent : index;
      index = d > 0 ? index / axes[d].extent : 0;
      offset_ += place_[d] * axes[d].stride;
    }
  }
  std::int64_t offset() const { return offset_; }
  /// How many elements follow along the last axis, this one included.
  std::int64_t run() const { return axes_[ndim_ - 1].extent - place_[ndim_ - 1]; }
  /// Moves on by n <= run() elements.
  void advance(std::int64_t n) {
    int d = ndim_ - 1;
    place_[d] += n;
    offset_ += n * axes_[d].stride;
    while (d > 0 && place_[d] == axes_[d].extent) {
      offset_ -= place_[d] * axes_[d].stride;
      place_[d] = 0;
      --d;
      ++place_[d];
      offset_ += axes_[d].stride;
    }
  }

 private:
  const ReduceAxis* axes_;
  int ndim_;
  std::int64_t offset_ = 0;
  std::int64_t place_[kMaxNdim];
};

/// Combines accumulators pairwise in the order in which they come, as a binary counter carries.
class Pairwise {
 public:
  Pairwise(const ReduceLoops& loops) : loops_(loops) {}  // NOLINT(google-explicit-constructor)

  /// Where the next accumulator is to be made.
  void* next() {
    loops_.start(level_[depth_], 1);
    return level_[depth_];
  }
  /// Takes over what was made in next().
  void push() {
    ++depth_;
    for (std::int64_t n = count_++; (n & 1) != 0; n >>= 1) merge_top();
  }
  /// The combination of all.
  const void* total() {
    while (depth_ > 1) merge_top();
    return level_[0];
  }

 private:
  void merge_top() {
    --depth_;
    loops_.merge(level_[depth_ - 1], level_[depth_], 1);
  }

  const ReduceLoops& loops_;
  int depth_ = 0;
  std::int64_t count_ = 0;
  alignas(8) char level_[66][kMaxAccBytes];
};

}  // namespace cupyxx::internal::cpu
