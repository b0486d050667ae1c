// SPDX-License-Identifier: MIT
// Polynomials, packed bits, and functions of chosen elements.
#include "conformance/array/routine.h"
#include "cupyxx/creation.h"
#include "cupyxx/functional.h"
#include "cupyxx/logic.h"
#include "cupyxx/polynomials.h"

namespace conformance {
namespace cp = cupyxx;
namespace {

template <cp::ndarray (*kFunction)(const cp::ndarray&, const cp::ndarray&)>
Arrays two(const Bound& b) {
  return {kFunction(b.array("a1"), b.array("a2"))};
}

Arrays polydiv(const Bound& b) {
  const cp::PolydivResult found = cp::polydiv(b.array("u"), b.array("v"));
  return {found.quotient, found.remainder};
}

/// `full` and `cov` of NumPy are functions of their own.
Arrays polyfit(const Bound& b) {
  const cp::ndarray x = b.array("x"), y = b.array("y");
  const int degree = b.integer("deg");
  const cp::PolyfitOptions options{.rcond = b.optional_number("rcond"), .w = b.optional_array("w")};
  if (b.boolean("full", false)) {
    const cp::PolyfitResult found = cp::polyfit_full(x, y, degree, options);
    return {found.coefficients, found.residuals, cp::array(cp::Scalar(found.rank), cp::int32),
            found.singular_values, cp::array(cp::Scalar(found.rcond))};
  }
  const bool is_unscaled = b.has("cov") && b.at("cov").text == "unscaled";
  if (is_unscaled || (b.has("cov") && b.boolean("cov", false))) {
    const cp::PolyfitCovariance found = cp::polyfit_cov(x, y, degree, !is_unscaled, options);
    return {found.coefficients, found.covariance};
  }
  return {cp::polyfit(x, y, degree, options)};
}

cp::BitOrder bit_order(const Bound& b) {
  return b.text("bitorder", "big") == "little" ? cp::BitOrder::little : cp::BitOrder::big;
}

Arrays unpackbits(const Bound& b) {
  cp::UnpackbitsOptions options{.bitorder = bit_order(b)};
  if (b.has("count")) options.count = b.integer("count");
  return {cp::unpackbits(b.array("a"), b.axes("axis"), options)};
}

/// Numbers for one condition or two, and what else.
Arrays piecewise(const Bound& b) {
  const auto numbers = b.array("funclist").to_vector<double>();
  const cp::ndarray x = b.array("x");
  const Arrays conditions = b.arrays("condlist");
  switch (numbers.size()) {
    case 1:
      return {cp::piecewise(x, conditions, numbers[0])};
    case 2:
      return {cp::piecewise(x, conditions, numbers[0], numbers[1])};
    default:
      return {cp::piecewise(x, conditions, numbers[0], numbers[1], numbers[2])};
  }
}

}  // namespace

Routines polynomial_routines() {
  return {
      {"polyval",
       {{"p", "x"},
        [](const Bound& b) -> Arrays { return {cp::polyval(b.array("p"), b.array("x"))}; }}},
      {"polyadd", {{"a1", "a2"}, two<cp::polyadd>}},
      {"polysub", {{"a1", "a2"}, two<cp::polysub>}},
      {"polymul", {{"a1", "a2"}, two<cp::polymul>}},
      {"polydiv", {{"u", "v"}, polydiv}},
      {"polyder",
       {{"p", "m"},
        [](const Bound& b) -> Arrays { return {cp::polyder(b.array("p"), b.integer("m", 1))}; }}},
      {"polyint",
       {{"p", "m", "k"},
        [](const Bound& b) -> Arrays {
          return {cp::polyint(b.array("p"), b.integer("m", 1), b.optional_array("k"))};
        }}},
      {"poly",
       {{"seq_of_zeros"},
        [](const Bound& b) -> Arrays { return {cp::poly(b.array("seq_of_zeros"))}; }}},
      {"roots", {{"p"}, [](const Bound& b) -> Arrays { return {cp::roots(b.array("p"))}; }}},
      {"polyfit", {{"x", "y", "deg", "rcond", "full", "w", "cov"}, polyfit}},
      {"packbits",
       {{"a", "axis", "bitorder"},
        [](const Bound& b) -> Arrays {
          return {cp::packbits(b.array("a"), b.axes("axis"), bit_order(b))};
        }}},
      {"unpackbits", {{"a", "axis", "count", "bitorder"}, unpackbits}},
      {"piecewise", {{"x", "condlist", "funclist"}, piecewise}},
  };
}

}  // namespace conformance
