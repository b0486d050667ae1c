// SPDX-License-Identifier: MIT
#include "cupyxx/creation.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "cupyxx/core/arrays.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/internal/cpu/allocator.h"
#include "cupyxx/internal/cpu/copy_bytes.h"
#include "cupyxx/internal/gpu/current.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/scatter.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"

namespace cupyxx {

namespace {

// An array made on the host, on the current device.
ndarray to_current(const ndarray& host) { return host.to(current_device()); }

}  // namespace

namespace internal {

dtype one_dtype(const char* operation, dtype by_position, dtype by_name) {
  if (by_position && by_name) {
    throw TypeError(message(operation, ": the dtype is given twice: ", by_position.name(), " and ",
                            by_name.name()));
  }
  return by_name ? by_name : by_position;
}

std::int64_t one_num(const char* operation, std::int64_t by_position,
                     const std::optional<std::int64_t>& by_name) {
  if (by_name) {
    throw TypeError(message(operation, ": num is given twice: ", by_position, " and ", *by_name));
  }
  return by_position;
}

void throw_ragged(std::int64_t expected, std::int64_t found) {
  throw ValueError(message("array: nested lists of different lengths: ", expected, " and ", found));
}

namespace {

// Literal integers must fit a dtype that was asked for.
template <class T>
void check_fits(const void* elements, std::int64_t count, dtype type) {
  if (count == 0 || !type.is_integer()) return;
  const auto* values = static_cast<const T*>(elements);
  const auto [low, high] = std::minmax_element(values, values + count);
  for (const T extreme : {*low, *high}) {
    if (Scalar(extreme).fits(type)) continue;
    throw OverflowError(message("array: ", extreme, " does not fit ", type.name()));
  }
}

}  // namespace

// Numbers of a list become integers as those that are assigned do.
template <class T>
void check_converts(const void* elements, std::int64_t count, dtype type) {
  const auto* values = static_cast<const T*>(elements);
  for (std::int64_t i = 0; i < count; ++i) {
    as_element("array", static_cast<double>(values[i]), type);
  }
}

ndarray from_host(const void* elements, dtype from, const Shape& shape, dtype type) {
  const ndarray host = make_array("array", shape, from, Device::cpu());
  if (host.size() != 0) {
    cpu::copy_bytes(host.elements(), elements, static_cast<std::size_t>(host.nbytes()));
  }
  if (!type || type == from) return to_current(host);
  if (from == int64) check_fits<std::int64_t>(elements, host.size(), type);
  if (type.is_integer() && from == float64) check_converts<double>(elements, host.size(), type);
  if (type.is_integer() && from == float32) check_converts<float>(elements, host.size(), type);
  return to_current(host.astype(type));
}

}  // namespace internal

ndarray empty(const Shape& shape, cupyxx::dtype dtype) {
  return internal::make_array("empty", shape, dtype ? dtype : float64, current_device());
}

namespace {

ndarray cleared(const ndarray& a) {
  const auto bytes = static_cast<std::size_t>(a.nbytes());
  if (bytes == 0) return a;
  if (current_device().is_cuda()) {
    // Zero is all bits zero in every dtype.
    internal::gpu::set_bytes(a.elements(), 0, bytes, current_device().index,
                             internal::gpu::current_stream(current_device().index));
  } else if (internal::cpu::clear_pages(static_cast<char*>(a.elements()), bytes)) {
    return a;
  } else if (bytes < (1 << 16) ||
             static_cast<int>(a.dtype().code()) >= cupyxx::dtype::kComputeCount) {
    std::memset(a.elements(), 0, bytes);
  } else {
    a.fill(0);
  }
  return a;
}

}  // namespace

ndarray zeros(const Shape& shape, cupyxx::dtype dtype) {
  return cleared(internal::make_array("zeros", shape, dtype ? dtype : float64, current_device()));
}

ndarray ones(const Shape& shape, cupyxx::dtype dtype) {
  const ndarray a = internal::make_array("ones", shape, dtype ? dtype : float64, current_device());
  a.fill(1);
  return a;
}

ndarray internal::filled(const char* operation, const Shape& shape, const Operand& value,
                         cupyxx::dtype type) {
  if (value.is_none()) check_not_none(operation, value.array());
  if (!type) type = value.is_array() ? value.array().dtype() : value.scalar().own_dtype();
  const ndarray a = make_array(operation, shape, type, current_device());
  assign(operation, a, value);
  return a;
}

ndarray full(const Shape& shape, const Operand& value, cupyxx::dtype dtype) {
  return internal::filled("full", shape, value, dtype);
}

ndarray empty_like(const ndarray& a, cupyxx::dtype dtype) {
  internal::check_not_none("empty_like", a);
  return internal::make_ordered("empty_like", a.shape(), dtype ? dtype : a.dtype(), a.device(),
                                Order::K, a);
}

ndarray zeros_like(const ndarray& a, cupyxx::dtype dtype) {
  internal::check_not_none("zeros_like", a);
  return full_like(a, 0, dtype);
}
ndarray ones_like(const ndarray& a, cupyxx::dtype dtype) {
  internal::check_not_none("ones_like", a);
  return full_like(a, 1, dtype);
}

ndarray full_like(const ndarray& a, const Operand& value, cupyxx::dtype dtype) {
  internal::check_not_none("full_like", value);
  internal::check_not_none("full_like", a);
  const ndarray result = internal::make_ordered("full_like", a.shape(), dtype ? dtype : a.dtype(),
                                                a.device(), Order::K, a);
  internal::assign("full_like", result, value);
  return result;
}

namespace {

// The elements of a matrix on its k-th diagonal, writeable.
ndarray diagonal_of(const ndarray& matrix, std::int64_t k) {
  const Shape shape = matrix.shape();
  const Strides strides = matrix.strides();
  const auto rows = std::max<std::int64_t>(0, k < 0 ? shape[0] + k : shape[0]);
  const auto columns = std::max<std::int64_t>(0, k > 0 ? shape[1] - k : shape[1]);
  const std::int64_t length = std::min(rows, columns);
  char* data = static_cast<char*>(matrix.elements());
  if (length > 0) data += k < 0 ? -k * strides[0] : k * strides[1];
  return internal::make_view(matrix, data, matrix.dtype(), {length}, {strides[0] + strides[1]});
}

}  // namespace

ndarray eye(internal::Int64 n, internal::Int64 m, internal::Int64 k, cupyxx::dtype dtype,
            Choice<Order> order) {
  if (n < 0) throw ValueError(message("eye: negative dimensions are not allowed; ", n));
  const ndarray a = zeros({n, m < 0 ? n : m}, dtype, order);
  diagonal_of(a, k).fill(1);
  return a;
}

ndarray identity(internal::Int64 n, cupyxx::dtype dtype) { return eye(n, -1, 0, dtype); }

ndarray arange(const Scalar& stop, cupyxx::dtype dtype) { return arange(0, stop, 1, dtype); }

ndarray arange(const Scalar& start, const Scalar& stop, cupyxx::dtype dtype) {
  return arange(start, stop, 1, dtype);
}

namespace {

// NumPy's rule: the first two values are made in the dtype, the others continue their difference.
template <class T>
void fill_range(T* out, std::int64_t n, T first, T second) {
  const T delta = static_cast<T>(second - first);
  if constexpr (std::is_same_v<T, double>) {
    // Counters that are floating numbers already: each product is of the same two numbers.
    using Two = double __attribute__((vector_size(16)));
    Two i = {0, 1}, j = {2, 3};
    std::int64_t done = 0;
    for (; n - done >= 4; done += 4, i += 4.0, j += 4.0) {
      const Two low = first + i * delta, high = first + j * delta;
      std::memcpy(out + done, &low, sizeof(low));
      std::memcpy(out + done + 2, &high, sizeof(high));
    }
    for (; done < n; ++done) out[done] = first + static_cast<double>(done) * delta;
    if (n > 0) out[0] = first;
    if (n > 1) out[1] = second;
    return;
  }
  if (n > 0) out[0] = first;
  if (n > 1) out[1] = second;
  // 32-bit counters become floating numbers several at a time.
  const auto counted = static_cast<std::int32_t>(std::min<std::int64_t>(n, INT32_MAX));
  for (std::int32_t i = 2; i < counted; ++i) {
    out[i] = static_cast<T>(first + static_cast<T>(i) * delta);
  }
  for (std::int64_t i = counted; i < n; ++i) {
    out[i] = static_cast<T>(first + static_cast<T>(i) * delta);
  }
}

// The first two values, rounded to the dtype.
struct RangeEnds {
  double first, second;
  std::uint64_t first_bits, second_bits;
};

RangeEnds range_ends(const Scalar& start, const Scalar& step, bool floating, dtype type) {
  RangeEnds ends{};
  const auto in_dtype = [type](double value) {
    return type == float16     ? static_cast<double>(static_cast<float>(half(value)))
           : type == bfloat16_ ? static_cast<double>(static_cast<float>(bfloat16(value)))
           : type == float64   ? value
                               : static_cast<double>(static_cast<float>(value));
  };
  ends.first = in_dtype(start.as_double());
  ends.second = in_dtype(start.as_double() + step.as_double());
  if (type.is_floating()) return ends;
  ends.first_bits = static_cast<std::uint64_t>(start.as_int64());
  ends.second_bits = ends.first_bits + static_cast<std::uint64_t>(step.as_int64());
  if (floating) {
    ends.second_bits =
        static_cast<std::uint64_t>(static_cast<std::int64_t>(start.as_double() + step.as_double()));
  }
  return ends;
}

// The device makes ranges up to this dtype by itself.
constexpr dtype::Code kLastRangeType = dtype::Code::bfloat16;

// As in NumPy the first two numbers must fit the dtype; what follows wraps around.
void check_first_numbers(const Scalar& start, const Scalar& step, std::int64_t n, dtype type) {
  const bool is_weak = !start.dtype() && start.kind() != Scalar::Kind::unsigned_integer;
  if (n == 0 || !is_weak || !type.is_integer()) return;
  std::int64_t element = 0;
  start.store("arange", type, &element);
  if (n > 1) Scalar(start.as_int64() + step.as_int64()).store("arange", type, &element);
}

}  // namespace

ndarray arange(const Scalar& start, const Scalar& stop, const Scalar& step, cupyxx::dtype dtype) {
  const bool floating = start.kind() == Scalar::Kind::floating ||
                        stop.kind() == Scalar::Kind::floating ||
                        step.kind() == Scalar::Kind::floating;
  for (const Scalar* s : {&start, &stop, &step}) {
    if (s->kind() != Scalar::Kind::complex_floating) continue;
    throw TypeError(message("arange: the range has real ends and a real step; ", s->str()));
  }
  if (!step.is_true()) throw ValueError("arange: the step is zero");
  if (!dtype) {
    dtype = floating ? float64 : int64;
    for (const Scalar* s : {&start, &stop, &step}) {
      if (s->dtype()) dtype = promote_types(dtype, s->dtype());
    }
  }
  double length = 0;
  std::int64_t n = 0;
  if (floating) {
    length = std::ceil((stop.as_double() - start.as_double()) / step.as_double());
    if (!(length < 9.2e18)) {
      throw ValueError(message("arange: the number of elements is not finite or too large; ",
                               std::to_string(length)));
    }
    n = length > 0 ? static_cast<std::int64_t>(length) : 0;
  } else {
    const __int128 by = step.as_int64();
    const __int128 span = static_cast<__int128>(stop.as_int64()) - start.as_int64();
    const __int128 count = by > 0 ? (span + by - 1) / by : (span + by + 1) / by;
    n = count > 0 ? static_cast<std::int64_t>(count) : 0;
  }
  if (!floating) check_first_numbers(start, step, n, dtype);
  if (dtype.is_bool() && n > 2) {
    throw ValueError(message("arange: no arange for bool of more than 2 elements; ", n));
  }
  if (dtype.is_complex()) {
    return arange(start, stop, step, floating ? dtype.real_part() : int64).astype(dtype);
  }
  const RangeEnds ends = range_ends(start, step, floating, dtype);
  if (current_device().is_cuda() &&
      static_cast<int>(dtype.code()) <= static_cast<int>(kLastRangeType)) {
    const ndarray range = internal::make_array("arange", {n}, dtype, current_device());
    internal::gpu::fill_range(range, ends.first, ends.second, ends.first_bits, ends.second_bits);
    return range;
  }
  // Floats are made in double or float, integers in 64 bits; narrower types wrap or round at the
  // end.
  const cupyxx::dtype wide = dtype == float64 ? float64 : dtype.is_floating() ? float32 : int64;
  const ndarray host = internal::make_array("arange", {n}, wide, Device::cpu());
  if (wide == float64) {
    fill_range(static_cast<double*>(host.elements()), n, ends.first, ends.second);
  } else if (wide == float32) {
    fill_range(static_cast<float*>(host.elements()), n, static_cast<float>(ends.first),
               static_cast<float>(ends.second));
  } else {
    fill_range(static_cast<std::uint64_t*>(host.elements()), n, ends.first_bits, ends.second_bits);
  }
  return to_current(host.astype(dtype, false));
}

ndarray internal::linspace_between(double start, double stop, std::int64_t num,
                                   const LinspaceOptions& options) {
  if (num < 0) {
    throw ValueError(message("linspace: the number of samples must not be negative; ", num));
  }
  const std::int64_t parts = options.endpoint ? num - 1 : num;
  const double span = stop - start;
  const double step = parts > 0 ? span / static_cast<double>(parts) : 0;
  if (options.retstep != nullptr) *options.retstep = parts > 0 ? step : std::nan("");
  // A step that underflows is divided later, as NumPy does. Without parts the step is the span.
  const internal::gpu::Linspace numbers{.start = start,
                                        .step = parts > 0 ? step : span,
                                        .span = span,
                                        .parts = parts > 0 ? static_cast<double>(parts) : 1,
                                        .last = stop,
                                        .ends = options.endpoint && num > 1};
  const ndarray samples = internal::make_array("linspace", {num}, float64, current_device());
  if (current_device().is_cuda()) {
    internal::gpu::fill_linspace(samples, numbers);
  } else {
    auto* out = static_cast<double*>(samples.elements());
    const auto fill = [&](const auto& value) {
      const auto counted = static_cast<std::int32_t>(std::min<std::int64_t>(num, INT32_MAX));
      for (std::int32_t i = 0; i < counted; ++i) out[i] = value(static_cast<double>(i));
      for (std::int64_t i = counted; i < num; ++i) out[i] = value(static_cast<double>(i));
    };
    if (numbers.step != 0) {
      fill([&, step = numbers.step](double at) { return at * step + start; });
    } else {
      fill([&, count = numbers.parts](double at) { return at / count * span + start; });
    }
    if (numbers.ends) out[num - 1] = stop;
  }
  const cupyxx::dtype dtype = options.dtype ? options.dtype : float64;
  return (dtype.is_integer() ? floor(samples) : samples).astype(dtype, false);
}

ndarray diag(const ndarray& v, internal::Int k) {
  internal::check_not_none("diag", v);
  if (v.ndim() == 1) {
    const std::int64_t n = v.size() + std::abs(std::int64_t{k});
    const ndarray matrix = internal::make_array("diag", {n, n}, v.dtype(), v.device());
    matrix.fill(0);
    internal::assign("diag", diagonal_of(matrix, k), v);
    return matrix;
  }
  if (v.ndim() == 2) return diagonal(v, k);
  throw ValueError(message("diag: input must be 1- or 2-d, not ", v.shape()));
}

ndarray diagflat(const ndarray& v, internal::Int k) {
  internal::check_not_none("diagflat", v);
  return diag(ravel(v), k);
}

namespace internal {

ndarray array_beside(const ndarray& a, cupyxx::dtype dtype, const ArrayOptions& options) {
  if (!dtype) dtype = a.dtype();
  return with_options(a.astype(dtype, {.order = options.order, .copy = options.copy}),
                      {.copy = false, .order = Order::K, .ndmin = options.ndmin});
}

}  // namespace internal

namespace {

// Whether the current device is a GPU and the array is elsewhere.
bool is_drawn(const ndarray& a) {
  const Device current = current_device();
  return current.is_cuda() && a.device() != current;
}

ndarray drawn(const ndarray& a) { return a.to(current_device()); }

}  // namespace

ndarray array(const ndarray& a, cupyxx::dtype dtype, const ArrayOptions& options) {
  internal::check_not_none("array", a);
  dtype = internal::one_dtype("array", dtype, options.dtype);
  if (!is_drawn(a)) return internal::array_beside(a, dtype, options);
  // What has come over is a copy already.
  ArrayOptions rest = options;
  rest.copy = false;
  // The narrower of the two dtypes crosses.
  if (dtype && dtype.itemsize() < a.dtype().itemsize()) {
    return internal::array_beside(drawn(internal::array_beside(a, dtype, rest)), {}, rest);
  }
  return internal::array_beside(drawn(a), dtype, rest);
}

ndarray array(const Scalar& value, cupyxx::dtype dtype, const ArrayOptions& options) {
  dtype = internal::one_dtype("array", dtype, options.dtype);
  return internal::with_options(internal::filled("array", {}, value, dtype), options);
}

namespace internal {

ndarray with_options(const ndarray& made, const ArrayOptions& options) {
  ndarray result = has_order(made, options.order) ? made : made.copy(options.order);
  if (options.ndmin <= result.ndim()) return result;
  if (options.ndmin > kMaxNdim) {
    throw ValueError(message("array: ndmin is larger than the highest rank; ", options.ndmin,
                             " and ", kMaxNdim));
  }
  const int missing = options.ndmin - result.ndim();
  Shape shape = result.shape();
  Strides strides = result.strides();
  for (int i = 0; i < missing; ++i) {
    shape.insert(0, 1);
    strides.insert(0, 0);
  }
  return make_view(result, static_cast<char*>(result.elements()), result.dtype(), shape, strides);
}

}  // namespace internal

namespace {

ndarray as_beside(const char* operation, const ndarray& a, cupyxx::dtype dtype, Order order) {
  internal::check_not_none(operation, a);
  return internal::array_beside(a, dtype, {.copy = false, .order = order});
}

}  // namespace

ndarray asarray(const ndarray& a, cupyxx::dtype dtype, Choice<Order> order) {
  internal::check_not_none("asarray", a);
  return array(a, dtype, {.copy = false, .order = order});
}
ndarray asanyarray(const ndarray& a, cupyxx::dtype dtype, Choice<Order> order) {
  internal::check_not_none("asanyarray", a);
  return asarray(a, dtype, order);
}
ndarray asfortranarray(const ndarray& a, cupyxx::dtype dtype) {
  const ndarray result = as_beside("asfortranarray", a, dtype, Order::F);
  return result.ndim() == 0 ? result.reshape({1}) : result;
}

ndarray ascontiguousarray(const ndarray& a, cupyxx::dtype dtype) {
  const ndarray result = internal::contiguous(as_beside("ascontiguousarray", a, dtype, Order::K));
  return result.ndim() == 0 ? result.reshape({1}) : result;
}

ndarray copy(const ndarray& a) { return copy(a, Order::K); }

ndarray copy(const ndarray& a, Choice<Order> order) {
  internal::check_not_none("copy", a);
  if (!is_drawn(a)) return a.copy(order);
  const ndarray here = drawn(a);
  return internal::has_order(here, order) ? here : here.copy(order);
}

// Of lists.

ndarray diag(const ArrayLike& v, internal::Int k) { return diag(v.array(), k); }

}  // namespace cupyxx
