// SPDX-License-Identifier: MIT
// Everything is the complex transform along the last axis, and what brings the elements there.
#include "cupyxx/fft.h"

#include <cmath>
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/index.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/fft.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"

namespace cupyxx::fft {

namespace {

enum class Direction : std::uint8_t { forward, inverse };

dtype complex_dtype(const char* operation, const ndarray& a, dtype asked) {
  internal::check_not_none(operation, a);
  if (static_cast<int>(a.dtype().code()) >= dtype::kComputeCount) {
    throw DtypeError(message(operation, ": not for this dtype; ", a.dtype().name()));
  }
  if (!asked) return complex128;
  if (asked.is_complex()) return asked;
  throw DtypeError(message(operation, ": computes in complex64 or complex128, not ", asked.name()));
}

void check_length(const char* operation, std::int64_t n) {
  if (n >= 1) return;
  throw ValueError(message(operation, ": a transform needs one number at least; ", n));
}

double scale_of(Norm norm, Direction direction, std::int64_t n) {
  const auto length = static_cast<double>(n);
  if (norm == Norm::ortho) return 1 / std::sqrt(length);
  return (norm == Norm::forward) == (direction == Direction::forward) ? 1 / length : 1;
}

Norm opposite(Norm norm) {
  return norm == Norm::backward  ? Norm::forward
         : norm == Norm::forward ? Norm::backward
                                 : Norm::ortho;
}

// A new array with n elements on the last axis in the place of a's.
ndarray new_rows(const char* operation, const ndarray& a, std::int64_t n, dtype type) {
  Shape shape = a.shape();
  shape[shape.ndim() - 1] = n;
  return internal::make_array(operation, shape, type, a.device());
}

// The first elements of the last axis, in front of zeros if there are fewer.
ndarray first_elements(const char* operation, const ndarray& a, std::int64_t n, dtype type) {
  const std::int64_t given = a.shape().back();
  const ndarray result = new_rows(operation, a, n, type);
  if (given >= n) {
    internal::assign(operation, result, a(ellipsis, slice(n)));
  } else {
    internal::assign(operation, result(ellipsis, slice(given)), a);
    result(ellipsis, slice(given, none)).fill(0);
  }
  return result;
}

ndarray rows_of(const ndarray& a) { return a.reshape({-1, a.shape().back()}); }

// Whether a transform of n numbers can read the array as it is.
bool is_readable(const ndarray& a, std::int64_t n, dtype type) {
  return a.dtype() == type && a.shape().back() == n && a.flags().c_contiguous;
}

// The transforms along the last axis of a new array, in place, on a device.
void run_on_device(const char* operation, const ndarray& a, Direction direction, Norm norm) {
  if (a.size() == 0) return;
  internal::gpu::fft(operation, rows_of(a), direction == Direction::inverse);
  if (const double scale = scale_of(norm, direction, a.shape().back()); scale != 1) a *= scale;
}

// The transforms of n numbers along the last axis.
ndarray transformed(const char* operation, const ndarray& a, std::int64_t n, dtype type,
                    Direction direction, Norm norm) {
  const bool on_host = a.device().is_cpu();
  const bool in_place = !on_host || !is_readable(a, n, type);
  const ndarray from = in_place ? first_elements(operation, a, n, type) : a;
  if (!on_host) {
    run_on_device(operation, from, direction, norm);
    return from;
  }
  const ndarray result = in_place ? from : new_rows(operation, a, n, type);
  if (result.size() == 0) return result;
  internal::cpu::fft(rows_of(from), rows_of(result), direction == Direction::inverse,
                     scale_of(norm, direction, n));
  return result;
}

dtype real_dtype(dtype type) { return type == complex64 ? float32 : float64; }

// The first n / 2 + 1 numbers of the transform of n real ones, on the host.
ndarray host_frequencies(const char* operation, const ndarray& a, std::int64_t n, dtype type,
                         Norm norm) {
  const dtype real = real_dtype(type);
  const ndarray numbers = is_readable(a, n, real) ? a : first_elements(operation, a, n, real);
  const ndarray result = new_rows(operation, numbers, n / 2 + 1, type);
  if (result.size() == 0) return result;
  internal::cpu::rfft(rows_of(numbers), rows_of(result), scale_of(norm, Direction::forward, n));
  return result;
}

// The reverse.
ndarray host_numbers(const char* operation, const ndarray& frequencies, std::int64_t n, Norm norm) {
  const ndarray result = new_rows(operation, frequencies, n, real_dtype(frequencies.dtype()));
  if (result.size() == 0) return result;
  internal::cpu::irfft(rows_of(frequencies), rows_of(result),
                       scale_of(norm, Direction::inverse, n));
  return result;
}

// Runs `body` with the transformed axis as the last one.
template <class Body>
ndarray along(const ndarray& a, int axis, const Body& body) {
  const ndarray result = body(axis == a.ndim() - 1 ? a : swapaxes(a, axis, -1));
  return axis == a.ndim() - 1 ? result : internal::contiguous(swapaxes(result, axis, -1));
}

struct Call {
  dtype type;
  int axis;
  std::int64_t n;

  Call(const char* operation, const ndarray& a, const Options& options, std::int64_t missing = 0)
      : type(complex_dtype(operation, a, options.dtype)),
        axis(normalize_axis(operation, options.axis, a.ndim())),
        n(options.n.value_or(missing != 0 ? 2 * (a.shape()[axis] - 1) : a.shape()[axis])) {
    check_length(operation, n);
  }
};

ndarray complex_transform(const char* operation, const ndarray& a, const Options& options,
                          Direction direction) {
  const Call call(operation, a, options);
  const DeviceScope scope(a.device());
  return along(a, call.axis, [&](const ndarray& x) {
    return transformed(operation, x, call.n, call.type, direction, options.norm);
  });
}

ndarray real_transform(const char* operation, const ndarray& a, const Options& options, Norm norm,
                       bool conjugate) {
  const Call call(operation, a, options);
  const DeviceScope scope(a.device());
  return along(a.dtype().is_complex() ? a.real() : a, call.axis, [&](const ndarray& x) {
    if (x.device().is_cpu()) {
      const ndarray half = host_frequencies(operation, x, call.n, call.type, norm);
      return conjugate ? half.conj() : half;
    }
    const ndarray whole = first_elements(operation, x, call.n, call.type);
    run_on_device(operation, whole, Direction::forward, norm);
    const ndarray half = whole(ellipsis, slice(call.n / 2 + 1));
    return conjugate ? half.conj() : half.copy();
  });
}

ndarray to_real_transform(const char* operation, const ndarray& a, const Options& options,
                          Norm norm, bool conjugate) {
  const Call call(operation, a, options, 2);
  const DeviceScope scope(a.device());
  return along(a, call.axis, [&](const ndarray& x) {
    const std::int64_t terms = call.n / 2 + 1;
    const bool reads_argument =
        x.device().is_cpu() && !conjugate && is_readable(x, terms, call.type);
    const ndarray half = reads_argument ? x : first_elements(operation, x, terms, call.type);
    if (conjugate) half.imag() *= -1;
    if (half.device().is_cpu()) return host_numbers(operation, half, call.n, norm);
    // The second half is the conjugate of the first, without its ends.
    const std::int64_t tail = call.n - half.shape().back();
    ndarray whole = half;
    if (tail > 0) {
      const ndarray mirrored = half(ellipsis, slice(tail, 0, -1)).conj();
      whole = concatenate({half, mirrored}, -1);
    } else if (tail < 0) {
      whole = half(ellipsis, slice(call.n)).copy();
    }
    run_on_device(operation, whole, Direction::inverse, norm);
    return whole.real().copy();
  });
}

// Lengths and axes of a transform along several.
struct Axis {
  int axis;
  std::int64_t n;
};

std::vector<Axis> axes_of(const char* operation, const ndarray& a, const OptionsN& options,
                          const Axes& missing, bool real_result) {
  internal::check_not_none(operation, a);
  const Axes& axes = options.axes.is_all() ? missing : options.axes;
  const int count = !axes.is_all() ? axes.list().ndim() : options.s ? options.s->ndim() : a.ndim();
  if (options.s && options.s->ndim() != count) {
    throw ValueError(message(operation, ": s and axes have different lengths; ", options.s->str(),
                             " and ", axes.list()));
  }
  std::vector<Axis> result;
  for (int i = 0; i < count; ++i) {
    const int axis =
        normalize_axis(operation, axes.is_all() ? i - count : axes.list()[i], a.ndim());
    std::int64_t n = options.s ? (*options.s)[i] : a.shape()[axis];
    if (!options.s && real_result && i == count - 1) n = 2 * (n - 1);
    check_length(operation, n);
    result.push_back({axis, n});
  }
  return result;
}

Options option_of(const Axis& axis, const OptionsN& options) {
  return {.n = axis.n, .axis = axis.axis, .norm = options.norm, .dtype = options.dtype};
}

ndarray complex_transforms(const char* operation, const ndarray& a, const OptionsN& options,
                           const Axes& missing, Direction direction) {
  const std::vector<Axis> axes = axes_of(operation, a, options, missing, false);
  ndarray result = a;
  for (auto axis = axes.rbegin(); axis != axes.rend(); ++axis) {
    result = complex_transform(operation, result, option_of(*axis, options), direction);
  }
  return result;
}

void need_axis(const char* operation, const std::vector<Axis>& axes) {
  if (axes.empty()) throw IndexError(message(operation, ": needs one axis at least"));
}

ndarray real_transforms(const char* operation, const ndarray& a, const OptionsN& options,
                        const Axes& missing) {
  const std::vector<Axis> axes = axes_of(operation, a, options, missing, false);
  need_axis(operation, axes);
  ndarray result =
      real_transform(operation, a, option_of(axes.back(), options), options.norm, false);
  for (std::size_t i = 0; i + 1 < axes.size(); ++i) {
    result = complex_transform(operation, result, option_of(axes[i], options), Direction::forward);
  }
  return result;
}

ndarray to_real_transforms(const char* operation, const ndarray& a, const OptionsN& options,
                           const Axes& missing) {
  const std::vector<Axis> axes = axes_of(operation, a, options, missing, true);
  need_axis(operation, axes);
  ndarray result = a;
  for (std::size_t i = 0; i + 1 < axes.size(); ++i) {
    result = complex_transform(operation, result, option_of(axes[i], options), Direction::inverse);
  }
  return to_real_transform(operation, result, option_of(axes.back(), options), options.norm, false);
}

const Axes& last_two() {
  static const Axes axes{-2, -1};
  return axes;
}

ndarray shift(const char* operation, const ndarray& x, const Axes& axes, bool back) {
  internal::check_not_none(operation, x);
  ndarray result = x;
  const std::uint32_t mask = axes.mask(operation, x.ndim());
  for (int axis = 0; axis < x.ndim(); ++axis) {
    if ((mask >> axis & 1) == 0) continue;
    const std::int64_t half = x.shape()[axis] / 2;
    result = roll(result, back ? -half : half, axis);
  }
  return result.shares_memory(x) ? result.copy() : result;
}

}  // namespace

ndarray fft(const ndarray& a, const Options& options) {
  return complex_transform("fft.fft", a, options, Direction::forward);
}
ndarray ifft(const ndarray& a, const Options& options) {
  return complex_transform("fft.ifft", a, options, Direction::inverse);
}
ndarray rfft(const ndarray& a, const Options& options) {
  return real_transform("fft.rfft", a, options, options.norm, false);
}
ndarray irfft(const ndarray& a, const Options& options) {
  return to_real_transform("fft.irfft", a, options, options.norm, false);
}
ndarray hfft(const ndarray& a, const Options& options) {
  return to_real_transform("fft.hfft", a, options, opposite(options.norm), true);
}
ndarray ihfft(const ndarray& a, const Options& options) {
  return real_transform("fft.ihfft", a, options, opposite(options.norm), true);
}

ndarray fftn(const ndarray& a, const OptionsN& options) {
  return complex_transforms("fft.fftn", a, options, {}, Direction::forward);
}
ndarray ifftn(const ndarray& a, const OptionsN& options) {
  return complex_transforms("fft.ifftn", a, options, {}, Direction::inverse);
}
ndarray rfftn(const ndarray& a, const OptionsN& options) {
  return real_transforms("fft.rfftn", a, options, {});
}
ndarray irfftn(const ndarray& a, const OptionsN& options) {
  return to_real_transforms("fft.irfftn", a, options, {});
}
ndarray fft2(const ndarray& a, const OptionsN& options) {
  return complex_transforms("fft.fft2", a, options, last_two(), Direction::forward);
}
ndarray ifft2(const ndarray& a, const OptionsN& options) {
  return complex_transforms("fft.ifft2", a, options, last_two(), Direction::inverse);
}
ndarray rfft2(const ndarray& a, const OptionsN& options) {
  return real_transforms("fft.rfft2", a, options, last_two());
}
ndarray irfft2(const ndarray& a, const OptionsN& options) {
  return to_real_transforms("fft.irfft2", a, options, last_two());
}

ndarray fftfreq(internal::Int64 n, double d) {
  check_length("fft.fftfreq", n);
  const std::int64_t positive = (n - 1) / 2 + 1;
  const ndarray order = concatenate({arange(positive), arange(-(n / 2), 0)});
  return order * (1.0 / (static_cast<double>(n) * d));
}

ndarray rfftfreq(internal::Int64 n, double d) {
  check_length("fft.rfftfreq", n);
  return arange(n / 2 + 1) * (1.0 / (static_cast<double>(n) * d));
}

ndarray fftshift(const ndarray& x, const Axes& axes) {
  return shift("fft.fftshift", x, axes, false);
}
ndarray ifftshift(const ndarray& x, const Axes& axes) {
  return shift("fft.ifftshift", x, axes, true);
}

// Of lists.

ndarray fft(const ArrayLike& a, const Options& options) { return fft(a.array(), options); }

ndarray ifft(const ArrayLike& a, const Options& options) { return ifft(a.array(), options); }

ndarray rfft(const ArrayLike& a, const Options& options) { return rfft(a.array(), options); }

ndarray irfft(const ArrayLike& a, const Options& options) { return irfft(a.array(), options); }

ndarray fft(const ArrayLike& a, const LengthArgument& n, internal::Int axis,
            const NormArgument& norm) {
  return fft(a.array(), {.n = n.value(), .axis = axis, .norm = norm.value()});
}

ndarray ifft(const ArrayLike& a, const LengthArgument& n, internal::Int axis,
             const NormArgument& norm) {
  return ifft(a.array(), {.n = n.value(), .axis = axis, .norm = norm.value()});
}

ndarray rfft(const ArrayLike& a, const LengthArgument& n, internal::Int axis,
             const NormArgument& norm) {
  return rfft(a.array(), {.n = n.value(), .axis = axis, .norm = norm.value()});
}

ndarray irfft(const ArrayLike& a, const LengthArgument& n, internal::Int axis,
              const NormArgument& norm) {
  return irfft(a.array(), {.n = n.value(), .axis = axis, .norm = norm.value()});
}

ndarray hfft(const ArrayLike& a, const LengthArgument& n, internal::Int axis,
             const NormArgument& norm) {
  return hfft(a.array(), {.n = n.value(), .axis = axis, .norm = norm.value()});
}

ndarray ihfft(const ArrayLike& a, const LengthArgument& n, internal::Int axis,
              const NormArgument& norm) {
  return ihfft(a.array(), {.n = n.value(), .axis = axis, .norm = norm.value()});
}

}  // namespace cupyxx::fft
