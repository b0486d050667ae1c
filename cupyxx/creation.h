// SPDX-License-Identifier: MIT
// New arrays, on the current device. NumPy's chapter "Array creation routines".
#pragma once

#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "cupyxx/ndarray.h"

namespace cupyxx {

/// The device on which this thread creates arrays; the host until a scope changes it.
CUPYXX_API Device current_device();

/// Makes a device current until the end of the scope.
class CUPYXX_API DeviceScope {
 public:
  /// Throws DeviceError when the device does not exist.
  explicit DeviceScope(Device device);
  ~DeviceScope();
  DeviceScope(const DeviceScope&) = delete;
  DeviceScope& operator=(const DeviceScope&) = delete;

 private:
  Device previous_;
  int previous_cuda_;  // what CUDA calls current, also while the host is
};

/// Unset elements.
CUPYXX_API ndarray empty(const Shape& shape, cupyxx::dtype dtype = float64);
CUPYXX_API ndarray empty(const Shape& shape, cupyxx::dtype dtype, Order order);
CUPYXX_API ndarray zeros(const Shape& shape, cupyxx::dtype dtype = float64);
CUPYXX_API ndarray zeros(const Shape& shape, cupyxx::dtype dtype, Order order);
CUPYXX_API ndarray ones(const Shape& shape, cupyxx::dtype dtype = float64);
CUPYXX_API ndarray ones(const Shape& shape, cupyxx::dtype dtype, Order order);
/// Every element set to `value`; the dtype is the value's own unless given.
CUPYXX_API ndarray full(const Shape& shape, const Operand& value, cupyxx::dtype dtype = {});
CUPYXX_API ndarray full(const Shape& shape, const Operand& value, cupyxx::dtype dtype, Order order);

/// Options of empty_like and its kin.
struct LikeOptions {
  Order order = Order::C;
  std::optional<Shape> shape = {};  ///< that of the array unless given
};
/// The same with the shape, device and (unless given) dtype of `a`.
CUPYXX_API ndarray empty_like(const ndarray& a, cupyxx::dtype dtype = {});
CUPYXX_API ndarray empty_like(const ndarray& a, cupyxx::dtype dtype, const LikeOptions& options);
CUPYXX_API ndarray zeros_like(const ndarray& a, cupyxx::dtype dtype = {});
CUPYXX_API ndarray zeros_like(const ndarray& a, cupyxx::dtype dtype, const LikeOptions& options);
CUPYXX_API ndarray ones_like(const ndarray& a, cupyxx::dtype dtype = {});
CUPYXX_API ndarray ones_like(const ndarray& a, cupyxx::dtype dtype, const LikeOptions& options);
CUPYXX_API ndarray full_like(const ndarray& a, const Operand& value, cupyxx::dtype dtype = {});
CUPYXX_API ndarray full_like(const ndarray& a, const Operand& value, cupyxx::dtype dtype,
                             const LikeOptions& options);
/// N x M with ones on the k-th diagonal; M = -1 means N.
CUPYXX_API ndarray eye(std::int64_t n, std::int64_t m = -1, std::int64_t k = 0,
                       cupyxx::dtype dtype = float64, Order order = Order::C);
CUPYXX_API ndarray identity(std::int64_t n, cupyxx::dtype dtype = float64);
/// [0, stop), [start, stop) or start, start + step, ... below stop. The dtype is the numbers' own.
CUPYXX_API ndarray arange(const Scalar& stop, cupyxx::dtype dtype = {});
CUPYXX_API ndarray arange(const Scalar& start, const Scalar& stop, cupyxx::dtype dtype = {});
CUPYXX_API ndarray arange(const Scalar& start, const Scalar& stop, const Scalar& step,
                          cupyxx::dtype dtype = {});

/// Options of linspace.
struct LinspaceOptions {
  bool endpoint = true;
  double* retstep = nullptr;  ///< receives the distance of two samples; NaN where there is none
  cupyxx::dtype dtype = {};
};
/// `num` evenly spaced numbers from start to stop.
CUPYXX_API ndarray linspace(double start, double stop, std::int64_t num = 50,
                            const LinspaceOptions& options = {});
/// Options of linspace between arrays.
struct LinspaceArrayOptions {
  bool endpoint = true;
  ndarray* retstep = nullptr;  ///< receives the distances of two samples
  cupyxx::dtype dtype = {};
  int axis = 0;  ///< along which the samples lie
};
/// The same between the elements of arrays, which broadcast.
CUPYXX_API ndarray linspace(const Operand& start, const Operand& stop, std::int64_t num = 50,
                            const LinspaceArrayOptions& options = {});

/// Options of logspace.
struct LogspaceOptions {
  bool endpoint = true;
  double base = 10;
  cupyxx::dtype dtype = {};
  int axis = 0;
};
/// Powers of a base, with evenly spaced exponents from start to stop.
CUPYXX_API ndarray logspace(const Operand& start, const Operand& stop, std::int64_t num = 50,
                            const LogspaceOptions& options = {});

/// Options of geomspace.
struct GeomspaceOptions {
  bool endpoint = true;
  cupyxx::dtype dtype = {};
  int axis = 0;
};
/// Numbers in one ratio from start to stop. Throws ValueError for zeros; synchronises for that.
CUPYXX_API ndarray geomspace(const Operand& start, const Operand& stop, std::int64_t num = 50,
                             const GeomspaceOptions& options = {});
/// A matrix with `v` on its k-th diagonal, or the k-th diagonal of a matrix (a copy).
CUPYXX_API ndarray diag(const ndarray& v, int k = 0);
CUPYXX_API ndarray diagflat(const ndarray& v, int k = 0);

/// Options of array.
struct ArrayOptions {
  bool copy = true;  ///< false: return the argument itself where dtype, order and rank allow
  Order order = Order::C;
  int ndmin = 0;  ///< axes of extent 1 are put in front
};
/// A copy of an array, or a 0-d array of a number.
CUPYXX_API ndarray array(const ndarray& a, cupyxx::dtype dtype = {},
                         const ArrayOptions& options = {});
CUPYXX_API ndarray array(const Scalar& value, cupyxx::dtype dtype = {},
                         const ArrayOptions& options = {});
CUPYXX_API ndarray asarray(const ndarray& a, cupyxx::dtype dtype = {}, Order order = Order::K);
CUPYXX_API ndarray asanyarray(const ndarray& a, cupyxx::dtype dtype = {}, Order order = Order::K);
/// C-contiguous and at least 1-D; copies only where needed.
CUPYXX_API ndarray ascontiguousarray(const ndarray& a, cupyxx::dtype dtype = {});
/// The same as asarray for arrays without NaN and infinities; throws ValueError for others, and
/// synchronises for that.
CUPYXX_API ndarray asarray_chkfinite(const ndarray& a, cupyxx::dtype dtype = {},
                                     Order order = Order::K);
/// Fortran-contiguous; copies only where needed.
CUPYXX_API ndarray asfortranarray(const ndarray& a, cupyxx::dtype dtype = {});
CUPYXX_API ndarray copy(const ndarray& a);
CUPYXX_API ndarray copy(const ndarray& a, Order order);

namespace internal {
/// Copies host elements of type `from` to a new array of `shape` on the current device.
CUPYXX_API ndarray from_host(const void* elements, cupyxx::dtype from, const Shape& shape,
                             cupyxx::dtype dtype);
/// A new array with the order and the rank that the options ask for.
CUPYXX_API ndarray with_options(const ndarray& made, const ArrayOptions& options);
[[noreturn]] CUPYXX_API void throw_ragged(std::int64_t expected, std::int64_t found);

// Integer literals are Python integers: int64.
template <class T>
using Element =
    std::conditional_t<std::is_same_v<T, int> || std::is_same_v<T, long long>, std::int64_t, T>;

template <class T>
struct Nested {
  using type = T;
  static void measure(const T&, Shape&, int) {}
  template <class E>
  static void append(const T& value, const Shape&, int, std::vector<E>& out) {
    out.push_back(static_cast<E>(value));
  }
};
template <class T>
struct Nested<std::initializer_list<T>> {
  using type = typename Nested<T>::type;
  static void measure(const std::initializer_list<T>& list, Shape& shape, int axis) {
    shape.push_back(static_cast<std::int64_t>(list.size()));
    if (list.size() != 0) Nested<T>::measure(*list.begin(), shape, axis + 1);
  }
  template <class E>
  static void append(const std::initializer_list<T>& list, const Shape& shape, int axis,
                     std::vector<E>& out) {
    const auto found = static_cast<std::int64_t>(list.size());
    if (found != shape[axis]) throw_ragged(shape[axis], found);
    for (const T& item : list) Nested<T>::append(item, shape, axis + 1, out);
  }
};

template <class List>
ndarray from_list(const List& list, cupyxx::dtype dtype) {
  using Stored = Element<typename Nested<List>::type>;
  // vector<bool> has no array of bool inside.
  using Kept = std::conditional_t<std::is_same_v<Stored, bool>, std::uint8_t, Stored>;
  Shape shape;
  Nested<List>::measure(list, shape, 0);
  std::vector<Kept> values;
  Nested<List>::append(list, shape, 0, values);
  return from_host(values.data(), dtype_of<Stored>(), shape, dtype);
}
}  // namespace internal

/// `array({{1, 2}, {3, 4}})`: nested lists of one depth and equal lengths. Integer literals give
/// int64, `1.0f` float32, `1.0` float64. Throws ValueError for ragged lists.
template <class T>
ndarray array(std::initializer_list<T> list, cupyxx::dtype dtype = {}) {
  return internal::from_list(list, dtype);
}
template <class T>
ndarray array(std::initializer_list<T> list, cupyxx::dtype dtype, const ArrayOptions& options) {
  return internal::with_options(internal::from_list(list, dtype), options);
}
template <class T>
ndarray array(std::initializer_list<std::initializer_list<T>> list, cupyxx::dtype dtype = {}) {
  return internal::from_list(list, dtype);
}
template <class T>
ndarray array(std::initializer_list<std::initializer_list<T>> list, cupyxx::dtype dtype,
              const ArrayOptions& options) {
  return internal::with_options(internal::from_list(list, dtype), options);
}
template <class T>
ndarray array(std::initializer_list<std::initializer_list<std::initializer_list<T>>> list,
              cupyxx::dtype dtype = {}) {
  return internal::from_list(list, dtype);
}
template <class T>
ndarray array(std::initializer_list<std::initializer_list<std::initializer_list<T>>> list,
              cupyxx::dtype dtype, const ArrayOptions& options) {
  return internal::with_options(internal::from_list(list, dtype), options);
}
/// A copy of a vector, of the vector's own element type unless a dtype is given.
template <class T>
requires(!std::is_same_v<T, bool>) ndarray
    array(const std::vector<T>& values, cupyxx::dtype dtype = {}) {
  return internal::from_host(values.data(), dtype_of<T>(),
                             {static_cast<std::int64_t>(values.size())}, dtype);
}
template <class T>
requires(!std::is_same_v<T, bool>) ndarray
    array(const std::vector<T>& values, cupyxx::dtype dtype, const ArrayOptions& options) {
  return internal::with_options(array(values, dtype), options);
}
/// A copy of host elements.
template <class T>
ndarray asarray(std::span<T> values, cupyxx::dtype dtype = {}) {
  return internal::from_host(values.data(), dtype_of<std::remove_const_t<T>>(),
                             {static_cast<std::int64_t>(values.size())}, dtype);
}

}  // namespace cupyxx
