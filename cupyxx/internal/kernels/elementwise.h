// SPDX-License-Identifier: MIT
// Device-safe. What generated elementwise kernels are made of. The host fills the same structs:
// internal/gpu/elementwise/elementwise.cc.
#pragma once

#include "cupyxx/internal/kernels/error_word.h"
#include "cupyxx/ops/prelude.h"

namespace cupyxx::internal::kernels {

using ops::i64;
using ops::u32;
using ops::u64;

inline constexpr int kMaxOperands = 6;
inline constexpr int kBlock = 256;

/// Parameters of the contiguous kernels.
struct ContiguousArgs {
  char* data[kMaxOperands];
  u64 immediate[kMaxOperands];  // values of scalar operands, in the operand's own type
  u64 size;
  ErrorWord* error;
  u32 operation;
  u32 vector;  // whether all pointers are aligned for 16-byte accesses
};

/// Division by an extent through a multiplication (Granlund and Montgomery, 1994): exact for
/// dividends below 2^31.
struct Divider {
  u32 divisor;
  u32 magic;
  u32 shift;
};

#if defined(__CUDACC__) || defined(CUPYXX_EMULATED_DEVICE)
CUPYXX_FN u32 divide(u32 n, const Divider& d) { return (__umulhi(n, d.magic) + n) >> d.shift; }
#endif

/// Parameters of the strided kernels of up to kRank axes; axis 0 is the outermost.
template <int kRank>
struct StridedArgs {
  char* data[kMaxOperands];
  u64 immediate[kMaxOperands];
  u64 size;
  ErrorWord* error;
  u32 operation;
  u32 rank;
  Divider divider[kRank];
  i64 extent[kRank];
  i64 stride[kMaxOperands][kRank];  // bytes
};

#if defined(__CUDACC__) || defined(CUPYXX_EMULATED_DEVICE)

/// kCount elements that are read or written as one access of up to 16 bytes.
template <class T, int kCount>
struct alignas(sizeof(T) * kCount > 16 ? 16 : sizeof(T) * kCount) Vector {
  T at[kCount];
};

template <class T>
CUPYXX_FN T immediate(const u64& bits) {
  return *reinterpret_cast<const T*>(&bits);
}
/// Of 16 bytes, the upper half is where the address of an array would be.
template <class T>
CUPYXX_FN T immediate(const u64& low, const char* high) {
  return {immediate<double>(low), __longlong_as_double(reinterpret_cast<long long>(high))};
}

#endif

}  // namespace cupyxx::internal::kernels
