// SPDX-License-Identifier: MIT
#include "conformance/array/routine.h"
#include "cupyxx/creation.h"
#include "cupyxx/manipulation.h"

namespace conformance {
namespace cp = cupyxx;
namespace {

cp::Sections sections(const Bound& b) {
  const Value& value = b.at("indices_or_sections");
  if (value.is_scalar()) return b.integer("indices_or_sections");
  if (!value.is_list()) return value.array.to_vector<std::int64_t>();
  const cp::Shape indices = to_shape(value);
  return std::vector<std::int64_t>(indices.begin(), indices.end());
}

cp::JoinOptions join_options(const Bound& b) {
  return {
      .out = b.optional_array("out"), .dtype = b.dtype("dtype"), .casting = b.casting("casting")};
}

/// A function of each array for itself.
template <cp::ndarray (*kFunction)(const cp::ndarray&)>
Arrays each(const Bound& b) {
  Arrays result;
  for (const cp::ndarray& a : b.rest()) result.push_back(kFunction(a));
  return result;
}

template <cp::ndarray (*kFunction)(std::span<const cp::ndarray>, const cp::StackOptions&)>
Arrays joined_as(const Bound& b) {
  const cp::JoinOptions options = join_options(b);
  return {kFunction(b.arrays("tup"), {.dtype = options.dtype, .casting = options.casting})};
}

Arrays shape_of(const cp::Shape& shape) {
  return {cp::array(std::vector<std::int64_t>(shape.begin(), shape.end()))};
}

Arrays broadcast_shapes(const Bound& b) {
  std::vector<cp::Shape> shapes;
  for (const cp::ndarray& shape : b.rest()) shapes.emplace_back(shape.to_vector<std::int64_t>());
  return shape_of(cp::broadcast_shapes(shapes));
}

template <cp::ndarray (*kFunction)(std::span<const cp::ndarray>)>
Arrays joined(const Bound& b) {
  return {kFunction(b.arrays("tup"))};
}

template <cp::Arrays (*kFunction)(const cp::ndarray&, const cp::Sections&)>
Arrays cut(const Bound& b) {
  return kFunction(b.array("ary"), sections(b));
}

Arrays broadcast(const Bound& b) {
  const cp::broadcast result{std::span<const cp::ndarray>(b.rest())};
  const std::vector<std::int64_t> shape(result.shape().begin(), result.shape().end());
  return {cp::array(shape), cp::array(cp::Scalar(result.nd())),
          cp::array(cp::Scalar(result.size()))};
}

Arrays copyto(const Bound& b) {
  const cp::ndarray target = b.array("dst");
  cp::copyto(target, b.operand("src"),
             {.casting = b.casting("casting"), .where = b.optional_array("where")});
  return {target};
}

Arrays transpose(const Bound& b) {
  const cp::ndarray a = b.array("a");
  return {b.has("axes") ? cp::transpose(a, b.shape("axes")) : cp::transpose(a)};
}

}  // namespace

Routines manipulation_routines() {
  return {
      {"reshape",
       {{"a", "newshape", "order"},
        [](const Bound& b) -> Arrays {
          if (!b.has("order")) return {cp::reshape(b.array("a"), b.shape("newshape"))};
          return {cp::reshape(b.array("a"), b.shape("newshape"), b.order("order"))};
        }}},
      {"ravel",
       {{"a", "order"},
        [](const Bound& b) -> Arrays { return {cp::ravel(b.array("a"), b.order("order"))}; }}},
      {"flatten",
       {{"a", "order"},
        [](const Bound& b) -> Arrays { return {b.array("a").flatten(b.order("order"))}; }}},
      {"transpose", {{"a", "axes"}, transpose}},
      {"T", {{"a"}, [](const Bound& b) -> Arrays { return {b.array("a").T()}; }}},
      {"swapaxes",
       {{"a", "axis1", "axis2"},
        [](const Bound& b) -> Arrays {
          return {cp::swapaxes(b.array("a"), b.integer("axis1"), b.integer("axis2"))};
        }}},
      {"rollaxis",
       {{"a", "axis", "start"},
        [](const Bound& b) -> Arrays {
          return {cp::rollaxis(b.array("a"), b.integer("axis"), b.integer("start", 0))};
        }}},
      {"expand_dims",
       {{"a", "axis"},
        [](const Bound& b) -> Arrays {
          if (b.at("axis").is_list()) return {cp::expand_dims(b.array("a"), b.axes("axis"))};
          return {cp::expand_dims(b.array("a"), b.integer("axis"))};
        }}},
      {"squeeze",
       {{"a", "axis"},
        [](const Bound& b) -> Arrays { return {cp::squeeze(b.array("a"), b.axes("axis"))}; }}},
      {"atleast_1d", {{"*"}, each<cp::atleast_1d>}},
      {"atleast_2d", {{"*"}, each<cp::atleast_2d>}},
      {"atleast_3d", {{"*"}, each<cp::atleast_3d>}},
      {"broadcast_to",
       {{"array", "shape"},
        [](const Bound& b) -> Arrays {
          return {cp::broadcast_to(b.array("array"), b.shape("shape"))};
        }}},
      {"broadcast_arrays",
       {{"*"}, [](const Bound& b) -> Arrays { return cp::broadcast_arrays(b.rest()); }}},
      {"broadcast", {{"*"}, broadcast}},
      {"copyto", {{"dst", "src", "casting", "where"}, copyto}},
      {"concatenate",
       {{"arrays", "axis", "out", "dtype", "casting"},
        [](const Bound& b) -> Arrays {
          return {cp::concatenate(b.arrays("arrays"), b.axes("axis", 0), join_options(b))};
        }}},
      {"stack",
       {{"arrays", "axis", "out", "dtype", "casting"},
        [](const Bound& b) -> Arrays {
          return {cp::stack(b.arrays("arrays"), b.integer("axis", 0), join_options(b))};
        }}},
      {"column_stack", {{"tup"}, joined<cp::column_stack>}},
      {"vstack", {{"tup", "dtype", "casting"}, joined_as<cp::vstack>}},
      {"row_stack", {{"tup", "dtype", "casting"}, joined_as<cp::vstack>}},
      {"hstack", {{"tup", "dtype", "casting"}, joined_as<cp::hstack>}},
      {"broadcast_shapes", {{"*"}, broadcast_shapes}},
      {"may_share_memory",
       {{"a", "b"},
        [](const Bound& b) -> Arrays {
          return {cp::array(cp::Scalar(cp::may_share_memory(b.array("a"), b.array("b"))))};
        }}},
      {"isfortran",
       {{"a"},
        [](const Bound& b) -> Arrays {
          return {cp::array(cp::Scalar(cp::isfortran(b.array("a"))))};
        }}},
      {"dstack", {{"tup"}, joined<cp::dstack>}},
      {"split",
       {{"ary", "indices_or_sections", "axis"},
        [](const Bound& b) -> Arrays {
          return cp::split(b.array("ary"), sections(b), b.integer("axis", 0));
        }}},
      {"array_split",
       {{"ary", "indices_or_sections", "axis"},
        [](const Bound& b) -> Arrays {
          return cp::array_split(b.array("ary"), sections(b), b.integer("axis", 0));
        }}},
      {"vsplit", {{"ary", "indices_or_sections"}, cut<cp::vsplit>}},
      {"hsplit", {{"ary", "indices_or_sections"}, cut<cp::hsplit>}},
      {"dsplit", {{"ary", "indices_or_sections"}, cut<cp::dsplit>}},
  };
}

}  // namespace conformance
