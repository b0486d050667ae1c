// SPDX-License-Identifier: MIT
#include "conformance/array/routine.h"
#include "cupyxx/message.h"

namespace conformance {
namespace cp = cupyxx;
namespace {

using Parameters = std::vector<std::string_view>;

Arrays reduce(const cp::ufunc& f, const Bound& b) {
  // Not given is axis 0; None is all axes.
  cp::Axes axis = 0;
  if (b.has("axis")) {
    axis = b.axes("axis");
  } else if (b.given("axis")) {
    axis = cp::Axes();
  }
  cp::ReduceOptions options{.dtype = b.dtype("dtype"),
                            .out = b.optional_array("out"),
                            .keepdims = b.boolean("keepdims", false)};
  if (b.has("initial")) options.initial = b.at("initial").scalar;
  options.where = b.optional_array("where");
  return {f.reduce(b.array("array"), axis, options)};
}

}  // namespace

Arrays call_method(const cp::ufunc& f, std::string_view method, const std::vector<Value>& args,
                   const std::map<std::string, Value>& kw) {
  const auto bound = [&](const Parameters& parameters) {
    return Bound(method, parameters, args, kw);
  };
  if (method == "reduce") {
    return reduce(f, bound({"array", "axis", "dtype", "out", "keepdims", "initial", "where"}));
  }
  if (method == "accumulate") {
    const Bound b = bound({"array", "axis", "dtype", "out"});
    return {f.accumulate(b.array("array"), b.integer("axis", 0),
                         {.dtype = b.dtype("dtype"), .out = b.optional_array("out")})};
  }
  if (method == "reduceat") {
    const Bound b = bound({"array", "indices", "axis", "dtype", "out"});
    return {f.reduceat(b.array("array"), b.array("indices"), b.integer("axis", 0),
                       {.dtype = b.dtype("dtype"), .out = b.optional_array("out")})};
  }
  if (method == "outer") {
    const Bound b = bound({"A", "B", "out", "where", "casting", "dtype"});
    return {f.outer(b.array("A"), b.array("B"),
                    {.out = b.optional_array("out"),
                     .where = b.optional_array("where"),
                     .casting = b.casting("casting"),
                     .dtype = b.dtype("dtype")})};
  }
  if (method == "at") {
    const Bound b = bound({"a", "indices", "b"});
    const cp::ndarray a = b.array("a");
    f.at(a, index_list(b.at("indices")), b.has("b") ? b.operand("b") : cp::Operand());
    return {a};
  }
  throw Missing(cupyxx::message("no method ", method));
}

}  // namespace conformance
