// SPDX-License-Identifier: MIT
#include "typecheck/internal/operation.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "cupyxx/error.h"

namespace typecheck::internal {

namespace {

[[noreturn]] void throw_overflow(BinaryOp op, std::int64_t a, std::int64_t b) {
  throw cupyxx::OverflowError(
      cupyxx::message("typecheck: the result exceeds 64 bits; ", a, " ", row(op).text, " ", b));
}

std::string text_of_number(std::int64_t value) { return std::to_string(value); }
std::string text_of_number(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

template <class T>
void check_divisor(BinaryOp op, T a, T b) {
  if (b == 0) {
    throw cupyxx::ValueError(cupyxx::message("typecheck: division by zero; ", text_of_number(a),
                                             " ", row(op).text, " ", text_of_number(b)));
  }
}

void check_shift(BinaryOp op, std::int64_t a, std::int64_t b) {
  if (b < 0) {
    throw cupyxx::ValueError(
        cupyxx::message("typecheck: negative shift count; ", a, " ", row(op).text, " ", b));
  }
}

std::int64_t floor_mod(std::int64_t a, std::int64_t b) {
  if (b == -1) return 0;
  const std::int64_t rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

double floor_mod(double a, double b) {
  const double rest = std::fmod(a, b);
  if (rest == 0) return std::copysign(0.0, b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}

}  // namespace

std::int64_t apply(UnaryOp op, std::int64_t x) {
  if (op == UnaryOp::neg) return apply(BinaryOp::sub, 0, x);
  return op == UnaryOp::invert ? ~x : x;
}

double apply(UnaryOp op, double x) {
  if (op == UnaryOp::invert) throw cupyxx::TypeError("typecheck: ~ needs an integer");
  return op == UnaryOp::neg ? -x : x;
}

std::int64_t apply_slow(BinaryOp op, std::int64_t a, std::int64_t b) {
  switch (op) {
    case BinaryOp::floordiv:
      check_divisor(op, a, b);
      if (b == -1) return apply(BinaryOp::sub, 0, a);
      return a / b - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
    case BinaryOp::mod:
    case BinaryOp::pow:
      check_divisor(op, a, b);
      return floor_mod(a, b);
    case BinaryOp::lshift: {
      check_shift(op, a, b);
      const auto shifted = static_cast<std::int64_t>(static_cast<std::uint64_t>(a) << (b & 63));
      if (a != 0 && (b > 62 || (shifted >> b) != a)) break;
      return a == 0 ? 0 : shifted;
    }
    case BinaryOp::rshift:
      check_shift(op, a, b);
      return a >> std::min<std::int64_t>(b, 63);
    case BinaryOp::and_:
      return a & b;
    case BinaryOp::xor_:
      return a ^ b;
    case BinaryOp::or_:
      return a | b;
    case BinaryOp::add:
    case BinaryOp::sub:
    case BinaryOp::mul:
    case BinaryOp::truediv:
      break;
  }
  throw_overflow(op, a, b);
}

double apply(BinaryOp op, double a, double b) {
  switch (op) {
    case BinaryOp::add:
      return a + b;
    case BinaryOp::sub:
      return a - b;
    case BinaryOp::mul:
      return a * b;
    case BinaryOp::truediv:
      check_divisor(op, a, b);
      return a / b;
    case BinaryOp::floordiv:
      check_divisor(op, a, b);
      return std::floor(a / b);
    case BinaryOp::mod:
    case BinaryOp::pow:
      check_divisor(op, a, b);
      return floor_mod(a, b);
    default:
      throw cupyxx::TypeError(cupyxx::message("typecheck: ", row(op).text, " needs integers"));
  }
}

bool compare(CompareOp op, const cupyxx::Shape& a, const cupyxx::Shape& b) {
  if (op == CompareOp::eq) return a == b;
  if (op == CompareOp::ne) return !(a == b);
  const bool less = std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end());
  if (op == CompareOp::lt) return less;
  if (op == CompareOp::ge) return !less;
  return op == CompareOp::le ? less || a == b : !less && !(a == b);
}

bool names(std::string_view text, cupyxx::dtype type) {
  try {
    return cupyxx::dtype(text) == type;
  } catch (const cupyxx::TypeError&) {
    return false;
  }
}

void throw_beyond_int64(std::uint64_t value) {
  throw cupyxx::OverflowError(
      cupyxx::message("typecheck: the value exceeds 64 bits with a sign; ", value));
}

void throw_index_error(std::int64_t index, const char* of, std::int64_t size) {
  throw cupyxx::IndexError(
      cupyxx::message("typecheck: ", of, " index out of range; index ", index, ", length ", size));
}

SliceRange resolve(const slice& s, std::int64_t size) {
  const std::int64_t step = s.step.given ? s.step.value : 1;
  if (step == 0) throw cupyxx::ValueError("typecheck: slice step cannot be zero");
  const std::int64_t low = step > 0 ? 0 : -1;
  const std::int64_t high = step > 0 ? size : size - 1;
  const auto bound = [&](const SliceBound& b, std::int64_t absent) {
    if (!b.given) return absent;
    return std::clamp(b.value < 0 ? b.value + size : b.value, low, high);
  };
  const std::int64_t start = bound(s.start, step > 0 ? low : high);
  const std::int64_t stop = bound(s.stop, step > 0 ? high : low);
  const std::int64_t distance = step > 0 ? stop - start : start - stop;
  const std::uint64_t stride =
      step > 0 ? static_cast<std::uint64_t>(step) : -static_cast<std::uint64_t>(step);
  const std::int64_t count =
      distance <= 0
          ? 0
          : static_cast<std::int64_t>((static_cast<std::uint64_t>(distance) - 1) / stride) + 1;
  return {start, step, count};
}

cupyxx::Shape slice_of(const cupyxx::Shape& shape, const slice& s) {
  const SliceRange range = resolve(s, shape.ndim());
  cupyxx::Shape part;
  for (std::int64_t i = 0; i < range.count; ++i) {
    part.push_back(shape[static_cast<int>(range.start + i * range.step)]);
  }
  return part;
}

cupyxx::Shape concatenate(const cupyxx::Shape& a, const cupyxx::Shape& b) {
  cupyxx::Shape both = a;
  for (std::int64_t extent : b) both.push_back(extent);
  return both;
}

std::int64_t sum_of(const cupyxx::Shape& shape) {
  std::int64_t sum = 0;
  for (std::int64_t extent : shape) sum = apply(BinaryOp::add, sum, extent);
  return sum;
}

std::int64_t prod_of(const cupyxx::Shape& shape) {
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  std::int64_t product = 1;
  for (std::int64_t extent : shape) product = apply(BinaryOp::mul, product, extent);
  return product;
}

}  // namespace typecheck::internal
