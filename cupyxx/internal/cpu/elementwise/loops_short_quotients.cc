// SPDX-License-Identifier: MIT
// Floor division and remainders of integers of up to 32 bits, by floating numbers of twice as many.
//
// (x + 1/2) / y is at least 1 / (2 |y|) away from the next integer, below and above. The rounded
// sum, reciprocal and product are off by less than 2^-6 / |y|, so that their floor is the
// quotient's.
#include <cstdint>
#include <type_traits>

#include "cupyxx/internal/cpu/elementwise/special_loops.h"
#include "cupyxx/internal/cpu/loops.h"
#include "cupyxx/ops/arithmetic.h"

namespace cupyxx::internal::cpu {
namespace {

#if defined(__AVX2__)

template <class T>
using RealOf = std::conditional_t<sizeof(T) == 4, double, float>;

constexpr ops::u32 kTop = ops::u32{1} << 31;

/// Processors convert signed integers.
template <class T>
[[gnu::always_inline]] inline RealOf<T> real(T x) {
  if constexpr (std::is_same_v<T, ops::u32>) {
    return static_cast<double>(static_cast<ops::i32>(x ^ kTop)) + 0x1p31;
  } else {
    return static_cast<RealOf<T>>(static_cast<ops::i32>(x));
  }
}

template <class T>
[[gnu::always_inline]] inline T whole(RealOf<T> x) {
  if constexpr (std::is_same_v<T, ops::u32>) {
    return static_cast<ops::u32>(static_cast<ops::i32>(x - 0x1p31)) ^ kTop;
  } else {
    return static_cast<T>(static_cast<ops::i32>(x));
  }
}

struct Quotients {
  using Op = ops::FloorDivide;
  template <class T>
  [[gnu::always_inline]] static T result(T quotient, T /*x*/, T /*y*/) {
    return quotient;
  }
};
struct Rests {
  using Op = ops::Remainder;
  template <class T>
  [[gnu::always_inline]] static T result(T quotient, T x, T y) {
    const auto product = static_cast<ops::u32>(quotient) * static_cast<ops::u32>(y);
    return static_cast<T>(static_cast<ops::u32>(x) - product);
  }
};

template <class Which, class T>
void by_number(T* out, const T* x, T y, std::int64_t n) {
  using Real = RealOf<T>;
  const Real half = y < 0 ? Real(-0.5) : Real(0.5), inverse = 1 / real(y);
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) {
    const T number = x[i];
    const T quotient = whole<T>(ops::m::floor((real(number) + half) * inverse));
    out[i] = Which::result(quotient, number, y);
  }
}

template <class Which, class T>
void by_array(T* out, const T* x, const T* y, std::int64_t n) {
  using Real = RealOf<T>;
#pragma omp simd
  for (std::int64_t i = 0; i < n; ++i) {
    const T number = x[i], given = y[i];
    const bool is_minus_one = std::is_signed_v<T> && given == static_cast<T>(-1);
    const T by = given == 0 || is_minus_one ? T(1) : given;
    const Real half = by < 0 ? Real(-0.5) : Real(0.5);
    const T divided = whole<T>(ops::m::floor((real(number) + half) / real(by)));
    const T negated = static_cast<T>(ops::u32{0} - static_cast<ops::u32>(number));
    const T quotient = is_minus_one ? negated : divided;
    const T result = Which::result(quotient, number, given);
    out[i] = given == 0 ? T(0) : result;
  }
}

template <class Which, class T>
void divide(char* const* data, const std::int64_t* strides, std::int64_t n) {
  constexpr auto kSize = static_cast<std::int64_t>(sizeof(T));
  auto* out = reinterpret_cast<T*>(data[0]);
  const auto* x = reinterpret_cast<const T*>(data[1]);
  const auto* y = reinterpret_cast<const T*>(data[2]);
  if (strides[0] == kSize && strides[1] == kSize && n != 0) {
    if (strides[2] == kSize) return by_array<Which>(out, x, y, n);
    const bool is_usual = *y != 0 && !(std::is_signed_v<T> && *y == static_cast<T>(-1));
    if (strides[2] == 0 && is_usual) return by_number<Which>(out, x, *y, n);
  }
  for (std::int64_t i = 0; i < n; ++i) {
    *reinterpret_cast<T*>(data[0] + i * strides[0]) =
        Which::Op::apply(*reinterpret_cast<const T*>(data[1] + i * strides[1]),
                         *reinterpret_cast<const T*>(data[2] + i * strides[2]));
  }
}

template <class Which, class T>
constexpr LoopEntry kEntry = {Which::Op::name, dtype_of<T>(), &divide<Which, T>};

constexpr LoopEntry kEntries[] = {
    kEntry<Quotients, ops::i8>,  kEntry<Quotients, ops::u8>,  kEntry<Quotients, ops::i16>,
    kEntry<Quotients, ops::u16>, kEntry<Quotients, ops::i32>, kEntry<Quotients, ops::u32>,
    kEntry<Rests, ops::i8>,      kEntry<Rests, ops::u8>,      kEntry<Rests, ops::i16>,
    kEntry<Rests, ops::u16>,     kEntry<Rests, ops::i32>,     kEntry<Rests, ops::u32>};

#else

constexpr LoopEntry kEntries[] = {{"", float64, nullptr}};

#endif

}  // namespace

template <>
LoopFn SpecialLoops<Arch::CUPYXX_ARCH>::short_quotient(const OpInfo& op, dtype type) {
  return find_loop(kEntries, op, type);
}

}  // namespace cupyxx::internal::cpu
