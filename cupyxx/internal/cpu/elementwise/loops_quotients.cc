// SPDX-License-Identifier: MIT
// Quotients and remainders: the processor divides vectors of floating numbers, and what the rounded
// quotient is off by one is mended, so that results are those of the operations' own loops.

#include "cupyxx/internal/cpu/elementwise/block_loops.h"
#include "cupyxx/internal/cpu/elementwise/special_loops.h"
#include "cupyxx/internal/cpu/loops.h"
#include "cupyxx/ops/arithmetic.h"

namespace cupyxx::internal::cpu {
namespace {

#if defined(__FMA__)

/// Remainders of C. A quotient below 2^52 is rounded to itself or to the integer above; its product
/// is subtracted without rounding, and the rest, or the rest less y, is a number of the type.
template <class T, int kLanes>
bool rests(const T (&x)[kLanes], const T (&y)[kLanes], T (&rest)[kLanes]) {
  constexpr T kMost = sizeof(T) == 8 ? T(0x1p52) : T(0x1p23);
  int good = 1;
  for (int l = 0; l < kLanes; ++l) {
    const T a = ops::m::fabs(x[l]), b = ops::m::fabs(y[l]);
    const T quotient = ops::m::trunc(a / b);
    const T left = ops::vector_math::fused(-quotient, b, a);
    rest[l] = ops::m::copysign(left < 0 ? left + b : left, x[l]);
    // Neither infinite, nor NaN, nor divided by zero.
    good &= (quotient < kMost) & (b < static_cast<T>(__builtin_inf()));
  }
  return good != 0;
}

struct FmodBlocks {
  template <class T, int kLanes>
  static bool run(const T (&x)[kLanes], const T (&y)[kLanes], T (&out)[kLanes]) {
    return rests(x, y, out);
  }
  template <class T>
  static T one(T x, T y) {
    return ops::Fmod::apply(x, y);
  }
};

struct RemainderBlocks {
  template <class T, int kLanes>
  static bool run(const T (&x)[kLanes], const T (&y)[kLanes], T (&out)[kLanes]) {
    T rest[kLanes];
    if (!rests(x, y, rest)) return false;
    for (int l = 0; l < kLanes; ++l) {
      const bool turns = (y[l] < 0) != (rest[l] < 0);
      const T moved = turns ? rest[l] + y[l] : rest[l];
      out[l] = rest[l] != 0 ? moved : ops::m::copysign(T(0), y[l]);
    }
    return true;
  }
  template <class T>
  static T one(T x, T y) {
    return ops::Remainder::apply(x, y);
  }
};

#endif

#if defined(__FMA__)

using Integer = ops::i64;

#if defined(__AVX512DQ__)

/// Floor division of integers that float64 holds. In vectors of its own: g++ 12 takes such blocks
/// apart, element by element.
template <int kLanes>
bool divide_integers(const Integer (&x)[kLanes], const Integer (&y)[kLanes],
                     Integer (&quotient)[kLanes], Integer (&rest)[kLanes]) {
  constexpr int kPerVector = 8;
  typedef Integer Whole __attribute__((vector_size(8 * kPerVector)));   // NOLINT
  typedef ops::u64 Words __attribute__((vector_size(8 * kPerVector)));  // NOLINT
  typedef double Real __attribute__((vector_size(8 * kPerVector)));     // NOLINT
  constexpr ops::u64 kTop = ops::u64{1} << 52;
  const auto part = [](const Integer* from) {
    Whole lanes;
    std::memcpy(&lanes, from, sizeof(lanes));
    return lanes;
  };
  Words bad = {};
  for (int l = 0; l < kLanes; l += kPerVector) {
    const auto a = (Words)part(x + l), b = (Words)part(y + l);  // sums may wrap around
    bad |= ((a + kTop) | (b + kTop)) & ~(2 * kTop - 1);
    bad |= (Words)(b == 0);
  }
  ops::u64 any = 0;
  for (int k = 0; k < kPerVector; ++k) any |= bad[k];
  if (any != 0) return false;
  for (int l = 0; l < kLanes; l += kPerVector) {
    const Whole a = part(x + l), b = part(y + l);
    const Whole near = __builtin_convertvector(
        __builtin_convertvector(a, Real) / __builtin_convertvector(b, Real), Whole);
    const Whole left = a - near * b;
    const Whole turns = (left != 0) & ((left ^ b) < 0);  // -1 where the quotient is one too large
    const Whole floored = near + turns, over = left + (b & turns);
    std::memcpy(quotient + l, &floored, sizeof(floored));
    std::memcpy(rest + l, &over, sizeof(over));
  }
  return true;
}

#else

/// The same without instructions from int64 to float64: an integer below 2^51 is in the last bits
/// of its sum with 1.5 * 2^52. Products that are subtracted without rounding leave integers.
template <int kLanes>
bool divide_integers(const Integer (&x)[kLanes], const Integer (&y)[kLanes],
                     Integer (&quotient)[kLanes], Integer (&rest)[kLanes]) {
  constexpr int kPerVector = 4;
  typedef Integer Whole __attribute__((vector_size(8 * kPerVector)));  // NOLINT
  typedef double Real __attribute__((vector_size(8 * kPerVector)));    // NOLINT
  constexpr double kShift = 0x1.8p52;
  constexpr auto kBits = __builtin_bit_cast(Integer, kShift);
  const auto part = [](const Integer* from) {
    Whole lanes;
    std::memcpy(&lanes, from, sizeof(lanes));
    return lanes;
  };
  typedef ops::u64 Words __attribute__((vector_size(8 * kPerVector)));  // NOLINT
  constexpr ops::u64 kTop = ops::u64{1} << 51;
  Words bad = {};
  for (int l = 0; l < kLanes; l += kPerVector) {
    const auto a = (Words)part(x + l), b = (Words)part(y + l);  // sums may wrap around
    bad |= ((a + kTop) | (b + kTop)) & ~(2 * kTop - 1);
    bad |= (Words)(b == 0);
  }
  if ((bad[0] | bad[1] | bad[2] | bad[3]) != 0) return false;
  for (int l = 0; l < kLanes; l += kPerVector) {
    const Whole whole = part(x + l), by = part(y + l);
    const Real a = (Real)(whole + kBits) - kShift, b = (Real)(by + kBits) - kShift;
    const Real ratio = a / b;
    Real near, left;
    for (int k = 0; k < kPerVector; ++k) near[k] = ops::m::trunc(ratio[k]);
    for (int k = 0; k < kPerVector; ++k) left[k] = ops::vector_math::fused(-near[k], b[k], a[k]);
    const Whole turns = (left != 0) & ((left < 0) != (b < 0));
    const Real less = (Real)((Whole)(Real{} + 1) & turns), more = (Real)((Whole)b & turns);
    const Whole out = (Whole)(near - less + kShift) - kBits,
                over = (Whole)(left + more + kShift) - kBits;
    std::memcpy(quotient + l, &out, sizeof(out));
    std::memcpy(rest + l, &over, sizeof(over));
  }
  return true;
}

#endif

struct IntegerQuotients {
  template <int kLanes>
  static bool run(const Integer (&x)[kLanes], const Integer (&y)[kLanes], Integer (&out)[kLanes]) {
    Integer rest[kLanes];
    return divide_integers(x, y, out, rest);
  }
  static Integer one(Integer x, Integer y) { return ops::FloorDivide::apply(x, y); }
};

struct IntegerRests {
  template <int kLanes>
  static bool run(const Integer (&x)[kLanes], const Integer (&y)[kLanes], Integer (&out)[kLanes]) {
    Integer quotient[kLanes];
    return divide_integers(x, y, quotient, out);
  }
  static Integer one(Integer x, Integer y) { return ops::Remainder::apply(x, y); }
};

void divmod_integers(char* const* data, const std::int64_t* strides, std::int64_t n) {
  constexpr int kLanes = 16;
  for (std::int64_t i = 0; i < n; i += kLanes) {
    const auto count = std::min<std::int64_t>(kLanes, n - i);
    alignas(64) Integer x[kLanes], y[kLanes], quotient[kLanes], rest[kLanes];
    load_block(x, data[2] + i * strides[2], strides[2], count);
    load_block(y, data[3] + i * strides[3], strides[3], count);
    if (!divide_integers(x, y, quotient, rest)) {
      for (int l = 0; l < count; ++l) {
        const auto both = ops::DivMod::apply(x[l], y[l]);
        quotient[l] = both.first;
        rest[l] = both.second;
      }
    }
    store_block(quotient, data[0] + i * strides[0], strides[0], count);
    store_block(rest, data[1] + i * strides[1], strides[1], count);
  }
}

#endif

#if defined(__AVX512DQ__)
constexpr bool kWhereTheyLie = true;  // a block's copy is written by halves of what is read of it
#else
[[maybe_unused]] constexpr bool kWhereTheyLie = false;
#endif

constexpr LoopEntry kEntries[] = {
#if defined(__FMA__)
    {"fmod", float32, &BlockLoop<FmodBlocks, float>::run},
    {"fmod", float64, &BlockLoop<FmodBlocks, double>::run},
    {"remainder", float32, &BlockLoop<RemainderBlocks, float>::run},
    {"remainder", float64, &BlockLoop<RemainderBlocks, double>::run},
    {"floor_divide", int64, &BlockLoop<IntegerQuotients, Integer, 128, kWhereTheyLie>::run},
    {"remainder", int64, &BlockLoop<IntegerRests, Integer, 128, kWhereTheyLie>::run},
    {"divmod", int64, &divmod_integers},
#endif
    {"", float64, nullptr}};

}  // namespace

template <>
LoopFn SpecialLoops<Arch::CUPYXX_ARCH>::quotient(const OpInfo& op, dtype type) {
  return find_loop(kEntries, op, type);
}

}  // namespace cupyxx::internal::cpu
