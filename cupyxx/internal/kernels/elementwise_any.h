// SPDX-License-Identifier: MIT
// Device-safe. An operation on operands of every layout and of every everyday type, numbers and a
// mask included: one program that serves what has no program of its own in the bundle.
#pragma once

#include "cupyxx/internal/kernels/elementwise.h"

namespace cupyxx::internal::kernels {

/// How an operand is stored.
enum class Stored : u32 { bool_, int32, int64, float32, float64 };
inline constexpr int kStoredBits = 4;

/// Parameters: those of strided kernels, and what their text would know.
struct AnyArgs : StridedArgs<32> {
  u32 stored;   // kStoredBits for each operand
  u32 numbers;  // a bit for each operand whose value is in `immediate`
  u32 masked;   // whether the operand behind the last one is a mask
  u32 wide;     // whether numbers of elements need 64 bits
};

#if defined(__CUDACC__) || defined(CUPYXX_EMULATED_DEVICE)

/// Where an element is in each operand, in bytes.
template <int kOperands>
__device__ __forceinline__ void find_places(const AnyArgs& args, u64 element,
                                            i64 (&at)[kOperands]) {
#pragma unroll
  for (int k = 0; k < kOperands; ++k) at[k] = 0;
  u64 rest = element;
#pragma unroll 1
  for (int axis = static_cast<int>(args.rank) - 1; axis >= 0; --axis) {
    u64 quotient = 0;
    if (axis > 0) {
      quotient = args.wide ? rest / static_cast<u64>(args.extent[axis])
                           : divide(static_cast<u32>(rest), args.divider[axis]);
    }
    const i64 place = static_cast<i64>(rest - quotient * static_cast<u64>(args.extent[axis]));
#pragma unroll
    for (int k = 0; k < kOperands; ++k) at[k] += place * args.stride[k][axis];
    rest = quotient;
  }
}

CUPYXX_FN Stored stored_as(const AnyArgs& args, int k) {
  return static_cast<Stored>(args.stored >> (kStoredBits * k) & 15u);
}

/// The element of an operand at a place.
template <class T>
__device__ __forceinline__ T load_any(const AnyArgs& args, int k, i64 at) {
  const char* const from = (args.numbers >> k & 1u) != 0
                               ? reinterpret_cast<const char*>(&args.immediate[k])
                               : args.data[k] + at;
  switch (stored_as(args, k)) {
    case Stored::bool_:
      return ops::cast<T>(*reinterpret_cast<const bool*>(from));
    case Stored::int32:
      return ops::cast<T>(*reinterpret_cast<const int*>(from));
    case Stored::int64:
      return ops::cast<T>(*reinterpret_cast<const i64*>(from));
    case Stored::float32:
      return ops::cast<T>(*reinterpret_cast<const float*>(from));
    default:
      return ops::cast<T>(*reinterpret_cast<const double*>(from));
  }
}

template <class T>
__device__ __forceinline__ void store_any(const AnyArgs& args, int k, i64 at, T value) {
  char* const to = args.data[k] + at;
  switch (stored_as(args, k)) {
    case Stored::bool_:
      *reinterpret_cast<bool*>(to) = ops::cast<bool>(value);
      break;
    case Stored::int32:
      *reinterpret_cast<int*>(to) = ops::cast<int>(value);
      break;
    case Stored::int64:
      *reinterpret_cast<i64*>(to) = ops::cast<i64>(value);
      break;
    case Stored::float32:
      *reinterpret_cast<float*>(to) = ops::cast<float>(value);
      break;
    default:
      *reinterpret_cast<double*>(to) = ops::cast<double>(value);
  }
}

#endif

}  // namespace cupyxx::internal::kernels
