// SPDX-License-Identifier: MIT
#include "conformance/array/routine.h"
#include "cupyxx/creation.h"

namespace conformance {
namespace cp = cupyxx;
namespace {

cp::dtype dtype_or_double(const Bound& b) {
  return b.has("dtype") ? b.dtype("dtype") : cp::float64;
}

Arrays array(const Bound& b) {
  const cp::ArrayOptions options{.copy = b.boolean("copy", true),
                                 .order = b.order("order", cp::Order::K),
                                 .ndmin = b.integer("ndmin", 0)};
  const Value& object = b.at(b.has("object") ? "object" : "a");
  if (object.is_scalar() && options.ndmin == 0) {
    return {cp::array(object.scalar, b.dtype("dtype"))};
  }
  // Lists come from Python; here they are arrays already, whose elements still have to be cast.
  if (object.kind != Value::Kind::array) {
    return {cp::array(array_of_list(object, b.dtype("dtype")), {}, options)};
  }
  return {cp::array(object.array, b.dtype("dtype"), options)};
}

Arrays arange(const Bound& b) {
  const cp::dtype type = b.dtype("dtype");
  const cp::Scalar first = b.has("start") ? to_scalar(b.at("start")) : cp::Scalar(0);
  if (!b.has("stop")) return {cp::arange(first, type)};
  if (!b.has("step")) return {cp::arange(first, to_scalar(b.at("stop")), type)};
  return {cp::arange(first, to_scalar(b.at("stop")), to_scalar(b.at("step")), type)};
}

Arrays asarray(const Bound& b) {
  return {cp::asarray(b.array("a"), b.dtype("dtype"), b.order("order", cp::Order::K))};
}

template <cp::ndarray (*kFunction)(const cp::Shape&, cp::dtype, cp::Choice<cp::Order>)>
Arrays filled(const Bound& b) {
  return {kFunction(b.shape("shape"), dtype_or_double(b), b.order("order"))};
}

cp::LikeOptions like_options(const Bound& b) {
  cp::LikeOptions options{.order = b.order("order", cp::Order::K)};
  if (b.has("shape")) options.shape = b.shape("shape");
  return options;
}

template <cp::ndarray (*kFunction)(const cp::ndarray&, cp::dtype, const cp::LikeOptions&)>
Arrays like(const Bound& b) {
  return {kFunction(b.array("a"), b.dtype("dtype"), like_options(b))};
}

Arrays linspace_of_arrays(const Bound& b) {
  cp::ndarray step;
  const cp::ndarray samples =
      cp::linspace(b.operand("start"), b.operand("stop"), b.integer("num", 50),
                   {.endpoint = b.boolean("endpoint", true),
                    .retstep = &step,
                    .dtype = b.dtype("dtype"),
                    .axis = b.integer("axis", 0)});
  if (!b.boolean("retstep", false)) return {samples};
  return {samples, step};
}

Arrays linspace(const Bound& b) {
  if (!b.at("start").is_scalar() || !b.at("stop").is_scalar()) return linspace_of_arrays(b);
  double step = 0;
  const cp::ndarray samples = cp::linspace(
      b.at("start").scalar.as_double(), b.at("stop").scalar.as_double(), b.integer("num", 50),
      {.endpoint = b.boolean("endpoint", true), .retstep = &step, .dtype = b.dtype("dtype")});
  if (!b.boolean("retstep", false)) return {samples};
  return {samples, cp::array(step)};
}

}  // namespace

Routines creation_routines() {
  return {
      {"array", {{"object", "dtype", "copy", "order", "ndmin"}, array}},
      {"asarray", {{"a", "dtype", "order"}, asarray}},
      {"asanyarray", {{"a", "dtype", "order"}, asarray}},
      {"asarray_chkfinite",
       {{"a", "dtype", "order"},
        [](const Bound& b) -> Arrays {
          return {cp::asarray_chkfinite(b.array("a"), b.dtype("dtype"),
                                        b.order("order", cp::Order::K))};
        }}},
      {"ascontiguousarray",
       {{"a", "dtype"},
        [](const Bound& b) -> Arrays {
          return {cp::ascontiguousarray(b.array("a"), b.dtype("dtype"))};
        }}},
      {"copy",
       {{"a", "order"},
        [](const Bound& b) -> Arrays {
          return {cp::copy(b.array("a"), b.order("order", cp::Order::K))};
        }}},
      {"empty", {{"shape", "dtype", "order"}, filled<cp::empty>}},
      {"zeros", {{"shape", "dtype", "order"}, filled<cp::zeros>}},
      {"ones", {{"shape", "dtype", "order"}, filled<cp::ones>}},
      {"full",
       {{"shape", "fill_value", "dtype", "order"},
        [](const Bound& b) -> Arrays {
          return {cp::full(b.shape("shape"), b.operand("fill_value"), b.dtype("dtype"),
                           b.order("order"))};
        }}},
      {"zeros_like", {{"a", "dtype", "order", "shape"}, like<cp::zeros_like>}},
      {"ones_like", {{"a", "dtype", "order", "shape"}, like<cp::ones_like>}},
      {"empty_like", {{"a", "dtype", "order", "shape"}, like<cp::empty_like>}},
      {"full_like",
       {{"a", "fill_value", "dtype", "order", "shape"},
        [](const Bound& b) -> Arrays {
          return {cp::full_like(b.array("a"), b.operand("fill_value"), b.dtype("dtype"),
                                like_options(b))};
        }}},
      {"eye",
       {{"N", "M", "k", "dtype", "order"},
        [](const Bound& b) -> Arrays {
          return {cp::eye(b.integer("N"), b.integer("M", -1), b.integer("k", 0), dtype_or_double(b),
                          b.order("order"))};
        }}},
      {"identity",
       {{"n", "dtype"},
        [](const Bound& b) -> Arrays {
          return {cp::identity(b.integer("n"), dtype_or_double(b))};
        }}},
      {"arange", {{"start", "stop", "step", "dtype"}, arange}},
      {"linspace", {{"start", "stop", "num", "endpoint", "retstep", "dtype", "axis"}, linspace}},
      {"diag",
       {{"v", "k"},
        [](const Bound& b) -> Arrays { return {cp::diag(b.array("v"), b.integer("k", 0))}; }}},
      {"diagflat",
       {{"v", "k"},
        [](const Bound& b) -> Arrays { return {cp::diagflat(b.array("v"), b.integer("k", 0))}; }}},
  };
}

}  // namespace conformance
