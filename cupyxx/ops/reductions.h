// SPDX-License-Identifier: MIT
// Device-safe. Reductions: each maps an element to an accumulator, combines accumulators in the
// order of the elements, and finishes the last one. `combine` also takes vectors of GCC, which is
// how the CPU's loops run it on several lanes.
#pragma once

#include "cupyxx/ops/prelude.h"

namespace cupyxx::ops {

/// What an element takes part as: bool as u8, half and bfloat16 as float, others as they are.
template <class T>
struct ValueOf {
  using type = T;
};
template <>
struct ValueOf<bool> {
  using type = u8;
};
template <>
struct ValueOf<half> {
  using type = float;
};
template <>
struct ValueOf<bfloat16> {
  using type = float;
};
template <class T>
using Value = typename ValueOf<T>::type;

template <class T>
struct ReductionTypes {  // integers
  using Sum = u64;       // wraps around
  using SumOut = i64;
  using Mean = double;
  using MeanOut = double;
};
template <>
struct ReductionTypes<u8> {
  using Sum = u64;
  using SumOut = u64;
  using Mean = double;
  using MeanOut = double;
};
template <>
struct ReductionTypes<u16> : ReductionTypes<u8> {};
template <>
struct ReductionTypes<u32> : ReductionTypes<u8> {};
template <>
struct ReductionTypes<u64> : ReductionTypes<u8> {};
template <>
struct ReductionTypes<half> {
  using Sum = float;
  using SumOut = half;
  using Mean = float;
  using MeanOut = half;
};
template <>
struct ReductionTypes<bfloat16> {
  using Sum = float;
  using SumOut = bfloat16;
  using Mean = float;
  using MeanOut = bfloat16;
};
template <class T>
struct ReductionTypes<complex<T>> {
  using Sum = complex<T>;
  using SumOut = complex<T>;
  using Mean = complex<T>;
  using MeanOut = complex<T>;
};
template <>
struct ReductionTypes<float> {
  using Sum = float;
  using SumOut = float;
  using Mean = float;
  using MeanOut = float;
};
template <>
struct ReductionTypes<double> {
  using Sum = double;
  using SumOut = double;
  using Mean = double;
  using MeanOut = double;
};

/// The lowest and the highest value of a type.
template <class T>
struct Limits {  // integers
  CUPYXX_FN static T lowest() {
    return is_signed<T> ? static_cast<T>(1ULL << (8 * sizeof(T) - 1)) : T(0);
  }
  CUPYXX_FN static T highest() { return static_cast<T>(~lowest()); }
};
template <>
struct Limits<float> {
  CUPYXX_FN static float lowest() { return -highest(); }
  CUPYXX_FN static float highest() { return internal::bits_float(0x7f800000u); }
};
template <>
struct Limits<double> {
  CUPYXX_FN static double lowest() { return -highest(); }
  CUPYXX_FN static double highest() { return static_cast<double>(Limits<float>::highest()); }
};

template <class T>
struct Limits<complex<T>> {
  CUPYXX_FN static complex<T> lowest() { return {Limits<T>::lowest(), Limits<T>::lowest()}; }
  CUPYXX_FN static complex<T> highest() { return {Limits<T>::highest(), Limits<T>::highest()}; }
};

/// What `finish` may need beside the accumulator.
struct Finish {
  double count;  // elements per result
  double ddof;
};

/// A value and its place among the reduced elements.
template <class T, class I>
struct Located {
  T value;
  I index;
};

/// Number, mean and sum of squared distances to the mean, of some elements.
template <class F>
struct Moments {
  RealOf<F> count;
  F mean;
  RealOf<F> squares;
};

/// The square of a distance.
template <class F>
CUPYXX_FN F squared(F x) {
  return x * x;
}
template <class T>
CUPYXX_FN T squared(const complex<T>& z) {
  return z.re * z.re + z.im * z.im;
}

struct Sum {
  static constexpr const char* name = "sum";
  template <class T, class I>
  using Acc = typename ReductionTypes<T>::Sum;
  template <class T>
  using Out = typename ReductionTypes<T>::SumOut;
  template <class A>
  CUPYXX_FN static A identity() {
    return A(0);
  }
  template <class A, class T, class I>
  CUPYXX_FN static A map(T x, I) {
    return static_cast<A>(x);
  }
  template <class A>
  CUPYXX_FN static A combine(A a, A b) {
    return a + b;
  }
  template <class O, class A>
  CUPYXX_FN static O finish(A a, const Finish&) {
    return static_cast<O>(a);
  }
};

/// A sum in the type in which it is made: of float16 and bfloat16 in float32.
struct UnroundedSum : Sum {
  template <class T>
  using Out = typename ReductionTypes<T>::Sum;
};

struct Prod : Sum {
  static constexpr const char* name = "prod";
  template <class A>
  CUPYXX_FN static A identity() {
    return A(1);
  }
  template <class A>
  CUPYXX_FN static A combine(A a, A b) {
    return a * b;
  }
};

struct Mean : Sum {
  static constexpr const char* name = "mean";
  template <class T, class I>
  using Acc = typename ReductionTypes<T>::Mean;
  template <class T>
  using Out = typename ReductionTypes<T>::MeanOut;
  template <class O, class A>
  CUPYXX_FN static O finish(A a, const Finish& f) {
    return static_cast<O>(a / static_cast<A>(f.count));
  }
};

/// The root of the sum of the squared magnitudes.
struct Norm : Mean {
  static constexpr const char* name = "norm";
  template <class T, class I>
  using Acc = RealOf<typename ReductionTypes<T>::Mean>;
  template <class T>
  using Out = RealOf<typename ReductionTypes<T>::MeanOut>;
  template <class A, class T, class I>
  CUPYXX_FN static A map(T x, I) {
    if constexpr (is_complex<T>) {
      return squared(x);
    } else {
      return squared(static_cast<A>(x));
    }
  }
  template <class O, class A>
  CUPYXX_FN static O finish(A a, const Finish&) {
    return static_cast<O>(m::sqrt(a));
  }
};

/// Sums of squared distances, merged by the pairwise rule of Chan, Golub and LeVeque (1979): one
/// pass, no cancellation.
struct Var {
  static constexpr const char* name = "var";
  template <class T, class I>
  using Acc = Moments<typename ReductionTypes<T>::Mean>;
  template <class T>
  using Out = RealOf<typename ReductionTypes<T>::MeanOut>;
  template <class A>
  CUPYXX_FN static A identity() {
    return A{0, 0, 0};
  }
  template <class A, class T, class I>
  CUPYXX_FN static A map(T x, I) {
    return A{1, static_cast<decltype(A::mean)>(x), 0};
  }
  template <class F>
  CUPYXX_FN static Moments<F> combine(Moments<F> a, Moments<F> b) {
    using Real = RealOf<F>;
    const Real count = a.count + b.count;
    const Real weight = count > 0 ? b.count / count : Real(0);
    const F delta = b.mean - a.mean;
    return {count, a.mean + delta * weight,
            a.squares + b.squares + squared(delta) * (a.count * weight)};
  }
  /// Merges a few elements at once, so that one division serves them all.
  template <int kCount, class F>
  CUPYXX_FN static void absorb(Moments<F>& a, const F (&x)[kCount]) {
    F sum = 0;
    for (int i = 0; i < kCount; ++i) sum += x[i];
    using Real = RealOf<F>;
    Moments<F> b{Real(kCount), kCount == 1 ? sum : sum * (Real(1) / Real(kCount)), 0};
    for (int i = 0; i < kCount; ++i) b.squares += squared(x[i] - b.mean);
    a = combine(a, b);
  }
  template <class F>
  CUPYXX_FN static RealOf<F> variance(const Moments<F>& a, const Finish& f) {
    const double divisor = f.count - f.ddof;
    return a.squares / static_cast<RealOf<F>>(divisor > 0 ? divisor : 0);
  }
  template <class O, class F>
  CUPYXX_FN static O finish(const Moments<F>& a, const Finish& f) {
    return static_cast<O>(variance(a, f));
  }
};

struct Std : Var {
  static constexpr const char* name = "std";
  template <class O, class F>
  CUPYXX_FN static O finish(const Moments<F>& a, const Finish& f) {
    return static_cast<O>(m::sqrt(variance(a, f)));
  }
};

/// Among equal values (zeros of either sign) the last one stays; NaN stays for ever.
struct Amax : Sum {
  static constexpr const char* name = "amax";
  template <class T, class I>
  using Acc = Value<T>;
  template <class T>
  using Out = T;
  template <class A>
  CUPYXX_FN static A identity() {
    return Limits<A>::lowest();
  }
  template <class A>
  CUPYXX_FN static A combine(A a, A b) {
    return ((b >= a) | (b != b)) ? b : a;
  }
};

struct Amin : Amax {
  static constexpr const char* name = "amin";
  template <class A>
  CUPYXX_FN static A identity() {
    return Limits<A>::highest();
  }
  template <class A>
  CUPYXX_FN static A combine(A a, A b) {
    return ((b <= a) | (b != b)) ? b : a;
  }
};

struct All {
  static constexpr const char* name = "all";
  template <class T, class I>
  using Acc = u8;
  template <class T>
  using Out = bool;
  template <class A>
  CUPYXX_FN static A identity() {
    return 1;
  }
  template <class A, class T, class I>
  CUPYXX_FN static A map(T x, I) {
    return x != 0;
  }
  template <class A>
  CUPYXX_FN static A combine(A a, A b) {
    return a & b;
  }
  template <class O, class A>
  CUPYXX_FN static O finish(A a, const Finish&) {
    return static_cast<O>(a);
  }
};

struct Any : All {
  static constexpr const char* name = "any";
  template <class A>
  CUPYXX_FN static A identity() {
    return 0;
  }
  template <class A>
  CUPYXX_FN static A combine(A a, A b) {
    return a | b;
  }
};

struct CountNonzero : All {
  static constexpr const char* name = "count_nonzero";
  template <class T, class I>
  using Acc = u64;
  template <class T>
  using Out = i64;
  template <class A>
  CUPYXX_FN static A identity() {
    return 0;
  }
  template <class A>
  CUPYXX_FN static A combine(A a, A b) {
    return a + b;
  }
};

/// The first of equal values wins, and the first NaN wins over all; the order of combination does
/// not matter.
struct Argmax {
  static constexpr const char* name = "argmax";
  template <class T, class I>
  using Acc = Located<Value<T>, I>;
  template <class T>
  using Out = i64;
  template <class A>
  CUPYXX_FN static A identity() {
    return {Limits<decltype(A::value)>::lowest(), Limits<decltype(A::index)>::highest()};
  }
  template <class A, class T, class I>
  CUPYXX_FN static A map(T x, I index) {
    return {static_cast<decltype(A::value)>(x), static_cast<decltype(A::index)>(index)};
  }
  template <class A>
  CUPYXX_FN static A combine(A a, A b) {
    return pick(a, b, b.value > a.value) ? b : a;
  }
  template <class A>
  CUPYXX_FN static bool pick(const A& a, const A& b, bool beyond) {
    const bool a_nan = a.value != a.value, b_nan = b.value != b.value;
    return beyond | (b_nan & !a_nan) |
           (((b.value == a.value) | (a_nan & b_nan)) & (b.index < a.index));
  }
  template <class O, class A>
  CUPYXX_FN static O finish(A a, const Finish&) {
    return static_cast<O>(a.index);
  }
};

struct Argmin : Argmax {
  static constexpr const char* name = "argmin";
  template <class A>
  CUPYXX_FN static A identity() {
    return {Limits<decltype(A::value)>::highest(), Limits<decltype(A::index)>::highest()};
  }
  template <class A>
  CUPYXX_FN static A combine(A a, A b) {
    return pick(a, b, b.value < a.value) ? b : a;
  }
};

/// All of them, in the order of internal::ReduceOp.
using ReductionOps =
    OpList<Sum, Prod, Mean, Var, Std, Amax, Amin, All, Any, Argmax, Argmin, CountNonzero, Norm>;

template <class Op>
inline constexpr bool has_moments = false;
template <>
inline constexpr bool has_moments<Var> = true;
template <>
inline constexpr bool has_moments<Std> = true;

}  // namespace cupyxx::ops
