// SPDX-License-Identifier: MIT
#include "conformance/array/routine.h"
#include "cupyxx/linalg.h"

namespace conformance {
namespace cp = cupyxx;
namespace {

template <cp::ndarray (*kFunction)(const cp::ndarray&, const cp::ndarray&)>
Arrays binary(const Bound& b) {
  return {kFunction(b.array("a"), b.array("b"))};
}

template <cp::ndarray (*kFunction)(const cp::ndarray&, const cp::ndarray&, const cp::ndarray&)>
Arrays product(const Bound& b) {
  return {kFunction(b.array("a"), b.array("b"), b.optional_array("out"))};
}

cp::Axes axis_list(const Value& value) {
  const cp::Shape axes = to_shape(value);
  return axes.empty() ? cp::Axes::none()
                      : cp::Axes(std::vector<std::int64_t>(axes.begin(), axes.end()));
}

Arrays tensordot(const Bound& b) {
  const cp::ndarray x = b.array("a");
  const cp::ndarray y = b.array("b");
  if (!b.has("axes")) return {cp::tensordot(x, y)};
  const Value& axes = b.at("axes");
  if (!axes.is_list()) return {cp::tensordot(x, y, b.integer("axes"))};
  return {cp::tensordot(x, y, axis_list(axes.list.at(0)), axis_list(axes.list.at(1)))};
}

Arrays trace(const Bound& b) {
  return {cp::trace(b.array("a"), b.integer("offset", 0), b.integer("axis1", 0),
                    b.integer("axis2", 1),
                    {.dtype = b.dtype("dtype"), .out = b.optional_array("out")})};
}

Arrays norm(const Bound& b) {
  cp::linalg::Order order;
  if (b.has("ord")) {
    const Value& ord = b.at("ord");
    order = ord.is_scalar() ? cp::linalg::Order(ord.scalar.as_double())
                            : cp::linalg::Order(ord.text.c_str());
  }
  return {cp::linalg::norm(
      b.array("x"),
      {.ord = order, .axis = b.axes("axis"), .keepdims = b.boolean("keepdims", false)})};
}

}  // namespace

Routines linalg_routines() {
  return {
      {"dot", {{"a", "b", "out"}, product<cp::dot>}},
      {"vdot", {{"a", "b"}, binary<cp::vdot>}},
      {"inner", {{"a", "b"}, binary<cp::inner>}},
      {"outer", {{"a", "b", "out"}, product<cp::outer>}},
      {"tensordot", {{"a", "b", "axes"}, tensordot}},
      {"matmul",
       {{"x1", "x2", "out"},
        [](const Bound& b) -> Arrays {
          return {cp::matmul(b.array("x1"), b.array("x2"), b.optional_array("out"))};
        }}},
      {"trace", {{"a", "offset", "axis1", "axis2", "dtype", "out"}, trace}},
      {"linalg.norm", {{"x", "ord", "axis", "keepdims"}, norm}},
  };
}

}  // namespace conformance
