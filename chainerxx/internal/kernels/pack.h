// SPDX-License-Identifier: MIT
// Device-safe. Neighbouring elements that one access moves.
#pragma once

#include "chainerxx/internal/kernels/types.h"

namespace chainerxx::internal::kernels {

template <class T, int kWidth>
struct alignas(kWidth * sizeof(T) < 16 ? kWidth * sizeof(T) : 16) Pack {
  T x[kWidth];
};

template <class T, int kWidth>
CUPYXX_FN Pack<T, kWidth>& pack_at(void* base, long i) {
  return *reinterpret_cast<Pack<T, kWidth>*>(static_cast<T*>(base) + i);
}
template <class T, int kWidth>
CUPYXX_FN const Pack<T, kWidth>& pack_at(const void* base, long i) {
  return *reinterpret_cast<const Pack<T, kWidth>*>(static_cast<const T*>(base) + i);
}

/// Elements in the widest access.
template <class T>
inline constexpr int kPackWidth = 16 / sizeof(T);

}  // namespace chainerxx::internal::kernels
