// SPDX-License-Identifier: MIT
#include <algorithm>

#include "conformance/array/routine.h"
#include "cupyxx/indexing.h"
#include "cupyxx/math.h"
#include "cupyxx/sorting.h"

namespace conformance {
namespace cp = cupyxx;
namespace {

using Kind = Value::Kind;

cp::Index index_entry(const Value& value) {
  switch (value.kind) {
    case Kind::scalar:
      if (value.scalar.kind() == cp::Scalar::Kind::boolean) return to_array(value);
      return value.scalar.as_int64();
    case Kind::slice:
      return value.range;
    case Kind::none:
    case Kind::newaxis:
      return cp::newaxis;
    case Kind::ellipsis:
      return cp::ellipsis;
    case Kind::array:
    case Kind::list:
      return to_array(value);
    default:
      throw Missing("an index of an unknown kind");
  }
}

}  // namespace

/// A tuple names several entries; a list of numbers is an array, as for NumPy.
std::vector<cp::Index> index_list(const Value& index) {
  std::vector<cp::Index> entries;
  const bool numbers = index.is_list() && !index.tuple &&
                       std::all_of(index.list.begin(), index.list.end(), [](const Value& item) {
                         return item.is_scalar() || item.is_list();
                       });
  if (!index.is_list() || numbers) return {index_entry(index)};
  for (const Value& item : index.list) entries.push_back(index_entry(item));
  return entries;
}

namespace {

Arrays getitem(const Bound& b) { return {b.array("a").getitem(index_list(b.at("index"))).get()}; }

Arrays setitem(const Bound& b) {
  const cp::ndarray a = b.array("a");
  a.setitem(index_list(b.at("index")), b.operand("value"));
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
  return {cp::take(a, indices, options)};
}

Arrays astype(const Bound& b) {
  cp::AstypeOptions options{.order = b.order("order", cp::Order::K)};
  options.casting = b.has("casting") ? b.casting("casting") : cp::Casting::unsafe;
  options.copy = b.boolean("copy", true);
  return {b.array("a").astype(b.dtype("dtype"), options)};
}

Arrays clip(const Bound& b) {
  return {cp::clip(b.array("a"), b.operand("a_min"), b.operand("a_max"),
                   {.out = b.optional_array("out"),
                    .where = b.optional_array("where"),
                    .casting = b.casting("casting"),
                    .dtype = b.dtype("dtype")})};
}

/// NumPy 1.24 makes arrays of the numbers that `where` is given, so they are strong there; in
/// NumPy 2, and here, they are weak.
Arrays where(const Bound& b) {
  if (!b.has("x") && !b.has("y")) return cp::nonzero(b.array("condition"));
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
      {"astype", {{"a", "dtype", "copy", "order", "casting"}, astype}},
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
          a.fill(to_scalar(b.at("value")));
          return {a};
        }}},
      {"clip", {{"a", "a_min", "a_max", "out", "where", "casting", "dtype"}, clip}},
  };
}

}  // namespace conformance
