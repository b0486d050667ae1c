// SPDX-License-Identifier: MIT
// Routines that call a function of the user's. NumPy's chapter "Functional programming".
//
//   auto table = cupyxx::fromfunction([](auto i, auto j) { return i * 10 + j; }, {3, 4});
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "cupyxx/core/shared.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/export.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/reduction.h"
#include "cupyxx/shape.h"
#include "cupyxx/ufunc.h"

namespace cupyxx {

namespace internal {

/// What a function of a slice returned, as an array.
inline ndarray slice_result(const ndarray& result) { return result; }
template <class T>
requires std::is_arithmetic_v<T> ndarray slice_result(T result) { return array(Scalar(result)); }

/// The positions in `shape`, one after the other in C order.
/// Zeros, one for each axis.
CUPYXX_API std::vector<Index> first_position(const Shape& shape);
CUPYXX_API bool next_position(const Shape& shape, std::vector<Index>& position);
/// The part of an array at a position; the array itself where that is empty.
CUPYXX_API ndarray slice_at(const ndarray& a, const std::vector<Index>& position);
/// Joins the results for all positions of the other axes, with the result's own axes at `axis`.
CUPYXX_API ndarray join_slices(const std::vector<ndarray>& results, const Shape& others, int axis);

/// Checks piecewise's conditions, and adds where none of them holds when there is a function more.
CUPYXX_API void complete_conditions(const ndarray& x, std::vector<ndarray>& conditions,
                                    std::size_t functions);

}  // namespace internal

/// The array of f(i, j, ...), called once with arrays of all indices.
template <class F, std::size_t kNdim>
ndarray fromfunction(F&& f, const std::int64_t (&shape)[kNdim], cupyxx::dtype dtype = float64) {
  const ndarray all = indices(Shape(shape, kNdim), dtype);
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return internal::slice_result(f(ndarray(all(static_cast<std::int64_t>(I)))...));
  }
  (std::make_index_sequence<kNdim>());
}

template <class F, std::size_t kNdim, std::same_as<DtypeOptions> O = DtypeOptions>
ndarray fromfunction(F&& f, const std::int64_t (&shape)[kNdim], const O& options) {
  return fromfunction(std::forward<F>(f), shape, options.dtype ? options.dtype : float64);
}

namespace internal {
/// A reduction by its name, which stands for several functions: `apply_over_axes(sum, a, {0, 2})`.
class Reduction {
  template <class O>
  using Function = ndarray (*)(const ndarray&, const Axes&, const O&);

 public:
  Reduction(Function<SumOptions> f) : call_(call<SumOptions>), f_(address(f)) {}    // NOLINT
  Reduction(Function<MeanOptions> f) : call_(call<MeanOptions>), f_(address(f)) {}  // NOLINT
  Reduction(Function<VarOptions> f) : call_(call<VarOptions>), f_(address(f)) {}    // NOLINT
  Reduction(Function<MaxOptions> f) : call_(call<MaxOptions>), f_(address(f)) {}    // NOLINT
  Reduction(Function<AllOptions> f) : call_(call<AllOptions>), f_(address(f)) {}    // NOLINT

  ndarray operator()(const ndarray& a) const { return call_(f_, a, {}); }
  ndarray operator()(const ndarray& a, internal::Int axis) const { return call_(f_, a, axis); }

 private:
  using Any = void (*)();

  template <class O>
  static Any address(Function<O> f) {
    return reinterpret_cast<Any>(f);
  }
  template <class O>
  static ndarray call(Any f, const ndarray& a, const Axes& axes) {
    return reinterpret_cast<Function<O>>(f)(a, axes, O());
  }

  ndarray (*call_)(Any, const ndarray&, const Axes&);
  Any f_;
};
}  // namespace internal

/// `f` of each 1-D slice along an axis, one call per slice; its results, numbers or arrays of one
/// shape, take the place of the axis. Throws ValueError for an array without slices.
template <class F>
ndarray apply_along_axis(F&& f, internal::Int axis, const ndarray& a) {
  if (a.is_none()) throw TypeError("apply_along_axis: the array is None");
  const int at = normalize_axis("apply_along_axis", axis, a.ndim());
  Shape others = a.shape();
  others.erase(at);
  if (others.element_count() == 0) {
    throw ValueError(
        message("apply_along_axis: cannot apply to an axis without slices; ", a.shape()));
  }
  const DeviceScope scope(a.device());
  const ndarray slices = rollaxis(a, at, a.ndim());
  std::vector<Index> position = internal::first_position(others);
  std::vector<ndarray> results;
  do {
    results.push_back(internal::slice_result(f(internal::slice_at(slices, position))));
  } while (internal::next_position(others, position));
  return internal::join_slices(results, others, at);
}
inline ndarray apply_along_axis(const internal::Reduction& f, internal::Int axis,
                                const ndarray& a) {
  return apply_along_axis<const internal::Reduction&>(f, axis, a);
}

/// `f(a, axis)` for one axis after the other; an axis that f drops is put back with extent 1.
template <class F>
ndarray apply_over_axes(F&& f, const ndarray& a, const std::vector<int>& axes) {
  if (a.is_none()) throw TypeError("apply_over_axes: the array is None");
  ndarray result = a;
  for (const int axis : axes) {
    const int at = normalize_axis("apply_over_axes", axis, a.ndim());
    const ndarray next = f(result, at);
    result = next.ndim() == result.ndim() ? next : expand_dims(next, at);
    if (result.ndim() != a.ndim()) {
      throw ValueError(
          message("apply_over_axes: the function has not returned an array of the right rank; ",
                  next.shape()));
    }
  }
  return result;
}
inline ndarray apply_over_axes(const internal::Reduction& f, const ndarray& a,
                               const std::vector<int>& axes) {
  return apply_over_axes<const internal::Reduction&>(f, a, axes);
}

/// Applies functions[i] to the elements of x where conditions[i] (bool) holds, the last one that
/// does; a number in place of a function is the result. If there is one function more than
/// conditions, it is for the elements without a condition that holds; they are 0 otherwise. The
/// result has x's dtype. Throws ValueError for another number of functions; synchronises.
template <class... F>
ndarray piecewise(const ndarray& x, std::vector<ndarray> conditions, F&&... functions) {
  internal::complete_conditions(x, conditions, sizeof...(F));
  const DeviceScope scope(x.device());
  const ndarray y = zeros_like(x);
  std::size_t i = 0;
  const auto write = [&](auto&& function) {
    const ndarray& chosen = conditions[i++];
    if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(function)>>) {
      y(chosen) = function;
    } else if (const ndarray part = x(chosen); part.size() != 0) {
      y(chosen) = internal::slice_result(function(part));
    }
  };
  (write(functions), ...);
  return y;
}
/// Numbers in the place of all functions: `piecewise(x, {x < 0, x >= 0}, {-1, 1})`.
template <class T>
requires std::is_arithmetic_v<T> ndarray piecewise(const ndarray& x,
                                                   std::vector<ndarray> conditions,
                                                   std::initializer_list<T> values) {
  internal::complete_conditions(x, conditions, values.size());
  const ndarray y = zeros_like(x);
  std::size_t i = 0;
  for (const T value : values) y(conditions[i++]) = value;
  return y;
}

/// The indices along each axis of the n x n elements that `f(ones, k)`, such as triu, keeps.
/// Synchronises.
template <class F>
Arrays mask_indices(std::int64_t n, F&& f, std::int64_t k = 0) {
  return not_equal(f(ones({n, n}, int64), k), 0).nonzero();
}
/// Of a routine with several forms: `mask_indices(3, triu)`.
inline Arrays mask_indices(std::int64_t n, ndarray (*f)(const ndarray&, internal::Int64),
                           std::int64_t k = 0) {
  return not_equal(f(ones({n, n}, int64), k), 0).nonzero();
}

// ---- Elementwise operations of the program's own with ufuncs' rules; CuPy's `cupy.ufunc(name,
// nin, nout, ops)` and `create_ufunc`.
//
//   const auto squared_diff = cupyxx::create_ufunc(
//       "squared_diff", {"ee->e", "ff->f", "dd->d"}, "out0 = (in0 - in1) * (in0 - in1)");
//   auto d = squared_diff(a, 2);                        // the first signature that fits
//   squared_diff(a, b, {.out = c, .where = mask});
//
// A loop is a signature of dtype codes ("ff->f") and a text for each element, in which in0, in1 ...
// are the inputs, out0 ... the results, and in0_type ... out0_type their types. As for built-in
// operations, the first loop runs to whose types all inputs may be cast safely, C++ numbers being
// weak, and the inputs are converted to them. The texts run on the host and on devices as those of
// an ElementwiseKernel do.

/// One signature of a user's ufunc and its text; without a text it is create_ufunc's.
struct UfuncLoop {
  std::string types;
  std::string routine;

  UfuncLoop(const char* signature,  // NOLINT(google-explicit-constructor)
            std::string_view text = {})
      : types(signature), routine(text) {}
  UfuncLoop(std::string_view signature,  // NOLINT(google-explicit-constructor)
            std::string_view text = {})
      : types(signature), routine(text) {}
};

/// Options of user_ufunc and create_ufunc.
struct UserUfuncOptions {
  std::string preamble = {};  ///< text before the loops: functions, types
  std::string doc = {};       ///< one line on what it computes
};

class user_ufunc;
namespace internal {
CUPYXX_API ndarray only_result(const user_ufunc& f, const std::vector<ndarray>& results);
}  // namespace internal
/// An elementwise operation of one to three inputs and one or two results, made from texts. Copies
/// share what was compiled; threads may call one at the same time.
class CUPYXX_API user_ufunc {
 public:
  /// Throws ValueError for names that are no identifiers, no loops, other numbers of inputs or
  /// results, signatures that do not have them, and loops without a text; TypeError for unknown
  /// dtype codes.
  user_ufunc(std::string_view name, int nin, int nout, const std::vector<UfuncLoop>& ops,
             const UserUfuncOptions& options = {});

  const std::string& name() const;
  int nin() const;
  int nout() const;
  int nargs() const { return nin() + nout(); }
  /// The signatures, as given: "ff->f".
  std::vector<std::string> types() const;
  const std::string& doc() const;

  /// Calls it with all inputs; returns the result. Throws TypeError for another number of inputs,
  /// for None and where it has several results (see call_all), DtypeError when no loop fits,
  /// ShapeError when they do not broadcast.
  template <class... X>
  requires(sizeof...(X) > 0 && (std::is_constructible_v<Operand, const X&> && ...)) ndarray
  operator()(const X&... x) const {
    const Operand list[] = {Operand(x)...};
    return internal::only_result(*this, call_list(list, {}, {}));
  }
  ndarray operator()(const Operand& x, const UfuncOptions& options) const;
  ndarray operator()(const Operand& x, const Operand& y, const UfuncOptions& options) const;
  ndarray operator()(const Operand& x, const Operand& y, const Operand& z,
                     const UfuncOptions& options) const;
  /// Calls it; returns all results.
  template <class... X>
  requires(sizeof...(X) > 0 && (std::is_constructible_v<Operand, const X&> && ...)) Arrays
      call_all(const X&... x)
  const {
    const Operand list[] = {Operand(x)...};
    return call_list(list, {}, {});
  }
  /// The same as ufunc::call: `out` is empty or holds `nout` arrays or null handles.
  Arrays call(std::span<const Operand* const> inputs, std::span<const ndarray> out,
              const UfuncOptions& options) const;

 private:
  struct Impl;
  Arrays call_list(std::span<const Operand> inputs, std::span<const ndarray> out,
                   const UfuncOptions& options) const;

  internal::Shared<const Impl> impl_;
};

/// A user_ufunc whose numbers of inputs and results are those of its first signature, and whose
/// loops without a text have `routine`.
CUPYXX_API user_ufunc create_ufunc(std::string_view name, const std::vector<UfuncLoop>& ops,
                                   std::string_view routine = {},
                                   const UserUfuncOptions& options = {});

}  // namespace cupyxx
