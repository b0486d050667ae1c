// SPDX-License-Identifier: MIT
#include "cupyxx/testing.h"

#include <cxxabi.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <limits>
#include <memory>
#include <regex>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/logic.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/printing.h"
#include "cupyxx/reduction.h"

namespace cupyxx::testing {

AssertionError::~AssertionError() = default;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

// As an array on the host.
ndarray on_host(const char* operation, const Operand& x) {
  if (x.is_none()) throw TypeError(message(operation, ": the array is None"));
  const DeviceScope host(Device::cpu());
  return x.is_array() ? x.array().get() : array(x.scalar());
}

std::string number_text(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof(text), format, value);
  return text;
}

// What all texts have in common.
struct Text {
  std::string header;
  std::string err_msg;
  bool verbose = true;
  int precision = 6;

  std::string with(const std::string& remark, const std::string& x, const std::string& y,
                   const char* x_name = "x", const char* y_name = "y") const {
    std::string text = "\n" + header;
    if (const std::string message = err_msg + remark; !message.empty()) {
      const bool short_one = message.find('\n') == message.npos &&
                             message.size() < 79 - std::min<std::size_t>(79, header.size());
      text += (short_one ? " " : "\n") + message;
    }
    if (verbose) text += "\n " + std::string(x_name) + ": " + x + "\n " + y_name + ": " + y;
    return text;
  }
  std::string of(const ndarray& a) const {
    const std::string repr = array_repr(a, {.precision = precision});
    if (std::count(repr.begin(), repr.end(), '\n') <= 3) return repr;
    std::size_t end = 0;
    for (int line = 0; line < 3; ++line) end = repr.find('\n', end + (line > 0 ? 1 : 0));
    return repr.substr(0, end) + "...";
  }
  [[noreturn]] void fail(const std::string& remark, const ndarray& x, const ndarray& y) const {
    throw AssertionError(with(remark, of(x), of(y)));
  }
};

bool all_true(const ndarray& condition) { return all(condition).item<bool>(); }

// Where x and y both have a kind of value; throws where they have it in different places. Of a
// number beside an array it is 0-d.
ndarray same_places(const ndarray& x, const ndarray& y,
                    const std::function<ndarray(const ndarray&)>& f, const char* value,
                    const Text& text) {
  const ndarray of_x = f(x), of_y = f(y);
  if (!all_true(of_x == of_y)) {
    text.fail(message("\nx and y ", value, " location mismatch:"), x, y);
  }
  return of_x.ndim() == 0 ? of_x : of_y;
}

ndarray either(const ndarray& x, const ndarray& y) {
  // A 0-d flag beside an array is false: where it is true, all elements have it.
  if (x.ndim() != y.ndim()) {
    const ndarray& number = x.ndim() == 0 ? x : y;
    return number.item<bool>() ? number : x.ndim() == 0 ? y : x;
  }
  return logical_or(x, y);
}

struct Rules {
  std::function<ndarray(const ndarray&, const ndarray&)> agree;
  bool equal_nan = true;
  bool equal_inf = true;
  bool strict = false;
};

std::string remarks(const ndarray& agreeing, std::int64_t elements, const ndarray& x,
                    const ndarray& y) {
  const std::int64_t wrong = agreeing.size() - count_nonzero(agreeing);
  std::string text =
      "\nMismatched elements: " + std::to_string(wrong) + " / " + std::to_string(elements) + " (" +
      number_text("%.3g", 100.0 * static_cast<double>(wrong) / static_cast<double>(elements)) +
      "%)";
  if (x.dtype().is_bool() && y.dtype().is_bool()) return text;  // no differences of these
  ndarray error = absolute(subtract(x, y));
  if (x.dtype().is_unsigned_integer()) error = minimum(error, absolute(subtract(y, x)));
  text += "\nMax absolute difference: " + array2string(amax(error));
  const ndarray divisor = broadcast_to(y, error.shape());
  const ndarray nonzero = not_equal(divisor, 0);
  ndarray relative = array(kInf);
  if (any(nonzero).item<bool>()) {
    const ndarray flat = nonzero.ravel();
    const ndarray chosen = error.ravel()(flat);
    const ndarray by = divisor.ravel()(flat);
    relative = amax(divide(chosen, absolute(by)));
  }
  return text + "\nMax relative difference: " + array2string(relative);
}

void compare(const char* operation, const Operand& left, const Operand& right, const Rules& rules,
             const Text& text) {
  const DeviceScope host(Device::cpu());
  ndarray x = on_host(operation, left), y = on_host(operation, right);
  const ndarray shown_x = x, shown_y = y;
  const bool fits = rules.strict ? x.shape() == y.shape() && x.dtype() == y.dtype()
                                 : x.ndim() == 0 || y.ndim() == 0 || x.shape() == y.shape();
  if (!fits) {
    text.fail(x.shape() == y.shape()
                  ? message("\n(dtypes ", x.dtype().name(), ", ", y.dtype().name(), " mismatch)")
                  : message("\n(shapes ", x.shape(), ", ", y.shape(), " mismatch)"),
              x, y);
  }
  ndarray flagged = array(false);
  if (rules.equal_nan && (x.dtype().is_inexact() || y.dtype().is_inexact())) {
    flagged = same_places(
        x, y, [](const ndarray& a) { return isnan(a); }, "nan", text);
  }
  if (rules.equal_inf && (x.dtype().is_inexact() || y.dtype().is_inexact())) {
    flagged = either(flagged, same_places(
                                  x, y, [](const ndarray& a) { return a == kInf; }, "+inf", text));
    flagged = either(flagged, same_places(
                                  x, y, [](const ndarray& a) { return a == -kInf; }, "-inf", text));
  }
  if (flagged.ndim() > 0) {
    const ndarray rest = logical_not(flagged);
    x = x.ndim() > 0 ? ndarray(x(rest)) : x;
    y = y.ndim() > 0 ? ndarray(y(rest)) : y;
  } else if (flagged.item<bool>()) {
    return;
  }
  const ndarray agreeing = rules.agree(x, y);
  if (all_true(agreeing)) return;
  text.fail(remarks(agreeing, flagged.ndim() > 0 ? flagged.size() : agreeing.size(), x, y), shown_x,
            shown_y);
}

bool are_numbers(const Operand& x, const Operand& y) { return !x.is_array() && !y.is_array(); }

[[noreturn]] void fail_items(const Text& text, const std::string& actual,
                             const std::string& desired) {
  throw AssertionError(text.with("", actual, desired, "ACTUAL", "DESIRED"));
}

double distance_in_ulp(const ndarray& a, const ndarray& b, std::vector<double>& distances) {
  // Negative numbers count downwards from the smallest integer.
  const int bits = static_cast<int>(8 * a.itemsize());
  const dtype integers = bits == 16 ? int16 : bits == 32 ? int32 : int64;
  const auto places = [&](const ndarray& x) {
    const ndarray one_nan = where(isnan(x), array(std::nan(""), x.dtype()), x);
    return ascontiguousarray(one_nan).view(integers).to_vector<std::int64_t>();
  };
  const auto to_place = [&](std::int64_t r) -> long double {
    return r < 0 ? -std::ldexp(1.0L, bits - 1) - static_cast<long double>(r)
                 : static_cast<long double>(r);
  };
  const std::vector<std::int64_t> x = places(a), y = places(b);
  double most = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    distances.push_back(static_cast<double>(std::fabs(to_place(x[i]) - to_place(y[i]))));
    most = std::max(most, distances.back());
  }
  return most;
}

struct Pair {
  ndarray x, y;
};
Pair of_one_dtype(const char* operation, const ndarray& a, const ndarray& b) {
  ndarray x = on_host(operation, a), y = on_host(operation, b);
  const dtype type = promote_types(x.dtype(), y.dtype());
  if (type != float16 && type != float32 && type != float64) {
    throw TypeError(message(operation, ": no distances of ", type.name()));
  }
  if (!(x.shape() == y.shape())) {
    throw ValueError(message(operation, ": x and y do not have the same shape; ", x.shape(),
                             " and ", y.shape()));
  }
  return {x.astype(type), y.astype(type)};
}

}  // namespace

void assert_array_equal(const Operand& x, const Operand& y, const AssertEqualOptions& options) {
  compare("assert_array_equal", x, y,
          {.agree = [](const ndarray& a, const ndarray& b) { return equal(a, b); },
           .strict = options.strict},
          {"Arrays are not equal", options.err_msg, options.verbose});
}

void assert_equal(const Operand& actual, const Operand& desired, const AssertOptions& options) {
  if (!are_numbers(actual, desired)) {
    return assert_array_equal(actual, desired, {options.err_msg, options.verbose});
  }
  const DeviceScope host(Device::cpu());
  const ndarray x = array(actual.scalar()), y = array(desired.scalar());
  if (equal(x, y).item<bool>()) return;
  if (x.dtype().is_inexact() && y.dtype().is_inexact() && isnan(x).item<bool>() &&
      isnan(y).item<bool>()) {
    return;
  }
  fail_items({"Items are not equal:", options.err_msg, options.verbose}, actual.scalar().str(),
             desired.scalar().str());
}

void internal::assert_allclose_with(const Operand& actual, const Operand& desired,
                                    const AssertAllcloseOptions& options) {
  compare("assert_allclose", actual, desired,
          {.agree =
               [&](const ndarray& a, const ndarray& b) {
                 return isclose(
                     a, b,
                     {.rtol = options.rtol, .atol = options.atol, .equal_nan = options.equal_nan});
               },
           .equal_nan = options.equal_nan},
          {"Not equal to tolerance rtol=" + number_text("%g", options.rtol) +
               ", atol=" + number_text("%g", options.atol),
           options.err_msg, options.verbose});
}
void assert_allclose(const Operand& actual, const Operand& desired, double rtol, double atol,
                     const AssertOptions& options) {
  internal::assert_allclose_with(
      actual, desired,
      {.rtol = rtol, .atol = atol, .err_msg = options.err_msg, .verbose = options.verbose});
}

void assert_array_almost_equal(const Operand& x, const Operand& y, int decimal,
                               const AssertOptions& options) {
  compare("assert_array_almost_equal", x, y,
          {.agree =
               [&](const ndarray& a, const ndarray& b) {
                 // Differences of integers would wrap round.
                 const ndarray wide = b.dtype().is_inexact() ? b : b.astype(float64);
                 const ndarray apart = absolute(subtract(a, wide)).astype(float64);
                 // Equal infinities of complex numbers are NaN apart.
                 return logical_or(less(apart, 1.5 * std::pow(10.0, -decimal)), equal(a, b));
               }},
          {message("Arrays are not almost equal to ", decimal, " decimals"), options.err_msg,
           options.verbose, decimal});
}

void assert_almost_equal(const Operand& actual, const Operand& desired, int decimal,
                         const AssertOptions& options) {
  if (!are_numbers(actual, desired)) {
    return assert_array_almost_equal(actual, desired, decimal, options);
  }
  const complex<double> x = actual.scalar().as_complex(), y = desired.scalar().as_complex();
  const auto agree = [&](double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (std::isinf(a) || std::isinf(b)) return a == b;
    return std::fabs(b - a) < 1.5 * std::pow(10.0, -decimal);
  };
  if (agree(x.re, y.re) && agree(x.im, y.im)) return;
  fail_items({message("Arrays are not almost equal to ", decimal, " decimals"), options.err_msg,
              options.verbose},
             actual.scalar().str(), desired.scalar().str());
}

void assert_approx_equal(double actual, double desired, int significant,
                         const AssertOptions& options) {
  if (actual == desired || (std::isnan(actual) && std::isnan(desired))) return;
  const double size = 0.5 * (std::fabs(desired) + std::fabs(actual));
  const double scale = size == 0 ? 1 : std::pow(10.0, std::floor(std::log10(size)));
  const double apart = std::fabs(desired / scale - actual / scale);
  if (std::isfinite(actual) && std::isfinite(desired) &&
      apart < std::pow(10.0, -(significant - 1))) {
    return;
  }
  fail_items({message("Items are not equal to ", significant, " significant digits:"),
              options.err_msg, options.verbose},
             Scalar(actual).str(), Scalar(desired).str());
}

void assert_array_less(const Operand& x, const Operand& y, const AssertOptions& options) {
  compare(
      "assert_array_less", x, y,
      {.agree = [](const ndarray& a, const ndarray& b) { return less(a, b); }, .equal_inf = false},
      {"Arrays are not less-ordered", options.err_msg, options.verbose});
}

ndarray assert_array_max_ulp(const ndarray& a, const ndarray& b, double maxulp) {
  const DeviceScope host(Device::cpu());
  const Pair pair = of_one_dtype("assert_array_max_ulp", a, b);
  std::vector<double> distances;
  const double most = distance_in_ulp(pair.x, pair.y, distances);
  if (most > maxulp) {
    throw AssertionError(message("Arrays are not almost equal up to ", number_text("%g", maxulp),
                                 " ULP (max difference is ", number_text("%g", most), " ULP)"));
  }
  return array(distances).reshape(pair.x.shape());
}

void assert_array_almost_equal_nulp(const ndarray& x, const ndarray& y, int nulp) {
  const DeviceScope host(Device::cpu());
  const Pair pair = of_one_dtype("assert_array_almost_equal_nulp", x, y);
  const ndarray step = spacing(maximum(absolute(pair.x), absolute(pair.y)));
  if (all_true(less_equal(absolute(subtract(pair.x, pair.y)), multiply(step, nulp)))) return;
  std::vector<double> distances;
  const double most = distance_in_ulp(pair.x, pair.y, distances);
  throw AssertionError(
      message("X and Y are not equal to ", nulp, " ULP (max is ", number_text("%g", most), ")"));
}

void assert_string_equal(std::string_view actual, std::string_view desired) {
  if (actual == desired) return;
  throw AssertionError(message("Differences in strings:\n- ", actual, "\n+ ", desired));
}

void assert_(bool condition, const std::string& msg) {
  if (!condition) throw AssertionError(msg);
}

std::string internal::readable_name(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), std::free);
  return status == 0 ? name.get() : mangled;
}
void internal::throw_not_raised(const char* expected) {
  throw AssertionError(message(readable_name(expected), " not raised"));
}
void internal::check_match(const std::string& text, const std::string& expected_regex) {
  if (std::regex_search(text, std::regex(expected_regex))) return;
  throw AssertionError(message("\"", expected_regex, "\" does not match \"", text, "\""));
}

}  // namespace cupyxx::testing
