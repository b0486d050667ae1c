// SPDX-License-Identifier: MIT
// Device-safe. What users' kernels are made of besides their own text, on the device and, compiled
// by the system's C++ compiler, on the host.
#pragma once

#include "cupyxx/internal/kernels/elementwise.h"

namespace cupyxx {

// Arithmetic of 16-bit types happens in float; these let `z += x` be written for every type.
#define CUPYXX_COMPOUND(T, op) \
  CUPYXX_FN T& operator op##=(T& x, float y) { return x = T(static_cast<float>(x) op y); }
CUPYXX_COMPOUND(half, +)
CUPYXX_COMPOUND(half, -)
CUPYXX_COMPOUND(half, *)
CUPYXX_COMPOUND(half, /)
CUPYXX_COMPOUND(bfloat16, +)
CUPYXX_COMPOUND(bfloat16, -)
CUPYXX_COMPOUND(bfloat16, *)
CUPYXX_COMPOUND(bfloat16, /)
#undef CUPYXX_COMPOUND

namespace internal::kernels {

struct RawAxis {
  i64 extent;
  i64 stride;  // bytes
};

/// A raw argument as a parameter. The host fills the largest one; a kernel of lower rank takes the
/// beginning of it.
template <int kRank>
struct RawData {
  char* data;
  i64 size;
  i64 ndim;
  RawAxis axis[kRank];
};

/// Extents or strides of a raw argument: `y.shape()[axis]`.
struct RawExtents {
  const RawAxis* axis;
  CUPYXX_FN i64 operator[](int k) const { return axis[k].extent; }
};
struct RawStrides {
  const RawAxis* axis;
  CUPYXX_FN i64 operator[](int k) const { return axis[k].stride; }
};

/// A raw argument as the body sees it: `y[i]` is element i in C order, `y(i, j)` and CuPy's
/// `ptrdiff_t at[] = {i, j}; y[at]` the one at an index; all of an array of any strides. Indices
/// are not checked.
template <class T, int kRank, bool kContiguous>
class RawArray {
 public:
  CUPYXX_FN explicit RawArray(const RawData<kRank>& data) : data_(data) {}

  CUPYXX_FN i64 size() const { return data_.size; }
  CUPYXX_FN int ndim() const { return static_cast<int>(data_.ndim); }
  CUPYXX_FN i64 shape(int axis) const { return data_.axis[axis].extent; }
  CUPYXX_FN RawExtents shape() const { return {data_.axis}; }
  CUPYXX_FN RawStrides strides() const { return {data_.axis}; }  // bytes

  CUPYXX_FN T& operator[](i64 index) const {
    if constexpr (kContiguous) {
      return reinterpret_cast<T*>(data_.data)[index];
    } else {
      i64 offset = 0;
      for (int axis = kRank - 1; axis > 0; --axis) {
        const i64 rest = index / data_.axis[axis].extent;
        offset += (index - rest * data_.axis[axis].extent) * data_.axis[axis].stride;
        index = rest;
      }
      return *reinterpret_cast<T*>(data_.data + offset + index * data_.axis[0].stride);
    }
  }

  template <class Index, int kCount>
  CUPYXX_FN T& operator[](const Index (&index)[kCount]) const {
    static_assert(kCount == kRank, "one index per axis of the raw argument");
    i64 offset = 0;
    for (int axis = 0; axis < kRank; ++axis) offset += index[axis] * data_.axis[axis].stride;
    return *reinterpret_cast<T*>(data_.data + offset);
  }

  template <class... Index>
  CUPYXX_FN T& operator()(Index... index) const {
    static_assert(sizeof...(Index) == kRank, "one index per axis of the raw argument");
    i64 offset = 0;
    int axis = 0;
    ((offset += static_cast<i64>(index) * data_.axis[axis++].stride), ...);
    return *reinterpret_cast<T*>(data_.data + offset);
  }

 private:
  const RawData<kRank>& data_;
};

/// Parameters of the contiguous kernels, in 8-byte words: the host writes one after the other.
template <int kOperands>
struct UserContiguousArgs {
  char* data[kOperands == 0 ? 1 : kOperands];
  u64 immediate[kOperands == 0 ? 1 : kOperands];
  u64 size;
  u64 vector;
};

/// The same for the strided kernels.
template <int kRank, int kOperands>
struct UserStridedArgs {
  char* data[kOperands];
  u64 immediate[kOperands];
  u64 size;
  u64 rank;
  i64 extent[kRank];
  i64 stride[kOperands][kRank];  // bytes
  Divider divider[kRank];
};

/// Parameters of the reductions: kept axes stand before reduced ones. Operand kOperands counts the
/// elements in C order.
template <int kRank, int kOperands>
struct UserReduceArgs {
  char* data[kOperands];
  u64 immediate[kOperands];
  i64 kept;
  i64 reduced;
  i64 kept_rank;
  i64 rank;
  u32* partials;  // of results that several blocks share, and their counters
  u32* tickets;
  i64 tiles;  // as in kernels::ReduceArgs
  i64 lanes_log2;
  i64 extent[kRank];
  i64 stride[kOperands + 1][kRank];
  Divider divider[kRank];
};

#if !defined(__CUDACC__) && !defined(CUPYXX_EMULATED_DEVICE)

/// What a kernel on the host gets. Strides of one operand stand together, `rank` of them.
struct HostArgs {
  char* const* data;
  const u64* immediate;
  const void* const* raw;  // RawData<>
  i64 size;
  i64 rank;
  const i64* extent;
  const i64* stride;
  i64 kept_rank;  // reductions: axes before the reduced ones, and their elements
  i64 kept;
  i64 reduced;
};

template <class T>
CUPYXX_FN T immediate(const u64& bits) {
  T value;
  __builtin_memcpy(&value, &bits, sizeof value);
  return value;
}

#endif

}  // namespace internal::kernels
}  // namespace cupyxx
