// SPDX-License-Identifier: MIT
#include "conformance/array/tolerance.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "cupyxx/linalg.h"

namespace conformance {
namespace cp = cupyxx;
namespace {

double largest(const cp::ndarray& a) {
  double result = 0;
  if (a.dtype().is_complex()) return std::max(largest(a.real()), largest(a.imag()));
  for (const double x : a.to_vector<double>()) {
    if (std::isfinite(x)) result = std::max(result, std::fabs(x));
  }
  return result;
}

/// The square of a matrix's condition number, without what counts as zero.
double condition_squared(const cp::ndarray& a) {
  const cp::ndarray s = cp::linalg::svd(a, true, false).s;
  const auto values = s.to_vector<double>();
  double ratio = 1;
  for (const double value : values) {
    if (value > 1e-10 * values[0]) ratio = values[0] / value;
  }
  return ratio * ratio;
}

bool is_one_of(const std::set<std::string>& names, const std::string& name) {
  return names.contains(name);
}

/// In units of the larger part. Ours round once to complex64; what NumPy's own steps lose in float
/// is in the bound.
const std::map<std::string, double>& complex_ulps() {
  static const std::map<std::string, double> ulps = {
      {"multiply", 3}, {"true_divide", 6},  {"reciprocal", 6}, {"square", 3},  {"sqrt", 4},
      {"power", 400},  {"float_power", 24}, {"exp", 4},        {"exp2", 16},   {"expm1", 16},
      {"log", 4},      {"log2", 6},         {"log10", 6},      {"log1p", 16},  {"sin", 6},
      {"cos", 6},      {"tan", 8},          {"arcsin", 6},     {"arccos", 6},  {"arctan", 6},
      {"sinh", 6},     {"cosh", 6},         {"tanh", 8},       {"arcsinh", 6}, {"arccosh", 6},
      {"arctanh", 6},  {"angle", 4},        {"outer", 3},      {"kron", 3},    {"nanprod", 40},
      {"prod", 40},    {"cumprod", 40}};
  return ulps;
}

}  // namespace

double unit_in_last_place(cp::dtype dtype, double magnitude) {
  const cp::dtype type = dtype.real_part();
  const int fraction_bits = type == cp::float16 ? 10 : type == cp::float32 ? 23 : 52;
  const int lowest = type == cp::float16 ? -14 : type == cp::float32 ? -126 : -1022;
  const int exponent =
      magnitude > 0 && std::isfinite(magnitude) ? std::max(std::ilogb(magnitude), lowest) : lowest;
  return std::ldexp(1.0, exponent - fraction_bits);
}

Tolerance tolerance_of(const std::string& routine, const std::vector<cp::ndarray>& inputs,
                       const cp::ndarray& expected) {
  static const std::set<std::string> elementary = {
      "exp",   "exp2",        "expm1",    "log",      "log2",    "log10",   "log1p",
      "sin",   "cos",         "tan",      "arcsin",   "arccos",  "arctan",  "arctan2",
      "hypot", "sinh",        "cosh",     "tanh",     "arcsinh", "arccosh", "arctanh",
      "power", "cbrt",        "deg2rad",  "radians",  "rad2deg", "degrees", "ipow",
      "sinc",  "float_power", "logspace", "geomspace"};
  static const std::set<std::string> windows = {"bartlett", "blackman", "hamming", "hanning",
                                                "kaiser"};
  // What is added and multiplied from a few elements.
  static const std::set<std::string> sampled = {"interp",  "gradient",    "cross",  "polyval",
                                                "ediff1d", "histogram2d", "around", "round"};
  if (!inputs.empty() && !inputs[0].is_none() && inputs[0].dtype().is_complex()) {
    if (routine == "absolute" || routine == "angle") return {4, 0};
    static const std::set<std::string> extremes = {"amax", "amin", "max", "min"};
    if (extremes.contains(routine)) return {0, 0, true};
  }
  static const std::set<std::string> logarithms_of_sums = {"logaddexp", "logaddexp2"};
  static const std::set<std::string> sums = {"sum",    "trace",   "mean",       "var",
                                             "std",    "nansum",  "nanmean",    "nanvar",
                                             "nanstd", "average", "linalg.norm"};
  static const std::set<std::string> between = {"median",    "quantile",    "percentile",
                                                "nanmedian", "nanquantile", "nanpercentile"};
  static const std::set<std::string> products = {"dot",       "matmul", "vdot",     "inner",
                                                 "tensordot", "outer",  "convolve", "correlate"};
  if (expected.dtype().is_complex()) {
    if (const auto found = complex_ulps().find(routine); found != complex_ulps().end()) {
      return {found->second, 0};
    }
  }
  const bool is_half = expected.dtype() == cp::float16;
  // float16 is computed in float32 and rounded once.
  const double few = is_half ? 1 : 4;
  if (is_one_of(elementary, routine)) return {few, 0};
  // Near zero these are differences of numbers near one.
  if (is_one_of(logarithms_of_sums, routine)) return {few, 1};
  if (routine == "linspace") {
    double end = 0;
    if (expected.size() != 0) end = largest(expected);
    return {2, end};
  }
  if (is_one_of(windows, routine)) return {8, 1};
  if (inputs.empty() || expected.size() == 0) return {};

  const cp::ndarray& a = inputs[0];
  const double terms =
      std::max(1.0, static_cast<double>(a.size()) / static_cast<double>(expected.size()));
  // NumPy adds float16 along outer axes in float16, with a rounding per term.
  const double growth = is_half ? terms : 2 * std::log2(terms);
  const double x = largest(a);
  if (routine == "prod" || routine == "nanprod") return {2 + terms, 0};
  // NumPy adds one element after the other, we in parts.
  if (routine == "cumsum" || routine == "nancumsum") {
    return {2 + static_cast<double>(a.size()), largest(expected)};
  }
  if (routine == "cumprod" || routine == "nancumprod") {
    return {2 + static_cast<double>(a.size()), 0};
  }
  if (is_one_of(between, routine)) return {few, x};
  if (is_one_of(sampled, routine)) return {few, largest(expected)};
  if (routine == "trapz") return {2 + growth, largest(expected)};
  if (routine == "corrcoef") return {8, 1};
  if (routine == "cov") return {4 + 2 * std::log2(static_cast<double>(a.size())), x * x};
  if (routine == "polyfit") return {256, largest(expected)};
  // Of weights: sums that a device takes in another order.
  if (routine == "bincount") {
    return {2 + 2 * std::log2(static_cast<double>(std::max<std::int64_t>(a.size(), 1))),
            largest(expected)};
  }
  if (routine.starts_with("histogram")) return {few, largest(expected)};
  if (is_one_of(sums, routine)) {
    if (routine == "mean" || routine == "nanmean" || routine == "average") return {2 + growth, x};
    if (routine == "std" || routine == "nanstd") return {2 + growth, x};
    if (routine == "var" || routine == "nanvar") return {4 + growth, x * x};
    return {2 + growth, routine == "linalg.norm" ? 0 : x * terms};
  }
  const std::size_t dot = routine.find('.');
  const std::string method = dot == std::string::npos ? "" : routine.substr(dot + 1);
  if (method == "reduce" || method == "accumulate" || method == "reduceat") {
    const auto n = static_cast<double>(a.size());
    if (routine.starts_with("add.")) return {2 + (is_half ? n : 2 * std::log2(n)), largest(a) * n};
    return {2 + n, largest(expected)};
  }
  if (method == "outer") return tolerance_of(routine.substr(0, dot), inputs, expected);
  // LAPACK in another precision, or of another version.
  if (routine == "linalg.lstsq") {
    // Computed in float64 whatever the dtype is, so its errors count in ulps of that.
    const double ulp = std::ldexp(1.0, -52);
    const double result_ulp = unit_in_last_place(expected.dtype(), 1);
    return {2 + 8 * condition_squared(a) * ulp / result_ulp, largest(expected)};
  }
  if (dot != std::string::npos && routine.starts_with("linalg.")) return {256, largest(expected)};
  // Of the sums over all numbers that each result is.
  if (routine.starts_with("fft.") && expected.size() != 0 && !routine.ends_with("freq")) {
    const auto n = static_cast<double>(std::max<std::int64_t>(a.size(), expected.size()));
    return {4 + 2 * std::log2(n), largest(expected)};
  }
  if (routine == "einsum") {
    double magnitude = 1, n = 1;
    for (const cp::ndarray& operand : inputs) {
      magnitude *= largest(operand);
      n *= static_cast<double>(std::max<std::int64_t>(operand.size(), 1));
    }
    n = std::max(1.0, std::sqrt(n));
    return {2 + (is_half ? n : 2 * std::log2(n)), magnitude * n};
  }
  if (is_one_of(products, routine) && inputs.size() > 1) {
    const cp::ndarray& b = inputs[1];
    const double length = std::sqrt(static_cast<double>(a.size()) * static_cast<double>(b.size()) /
                                    static_cast<double>(expected.size()));
    if (length <= 1) return {};
    return {2 + (is_half ? length : 2 * std::log2(length)), largest(a) * largest(b) * length};
  }
  return {};
}

}  // namespace conformance
