// SPDX-License-Identifier: MIT
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include <cstring>

#include "cupyxx/internal/cpu/elementwise/passes.h"
#include "cupyxx/ops/arithmetic.h"
#include "cupyxx/ops/comparison.h"

namespace cupyxx::internal::cpu {

// Code for one instruction set must not be shared with another by the linker.
namespace {

/// Calls `f` with a null pointer to the element type, if it is one of the usual ones.
template <class F>
bool with_number(dtype type, const F& f) {
  switch (type.code()) {
    case dtype::Code::float32:
      return f(static_cast<float*>(nullptr));
    case dtype::Code::float64:
      return f(static_cast<double*>(nullptr));
    case dtype::Code::int32:
      return f(static_cast<ops::i32*>(nullptr));
    case dtype::Code::int64:
      return f(static_cast<ops::i64*>(nullptr));
    default:
      return false;
  }
}
template <class F>
bool with_float(dtype type, const F& f) {
  return type.is_floating() && with_number(type, [&](auto* null) {
           if constexpr (ops::is_float<std::remove_pointer_t<decltype(null)>>) {
             return f(null);
           } else {
             return false;
           }
         });
}

/// Calls `f` with the operation of a name, if it is one of the usual ones.
template <class F>
bool with_operation(std::string_view op, const F& f) {
  if (op == "add") return f(ops::Add());
  if (op == "multiply") return f(ops::Multiply());
  if (op == "maximum") return f(ops::Maximum());
  if (op == "minimum") return f(ops::Minimum());
  return false;
}

template <class Op, class T>
void run_along(T* x, std::int64_t n) {
  T last = x[0];
  for (std::int64_t i = 1; i < n; ++i) x[i] = last = Op::apply(last, x[i]);
}

bool accumulate(std::string_view op, dtype type, char* x, std::int64_t n) {
  return with_operation(op, [&](auto operation) {
    return with_number(type, [&](auto* null) {
      using T = std::remove_pointer_t<decltype(null)>;
      if (n == 0) return true;
      run_along<decltype(operation)>(reinterpret_cast<T*>(x), n);
      return true;
    });
  });
}

/// NumPy's order: eight sums side by side, blocks of at most 128 elements, halves of the others.
template <class T>
T pairwise_sum(const T* x, std::int64_t n) {
  if (n < 8) {
    T sum = 0;
    for (std::int64_t i = 0; i < n; ++i) sum += x[i];
    return sum;
  }
  if (n <= 128) {
    T part[8];
    for (int k = 0; k < 8; ++k) part[k] = x[k];
    std::int64_t i = 8;
    for (; i < n - n % 8; i += 8) {
      for (int k = 0; k < 8; ++k) part[k] += x[i + k];
    }
    T sum =
        ((part[0] + part[1]) + (part[2] + part[3])) + ((part[4] + part[5]) + (part[6] + part[7]));
    for (; i < n; ++i) sum += x[i];
    return sum;
  }
  std::int64_t half = n / 2;
  half -= half % 8;
  return pairwise_sum(x, half) + pairwise_sum(x + half, n - half);
}

template <class Op, class T>
T reduce_segment(const T* x, std::int64_t n) {
  if (n == 1) return x[0];
  if constexpr (ops::is_same<Op, ops::Add> && ops::is_float<T>) {
    return x[0] + pairwise_sum(x + 1, n - 1);
  } else {
    T result = x[0];
    for (std::int64_t i = 1; i < n; ++i) result = Op::apply(result, x[i]);
    return result;
  }
}

bool reduce_segments(std::string_view op, dtype type, const char* x_, std::int64_t n,
                     const std::int64_t* starts, std::int64_t count, char* out) {
  return with_operation(op, [&](auto operation) {
    return with_number(type, [&](auto* null) {
      using T = std::remove_pointer_t<decltype(null)>;
      const auto* x = reinterpret_cast<const T*>(x_);
      for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t end = i + 1 < count ? starts[i + 1] : n;
        const std::int64_t length = end > starts[i] ? end - starts[i] : 1;
        reinterpret_cast<T*>(out)[i] = reduce_segment<decltype(operation)>(x + starts[i], length);
      }
      return true;
    });
  });
}

template <bool kLargest, class T>
T extreme_of(const T* x, std::int64_t n) {
  constexpr int kLanes = 256 / static_cast<int>(sizeof(T));
  constexpr T kInfinity = static_cast<T>(__builtin_inf());
  constexpr T kStart = kLargest ? -kInfinity : kInfinity;
  const auto better = [](T a, T b) { return (kLargest ? b > a : b < a) ? b : a; };
  T lanes[kLanes];
  for (T& lane : lanes) lane = kStart;
  std::int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
#pragma omp simd
    for (int k = 0; k < kLanes; ++k) lanes[k] = better(lanes[k], x[i + k]);
  }
  T best = kStart;
  for (const T lane : lanes) best = better(best, lane);
  for (; i < n; ++i) best = better(best, x[i]);
  if (best != kStart) return best;
  // An infinity was there, or nothing but NaN.
  for (i = 0; i < n; ++i) {
    if (x[i] == x[i]) return best;
  }
  return x[0];
}

bool extreme_number(bool largest, dtype type, const char* x_, std::int64_t n, char* out) {
  return with_float(type, [&](auto* null) {
    using T = std::remove_pointer_t<decltype(null)>;
    const auto* x = reinterpret_cast<const T*>(x_);
    *reinterpret_cast<T*>(out) = largest ? extreme_of<true>(x, n) : extreme_of<false>(x, n);
    return true;
  });
}

template <class T>
struct Bits {
  using type = ops::u64;
  static constexpr ops::u64 infinity = 0x7ff0000000000000u;
};
template <>
struct Bits<float> {
  using type = ops::u32;
  static constexpr ops::u32 infinity = 0x7f800000u;
};

/// The next number has the next bits, whatever the sign; of zero it is the smallest positive one.
template <class T>
T spacing_of(T x) {
  using B = typename Bits<T>::type;
  B bits = __builtin_bit_cast(B, x);
  bits = x == 0 ? 0 : bits;
  const bool finite = (bits & Bits<T>::infinity) != Bits<T>::infinity;
  const T step = __builtin_bit_cast(T, static_cast<B>(bits + 1)) - x;
  return finite ? step : static_cast<T>(__builtin_nan(""));
}

bool spacing(dtype type, const char* x_, std::int64_t n, char* out) {
  return with_float(type, [&](auto* null) {
    using T = std::remove_pointer_t<decltype(null)>;
    const auto* x = reinterpret_cast<const T*>(x_);
    auto* r = reinterpret_cast<T*>(out);
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) r[i] = spacing_of(x[i]);
    return true;
  });
}

bool isclose(dtype type, const char* x_, const char* y_, std::int64_t n, double rtol_, double atol_,
             bool equal_nan, bool* out_) {
  return with_float(type, [&](auto* null) {
    using T = std::remove_pointer_t<decltype(null)>;
    const auto* x = reinterpret_cast<const T*>(x_);
    const auto* y = reinterpret_cast<const T*>(y_);
    auto* out = reinterpret_cast<unsigned char*>(out_);
    const T rtol = static_cast<T>(rtol_), atol = static_cast<T>(atol_);
    constexpr T kInfinity = static_cast<T>(__builtin_inf());
#pragma omp simd
    for (std::int64_t i = 0; i < n; ++i) {
      const T size = ops::m::fabs(y[i]), distance = ops::m::fabs(x[i] - y[i]);
      const bool finite = (ops::m::fabs(x[i]) < kInfinity) & (size < kInfinity);
      const bool near = (distance <= atol + rtol * size) & finite;
      const bool nan = (x[i] != x[i]) & (y[i] != y[i]) & equal_nan;
      out[i] = static_cast<unsigned char>(near | ((x[i] == y[i]) & !finite) | nan);
    }
    return true;
  });
}

#if defined(__AVX2__) && !defined(__AVX512DQ__)
// Real and imaginary parts in each other's place.
inline __m256d turned(__m256d z) { return _mm256_permute_pd(z, 0b0101); }
inline __m256 turned(__m256 z) { return _mm256_permute_ps(z, 0b10110001); }
#endif

template <class T>
complex<T> conjugate_dot_of(const complex<T>* x_, const complex<T>* y_, std::int64_t n) {
  // Products of all four kinds are summed up in lanes of their own.
  constexpr int kLanes = 16;
  const T *x = &x_->re, *y = &y_->re;
  T same[kLanes] = {}, other[kLanes] = {};
  std::int64_t i = 0;
#if defined(__AVX2__) && !defined(__AVX512DQ__)
  // The compiler turns parts round one by one.
  typedef T Lanes __attribute__((vector_size(32)));  // NOLINT
  const auto load = [](const T* from) {
    Lanes lanes;
    std::memcpy(&lanes, from, sizeof(lanes));
    return lanes;
  };
  constexpr int kPerVector = 32 / sizeof(T);
  Lanes alike = {}, alike_too = {}, crossed = {}, crossed_too = {};
  for (; i + 2 * kPerVector <= 2 * n; i += 2 * kPerVector) {
    const Lanes a = load(x + i), b = load(y + i);
    const Lanes c = load(x + i + kPerVector), d = load(y + i + kPerVector);
    alike += a * b;
    crossed += a * (Lanes)turned(b);
    alike_too += c * d;
    crossed_too += c * (Lanes)turned(d);
  }
  for (int k = 0; k < kPerVector; ++k) {
    same[k] = alike[k] + alike_too[k];
    other[k] = crossed[k] + crossed_too[k];
  }
#endif
  for (; i + kLanes <= 2 * n; i += kLanes) {
#pragma omp simd
    for (int k = 0; k < kLanes; ++k) same[k] += x[i + k] * y[i + k];
#pragma omp simd
    for (int k = 0; k < kLanes; ++k) other[k] += x[i + k] * y[i + (k ^ 1)];
  }
  T re = 0, im = 0;
  for (int k = 0; k < kLanes; k += 2) {
    re += same[k] + same[k + 1];
    im += other[k] - other[k + 1];
  }
  for (; i < 2 * n; i += 2) {
    re += x[i] * y[i] + x[i + 1] * y[i + 1];
    im += x[i] * y[i + 1] - x[i + 1] * y[i];
  }
  return {re, im};
}

bool conjugate_dot(dtype type, const char* x, const char* y, std::int64_t n, char* out) {
  const auto run = [&](auto* null) {
    using C = std::remove_pointer_t<decltype(null)>;
    *reinterpret_cast<C*>(out) =
        n == 0 ? C(0)
               : conjugate_dot_of(reinterpret_cast<const C*>(x), reinterpret_cast<const C*>(y), n);
    return true;
  };
  if (type == complex64) return run(static_cast<complex<float>*>(nullptr));
  return type == complex128 && run(static_cast<complex<double>*>(nullptr));
}

}  // namespace

template <>
const Passes PassesOf<Arch::CUPYXX_ARCH>::table = {&accumulate, &reduce_segments, &extreme_number,
                                                   &spacing,    &isclose,         &conjugate_dot};

}  // namespace cupyxx::internal::cpu
