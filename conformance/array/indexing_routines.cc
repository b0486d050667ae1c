// SPDX-License-Identifier: MIT
#include "conformance/array/routine.h"
#include "cupyxx/indexing.h"
#include "cupyxx/math.h"

namespace conformance {
namespace cp = cupyxx;
namespace {

using Kind = Value::Kind;

cp::internal::IndexItem index_item(const Value& value) {
  switch (value.kind) {
    case Kind::scalar:
      return value.scalar.as_int64();
    case Kind::slice:
      return value.range;
    case Kind::none:
    case Kind::newaxis:
      return cp::newaxis;
    case Kind::ellipsis:
      return cp::ellipsis;
    default:
      throw Missing("an index that is neither an integer, a slice, None nor '...'");
  }
}

std::vector<cp::internal::IndexItem> index_list(const Value& index) {
  std::vector<cp::internal::IndexItem> items;
  if (!index.is_list()) return {index_item(index)};
  for (const Value& item : index.list) items.push_back(index_item(item));
  return items;
}

Arrays getitem(const Bound& b) {
  const Value& index = b.at("index");
  if (index.kind == Kind::array) return {b.array("a")(index.array).get()};
  return {b.array("a").getitem(index_list(index))};
}

Arrays setitem(const Bound& b) {
  const cp::ndarray a = b.array("a");
  const Value& index = b.at("index");
  if (index.kind == Kind::array) {
    a(index.array) = b.operand("value");
  } else {
    a.setitem(index_list(index), b.operand("value"));
  }
  return {a};
}

Arrays take(const Bound& b) {
  const cp::ndarray a = b.array("a");
  const cp::ndarray indices = b.array("indices");
  cp::TakeOptions options{.out = b.optional_array("out")};
  if (b.has("mode")) {
    const std::string& mode = b.at("mode").text;
    options.mode = mode == "wrap"   ? cp::IndexMode::wrap
                   : mode == "clip" ? cp::IndexMode::clip
                                    : cp::IndexMode::raise;
  }
  if (b.has("axis")) return {cp::take(a, indices, b.integer("axis"), options)};
  if (b.has("out") || b.has("mode")) return {cp::take(a.ravel(), indices, 0, options)};
  return {cp::take(a, indices)};
}

Arrays astype(const Bound& b) {
  return {b.array("a").astype(b.dtype("dtype"), b.boolean("copy", true))};
}

Arrays clip(const Bound& b) {
  return {cp::clip(b.array("a"), b.operand("a_min"), b.operand("a_max"), b.optional_array("out"))};
}

/// NumPy 1.24 makes arrays of the numbers that `where` is given, so they are strong there; in
/// NumPy 2, and here, they are weak.
Arrays where(const Bound& b) {
  return {cp::where(b.array("condition"), b.array("x"), b.array("y"))};
}

}  // namespace

Routines indexing_routines() {
  return {
      {"getitem", {{"a", "index"}, getitem}},
      {"setitem", {{"a", "index", "value"}, setitem}},
      {"take", {{"a", "indices", "axis", "out", "mode"}, take}},
      {"where", {{"condition", "x", "y"}, where}},
      {"diagonal",
       {{"a", "offset", "axis1", "axis2"},
        [](const Bound& b) -> Arrays {
          return {cp::diagonal(b.array("a"), b.integer("offset", 0), b.integer("axis1", 0),
                               b.integer("axis2", 1))};
        }}},
      {"astype", {{"a", "dtype", "copy"}, astype}},
      {"view",
       {{"a", "dtype"},
        [](const Bound& b) -> Arrays {
          const cp::ndarray a = b.array("a");
          return {b.has("dtype") ? a.view(b.dtype("dtype")) : a.view()};
        }}},
      {"fill",
       {{"a", "value"},
        [](const Bound& b) -> Arrays {
          const cp::ndarray a = b.array("a");
          a.fill(b.at("value").scalar);
          return {a};
        }}},
      {"clip", {{"a", "a_min", "a_max", "out"}, clip}},
  };
}

}  // namespace conformance
