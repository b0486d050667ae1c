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
  const cp::ArrayOptions options{.copy = b.boolean("copy", true), .ndmin = b.integer("ndmin", 0)};
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
  const cp::Scalar first = b.at("start").scalar;
  if (!b.has("stop")) return {cp::arange(first, type)};
  if (!b.has("step")) return {cp::arange(first, b.at("stop").scalar, type)};
  return {cp::arange(first, b.at("stop").scalar, b.at("step").scalar, type)};
}

Arrays linspace(const Bound& b) {
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
      {"array", {{"object", "dtype", "copy", "ndmin"}, array}},
      {"asarray",
       {{"a", "dtype"},
        [](const Bound& b) -> Arrays { return {cp::asarray(b.array("a"), b.dtype("dtype"))}; }}},
      {"asanyarray",
       {{"a", "dtype"},
        [](const Bound& b) -> Arrays { return {cp::asanyarray(b.array("a"), b.dtype("dtype"))}; }}},
      {"ascontiguousarray",
       {{"a", "dtype"},
        [](const Bound& b) -> Arrays {
          return {cp::ascontiguousarray(b.array("a"), b.dtype("dtype"))};
        }}},
      {"copy", {{"a"}, [](const Bound& b) -> Arrays { return {cp::copy(b.array("a"))}; }}},
      {"empty",
       {{"shape", "dtype"},
        [](const Bound& b) -> Arrays {
          return {cp::empty(b.shape("shape"), dtype_or_double(b))};
        }}},
      {"zeros",
       {{"shape", "dtype"},
        [](const Bound& b) -> Arrays {
          return {cp::zeros(b.shape("shape"), dtype_or_double(b))};
        }}},
      {"ones",
       {{"shape", "dtype"},
        [](const Bound& b) -> Arrays { return {cp::ones(b.shape("shape"), dtype_or_double(b))}; }}},
      {"full",
       {{"shape", "fill_value", "dtype"},
        [](const Bound& b) -> Arrays {
          return {cp::full(b.shape("shape"), b.operand("fill_value"), b.dtype("dtype"))};
        }}},
      {"zeros_like",
       {{"a", "dtype"},
        [](const Bound& b) -> Arrays { return {cp::zeros_like(b.array("a"), b.dtype("dtype"))}; }}},
      {"ones_like",
       {{"a", "dtype"},
        [](const Bound& b) -> Arrays { return {cp::ones_like(b.array("a"), b.dtype("dtype"))}; }}},
      {"empty_like",
       {{"a", "dtype"},
        [](const Bound& b) -> Arrays { return {cp::empty_like(b.array("a"), b.dtype("dtype"))}; }}},
      {"full_like",
       {{"a", "fill_value", "dtype"},
        [](const Bound& b) -> Arrays {
          return {cp::full_like(b.array("a"), b.operand("fill_value"), b.dtype("dtype"))};
        }}},
      {"eye",
       {{"N", "M", "k", "dtype"},
        [](const Bound& b) -> Arrays {
          return {
              cp::eye(b.integer("N"), b.integer("M", -1), b.integer("k", 0), dtype_or_double(b))};
        }}},
      {"identity",
       {{"n", "dtype"},
        [](const Bound& b) -> Arrays {
          return {cp::identity(b.integer("n"), dtype_or_double(b))};
        }}},
      {"arange", {{"start", "stop", "step", "dtype"}, arange}},
      {"linspace", {{"start", "stop", "num", "endpoint", "retstep", "dtype"}, linspace}},
      {"diag",
       {{"v", "k"},
        [](const Bound& b) -> Arrays { return {cp::diag(b.array("v"), b.integer("k", 0))}; }}},
      {"diagflat",
       {{"v", "k"},
        [](const Bound& b) -> Arrays { return {cp::diagflat(b.array("v"), b.integer("k", 0))}; }}},
  };
}

}  // namespace conformance
