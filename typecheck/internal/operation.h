// SPDX-License-Identifier: MIT
// The operators of the expressions, with Python's meaning; compile-time and run-time trees share
// them. Division by zero is a ValueError, a result beyond 64 bits an OverflowError.
#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include "cupyxx/dtype.h"
#include "cupyxx/export.h"
#include "cupyxx/shape.h"

namespace typecheck {

/// Python's None: an absent bound of a slice.
struct None {};
inline constexpr None none{};

/// One bound of a slice: an integer or `none`.
struct SliceBound {
  bool given = false;
  std::int64_t value = 0;

  constexpr SliceBound() = default;
  constexpr SliceBound(None) {}                                    // NOLINT
  constexpr SliceBound(std::int64_t v) : given(true), value(v) {}  // NOLINT
  constexpr SliceBound(bool is_given, std::int64_t v) : given(is_given), value(v) {}
};

/// Python's slice of a shape: `slice(stop)`, `slice(start, stop)`, `slice(start, stop, step)`.
/// cupyxx::slice serves as well.
struct slice {
  SliceBound start;
  SliceBound stop;
  SliceBound step;

  constexpr slice() = default;
  constexpr explicit slice(SliceBound end) : stop(end) {}
  constexpr slice(SliceBound begin, SliceBound end, SliceBound by = {})
      : start(begin), stop(end), step(by) {}
};

namespace internal {

enum class UnaryOp : std::uint8_t { neg, pos, invert };
enum class BinaryOp : std::uint8_t {
  add,
  sub,
  mul,
  truediv,
  floordiv,
  mod,
  pow,
  lshift,
  rshift,
  and_,
  xor_,
  or_
};
enum class CompareOp : std::uint8_t { eq, ne, lt, le, gt, ge };

struct UnaryRow {
  const char* text;
};
struct BinaryRow {
  const char* text;
  int priority;
  bool right_associative;
};
struct CompareRow {
  const char* text;
  const char* negated;
};

// Priorities of Python's grammar: comparisons, |, ^, &, shifts, sums, products, signs, **, atoms.
inline constexpr int kComparePriority = -1;
inline constexpr int kUnaryPriority = 6;
inline constexpr int kAtomPriority = 8;
inline constexpr UnaryRow kUnary[] = {{"-"}, {"+"}, {"~"}};
inline constexpr BinaryRow kBinary[] = {{"+", 4, false}, {"-", 4, false},  {"*", 5, false},
                                        {"/", 5, false}, {"//", 5, false}, {"%", 5, false},
                                        {"**", 7, true}, {"<<", 3, false}, {">>", 3, false},
                                        {"&", 2, false}, {"^", 1, false},  {"|", 0, false}};
inline constexpr CompareRow kCompare[] = {{"==", "!="}, {"!=", "=="}, {"<", ">="},
                                          {"<=", ">"},  {">", "<="},  {">=", "<"}};

constexpr const BinaryRow& row(BinaryOp op) { return kBinary[static_cast<int>(op)]; }
constexpr const CompareRow& row(CompareOp op) { return kCompare[static_cast<int>(op)]; }

CUPYXX_API std::int64_t apply(UnaryOp op, std::int64_t x);
CUPYXX_API double apply(UnaryOp op, double x);

/// All operators but truediv. `pow` is the remainder: Chainer evaluates `**` so, and its messages
/// hold that value.
CUPYXX_API std::int64_t apply_slow(BinaryOp op, std::int64_t a, std::int64_t b);
CUPYXX_API double apply(BinaryOp op, double a, double b);

inline std::int64_t apply(BinaryOp op, std::int64_t a, std::int64_t b) {
  std::int64_t result;
  if (op == BinaryOp::add && !__builtin_add_overflow(a, b, &result)) return result;
  if (op == BinaryOp::sub && !__builtin_sub_overflow(a, b, &result)) return result;
  if (op == BinaryOp::mul && !__builtin_mul_overflow(a, b, &result)) return result;
  return apply_slow(op, a, b);
}

template <class T>
constexpr bool compare(CompareOp op, const T& a, const T& b) {
  switch (op) {
    case CompareOp::eq:
      return a == b;
    case CompareOp::ne:
      return !(a == b);
    case CompareOp::lt:
      return a < b;
    case CompareOp::le:
      return a < b || a == b;
    case CompareOp::gt:
      return b < a;
    case CompareOp::ge:
      return b < a || a == b;
  }
  return false;
}

/// Lexicographic, as of tuples.
CUPYXX_API bool compare(CompareOp op, const cupyxx::Shape& a, const cupyxx::Shape& b);

/// Whether the text names the dtype in any spelling.
CUPYXX_API bool names(std::string_view text, cupyxx::dtype type);

[[noreturn]] CUPYXX_API void throw_beyond_int64(std::uint64_t value);

/// An integer of C++ as expressions compute with it; throws OverflowError beyond 2^63 - 1.
template <std::integral T>
constexpr std::int64_t int64_of(T value) {
  if constexpr (std::unsigned_integral<T> && sizeof(T) >= sizeof(std::int64_t)) {
    if (value > static_cast<T>(INT64_MAX)) throw_beyond_int64(value);
  }
  return static_cast<std::int64_t>(value);
}

[[noreturn]] CUPYXX_API void throw_index_error(std::int64_t index, const char* of,
                                               std::int64_t size);

/// `index` counted from the front; throws IndexError.
inline std::int64_t check_index(std::int64_t index, const char* of, std::int64_t size) {
  const std::int64_t counted = index < 0 ? index + size : index;
  if (counted < 0 || counted >= size) throw_index_error(index, of, size);
  return counted;
}

/// The bounds that Python's slice.indices(size) gives, and how many elements they choose.
struct SliceRange {
  std::int64_t start;
  std::int64_t step;
  std::int64_t count;
};
CUPYXX_API SliceRange resolve(const slice& s, std::int64_t size);

CUPYXX_API cupyxx::Shape slice_of(const cupyxx::Shape& shape, const slice& s);
CUPYXX_API cupyxx::Shape concatenate(const cupyxx::Shape& a, const cupyxx::Shape& b);
CUPYXX_API std::int64_t sum_of(const cupyxx::Shape& shape);
CUPYXX_API std::int64_t prod_of(const cupyxx::Shape& shape);

}  // namespace internal
}  // namespace typecheck
