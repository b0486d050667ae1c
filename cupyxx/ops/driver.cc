// SPDX-License-Identifier: MIT
#include "cupyxx/ops/driver.h"

#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <type_traits>

#include "cupyxx/creation.h"
#include "cupyxx/half.h"
#include "cupyxx/internal/element_types.h"
#include "cupyxx/internal/op_info.h"
#include "cupyxx/ops/arithmetic_cases.h"
#include "cupyxx/ops/bitwise_cases.h"
#include "cupyxx/ops/comparison_cases.h"
#include "cupyxx/ops/complex_cases.h"
#include "cupyxx/ops/exp_log_cases.h"
#include "cupyxx/ops/floating_cases.h"
#include "cupyxx/ops/numeric_cases.h"
#include "cupyxx/ops/selection_cases.h"
#include "cupyxx/ops/special_cases.h"
#include "cupyxx/ops/trigonometric_cases.h"

namespace cupyxx::ops {

namespace {

template <class Op>
const ComplexCase* complex_row() {
  if constexpr (is_same<typename Op::complex_loops, Loops<>>) {
    return nullptr;
  } else {
    return &kComplexCase<Op>;
  }
}

template <class... Op>
void add(std::vector<Operation>& all, OpList<Op...>) {
  (all.push_back({&internal::ufunc_of<Op>(), &kCase<Op>, complex_row<Op>()}), ...);
}

// A fixed sequence of numbers without a pattern: Weyl's, of the golden ratio.
double fraction(std::size_t i) {
  const double at = static_cast<double>(i + 1) * 0.61803398874989485;
  return at - std::floor(at);
}

Integer lowest(dtype type) {
  return type.is_signed_integer() ? -(static_cast<Integer>(1) << (8 * type.itemsize() - 1)) : 0;
}

Integer highest(dtype type) {
  if (type.is_bool()) return 1;
  const auto bits = 8 * type.itemsize() - (type.is_signed_integer() ? 1 : 0);
  return (static_cast<Integer>(1) << bits) - 1;
}

Integer wrap(Integer value, dtype type) {
  if (type.is_bool()) return value != 0;
  const Integer modulus = static_cast<Integer>(1) << (8 * type.itemsize());
  Integer rest = value % modulus;
  if (rest < 0) rest += modulus;
  return rest > highest(type) ? rest - modulus : rest;
}

Values sample_integers(const Case& row, int index, dtype type, std::size_t n) {
  Integer low = lowest(type);
  Integer high = highest(type);
  if (index == 1) {
    if (row.integer_y.low > static_cast<double>(low)) low = static_cast<Integer>(row.integer_y.low);
    if (row.integer_y.high < static_cast<double>(high)) {
      high = static_cast<Integer>(row.integer_y.high);
    }
  }
  const Integer special[] = {0, 1, -1, 2, low, high, 3, -3, low + 1, high - 1, 7, 63, 64};
  Values values(n);
  for (std::size_t i = 0; i < n; ++i) {
    // The second operand walks at another pace, so that all pairs of special values meet.
    const std::size_t at = index == 0 ? i : i / 13 + i;
    Integer value = 0;
    if (at % 3 == 0) {
      value = special[at / 3 % std::size(special)];
    } else if (at % 3 == 1) {
      value = static_cast<Integer>(fraction(at) * 40) - 20;
    } else {
      value = low + static_cast<Integer>(fraction(at) * static_cast<double>(high - low));
    }
    values[i].integer = value < low ? low : value > high ? high : value;
  }
  return values;
}

Values sample_reals(const Range& range, int index, dtype type, std::size_t n) {
  constexpr Real kInf = std::numeric_limits<Real>::infinity();
  const Real special[] = {0.0L, -0.0L, 1, -1, kInf, -kInf, NAN, 0.5L, 2, -2, 1.5L, -2.5L, 3};
  Values values(n);
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t at = index == 0 ? i : i / 13 + i;
    Real value = 0;
    if (at % 4 == 0) {
      value = special[at / 4 % std::size(special)];
    } else if (at % 4 == 1) {
      // Small magnitudes of both signs where the range has them.
      value = std::ldexp(fraction(at) + 0.5, -static_cast<int>(at / 4 % 12));
      if (range.low < 0 && at % 8 == 1) value = -value;
      if (value < range.low || value > range.high) value = range.high;
    } else {
      value = range.low + (range.high - range.low) * fraction(at);
    }
    values[i].real = value;
  }
  // Rounds to the dtype.
  return download(upload(values, type));
}

// Each part walks at its own pace.
Values sample_complex(const Range& range, int index, dtype type, std::size_t n) {
  Values values = sample_reals(range, index, type.real_part(), n);
  const Values imaginary = sample_reals(range, 1 - index % 2, type.real_part(), n + 29);
  for (std::size_t i = 0; i < n; ++i) {
    // An offset that shares no factor with the 13 special values and the pace of 4 meets all pairs.
    values[i].imaginary = imaginary[(i * 5 + 16 * index + i / 52) % (n + 29)].real;
  }
  return values;
}

template <class T>
void put(char* at, T value) {
  std::memcpy(at, &value, sizeof(T));
}
template <class T>
T get(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

void encode(char* at, const Value& value, dtype type) {
  internal::with_element_type(type, [&]<class T>() {
    if constexpr (is_complex<T>) {
      using Part = RealOf<T>;
      put(at, T(static_cast<Part>(value.real), static_cast<Part>(value.imaginary)));
    } else if constexpr (std::is_integral_v<T>) {
      const auto bits = static_cast<std::uint64_t>(wrap(value.integer, type));
      std::memcpy(at, &bits, sizeof(T));  // little endian
    } else {
      put(at, static_cast<T>(static_cast<internal::Computed<T>>(value.real)));
    }
  });
}

Value decode(const char* at, dtype type) {
  Value value;
  internal::with_element_type(type, [&]<class T>() {
    if constexpr (is_complex<T>) {
      const T number = get<T>(at);
      value = {.real = number.re, .imaginary = number.im};
    } else if constexpr (std::is_integral_v<T>) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, at, sizeof(T));
      value.integer = type.is_bool() ? static_cast<Integer>(bits) : wrap(bits, type);
    } else {
      value.real = static_cast<internal::Computed<T>>(get<T>(at));
    }
  });
  return value;
}

Real rounded(Real value, dtype type) {
  char bytes[16];
  encode(bytes, {.real = value}, type);
  return decode(bytes, type).real;
}

}  // namespace

std::span<const Operation> operations() {
  static const auto* all = [] {
    auto* list = new std::vector<Operation>;
    add(*list, ArithmeticOps{});
    add(*list, ExpLogOps{});
    add(*list, TrigonometricOps{});
    add(*list, BitwiseOps{});
    add(*list, ComparisonOps{});
    add(*list, FloatingOps{});
    add(*list, NumericOps{});
    add(*list, SelectionOps{});
    add(*list, SpecialOps{});
    return list;
  }();
  return *all;
}

Values sample(const Operation& operation, int index, dtype type, std::size_t n) {
  if (type.is_complex()) {
    const ComplexCase& row = *operation.complex_row;
    return sample_complex(index == 0 ? row.x : row.y, index, type, n);
  }
  const Case& row = *operation.row;
  return type.is_floating() ? sample_reals(index == 0 ? row.x : row.y, index, type, n)
                            : sample_integers(row, index, type, n);
}

ndarray upload(const Values& values, dtype type) {
  const auto size = static_cast<std::size_t>(type.itemsize());
  std::vector<std::uint8_t> bytes(values.size() * size);
  for (std::size_t i = 0; i < values.size(); ++i) {
    encode(reinterpret_cast<char*>(bytes.data() + i * size), values[i], type);
  }
  return array(bytes).view(type);
}

Values download(const ndarray& a) {
  const ndarray host = ascontiguousarray(a).to_cpu();
  const auto* bytes = static_cast<const char*>(host.elements());
  Values values(static_cast<std::size_t>(a.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = decode(bytes + i * static_cast<std::size_t>(a.itemsize()), a.dtype());
  }
  return values;
}

Value reference(const Operation& operation, int loop, int k, std::span<const Value> inputs) {
  const internal::LoopInfo& info = operation.function->op().loops[loop];
  // The last operand tells: where(bool, T, T); ldexp's first does.
  const std::size_t count = inputs.size();
  const bool first_real = info.in[0].is_floating();
  const bool is_real = first_real || info.in[count - 1].is_floating();
  const dtype type = first_real ? info.in[0] : info.in[count - 1];
  if (info.in[count - 1].is_complex()) {
    Wide wide[3];
    for (std::size_t i = 0; i < count; ++i) {
      wide[i] = info.in[i].is_complex() ? Wide(inputs[i].real, inputs[i].imaginary)
                                        : Wide(static_cast<Real>(inputs[i].integer));
    }
    const ComplexResult found = operation.complex_row->value({wide[0], wide[1], wide[2]});
    return {.real = found.value.real(),
            .imaginary = found.value.imag(),
            .integer = found.value.real() != 0,
            .is_defined = found.is_defined};
  }
  const Value none;
  const Value* a[internal::kMaxInputs] = {&none, &none, &none, &none};
  for (std::size_t i = 0; i < count; ++i) a[i] = &inputs[i];
  Value result;
  if (is_real) {
    const auto real = [&](std::size_t i) -> Real {
      if (i >= count) return 0;
      return info.in[i].is_floating() ? a[i]->real : static_cast<Real>(a[i]->integer);
    };
    const auto function = k == 0 ? operation.row->real : operation.row->second_real;
    result.real = function({real(0), real(1), real(2), real(3), type});
    if (!info.out[k].is_floating()) result.integer = static_cast<Integer>(result.real);
  } else {
    const auto function = k == 0 ? operation.row->integer : operation.row->second_integer;
    result.integer = function({a[0]->integer, a[1]->integer, a[2]->integer, type});
  }
  return result;
}

namespace {

// One part of a complex result. Of infinities beside NaN the sign is open, and that of zeros.
bool part_agrees(Real actual, Real expected, Real allowed, bool other_is_nan) {
  if (std::isnan(expected)) return std::isnan(actual);
  if (std::isinf(expected)) {
    return std::isinf(actual) && (other_is_nan || std::signbit(actual) == std::signbit(expected));
  }
  return fabsl(actual - expected) <= allowed;
}

bool complex_agrees(const ComplexCase& row, const Value& actual, const Value& expected,
                    dtype computed, dtype stored) {
  const dtype part = computed.real_part();
  const auto nearest = [&](Real x) { return rounded(rounded(x, part), stored.real_part()); };
  const Real real = nearest(expected.real), imaginary = nearest(expected.imaginary);
  Real size = 0;
  for (const Real x : {expected.real, expected.imaginary}) {
    if (std::isfinite(x)) size = fmaxl(size, fabsl(x));
  }
  Real allowed = static_cast<Real>(row.ulp + 0.01) * spacing(size, part);
  if (stored != computed) allowed += 0.51L * spacing(size, stored.real_part());
  return part_agrees(actual.real, real, allowed, std::isnan(imaginary)) &&
         part_agrees(actual.imaginary, imaginary, allowed, std::isnan(real));
}

}  // namespace

bool agrees(const Operation& operation, const Value& actual, const Value& expected, dtype computed,
            dtype stored, bool from_complex) {
  if (!expected.is_defined) return true;
  if (computed.is_complex()) {
    return complex_agrees(*operation.complex_row, actual, expected, computed, stored);
  }
  if (!computed.is_floating()) {
    return actual.integer == wrap(wrap(expected.integer, computed), stored);
  }
  const Case& row = *operation.row;
  // 16-bit floats are computed in float32 and rounded once, to what is stored.
  const bool is_narrow = computed.itemsize() == 2;
  if (is_narrow && stored != computed) computed = float32;
  const Real nearest = rounded(rounded(expected.real, computed), stored);
  if (std::isnan(nearest)) return std::isnan(actual.real);
  if (nearest == 0 && actual.real == 0 && row.zero_sign) {
    return std::signbit(nearest) == std::signbit(actual.real);
  }
  if (nearest == actual.real) return true;
  if (std::isinf(nearest) || !std::isfinite(actual.real)) return false;
  // So its own error is the last rounding.
  const double own = from_complex ? operation.complex_row->ulp : row.ulp;
  const double bound = computed.itemsize() == 2 ? 0.5 : own;
  Real allowed = static_cast<Real>(bound + 0.01) * spacing(expected.real, computed);
  if (stored != computed) allowed += 0.51L * spacing(expected.real, stored);
  return fabsl(actual.real - expected.real) <= allowed;
}

std::string text(const Value& value, dtype type) {
  char buffer[96];
  if (type.is_complex()) {
    std::snprintf(buffer, sizeof(buffer), "%.21Lg%+.21Lgj", value.real, value.imaginary);
  } else if (type.is_floating()) {
    std::snprintf(buffer, sizeof(buffer), "%.21Lg", value.real);
  } else if (type == uint64) {
    std::snprintf(buffer, sizeof(buffer), "%llu", static_cast<unsigned long long>(value.integer));
  } else {
    std::snprintf(buffer, sizeof(buffer), "%lld", static_cast<long long>(value.integer));
  }
  return buffer;
}

}  // namespace cupyxx::ops
