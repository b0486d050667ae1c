// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/loops.h"
#include "cupyxx/ops/selection.h"

namespace cupyxx::internal {
namespace {

/// Unsigned numbers of a size.
template <int kBytes>
struct BitsOf;
template <>
struct BitsOf<1> {
  using type = ops::u8;
};
template <>
struct BitsOf<2> {
  using type = ops::u16;
};
template <>
struct BitsOf<4> {
  using type = ops::u32;
};
template <>
struct BitsOf<8> {
  using type = ops::u64;
};

/// `where` on bits: of a choice between two elements compilers make a branch, which is guessed
/// wrongly for every second element of a random condition. A truth value is a byte of 0 or 1.
struct WhereBits {
  template <class T>
  [[gnu::always_inline]] static T apply(ops::u8 condition, T x, T y) {
    using Bits = typename BitsOf<sizeof(T)>::type;
    const auto a = __builtin_bit_cast(Bits, x), b = __builtin_bit_cast(Bits, y);
    const auto mask = static_cast<Bits>(Bits(0) - static_cast<Bits>(condition));
    return __builtin_bit_cast(T, static_cast<Bits>(b ^ ((a ^ b) & mask)));
  }
};

/// Also of a number beside an array, as where(isnan(a), 0, a).
template <class T>
struct Loop<ops::Where, T(bool, T, T)> {
  static void run(char* const* data, const std::int64_t* strides, std::int64_t n) {
    constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
    if (n == 0 || strides[0] != kSize || strides[1] != 1 || strides[2] != 0 ||
        strides[3] != kSize) {
      return Loop<WhereBits, T(ops::u8, T, T)>::run(data, strides, n);
    }
    auto* out = reinterpret_cast<T*>(data[0]);
    const auto* condition = reinterpret_cast<const ops::u8*>(data[1]);
    const T number = *reinterpret_cast<const T*>(data[2]);
    const auto* y = reinterpret_cast<const T*>(data[3]);
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) out[i] = WhereBits::apply(condition[i], number, y[i]);
  }
};

}  // namespace
}  // namespace cupyxx::internal

CUPYXX_DEFINE_LOOPS(SelectionOps)
