// SPDX-License-Identifier: MIT
// Rounding, ranges between arrays, and methods and operators that change their array.
#include "conformance/array/routine.h"
#include "cupyxx/creation.h"
#include "cupyxx/logic.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/sorting.h"
#include "cupyxx/statistics.h"
#include "cupyxx/type_functions.h"

namespace conformance {
namespace cp = cupyxx;
namespace {

Arrays around(const Bound& b) {
  return {cp::around(b.array("a"), b.integer("decimals", 0), b.optional_array("out"))};
}

template <cp::ndarray (*kFunction)(const cp::ndarray&, const cp::ndarray&)>
Arrays with_out(const Bound& b) {
  return {kFunction(b.array("x"), b.optional_array("out"))};
}

/// An operator that changes its left side.
template <const cp::ndarray& (cp::ndarray::*kOperator)(const cp::Operand&) const>
Arrays in_place(const Bound& b) {
  const cp::ndarray a = b.array("a");
  (a.*kOperator)(b.operand("b"));
  return {a};
}

Arrays logspace(const Bound& b) {
  return {cp::logspace(b.operand("start"), b.operand("stop"), b.integer("num", 50),
                       {.endpoint = b.boolean("endpoint", true),
                        .base = b.number("base", 10),
                        .dtype = b.dtype("dtype"),
                        .axis = b.integer("axis", 0)})};
}

Arrays geomspace(const Bound& b) {
  return {cp::geomspace(b.operand("start"), b.operand("stop"), b.integer("num", 50),
                        {.endpoint = b.boolean("endpoint", true),
                         .dtype = b.dtype("dtype"),
                         .axis = b.integer("axis", 0)})};
}

Arrays number(std::int64_t value) { return {cp::array(cp::Scalar(value))}; }

Arrays size(const Bound& b) {
  const cp::ndarray a = b.array("a");
  if (!b.has("axis")) return number(a.size());
  return number(a.shape()[cp::normalize_axis("size", b.integer("axis"), a.ndim())]);
}

Arrays shape(const Bound& b) {
  const cp::Shape found = b.array("a").shape();
  return {cp::array(std::vector<std::int64_t>(found.begin(), found.end()))};
}

/// The method of that name: sorts its array.
Arrays sort_in_place(const Bound& b) {
  const cp::ndarray a = b.array("a");
  a.sort(b.integer("axis", -1));
  return {a};
}

}  // namespace

Routines method_routines() {
  return {
      {"around", {{"a", "decimals", "out"}, around}}, {"round", {{"a", "decimals", "out"}, around}},
      {"round_", {{"a", "decimals", "out"}, around}}, {"fix", {{"x", "out"}, with_out<cp::fix>}},
      {"isposinf", {{"x", "out"}, with_out<cp::isposinf>}},
      {"isneginf", {{"x", "out"}, with_out<cp::isneginf>}},
      {"logspace", {{"start", "stop", "num", "endpoint", "base", "dtype", "axis"}, logspace}},
      {"geomspace", {{"start", "stop", "num", "endpoint", "dtype", "axis"}, geomspace}},
      {"nanmedian",
       {{"a", "axis", "out", "overwrite_input", "keepdims"},
        [](const Bound& b) -> Arrays {
          return {cp::nanmedian(
              b.array("a"), b.axes("axis"),
              {.out = b.optional_array("out"), .keepdims = b.boolean("keepdims", false)})};
        }}},
      {"asfortranarray",
       {{"a", "dtype"},
        [](const Bound& b) -> Arrays {
          return {cp::asfortranarray(b.array("a"), b.dtype("dtype"))};
        }}},
      {"ndim", {{"a"}, [](const Bound& b) { return number(b.array("a").ndim()); }}},
      {"size", {{"a", "axis"}, size}}, {"shape", {{"a"}, shape}},
      {"ndarray.sort", {{"a", "axis"}, sort_in_place}},
      {"iadd", {{"a", "b"}, in_place < &cp::ndarray::operator+=> } },
       {"isub", {{"a", "b"}, in_place < &cp::ndarray::operator-=> } },
        {"imul", {{"a", "b"}, in_place < &cp::ndarray::operator*=> } },
         {"itruediv", {{"a", "b"}, in_place < &cp::ndarray::operator/=> } },
          {"imod", {{"a", "b"}, in_place < &cp::ndarray::operator%=> } },
           {"ilshift", {{"a", "b"}, in_place < &cp::ndarray::operator<<=> } },
            {"irshift", {{"a", "b"}, in_place < &cp::ndarray::operator>>=> } },
             {"iand", {{"a", "b"}, in_place < &cp::ndarray::operator&=> } },
              {"ior", {{"a", "b"}, in_place < &cp::ndarray::operator|=> } },
               {"ixor",
                {
                    {"a", "b"},
                    in_place < &cp::ndarray::operator^=> } },
               };
}

}  // namespace conformance
