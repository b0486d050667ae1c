// SPDX-License-Identifier: MIT
// Evenly and geometrically spaced samples between arrays.
#include "cupyxx/ranges.h"

#include <cmath>

#include "cupyxx/core/arrays.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"

namespace cupyxx {

namespace {

Device device_of(const Operand& x, const Operand& y) {
  if (x.is_array() && !x.is_list() && !x.is_none()) return x.array().device();
  return y.is_array() && !y.is_none() ? y.array().device() : current_device();
}

void check_count(const char* operation, std::int64_t num) {
  if (num >= 0) return;
  throw ValueError(message(operation, ": the number of samples must not be negative; ", num));
}

// An array in floating point, real or complex; numbers become float64 or complex128.
ndarray floating(const char* operation, const Operand& x) {
  if (x.is_none()) internal::check_not_none(operation, x.array());
  x.move_list_to(current_device());
  if (!x.is_array()) {
    const bool is_complex = x.scalar().kind() == Scalar::Kind::complex_floating;
    return full({}, x.scalar(), is_complex ? complex128 : float64);
  }
  return x.array().dtype().is_inexact() ? x.array() : x.array().astype(float64);
}

// Writes to the first or the last sample, which are along axis 0.
void set_sample(const ndarray& samples, std::int64_t at, const ndarray& value) {
  internal::assign("linspace", samples(at, ellipsis), value);
}

ndarray to_axis(const ndarray& samples, int axis) {
  const int at = normalize_axis("linspace", axis, samples.ndim());
  return at == 0 ? samples : ascontiguousarray(rollaxis(samples, 0, at + 1));
}

}  // namespace

ndarray linspace(const Operand& start, const Operand& stop, internal::Int64 num,
                 const LinspaceArrayOptions& options) {
  check_count("linspace", num);
  const DeviceScope scope(device_of(start, stop));
  const ndarray first = floating("linspace", start), last = floating("linspace", stop);
  const ndarray span = subtract(last, first);
  const std::int64_t parts = num - (options.endpoint ? 1 : 0);
  Shape shape{num};
  for (int i = 0; i < span.ndim(); ++i) shape.push_back(1);
  const ndarray index = arange(std::int64_t{num}, span.dtype()).reshape(shape);
  ndarray samples;
  if (parts > 0) {
    const auto count = static_cast<double>(parts);
    const ndarray step = divide(span, count);
    // A step that underflows is divided later, as NumPy does.
    samples = any(equal(step, 0)).item<bool>() ? multiply(divide(index, count), span)
                                               : multiply(index, step);
    if (options.retstep != nullptr) *options.retstep = step;
  } else {
    samples = multiply(index, span);
    if (options.retstep != nullptr) *options.retstep = array(std::nan(""));
  }
  samples += first;
  if (options.endpoint && num > 1) set_sample(samples, -1, last);
  const dtype type = options.dtype ? options.dtype : samples.dtype();
  samples = to_axis(samples, options.axis);
  return (type.is_integer() ? floor(samples) : samples).astype(type, false);
}

ndarray linspace(const Operand& start, const Operand& stop, internal::Int64 num, dtype type) {
  return linspace(start, stop, num, LinspaceArrayOptions{.dtype = type});
}

ndarray logspace(const Operand& start, const Operand& stop, internal::Int64 num, dtype type) {
  return internal::logspace_between(start, stop, num, {.dtype = type});
}

ndarray internal::logspace_between(const Operand& start, const Operand& stop, std::int64_t num,
                                   const LogspaceOptions& options) {
  internal::check_not_none("logspace", start);
  internal::check_not_none("logspace", stop);
  check_count("logspace", num);
  const DeviceScope scope(device_of(start, stop));
  const ndarray exponents =
      linspace(start, stop, num, {.endpoint = options.endpoint, .axis = options.axis});
  const ndarray samples = power(options.base, exponents);
  return options.dtype ? samples.astype(options.dtype, false) : samples;
}

ndarray geomspace(const Operand& start, const Operand& stop, internal::Int64 num, dtype type) {
  return internal::geomspace_between(start, stop, num, {.dtype = type});
}

ndarray internal::geomspace_between(const Operand& start, const Operand& stop, std::int64_t num,
                                    const GeomspaceOptions& options) {
  check_count("geomspace", num);
  const DeviceScope scope(device_of(start, stop));
  ndarray first = floating("geomspace", start), last = floating("geomspace", stop);
  if (any(equal(first, 0)).item<bool>() || any(equal(last, 0)).item<bool>()) {
    throw ValueError("geomspace: a geometric sequence cannot include zero");
  }
  dtype type = promote_types(first.dtype(), last.dtype());
  if (options.dtype) type = promote_types(type, options.dtype);
  first = first.astype(type, false);
  last = last.astype(type, false);
  ndarray sign_of = ones({}, type);
  // Imaginary ends make a sequence of real numbers, turned.
  if (type.is_complex()) {
    const ndarray turned = logical_and(equal(real(first), 0), equal(real(last), 0));
    sign_of = where(turned, complex<double>(0, 1), sign_of);
    first = where(turned, imag(first), first);
    last = where(turned, imag(last), last);
  }
  // Negative ends make a sequence of magnitudes with another sign.
  const ndarray falls = logical_and(equal(sign(first), -1), equal(sign(last), -1));
  sign_of = where(falls, negative(sign_of), sign_of);
  first = where(falls, negative(first), first);
  last = where(falls, negative(last), last);
  ndarray samples = logspace(log10(first), log10(last), num,
                             {.endpoint = options.endpoint, .dtype = options.dtype});
  if (num > 0) {
    set_sample(samples, 0, first);
    if (num > 1 && options.endpoint) set_sample(samples, -1, last);
  }
  samples = to_axis(multiply(sign_of, samples), options.axis);
  return samples.astype(options.dtype ? options.dtype : type, false);
}

ndarray asarray_chkfinite(const ndarray& a, cupyxx::dtype dtype, Choice<Order> order) {
  internal::check_not_none("asarray_chkfinite", a);
  const ndarray result = internal::array_beside(a, dtype, {.copy = false, .order = order});
  if (result.dtype().is_inexact() && !all(isfinite(result)).item<bool>()) {
    throw ValueError(message(
        "asarray_chkfinite: the array must not contain infinities or NaN; shape ", a.shape()));
  }
  return result;
}

}  // namespace cupyxx
