// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <limits>
#include <string>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/checked.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/random/curand_draw.h"
#include "cupyxx/random/draw.h"
#include "cupyxx/reduction.h"

namespace cupyxx::random {
namespace {

using internal::Fill;
using internal::Sample;
using Wide = __int128;  // holds the ends of int64 and uint64

struct Bounds {
  Wide least, most;
};

Bounds bounds_of(dtype type) {
  if (type.is_bool()) return {0, 1};
  const int bits = static_cast<int>(8 * type.itemsize());
  if (type.is_unsigned_integer()) return {0, (Wide{1} << bits) - 1};
  return {-(Wide{1} << (bits - 1)), (Wide{1} << (bits - 1)) - 1};
}

Wide wide(const char* operation, const Scalar& number) {
  switch (number.kind()) {
    case Scalar::Kind::floating:
      throw DtypeError(message(operation, ": the bounds are no integers; ", number));
    case Scalar::Kind::unsigned_integer:
      return static_cast<Wide>(static_cast<std::uint64_t>(number.as_int64()));
    default:
      return static_cast<Wide>(number.as_int64());
  }
}

struct Integers {
  const char* operation;
  const Param& low;
  const Param& high;
  bool closed;  // whether `high` may be drawn
  const Shape& size;
  const DrawOptions& options;
};

void check_dtype(const char* operation, dtype type) {
  if (type.is_integer() || type.is_bool()) return;
  throw DtypeError(message(operation, ": the dtype is no integer type; ", type.name()));
}

ndarray draw_numbers(RandomState& state, const Integers& call, dtype type) {
  const Wide low = wide(call.operation, call.low.number());
  Wide high = wide(call.operation, call.high.number());
  const std::string values = message(call.low.number(), " and ", call.high.number());
  if (!call.closed) high -= 1;
  if (low > high) {
    throw ValueError(
        message(call.operation, call.closed ? ": low > high; " : ": low >= high; ", values));
  }
  const Bounds bounds = bounds_of(type);
  if (low < bounds.least || high > bounds.most) {
    throw ValueError(message(call.operation, ": ", low < bounds.least ? "low" : "high",
                             " is out of bounds for ", type.name(), "; ", values));
  }
  if (state.method() != Method::counter) {
    const Shape shape = result_shape(call.size, call.options.out);
    const Param words = curand_words(state, shape);
    const Param bits[] = {std::bit_cast<double>(static_cast<std::uint64_t>(low)),
                          std::bit_cast<double>(static_cast<std::uint64_t>(high))};
    return draw_samples(state, Sample::randint_of_words, {&bits[0], &bits[1], &words}, shape,
                        call.options, int64);
  }
  internal::kernels::RandomArgs args{};
  args.low = static_cast<unsigned long>(low);
  args.range = range_of(static_cast<unsigned long>(high - low + 1));
  return draw_fill(state, call.operation,
                   args.range.is_short() ? Fill::short_integers : Fill::long_integers, call.size,
                   {.dtype = type, .out = call.options.out}, args);
}

// The bits of integers, as float64.
Param bits_of(const char* operation, const Param& bound, dtype type, std::int64_t less) {
  const dtype whole = type == uint64 ? uint64 : int64;
  if (!bound.is_array()) {
    const auto bits = static_cast<std::uint64_t>(wide(operation, bound.number()) - less);
    return std::bit_cast<double>(bits);
  }
  if (!bound.array().dtype().is_integer() && !bound.array().dtype().is_bool()) {
    throw DtypeError(
        message(operation, ": the bounds are no integers; ", bound.array().dtype().name()));
  }
  ndarray values = internal::contiguous(bound.array().astype(whole, false));
  if (less != 0) values = subtract(values, less);
  return values.view(float64);
}

// An element, exactly.
Wide wide(const ndarray& element) {
  return element.dtype() == uint64 ? Wide{element.item<std::uint64_t>()}
                                   : Wide{element.item<std::int64_t>()};
}

ndarray draw_arrays(RandomState& state, const Integers& call, dtype type) {
  const auto operand = [](const Param& bound) {
    return bound.is_array() ? bound.array() : array(bound.number());
  };
  const Param low_bits = bits_of(call.operation, call.low, type, 0);
  const Param high_bits = bits_of(call.operation, call.high, type, call.closed ? 0 : 1);
  {
    const Param& one = call.low.is_array() ? call.low : call.high;
    const DeviceScope device(one.array().device());
    const ndarray low = operand(call.low), high = operand(call.high);
    const ndarray wrong = call.closed ? greater(low, high) : greater_equal(low, high);
    if (any(wrong).item<bool>()) {
      throw ValueError(message(
          call.operation, call.closed ? ": low > high; an element" : ": low >= high; an element"));
    }
    const Bounds bounds = bounds_of(type);
    if (wrong.size() > 0) {
      const Wide least = wide(amin(low)), most = wide(amax(high));
      if (least < bounds.least || most - (call.closed ? 0 : 1) > bounds.most) {
        throw ValueError(message(call.operation, ": ", least < bounds.least ? "low" : "high",
                                 " is out of bounds for ", type.name()));
      }
    }
  }
  return draw_samples(state, Sample::randint, {&low_bits, &high_bits}, call.size,
                      {.dtype = type, .out = call.options.out}, int64);
}

ndarray draw_integers(RandomState& state, const Integers& call) {
  const dtype type = result_dtype(call.options, int64);
  check_dtype(call.operation, type);
  return call.low.is_array() || call.high.is_array() ? draw_arrays(state, call, type)
                                                     : draw_numbers(state, call, type);
}

}  // namespace

ndarray RandomState::randint_between(const Param& low, const Param& high, const Shape& size,
                                     const DrawOptions& options) {
  return draw_integers(*this, {"randint", low, high, false, size, options});
}
ndarray RandomState::random_integers_between(const Param& low, const Param& high, const Shape& size,
                                             const DrawOptions& options) {
  return draw_integers(*this, {"random_integers", low, high, true, size, options});
}

ndarray RandomState::interval(internal::UInt64 mx, const Shape& size) {
  const dtype type = mx <= std::numeric_limits<std::uint32_t>::max() ? uint32 : uint64;
  const DrawOptions options{.dtype = type};
  return draw_integers(*this, {"interval", 0, std::uint64_t{mx}, true, size, options});
}

std::string RandomState::bytes(internal::Int64 length) {
  if (length < 0) throw ValueError(message("bytes: the length is negative; ", length));
  auto bytes = internal::room_for<std::string>("bytes", length);
  if (method() != Method::counter) {
    const std::int64_t words = (length + 7) / 8;
    const auto drawn = curand_words(*this, {words}).view(uint8).to_vector<std::uint8_t>();
    std::copy(drawn.begin(), drawn.begin() + length, bytes.begin());
    return bytes;
  }
  const auto blocks = static_cast<std::uint64_t>(length + 15) / 16;
  const PhiloxStream stream = philox_stream(reserve(blocks));
  Words words{};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i % 16 == 0) words = stream.block(i / 16);
    bytes[i] = static_cast<char>(words.w[i % 16 / 4] >> (8 * (i % 4)));
  }
  return bytes;
}

}  // namespace cupyxx::random
