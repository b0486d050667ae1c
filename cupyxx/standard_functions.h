// SPDX-License-Identifier: MIT
// Functions of the standard library of arrays and their elements: `std::sqrt(a.sum())`,
// `std::pow(a(0), 2)`, `std::max(a(0), 1.0)`, `std::to_string(a(0))`. They are ours of the same
// name, elementwise, and give arrays. Included by math.h.
#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

#include "cupyxx/math.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::internal {
/// Not the arrays of layers, whose functions leave a graph.
template <class A>
concept StandardArray =
    std::same_as<A, ndarray> || std::same_as<A, View> || std::same_as<A, Selection>;
template <class X, class Y>
concept ArrayAndNumber = StandardArray<X> && ListNumber<Y>;
template <class X, class Y>
concept OneIsAnArray = ArrayAndNumber<X, Y> || ArrayAndNumber<Y, X> ||
    (StandardArray<X>&& StandardArray<Y>);
}  // namespace cupyxx::internal

// Without these they would be ambiguous, as an element converts to every number, or, as std::max,
// std::clamp and their kin, give references to elements that are gone when the statement ends.
// std::round is not among them: it rounds halves away from zero, and round(a) to even.
// NOLINTBEGIN(cert-dcl58-cpp, performance-unnecessary-value-param): as selection.h; iterators are
// taken as the standard library takes them.
namespace std {

#define CUPYXX_STANDARD(name, ours)            \
  template <cupyxx::internal::StandardArray A> \
  cupyxx::ndarray name(const A& x) {           \
    return cupyxx::ours(x);                    \
  }
CUPYXX_STANDARD(abs, abs)
CUPYXX_STANDARD(fabs, fabs)
CUPYXX_STANDARD(sqrt, sqrt)
CUPYXX_STANDARD(cbrt, cbrt)
CUPYXX_STANDARD(exp, exp)
CUPYXX_STANDARD(exp2, exp2)
CUPYXX_STANDARD(expm1, expm1)
CUPYXX_STANDARD(log, log)
CUPYXX_STANDARD(log2, log2)
CUPYXX_STANDARD(log10, log10)
CUPYXX_STANDARD(log1p, log1p)
CUPYXX_STANDARD(sin, sin)
CUPYXX_STANDARD(cos, cos)
CUPYXX_STANDARD(tan, tan)
CUPYXX_STANDARD(asin, arcsin)
CUPYXX_STANDARD(acos, arccos)
CUPYXX_STANDARD(atan, arctan)
CUPYXX_STANDARD(sinh, sinh)
CUPYXX_STANDARD(cosh, cosh)
CUPYXX_STANDARD(tanh, tanh)
CUPYXX_STANDARD(asinh, arcsinh)
CUPYXX_STANDARD(acosh, arccosh)
CUPYXX_STANDARD(atanh, arctanh)
CUPYXX_STANDARD(floor, floor)
CUPYXX_STANDARD(ceil, ceil)
CUPYXX_STANDARD(trunc, trunc)
CUPYXX_STANDARD(rint, rint)
CUPYXX_STANDARD(isnan, isnan)
CUPYXX_STANDARD(isinf, isinf)
CUPYXX_STANDARD(isfinite, isfinite)
CUPYXX_STANDARD(signbit, signbit)
#undef CUPYXX_STANDARD

#define CUPYXX_STANDARD(name, ours)                                                            \
  template <class X, class Y>                                                                  \
  requires cupyxx::internal::OneIsAnArray<X, Y> cupyxx::ndarray name(const X& x, const Y& y) { \
    return cupyxx::ours(x, y);                                                                 \
  }
CUPYXX_STANDARD(pow, power)
CUPYXX_STANDARD(atan2, arctan2)
CUPYXX_STANDARD(hypot, hypot)
CUPYXX_STANDARD(fmod, fmod)
CUPYXX_STANDARD(fmax, fmax)
CUPYXX_STANDARD(fmin, fmin)
CUPYXX_STANDARD(copysign, copysign)
#undef CUPYXX_STANDARD

/// NumPy's text of an array.
template <cupyxx::internal::StandardArray A>
string to_string(const A& a) {
  return a.str();
}

/// The larger of two elements, by a comparison or of an element and a number; of an element that
/// has a name, too: `best = std::max(best, a(i))`.
template <derived_from<cupyxx::ndarray> A>
cupyxx::ndarray max(const A& x, const A& y) {
  return x < y ? y : x;
}
template <cupyxx::internal::StandardArray X, cupyxx::internal::StandardArray Y>
requires(!same_as<X, Y>) cupyxx::ndarray max(const X& x, const Y& y) {
  if (x < y) return y;
  return x;
}
template <derived_from<cupyxx::ndarray> A, class Compare>
cupyxx::ndarray max(const A& x, const A& y, Compare compare) {
  return compare(x, y) ? y : x;
}
template <class X, class Y>
requires(cupyxx::internal::ArrayAndNumber<X, Y> ||
         cupyxx::internal::ArrayAndNumber<Y, X>) cupyxx::ndarray max(const X& x, const Y& y) {
  return cupyxx::maximum(x, y);
}
template <derived_from<cupyxx::ndarray> A>
cupyxx::ndarray min(const A& x, const A& y) {
  return y < x ? y : x;
}
template <cupyxx::internal::StandardArray X, cupyxx::internal::StandardArray Y>
requires(!same_as<X, Y>) cupyxx::ndarray min(const X& x, const Y& y) {
  if (y < x) return y;
  return x;
}
template <derived_from<cupyxx::ndarray> A, class Compare>
cupyxx::ndarray min(const A& x, const A& y, Compare compare) {
  return compare(y, x) ? y : x;
}
template <class X, class Y>
requires(cupyxx::internal::ArrayAndNumber<X, Y> ||
         cupyxx::internal::ArrayAndNumber<Y, X>) cupyxx::ndarray min(const X& x, const Y& y) {
  return cupyxx::minimum(x, y);
}
template <derived_from<cupyxx::ndarray> A>
pair<cupyxx::ndarray, cupyxx::ndarray> minmax(const A& x, const A& y) {
  if (y < x) return {y, x};
  return {x, y};
}
template <derived_from<cupyxx::ndarray> A, class Compare>
pair<cupyxx::ndarray, cupyxx::ndarray> minmax(const A& x, const A& y, Compare compare) {
  if (compare(y, x)) return {y, x};
  return {x, y};
}

/// `clip(x, low, high)`.
template <derived_from<cupyxx::ndarray> A>
cupyxx::ndarray clamp(const A& x, const A& low, const A& high) {
  return cupyxx::clip(x, low, high);
}
template <cupyxx::internal::StandardArray A, class L, class H>
cupyxx::ndarray clamp(const A& x, const L& low, const H& high) {
  return cupyxx::clip(x, low, high);
}
template <derived_from<cupyxx::ndarray> A, class Compare>
cupyxx::ndarray clamp(const A& x, const A& low, const A& high, Compare compare) {
  return compare(x, low) ? low : compare(high, x) ? high : x;
}

// Algorithms that write to elements one by one, or rows, which have no names to assign to. Beyond
// the end of an array they throw IndexError.

template <class T>
void fill(cupyxx::ndarray::Iterator first, cupyxx::ndarray::Iterator last, const T& value) {
  first.upto(last) = value;
}
template <class Size, class T>
cupyxx::ndarray::Iterator fill_n(cupyxx::ndarray::Iterator first, Size count, const T& value) {
  if (count <= 0) return first;
  first.upto(first + count) = value;
  return first + count;
}
template <class T>
void iota(cupyxx::ndarray::Iterator first, cupyxx::ndarray::Iterator last, T value) {
  for (; first != last; ++first, ++value) first.upto(first + 1) = value;
}
template <class Generator>
void generate(cupyxx::ndarray::Iterator first, cupyxx::ndarray::Iterator last, Generator next) {
  for (; first != last; ++first) first.upto(first + 1) = next();
}
template <class In>
cupyxx::ndarray::Iterator copy(In first, In last, cupyxx::ndarray::Iterator to) {
  for (; first != last; ++first, ++to) to.upto(to + 1) = *first;
  return to;
}
template <class In, class F>
cupyxx::ndarray::Iterator transform(In first, In last, cupyxx::ndarray::Iterator to, F f) {
  for (; first != last; ++first, ++to) to.upto(to + 1) = f(*first);
  return to;
}
template <class In, class Other, class F>
cupyxx::ndarray::Iterator transform(In first, In last, Other other, cupyxx::ndarray::Iterator to,
                                    F f) {
  for (; first != last; ++first, ++other, ++to) to.upto(to + 1) = f(*first, *other);
  return to;
}
template <class T>
void replace(cupyxx::ndarray::Iterator first, cupyxx::ndarray::Iterator last, const T& old,
             const T& value) {
  for (; first != last; ++first) {
    if (*first == old) first.upto(first + 1) = value;
  }
}
template <class Predicate, class T>
void replace_if(cupyxx::ndarray::Iterator first, cupyxx::ndarray::Iterator last,
                Predicate predicate, const T& value) {
  for (; first != last; ++first) {
    if (predicate(*first)) first.upto(first + 1) = value;
  }
}

}  // namespace std
// NOLINTEND(cert-dcl58-cpp, performance-unnecessary-value-param)
