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

#if defined(__CUDA_ARCH__)
CUPYXX_FN void store_words(uint4* to, const uint4& words) {
  asm volatile("st.v4.b32 [%0], {%1, %2, %3, %4};" ::"l"(to), "r"(words.x), "r"(words.y),
               "r"(words.z), "r"(words.w)
               : "memory");
}
CUPYXX_FN void store_words(uint2* to, const uint2& words) {
  asm volatile("st.v2.b32 [%0], {%1, %2};" ::"l"(to), "r"(words.x), "r"(words.y) : "memory");
}
CUPYXX_FN void store_words(unsigned* to, unsigned word) {
  asm volatile("st.b32 [%0], %1;" ::"l"(to), "r"(word) : "memory");
}
#endif

/// Writes a pack at element i. The compiler splits the assignment of a struct into one store for
/// each element, so devices are told.
template <class T, int kWidth>
CUPYXX_FN void store_pack(void* base, long i, const Pack<T, kWidth>& pack) {
  T* const to = static_cast<T*>(base) + i;
#if defined(__CUDA_ARCH__)
  constexpr int kBytes = sizeof(pack);
  if constexpr (kBytes % 16 == 0) {
#pragma unroll
    for (int k = 0; k < kBytes / 16; ++k) {
      store_words(reinterpret_cast<uint4*>(to) + k, reinterpret_cast<const uint4*>(&pack)[k]);
    }
    return;
  } else if constexpr (kBytes == 8) {
    store_words(reinterpret_cast<uint2*>(to), reinterpret_cast<const uint2&>(pack));
    return;
  } else if constexpr (kBytes == 4 && sizeof(T) < 4) {
    store_words(reinterpret_cast<unsigned*>(to), reinterpret_cast<const unsigned&>(pack));
    return;
  }
#endif
  *reinterpret_cast<Pack<T, kWidth>*>(to) = pack;
}

/// Elements in the widest access.
template <class T>
inline constexpr int kPackWidth = 16 / sizeof(T);

}  // namespace chainerxx::internal::kernels
