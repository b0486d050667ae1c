// SPDX-License-Identifier: MIT
#include <cmath>
#include <limits>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/order_k.h"
#include "cupyxx/core/rows.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/internal/cpu/elementwise/passes.h"
#include "cupyxx/internal/cpu/elementwise/points.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/sorting.h"
#include "cupyxx/statistics.h"
#include "cupyxx/type_functions.h"

namespace cupyxx {

namespace {

using internal::part;

// A view of a 1-D array along an axis of an array with `rank` axes.
ndarray along(const ndarray& a, int axis, int rank) {
  Shape shape;
  for (int i = 0; i < rank; ++i) shape.push_back(i == axis ? a.size() : 1);
  return a.reshape(shape);
}

// Unset where there is no number.
dtype dtype_of(const std::optional<Scalar>& number) {
  return number ? number->own_dtype() : dtype();
}

// The part of a number beside the points, where there is one.
std::optional<Scalar> part_of(const std::optional<Scalar>& number, double complex<double>::*part) {
  if (!number) return {};
  return Scalar(number->as_complex().*part);
}

// Real and imaginary parts for themselves, as NumPy does.
ndarray interp_complex(const Operand& x, const ndarray& xp, const ndarray& fp,
                       const InterpOptions& options) {
  const auto interpolated = [&](const ndarray& values, double complex<double>::*part) {
    return interp(x, xp, values,
                  {part_of(options.left, part), part_of(options.right, part), options.period});
  };
  const ndarray re = interpolated(real(fp), &complex<double>::re);
  ndarray im = interpolated(imag(fp), &complex<double>::im);
  // At NaN the result is NaN without an imaginary part; the one point of a line is everywhere.
  if (options.period) {
    im = where(isnan(remainder(x, *options.period)), 0.0, im);
  } else if (xp.size() > 1) {
    im = where(isnan(x), 0.0, im);
  }
  const ndarray result = internal::make_array("interp", re.shape(), complex128, re.device());
  internal::assign("interp", real(result), re);
  internal::assign("interp", imag(result), im);
  return result;
}

// One pass over the elements; what stands before and behind the points as in NumPy.
ndarray interp_on_host(const ndarray& x, const ndarray& xp, const ndarray& fp,
                       const InterpOptions& options) {
  const ndarray at = internal::contiguous(x);
  const ndarray px = internal::contiguous(xp), py = internal::contiguous(fp);
  const auto* points = static_cast<const double*>(px.elements());
  const auto* values = static_cast<const double*>(py.elements());
  const std::int64_t count = px.size();
  const bool ends = !options.period;
  const internal::cpu::Polyline line{
      points, values, count, ends && options.left ? options.left->as_double() : values[0],
      ends && options.right ? options.right->as_double() : values[count - 1]};
  ndarray result = internal::make_array("interp", at.shape(), float64, at.device());
  internal::cpu::interpolate(static_cast<const double*>(at.elements()), at.size(), line,
                             static_cast<double*>(result.elements()));
  return result;
}

}  // namespace

ndarray interp(const Operand& x, const ndarray& xp, const ndarray& fp,
               const InterpOptions& options) {
  internal::check_computable("interp", xp);
  internal::check_computable("interp", fp);
  if (xp.ndim() != 1 || fp.ndim() != 1) {
    throw ValueError(message("interp: the points must be 1-D; ", xp.shape(), " and ", fp.shape()));
  }
  if (xp.size() != fp.size()) {
    throw ValueError(
        message("interp: fp and xp are not of the same length; ", fp.shape(), " and ", xp.shape()));
  }
  if (xp.size() == 0) throw ValueError(message("interp: there are no points; ", xp.shape()));
  if (x.is_none()) throw TypeError("interp: x is None");
  const DeviceScope scope(xp.device());
  x.move_list_to(xp.device());
  if (fp.dtype().is_complex()) return interp_complex(x, xp, fp, options);
  const ndarray given = x.is_array() ? x.array() : array(x.scalar());
  for (const auto& [what, type] :
       {std::pair("x", given.dtype()), std::pair("xp", xp.dtype()),
        std::pair("left", dtype_of(options.left)), std::pair("right", dtype_of(options.right))}) {
    if (!type.is_complex()) continue;
    throw TypeError(message("interp: ", what, " must be real; ", type.name()));
  }
  ndarray at = given.astype(float64, false);
  internal::common_device("interp", at, xp);
  ndarray px = xp.astype(float64, false), py = fp.astype(float64, false);
  if (options.period) {
    const double period = std::abs(*options.period);
    if (period == 0) throw ValueError("interp: the period must not be zero; 0");
    at = remainder(at, period);
    px = remainder(px, period);
    const ndarray order = argsort(px);
    px = take(px, order);
    py = take(py, order);
    px = concatenate({part(px, 0, -1, none) - period, px, part(px, 0, none, 1) + period});
    py = concatenate({part(py, 0, -1, none), py, part(py, 0, none, 1)});
  }
  if (xp.device().is_cpu()) return interp_on_host(at, px, py, options);
  const std::int64_t last = px.size() - 1;
  const TakeOptions clipped{.mode = IndexMode::clip};
  const ndarray below = subtract(searchsorted(px, at, {.side = SearchSide::right}), 1);
  const ndarray left = clip(below, 0, last > 0 ? last - 1 : 0), right = add(left, 1);
  const ndarray x0 = take(px, left, clipped), y0 = take(py, left, clipped);
  const ndarray x1 = take(px, right, clipped), y1 = take(py, right, clipped);
  const ndarray slope = divide(subtract(y1, y0), subtract(x1, x0));
  ndarray y = add(multiply(slope, subtract(at, x0)), y0);
  // An infinite value beside a point may be reached from the other side; equal ones are themselves.
  y = where(isnan(y), add(multiply(slope, subtract(at, x1)), y1), y);
  y = where(logical_and(isnan(y), equal(y0, y1)), y0, y);
  y = where(equal(at, x0), y0, y);
  y = where(equal(below, last), take(py, array(last)), y);
  const ndarray beyond = take(px, array(last));
  if (!options.period) {
    const ndarray before = options.left ? array(*options.left) : take(py, array(0));
    const ndarray behind = options.right ? array(*options.right) : take(py, array(last));
    y = where(less(below, 0), before, where(greater(at, beyond), behind, y));
  }
  return last == 0 ? y : where(isnan(at), at, y);
}

ndarray interp(const Operand& x, const ArrayLike& xp, const ArrayLike& fp,
               const InterpOptions& options) {
  if (!x.is_array() || x.is_list()) return interp(x, xp.beside(fp), fp.beside(xp), options);
  return interp(x, xp.beside(x.array()), fp.beside(x.array()), options);
}

ndarray trapz(const ndarray& y, const TrapzOptions& options) {
  internal::check_computable("trapz", y);
  const int axis = normalize_axis("trapz", options.axis, y.ndim());
  const ndarray sums = add(part(y, axis, 1, none), part(y, axis, none, -1));
  ndarray terms;
  if (options.x.is_none()) {
    terms = options.dx == 1 ? sums : multiply(options.dx, sums);  // halving makes them floating
  } else {
    const ndarray x = options.x.beside(y);
    internal::common_device("trapz", y, x);
    const ndarray widths =
        x.ndim() == 1 ? along(diff(x), axis, y.ndim()) : diff(x, 1, options.axis);
    terms = multiply(widths, sums);
  }
  return sum(divide(terms, 2.0), axis);
}

ndarray ediff1d(const ndarray& a, const Ediff1dOptions& options) {
  internal::check_computable("ediff1d", a);
  const ndarray flat = a.ravel();
  std::vector<ndarray> parts;
  const auto add_end = [&](const ArrayValue& value, const char* name) {
    if (value.is_none()) return;
    const ndarray end = value.beside(a);
    if (!can_cast(end.dtype(), a.dtype(), Casting::same_kind)) {
      throw DtypeError(message("ediff1d: ", name, " of ", end.dtype().name(),
                               " does not fit an array of ", a.dtype().name()));
    }
    parts.push_back(end.ravel().astype(a.dtype(), false));
  };
  add_end(options.to_begin, "to_begin");
  if (flat.size() > 0) parts.push_back(subtract(part(flat, 0, 1, none), part(flat, 0, none, -1)));
  add_end(options.to_end, "to_end");
  if (options.to_begin.is_none() && options.to_end.is_none() && !parts.empty()) return parts[0];
  return parts.empty() ? flat.copy() : concatenate(parts);
}

ndarray ediff1d(const ndarray& a, const Operand& to_end, const Operand& to_begin) {
  internal::check_computable("ediff1d", a);
  const DeviceScope scope(a.device());
  const auto given = [&](const Operand& end) {
    end.move_list_to(a.device());
    return end.is_array() ? end.array() : array(end.scalar());
  };
  return ediff1d(a, Ediff1dOptions{.to_end = given(to_end), .to_begin = given(to_begin)});
}

ndarray cross(const ndarray& a, const ndarray& b, const CrossOptions& options) {
  internal::check_computable("cross", a);
  internal::check_computable("cross", b);
  internal::common_device("cross", a, b);
  const int axisa = normalize_axis("cross", options.axis.value_or(options.axisa), a.ndim());
  const int axisb = normalize_axis("cross", options.axis.value_or(options.axisb), b.ndim());
  const dtype type = promote_types(a.dtype(), b.dtype());
  const ndarray x = moveaxis(a, axisa, -1).astype(type, false);
  const ndarray y = moveaxis(b, axisb, -1).astype(type, false);
  const std::int64_t nx = x.shape().back(), ny = y.shape().back();
  if (nx < 2 || nx > 3 || ny < 2 || ny > 3) {
    throw ValueError(
        message("cross: vectors must have 2 or 3 components; ", a.shape(), " and ", b.shape()));
  }
  const auto at = [](const ndarray& v, int i) -> ndarray { return v(ellipsis, i); };
  const auto minor = [&](int i, int j) {
    return subtract(multiply(at(x, i), at(y, j)), multiply(at(x, j), at(y, i)));
  };
  const ndarray z = minor(0, 1);
  if (nx == 2 && ny == 2) return z;
  ndarray first, second;
  if (nx == 3 && ny == 3) {
    first = minor(1, 2);
    second = minor(2, 0);
  } else if (nx == 3) {  // the other's third component is zero
    first = negative(multiply(at(x, 2), at(y, 1)));
    second = multiply(at(x, 2), at(y, 0));
  } else {
    first = multiply(at(x, 1), at(y, 2));
    second = negative(multiply(at(x, 0), at(y, 2)));
  }
  const int axisc = options.axis.value_or(options.axisc);
  normalize_axis("cross", axisc, z.ndim() + 1);
  return stack(std::vector<ndarray>{first, second, z}, axisc);
}

ndarray nan_to_num(const ndarray& a, const NanToNumOptions& options) {
  internal::check_computable("nan_to_num", a);
  if (a.dtype().is_complex()) {
    const ndarray result = options.copy ? a.copy() : a;
    NanToNumOptions in_place = options;
    in_place.copy = false;
    nan_to_num(result.real(), in_place);
    nan_to_num(result.imag(), in_place);
    return result;
  }
  if (!a.dtype().is_floating()) return options.copy ? a.copy() : a;
  const finfo limits(a.dtype());
  const Operand x(a), nan(Scalar(options.nan, a.dtype())),
      highest(Scalar(options.posinf.value_or(limits.max), a.dtype())),
      lowest(Scalar(options.neginf.value_or(limits.min), a.dtype()));
  const Operand* const operands[] = {&x, &nan, &highest, &lowest};
  const ndarray out = options.copy ? ndarray() : a;
  return internal::ufunc_of<ops::NanToNum>().call(operands, {&out, 1}, {})[0];
}

ndarray spacing(const ndarray& x) {
  internal::check_computable("spacing", x);
  const ndarray a = x.dtype().is_inexact() ? x : x.astype(float64);
  if (a.device().is_cpu()) {
    const ndarray result = internal::make_kept("spacing", a.shape(), a.dtype(), a.device(), {&a});
    const ndarray elements = internal::laid_like(a, result);
    if (internal::cpu::passes().spacing(a.dtype(), static_cast<const char*>(elements.elements()),
                                        a.size(), static_cast<char*>(result.elements()))) {
      return result;
    }
  }
  // Both zeros have the smallest positive number behind them: adding 0 takes the sign away.
  return subtract(nextafter(a, copysign(std::numeric_limits<double>::infinity(), add(a, 0))), a);
}

ndarray sinc(const ndarray& x) {
  internal::check_computable("sinc", x);
  const ndarray a = x.dtype().is_inexact() ? x : x.astype(float64);
  const ndarray angle = where(equal(a, 0), 1e-20, a) * 3.14159265358979323846;
  return sin(angle) / angle;
}

ndarray unwrap(const ndarray& p, const UnwrapOptions& options) {
  internal::check_computable("unwrap", p);
  const int axis = normalize_axis("unwrap", options.axis, p.ndim());
  const ndarray steps = diff(p, 1, axis);
  const dtype type = result_type(steps, options.period);
  const double period = options.period.as_double();
  const bool is_whole = type.is_integer();
  // An odd whole period has no middle that a jump could hit.
  const bool has_middle = !is_whole || std::fmod(period, 2) == 0;
  const double half = is_whole ? std::floor(period / 2) : period / 2;
  const auto number = [&](double x) {
    return is_whole ? Scalar(static_cast<std::int64_t>(x)) : Scalar(x);
  };
  ndarray kept = add(remainder(subtract(steps, number(-half)), options.period), number(-half));
  if (has_middle) {
    const ndarray upwards = logical_and(equal(kept, number(-half)), greater(steps, 0));
    kept = where(upwards, number(half), kept);
  }
  const ndarray correction =
      where(less(absolute(steps), options.discont.value_or(period / 2)), 0, subtract(kept, steps));
  const ndarray result = p.astype(type);
  const ndarray behind = part(result, axis, 1, none);
  internal::assign("unwrap", behind, add(part(p, axis, 1, none), cumsum(correction, axis)));
  return result;
}

// Of lists.

ndarray trapz(const ArrayLike& y, const TrapzOptions& options) { return trapz(y.array(), options); }

ndarray trapz(const ArrayLike& y, const ArrayLike& x, double dx, internal::Int axis) {
  return trapz(y.beside(x), TrapzOptions{.x = x.beside(y), .dx = dx, .axis = axis});
}

ndarray trapz(const ArrayLike& y, None, double dx, internal::Int axis) {
  return trapz(y.array(), TrapzOptions{.dx = dx, .axis = axis});
}

ndarray cross(const ArrayLike& a, const ArrayLike& b, const CrossOptions& options) {
  return cross(a.beside(b), b.beside(a), options);
}

ndarray ediff1d(const ArrayLike& a, const Ediff1dOptions& options) {
  return ediff1d(a.array(), options);
}

ndarray nan_to_num(const Operand& a, const NanToNumOptions& options) {
  return nan_to_num(internal::as_array(a), options);
}

ndarray spacing(const Operand& x) { return spacing(internal::as_array(x)); }

ndarray sinc(const ArrayLike& x) { return sinc(x.array()); }

ndarray unwrap(const ArrayLike& p, const UnwrapOptions& options) {
  return unwrap(p.array(), options);
}

}  // namespace cupyxx
