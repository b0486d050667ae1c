// SPDX-License-Identifier: MIT
// New arrays, on the current device. NumPy's chapter "Array creation routines".
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <utility>
#include <vector>

#include "cupyxx/core/array_like.h"
#include "cupyxx/core/array_tuple.h"
#include "cupyxx/core/host_lists.h"
#include "cupyxx/core/nested_list.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

/// The device on which this thread creates arrays; the host until a scope or use_device changes it.
CUPYXX_API Device current_device();
/// Makes a device current for this thread, until another one is or the scope around it ends:
/// cuda::Device(1).use() is the same as use_device(Device::cuda(1)). Throws DeviceError when the
/// device does not exist.
CUPYXX_API void use_device(Device device);

/// Makes a device current until the end of the scope; then what was current before is again.
class CUPYXX_API DeviceScope {
 public:
  /// Throws DeviceError when the device does not exist.
  [[nodiscard("give it a name")]] explicit DeviceScope(Device device);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  Device previous_;
  int previous_cuda_;  // the CUDA device chosen before, also while the host is current
};

namespace internal {
/// The dtype that a call names, by position or as an option; throws TypeError for both.
CUPYXX_API cupyxx::dtype one_dtype(const char* operation, cupyxx::dtype by_position,
                                   cupyxx::dtype by_name);
}  // namespace internal

// The dtype of a new array stands in its place among the arguments or in a list of options:
// `zeros({2, 3}, float32)` and `zeros({2, 3}, {.dtype = float32})` are the same. Lists of options
// choose the templates, whose parameter no list deduces.

/// Options of empty, zeros, ones, full and identity.
struct NewOptions {
  cupyxx::dtype dtype = {};
  Choice<Order> order = Order::C;
};
// `zeros(3, 4)` does not compile: a shape of several axes stands in braces, `zeros({3, 4})`.
template <internal::AxisNumber I, internal::AxisNumber... More>
ndarray empty(I write_the_shape_in_braces, I, More...) = delete;
template <internal::AxisNumber I, internal::AxisNumber... More>
ndarray zeros(I write_the_shape_in_braces, I, More...) = delete;
template <internal::AxisNumber I, internal::AxisNumber... More>
ndarray ones(I write_the_shape_in_braces, I, More...) = delete;

/// Unset elements.
CUPYXX_API ndarray empty(const Shape& shape, cupyxx::dtype dtype = float64);
CUPYXX_API ndarray empty(const Shape& shape, cupyxx::dtype dtype, Choice<Order> order);
template <std::same_as<NewOptions> O = NewOptions>
ndarray empty(const Shape& shape, const O& options) {
  return empty(shape, options.dtype, options.order);
}
CUPYXX_API ndarray zeros(const Shape& shape, cupyxx::dtype dtype = float64);
CUPYXX_API ndarray zeros(const Shape& shape, cupyxx::dtype dtype, Choice<Order> order);
template <std::same_as<NewOptions> O = NewOptions>
ndarray zeros(const Shape& shape, const O& options) {
  return zeros(shape, options.dtype, options.order);
}
CUPYXX_API ndarray ones(const Shape& shape, cupyxx::dtype dtype = float64);
CUPYXX_API ndarray ones(const Shape& shape, cupyxx::dtype dtype, Choice<Order> order);
template <std::same_as<NewOptions> O = NewOptions>
ndarray ones(const Shape& shape, const O& options) {
  return ones(shape, options.dtype, options.order);
}
/// Every element set to `value`; the dtype is an array's own, of numbers see number_array.h,
/// unless given. Throws ValueError for NaN, and OverflowError for infinities, as integers.
CUPYXX_API ndarray full(const Shape& shape, const Operand& value, cupyxx::dtype dtype = {});
CUPYXX_API ndarray full(const Shape& shape, const Operand& value, cupyxx::dtype dtype,
                        Choice<Order> order);
template <std::same_as<NewOptions> O = NewOptions>
ndarray full(const Shape& shape, const Operand& value, const O& options) {
  return full(shape, value, options.dtype, options.order);
}

/// Options of empty_like and its kin.
struct LikeOptions {
  cupyxx::dtype dtype = {};
  Choice<Order> order = Order::K;
  OptionalShape shape = {};  ///< that of the array unless given
};
/// The same with the shape, device and (unless given) dtype of `a`, in memory as `a` lies there
/// (order K).
CUPYXX_API ndarray empty_like(const ndarray& a, cupyxx::dtype dtype = {});
CUPYXX_API ndarray empty_like(const ndarray& a, cupyxx::dtype dtype, const LikeOptions& options);
template <std::same_as<LikeOptions> O = LikeOptions>
ndarray empty_like(const ndarray& a, const O& options) {
  return empty_like(a, {}, options);
}
CUPYXX_API ndarray zeros_like(const ndarray& a, cupyxx::dtype dtype = {});
CUPYXX_API ndarray zeros_like(const ndarray& a, cupyxx::dtype dtype, const LikeOptions& options);
template <std::same_as<LikeOptions> O = LikeOptions>
ndarray zeros_like(const ndarray& a, const O& options) {
  return zeros_like(a, {}, options);
}
CUPYXX_API ndarray ones_like(const ndarray& a, cupyxx::dtype dtype = {});
CUPYXX_API ndarray ones_like(const ndarray& a, cupyxx::dtype dtype, const LikeOptions& options);
template <std::same_as<LikeOptions> O = LikeOptions>
ndarray ones_like(const ndarray& a, const O& options) {
  return ones_like(a, {}, options);
}
CUPYXX_API ndarray full_like(const ndarray& a, const Operand& value, cupyxx::dtype dtype = {});
CUPYXX_API ndarray full_like(const ndarray& a, const Operand& value, cupyxx::dtype dtype,
                             const LikeOptions& options);
template <std::same_as<LikeOptions> O = LikeOptions>
ndarray full_like(const ndarray& a, const Operand& value, const O& options) {
  return full_like(a, value, {}, options);
}

/// Of lists: `zeros_like({{1, 2}, {3, 4}})`.
inline ndarray empty_like(const ArrayLike& a, cupyxx::dtype dtype = {}) {
  return empty_like(a.array(), dtype);
}
inline ndarray zeros_like(const ArrayLike& a, cupyxx::dtype dtype = {}) {
  return zeros_like(a.array(), dtype);
}
inline ndarray ones_like(const ArrayLike& a, cupyxx::dtype dtype = {}) {
  return ones_like(a.array(), dtype);
}
inline ndarray full_like(const ArrayLike& a, const Operand& value, cupyxx::dtype dtype = {}) {
  return full_like(a.array(), value, dtype);
}

/// Options of eye.
struct EyeOptions {
  std::int64_t M = -1;  ///< columns; as many as rows unless given
  int k = 0;            ///< the diagonal
  cupyxx::dtype dtype = {};
  Choice<Order> order = Order::C;
};
/// N x M with ones on the k-th diagonal; M = -1 means N.
CUPYXX_API ndarray eye(internal::Int64 n, internal::Int64 m = -1, internal::Int64 k = 0,
                       cupyxx::dtype dtype = float64, Choice<Order> order = Order::C);
template <std::same_as<EyeOptions> O = EyeOptions>
ndarray eye(internal::Int64 n, const O& options) {
  return eye(n, options.M, options.k, options.dtype, options.order);
}
template <std::same_as<EyeOptions> O = EyeOptions>
ndarray eye(internal::Int64 n, internal::Int64 m, const O& options) {
  return eye(n, m, options.k, options.dtype, options.order);
}
/// With a dtype in the second place, as identity has it: `eye(3, int64)`.
template <std::same_as<cupyxx::dtype> D>
ndarray eye(internal::Int64 n, const D& dtype) {
  return eye(n, -1, 0, dtype);
}
/// Options of identity, arange, tri and other makers with nothing else to choose.
struct DtypeOptions {
  cupyxx::dtype dtype = {};
};
template <std::same_as<DtypeOptions> O = DtypeOptions>
ndarray eye(internal::Int64 n, internal::Int64 m, internal::Int64 k, const O& options) {
  return eye(n, m, k, options.dtype);
}
/// N x N with ones on the diagonal.
CUPYXX_API ndarray identity(internal::Int64 n, cupyxx::dtype dtype = float64);
template <std::same_as<DtypeOptions> O = DtypeOptions>
ndarray identity(internal::Int64 n, const O& options) {
  return identity(n, options.dtype);
}

/// A matrix with `v` on its k-th diagonal, or the k-th diagonal of a matrix: a view that writes
/// through, as CuPy's.
CUPYXX_API ndarray diag(const ndarray& v, internal::Int k = 0);
CUPYXX_API ndarray diagflat(const ndarray& v, internal::Int k = 0);
/// Of lists: `diag({1, 2, 3})`.
CUPYXX_API ndarray diag(const ArrayLike& v, internal::Int k = 0);
inline ndarray diagflat(const ArrayLike& v, internal::Int k = 0) { return diagflat(v.array(), k); }
/// The diagonal by its name: `diag(a, {.k = 1})`, `tril(a, {.k = -1})`.
struct DiagonalOptions {
  int k = 0;
};
template <std::same_as<DiagonalOptions> O = DiagonalOptions>
ndarray diag(const ArrayLike& v, const O& options) {
  return diag(v.array(), options.k);
}
template <std::same_as<DiagonalOptions> O = DiagonalOptions>
ndarray diagflat(const ArrayLike& v, const O& options) {
  return diagflat(v.array(), options.k);
}

/// Options of array.
struct ArrayOptions {
  cupyxx::dtype dtype = {};
  bool copy = true;  ///< false: return the argument itself where dtype, order and rank allow
  Choice<Order> order = Order::K;
  int ndmin = 0;  ///< axes of extent 1 are put in front
};
// While a GPU is current, array, asarray, asanyarray and copy return arrays on that GPU, also of
// arrays on the host or on another GPU. While the host is current their results are on the device
// of the argument, so that nothing is copied from a GPU unless asked. The results of all other
// functions of arrays are on the device of their arguments.

/// A copy of an array, in memory as it lies there (order K) unless asked, or a 0-d array of a
/// number, whose dtype is that of a list with it: `array(2.0f)` is float32, as `array({2.0f})`.
CUPYXX_API ndarray array(const ndarray& a, cupyxx::dtype dtype = {},
                         const ArrayOptions& options = {});
CUPYXX_API ndarray array(const Scalar& value, cupyxx::dtype dtype = {},
                         const ArrayOptions& options = {});
/// Numbers are written as a list, `array({1, 2, 3})`.
template <internal::ListNumber T, internal::ListNumber U, internal::ListNumber... More>
ndarray array(T a_list_in_braces, U like_array_of_1_2_3, More... numbers) = delete;
template <class... More, internal::NoNumbers<More...> T>
ndarray array(const T& made_of_numbers_in_a_list_or_span, const More&... more) = delete;
template <std::same_as<ArrayOptions> O = ArrayOptions>
ndarray array(const ndarray& a, const O& options) {
  return array(a, {}, options);
}
template <std::same_as<ArrayOptions> O = ArrayOptions>
ndarray array(const Scalar& value, const O& options) {
  return array(value, {}, options);
}

/// Options of asarray and its kin.
struct AsarrayOptions {
  cupyxx::dtype dtype = {};
  Choice<Order> order = Order::K;
};
/// The array itself where dtype, order and device allow.
CUPYXX_API ndarray asarray(const ndarray& a, cupyxx::dtype dtype = {},
                           Choice<Order> order = Order::K);
template <std::same_as<AsarrayOptions> O = AsarrayOptions>
ndarray asarray(const ndarray& a, const O& options) {
  return asarray(a, options.dtype, options.order);
}
CUPYXX_API ndarray asanyarray(const ndarray& a, cupyxx::dtype dtype = {},
                              Choice<Order> order = Order::K);
template <std::same_as<AsarrayOptions> O = AsarrayOptions>
ndarray asanyarray(const ndarray& a, const O& options) {
  return asanyarray(a, options.dtype, options.order);
}
/// C-contiguous and at least 1-D; copies only where needed.
CUPYXX_API ndarray ascontiguousarray(const ndarray& a, cupyxx::dtype dtype = {});
template <std::same_as<DtypeOptions> O = DtypeOptions>
ndarray ascontiguousarray(const ndarray& a, const O& options) {
  return ascontiguousarray(a, options.dtype);
}
/// The same as asarray for arrays without NaN and infinities; throws ValueError for others, and
/// synchronises for that.
CUPYXX_API ndarray asarray_chkfinite(const ndarray& a, cupyxx::dtype dtype = {},
                                     Choice<Order> order = Order::K);
template <std::same_as<AsarrayOptions> O = AsarrayOptions>
ndarray asarray_chkfinite(const ndarray& a, const O& options) {
  return asarray_chkfinite(a, options.dtype, options.order);
}
/// Fortran-contiguous; copies only where needed.
CUPYXX_API ndarray asfortranarray(const ndarray& a, cupyxx::dtype dtype = {});
template <std::same_as<DtypeOptions> O = DtypeOptions>
ndarray asfortranarray(const ndarray& a, const O& options) {
  return asfortranarray(a, options.dtype);
}
/// A copy on the current GPU, or beside the array while the host is current; `a.copy()` stays. In
/// order K unless asked.
CUPYXX_API ndarray copy(const ndarray& a);
CUPYXX_API ndarray copy(const ndarray& a, Choice<Order> order);
template <std::same_as<CopyOptions> O = CopyOptions>
ndarray copy(const ndarray& a, const O& options) {
  return copy(a, options.order);
}

namespace internal {
/// The CUDA device that is current, also while arrays are made on the host.
CUPYXX_API Device current_cuda();
/// A device that must be one of CUDA's; throws ValueError, naming the operation, for the host.
CUPYXX_API Device check_cuda(const char* operation, Device device);

/// array() that stays where the array is.
CUPYXX_API ndarray array_beside(const ndarray& a, cupyxx::dtype dtype, const ArrayOptions& options);
/// A new array with the order and the rank that the options ask for.
CUPYXX_API ndarray with_options(const ndarray& made, const ArrayOptions& options);
}  // namespace internal

/// `array({{1, 2}, {3, 4}})`: nested lists of one depth and equal lengths. Integer literals give
/// int64, `1.0f` float32, `1.0` float64. Throws ValueError for ragged lists.
template <class T>
requires internal::ListNumber<T> ndarray array(std::initializer_list<T> list,
                                               cupyxx::dtype dtype = {}) {
  return internal::from_list(list, dtype);
}
template <class T>
requires internal::ListNumber<T> ndarray array(std::initializer_list<std::initializer_list<T>> list,
                                               cupyxx::dtype dtype = {}) {
  return internal::from_list(list, dtype);
}
template <class T>
requires internal::ListNumber<T> ndarray
array(std::initializer_list<std::initializer_list<std::initializer_list<T>>> list,
      cupyxx::dtype dtype = {}) {
  return internal::from_list(list, dtype);
}
/// Lists of numbers of several types, `array({1, 2.5, true})`, in their common dtype, and of any
/// depth; arrays among them count as lists. `array({})` is empty.
inline ndarray array(std::initializer_list<internal::ListItem> list, cupyxx::dtype dtype = {}) {
  return internal::from_items(list, dtype);
}
/// Arrays of one shape as the slices of a new one.
template <std::convertible_to<ndarray> T>
ndarray array(std::initializer_list<T> arrays, cupyxx::dtype dtype = {}) {
  const std::vector<ndarray> slices(arrays.begin(), arrays.end());
  return internal::from_arrays(slices, dtype);
}
template <std::derived_from<std::vector<ndarray>> V>
ndarray array(const V& arrays, cupyxx::dtype dtype = {}) {
  return internal::from_arrays(arrays, dtype);
}
/// A copy of a vector, std::array, span or plain array, nested or not, of its own element type
/// unless a dtype is given. Throws ValueError for ragged ones.
template <internal::HostList R>
ndarray array(const R& values, cupyxx::dtype dtype = {}) {
  return internal::from_range(values, dtype);
}
/// A copy of the numbers between two iterators; of characters, which two texts would be, there is
/// none.
template <std::input_iterator I>
requires(internal::ListNumber<std::iter_value_t<I>> &&
         !std::same_as<std::iter_value_t<I>, char>) ndarray
    array(I first, I last, cupyxx::dtype dtype = {}) {
  return array(std::vector<std::iter_value_t<I>>(first, last), dtype);
}
// All of these with options.
template <class T, std::same_as<ArrayOptions> O = ArrayOptions>
requires internal::ListNumber<T> || std::convertible_to<T, ndarray> ndarray
array(std::initializer_list<T> list, const O& options) {
  return internal::with_options(array(list, options.dtype), options);
}
template <class T, std::same_as<ArrayOptions> O = ArrayOptions>
requires internal::ListNumber<T> ndarray array(std::initializer_list<std::initializer_list<T>> list,
                                               const O& options) {
  return internal::with_options(array(list, options.dtype), options);
}
template <class T, std::same_as<ArrayOptions> O = ArrayOptions>
requires internal::ListNumber<T> ndarray array(
    std::initializer_list<std::initializer_list<std::initializer_list<T>>> list, const O& options) {
  return internal::with_options(array(list, options.dtype), options);
}
template <std::same_as<ArrayOptions> O = ArrayOptions>
ndarray array(std::initializer_list<internal::ListItem> list, const O& options) {
  return internal::with_options(array(list, options.dtype), options);
}
template <internal::HostList R, std::same_as<ArrayOptions> O = ArrayOptions>
ndarray array(const R& values, const O& options) {
  return internal::with_options(array(values, options.dtype), options);
}
// And with the dtype in its place and options behind it.
template <class T>
requires internal::ListNumber<T> || std::convertible_to<T, ndarray> ndarray
array(std::initializer_list<T> list, cupyxx::dtype dtype, const ArrayOptions& options) {
  return internal::with_options(array(list, internal::one_dtype("array", dtype, options.dtype)),
                                options);
}
template <class T>
requires internal::ListNumber<T> ndarray array(std::initializer_list<std::initializer_list<T>> list,
                                               cupyxx::dtype dtype, const ArrayOptions& options) {
  return internal::with_options(array(list, internal::one_dtype("array", dtype, options.dtype)),
                                options);
}
template <class T>
requires internal::ListNumber<T> ndarray
array(std::initializer_list<std::initializer_list<std::initializer_list<T>>> list,
      cupyxx::dtype dtype, const ArrayOptions& options) {
  return internal::with_options(array(list, internal::one_dtype("array", dtype, options.dtype)),
                                options);
}
inline ndarray array(std::initializer_list<internal::ListItem> list, cupyxx::dtype dtype,
                     const ArrayOptions& options) {
  return internal::with_options(array(list, internal::one_dtype("array", dtype, options.dtype)),
                                options);
}
template <internal::HostList R>
ndarray array(const R& values, cupyxx::dtype dtype, const ArrayOptions& options) {
  return internal::with_options(array(values, internal::one_dtype("array", dtype, options.dtype)),
                                options);
}

/// The same as array of a list or a container; elements of the host are always copied.
template <class T>
requires internal::ListNumber<T> || std::convertible_to<T, ndarray> ndarray
asarray(std::initializer_list<T> list, cupyxx::dtype dtype = {}) {
  return array(list, dtype);
}
template <class T>
requires internal::ListNumber<T> ndarray
asarray(std::initializer_list<std::initializer_list<T>> list, cupyxx::dtype dtype = {}) {
  return array(list, dtype);
}
inline ndarray asarray(std::initializer_list<internal::ListItem> list, cupyxx::dtype dtype = {}) {
  return array(list, dtype);
}
template <internal::HostList R>
ndarray asarray(const R& values, cupyxx::dtype dtype = {}) {
  return internal::from_range(values, dtype);
}
inline ndarray asarray(const Scalar& value, cupyxx::dtype dtype = {}) {
  return array(value, dtype);
}
inline ndarray asanyarray(const ArrayLike& a, cupyxx::dtype dtype = {}) {
  return asanyarray(a.array(), dtype);
}
inline ndarray ascontiguousarray(const ArrayLike& a, cupyxx::dtype dtype = {}) {
  return ascontiguousarray(a.array(), dtype);
}
inline ndarray asfortranarray(const ArrayLike& a, cupyxx::dtype dtype = {}) {
  return asfortranarray(a.array(), dtype);
}
inline ndarray asarray_chkfinite(const ArrayLike& a, cupyxx::dtype dtype = {}) {
  return asarray_chkfinite(a.array(), dtype);
}
inline ndarray copy(const ArrayLike& a) { return copy(a.array()); }

// The assignments of lists.
template <internal::HostList R>
const View& View::operator=(const R& values) const&& {
  const DeviceScope scope(device());
  return std::move(*this) = array(values, dtype());  // NOLINT(performance-move-const-arg)
}
template <internal::HostList R>
const Selection& Selection::operator=(const R& values) const&& {
  const ndarray base = target();
  const DeviceScope scope(base.device());
  return std::move(*this) = array(values, base.dtype());  // NOLINT(performance-move-const-arg)
}

}  // namespace cupyxx

#include "cupyxx/casts.h"
#include "cupyxx/core/number_array.h"
#include "cupyxx/grids.h"
#include "cupyxx/ranges.h"
#include "cupyxx/requirements.h"
#include "cupyxx/typed_creation.h"
