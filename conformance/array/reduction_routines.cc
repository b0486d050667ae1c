// SPDX-License-Identifier: MIT
#include "conformance/array/routine.h"
#include "cupyxx/creation.h"
#include "cupyxx/reduction.h"

namespace conformance {
namespace cp = cupyxx;
namespace {

std::optional<cp::Scalar> initial(const Bound& b) {
  if (!b.has("initial")) return {};
  return b.at("initial").scalar;
}

template <cp::ndarray (*kFunction)(const cp::ndarray&, const cp::Axes&, const cp::SumOptions&)>
Arrays sum(const Bound& b) {
  return {kFunction(b.array("a"), b.axes("axis"),
                    {.dtype = b.dtype("dtype"),
                     .out = b.optional_array("out"),
                     .keepdims = b.boolean("keepdims", false),
                     .initial = initial(b),
                     .where = b.optional_array("where")})};
}

Arrays mean(const Bound& b) {
  return {cp::mean(b.array("a"), b.axes("axis"),
                   {.dtype = b.dtype("dtype"),
                    .out = b.optional_array("out"),
                    .keepdims = b.boolean("keepdims", false),
                    .where = b.optional_array("where")})};
}

template <cp::ndarray (*kFunction)(const cp::ndarray&, const cp::Axes&, const cp::VarOptions&)>
Arrays var(const Bound& b) {
  return {kFunction(b.array("a"), b.axes("axis"),
                    {.dtype = b.dtype("dtype"),
                     .out = b.optional_array("out"),
                     .ddof = b.has("ddof") ? b.at("ddof").scalar.as_double() : 0,
                     .keepdims = b.boolean("keepdims", false),
                     .where = b.optional_array("where")})};
}

/// A number without axes, an array with them.
Arrays count_nonzero(const Bound& b) {
  const cp::ndarray a = b.array("a");
  const bool keepdims = b.boolean("keepdims", false);
  if (!b.has("axis") && !keepdims) return {cp::array(cp::Scalar(cp::count_nonzero(a)))};
  return {cp::count_nonzero(a, b.axes("axis"), keepdims)};
}

template <cp::ndarray (*kFunction)(const cp::ndarray&, const cp::Axes&, const cp::MaxOptions&)>
Arrays extreme(const Bound& b) {
  return {kFunction(b.array("a"), b.axes("axis"),
                    {.out = b.optional_array("out"),
                     .keepdims = b.boolean("keepdims", false),
                     .initial = initial(b),
                     .where = b.optional_array("where")})};
}

template <cp::ndarray (*kFunction)(const cp::ndarray&, const cp::Axes&, const cp::AllOptions&)>
Arrays truth(const Bound& b) {
  return {kFunction(b.array("a"), b.axes("axis"),
                    {.out = b.optional_array("out"),
                     .keepdims = b.boolean("keepdims", false),
                     .where = b.optional_array("where")})};
}

template <cp::ndarray (*kFunction)(const cp::ndarray&, const cp::Axes&, const cp::ArgOptions&)>
Arrays position(const Bound& b) {
  return {kFunction(b.array("a"), b.axes("axis"),
                    {.out = b.optional_array("out"), .keepdims = b.boolean("keepdims", false)})};
}

}  // namespace

Routines reduction_routines() {
  const std::vector<std::string_view> sums = {"a",        "axis",    "dtype", "out",
                                              "keepdims", "initial", "where"};
  const std::vector<std::string_view> vars = {"a",    "axis",     "dtype", "out",
                                              "ddof", "keepdims", "where"};
  const std::vector<std::string_view> extremes = {"a",        "axis",    "out",
                                                  "keepdims", "initial", "where"};
  const std::vector<std::string_view> truths = {"a", "axis", "out", "keepdims", "where"};
  const std::vector<std::string_view> positions = {"a", "axis", "out", "keepdims"};
  return {
      {"sum", {sums, sum<cp::sum>}},
      {"product", {sums, sum<cp::prod>}},
      {"prod", {sums, sum<cp::prod>}},
      {"mean", {{"a", "axis", "dtype", "out", "keepdims", "where"}, mean}},
      {"var", {vars, var<cp::var>}},
      {"std", {vars, var<cp::std>}},
      {"amax", {extremes, extreme<cp::amax>}},
      {"max", {extremes, extreme<cp::amax>}},
      {"amin", {extremes, extreme<cp::amin>}},
      {"min", {extremes, extreme<cp::amin>}},
      {"all", {truths, truth<cp::all>}},
      {"alltrue", {truths, truth<cp::all>}},
      {"sometrue", {truths, truth<cp::any>}},
      {"any", {truths, truth<cp::any>}},
      {"argmax", {positions, position<cp::argmax>}},
      {"argmin", {positions, position<cp::argmin>}},
      {"count_nonzero", {{"a", "axis", "keepdims"}, count_nonzero}},
  };
}

}  // namespace conformance
