// SPDX-License-Identifier: MIT
// What distributions take: parameters, and options with NumPy's names.
#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "cupyxx/core/array_like.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::random {

/// A parameter of a distribution: a number for all elements, or an array that broadcasts with the
/// other parameters; a list of several numbers is an array on the current device. Numbers and
/// arrays on the host are checked at once; what is wrong in an array on a device is thrown at the
/// next synchronising call, and such elements are 0. So is the order of two parameters, as of low
/// and high.
class Param {
 public:
  template <class T>
  requires std::is_arithmetic_v<T> Param(T value)
      : number_(value) {}                             // NOLINT(google-explicit-constructor)
  Param(const Scalar& number) : number_(number) {}    // NOLINT(google-explicit-constructor)
  Param(ndarray array) : array_(std::move(array)) {}  // NOLINT(google-explicit-constructor)
  Param(const Selection& selection) : array_(selection.get()) {}  // NOLINT
  // Lists: `poisson({1.5, 2})`, a container. Templates for the reason given at Shape.
  template <internal::ListNumber I, internal::ListNumber J, internal::ListNumber... More>
  Param(I first, J second, More... more) : array_(ArrayLike(first, second, more...).array()) {}
  template <internal::HostNumbers R>
  Param(const R& list) : array_(ArrayLike(list).array()) {}  // NOLINT(google-explicit-constructor)

  bool is_array() const { return !array_.is_none(); }
  const ndarray& array() const { return array_; }
  const Scalar& number() const { return number_; }

 private:
  Scalar number_;
  ndarray array_;
};

/// What stands for a parameter where a size could stand, too: numbers, arrays and containers of
/// floating numbers; lists and containers of integers are sizes there.
template <class T>
concept ParamArgument = std::convertible_to<const T&, Param> && !internal::AxisNumbers<T>;

/// A dtype in the place where options stand else.
template <class T>
concept DtypeArgument = std::convertible_to<const T&, cupyxx::dtype>;
/// Options, or a dtype in their place.
template <class T, class Options>
concept OptionsOrDtype = std::same_as<T, Options> || DtypeArgument<T>;

/// An extent as a plain number.
template <class T>
concept Extent = internal::AxisNumber<T>;

/// A size in the place where NumPy has a parameter: a list, a shape, a vector, and never a plain
/// number. `normal({5})` draws five numbers, `normal(5)` one number around 5.
class SizeList {
  /// An extent that only a list can hold: from a plain number to a size that is two conversions.
  struct Listed {
    template <internal::AxisNumber I>
    Listed(I number) : extent(static_cast<std::int64_t>(number)) {}  // NOLINT

    std::int64_t extent;
  };

 public:
  SizeList() = default;
  // Templates for the reason given at Shape, and no std::initializer_list: for a class with such a
  // constructor g++ 12 drops the names of a brace list before it looks at any other.
  template <class T = void>
  SizeList(Listed only) : shape_(only.extent) {}  // NOLINT
  template <internal::AxisNumber I, internal::AxisNumber J, internal::AxisNumber... More>
  SizeList(I first, J second, More... more) : shape_(first, second, more...) {}
  template <internal::AxisNumbers V>
  SizeList(const V& size) : shape_(size) {}  // NOLINT(google-explicit-constructor)

  operator const Shape&() const { return shape_; }  // NOLINT(google-explicit-constructor)

 private:
  Shape shape_;
};

// In all options: `dtype` unset means that of `out`, else float64 (int64 for counts, bool_ for
// bernoulli). `out` receives the result; it may be strided, and the numbers do not depend on that.

/// Options of distributions without others.
struct DrawOptions {
  cupyxx::dtype dtype = {};
  ndarray out = {};
};
/// The size by name behind the parameters: `normal(0, 1, {.size = {3, 4}})`.
struct SizedOptions {
  Shape size = {};
  cupyxx::dtype dtype = {};
  ndarray out = {};

  DrawOptions rest() const { return {.dtype = dtype, .out = out}; }
};
/// Options of normal, laplace, gumbel and logistic.
struct NormalOptions {
  Param loc = 0;
  Param scale = 1;
  cupyxx::dtype dtype = {};
  ndarray out = {};
};
/// All of normal by name: `normal({.loc = 2, .size = 5})`.
struct NamedNormalOptions {
  Param loc = 0;
  Param scale = 1;
  Shape size = {};
  cupyxx::dtype dtype = {};
  ndarray out = {};

  NormalOptions rest() const { return {.loc = loc, .scale = scale, .dtype = dtype, .out = out}; }
};
/// Options of lognormal: of the normal numbers whose exponentials it draws.
struct LognormalOptions {
  Param mean = 0;
  Param sigma = 1;
  cupyxx::dtype dtype = {};
  ndarray out = {};
};
/// Options of uniform.
struct UniformOptions {
  Param low = 0;
  Param high = 1;
  cupyxx::dtype dtype = {};
  ndarray out = {};
};
/// All of uniform by name: `uniform({.low = -1, .size = {2, 3}})`.
struct NamedUniformOptions {
  Param low = 0;
  Param high = 1;
  Shape size = {};
  cupyxx::dtype dtype = {};
  ndarray out = {};

  UniformOptions rest() const { return {.low = low, .high = high, .dtype = dtype, .out = out}; }
};
/// Options of exponential, rayleigh and gamma.
struct ScaleOptions {
  Param scale = 1;
  cupyxx::dtype dtype = {};
  ndarray out = {};
};
/// Options of choice.
struct ChoiceOptions {
  bool replace = true;
  ArrayValue p = {};  ///< probabilities, an array or a list; none: all the same
  int axis = 0;       ///< of an array from which slices are chosen
};
/// All of choice by name: `choice(a, {.size = 5, .p = {0.1, 0.9}})`.
struct NamedChoiceOptions {
  Shape size = {};
  bool replace = true;
  ArrayValue p = {};
  int axis = 0;

  ChoiceOptions rest() const { return {.replace = replace, .p = p, .axis = axis}; }
};

/// NumPy's `normal([0, 10], [1, 2])`: two lists are the parameters, and would be a size with
/// options in their order here.
// (Not of std::initializer_list, of whose private parts g++ 12 makes `{.low = 0, .high = 2}`.)
#define CUPYXX_PARAMETERS_ARE_ARRAYS(name)                                \
  void name(const internal::ListedRow& write_array_around_the_parameters, \
            const internal::ListedRow&) = delete;                         \
  void name(const SizeList& write_array_around_the_parameters, const internal::ListedRow&) = delete
/// NumPy's `exponential([1, 2])`, where a list is the parameter: alone it would be a size. With
/// options behind it, and in uniform and normal, it is one.
#define CUPYXX_LIST_ALONE_IS_REFUSED(n, ...) \
  void n(__VA_ARGS__ const internal::ListedRow& write_array_around_or_options_behind) = delete
#define CUPYXX_EACH_WITH_A_LIST_ALONE(m) \
  m(lognormal);                          \
  m(laplace);                            \
  m(gumbel);                             \
  m(logistic);                           \
  m(exponential);                        \
  m(rayleigh);                           \
  m(gamma, const Param&, )
#define CUPYXX_EACH_LOCATION_AND_SCALE(m) \
  m(uniform);                             \
  m(normal);                              \
  m(lognormal);                           \
  m(laplace);                             \
  m(gumbel);                              \
  m(logistic);                            \
  m(exponential);                         \
  m(rayleigh)

}  // namespace cupyxx::random
