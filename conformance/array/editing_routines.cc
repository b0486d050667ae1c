// SPDX-License-Identifier: MIT
// Adding and removing elements, sets, selections by conditions.
#include <vector>

#include "conformance/array/routine.h"
#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/sets.h"
#include "cupyxx/sorting.h"

namespace conformance {
namespace cp = cupyxx;
namespace {

Arrays delete_(const Bound& b) {
  const Value& which = b.at("obj");
  const cp::ndarray a = b.array("arr");
  if (which.kind == Value::Kind::slice) return {cp::delete_(a, which.range, b.axes("axis"))};
  if (which.is_scalar()) return {cp::delete_(a, which.scalar.as_int64(), b.axes("axis"))};
  return {cp::delete_(a, to_array(which), b.axes("axis"))};
}

Arrays insert(const Bound& b) {
  const Value& which = b.at("obj");
  const cp::ndarray a = b.array("arr"), values = b.array("values");
  if (which.kind == Value::Kind::slice) {
    return {cp::insert(a, which.range, values, b.axes("axis"))};
  }
  if (which.is_scalar()) {
    return {cp::insert(a, which.scalar.as_int64(), values, b.axes("axis"))};
  }
  return {cp::insert(a, to_array(which), values, b.axes("axis"))};
}

cp::IsinOptions isin_options(const Bound& b) {
  return {.assume_unique = b.boolean("assume_unique", false), .invert = b.boolean("invert", false)};
}

Arrays intersect1d(const Bound& b) {
  const cp::ndarray x = b.array("ar1"), y = b.array("ar2");
  if (!b.boolean("return_indices", false)) {
    return {cp::intersect1d(x, y, b.boolean("assume_unique", false))};
  }
  const cp::IntersectResult found = cp::intersect1d_with_indices(x, y);
  return {found.values, found.indices1, found.indices2};
}

template <cp::ndarray (*kFunction)(const cp::ndarray&, const cp::ndarray&, bool)>
Arrays set_operation(const Bound& b) {
  return {kFunction(b.array("ar1"), b.array("ar2"), b.boolean("assume_unique", false))};
}

/// NumPy changes the array it is given.
template <void (*kFunction)(const cp::ndarray&, const cp::ndarray&, const cp::Operand&)>
Arrays masked(const Bound& b, std::string_view array, std::string_view values) {
  const cp::ndarray a = b.array(array);
  kFunction(a, b.array("mask"), b.array(values));
  return {a};
}

/// Blocks in rows; a list of arrays is a row without an axis of rows.
Arrays block(const Bound& b) {
  const Value& rows = b.at("arrays");
  if (rows.list.empty() || !rows.list[0].is_list()) {
    return {cp::block(b.arrays("arrays"))};
  }
  std::vector<Arrays> blocks;
  for (const Value& row : rows.list) {
    blocks.emplace_back();
    for (const Value& item : row.list) blocks.back().push_back(to_array(item));
  }
  return {cp::block(blocks)};
}

}  // namespace

Routines editing_routines() {
  return {
      {"append",
       {{"arr", "values", "axis"},
        [](const Bound& b) -> Arrays {
          return {cp::append(b.array("arr"), b.array("values"), b.axes("axis"))};
        }}},
      {"delete", {{"arr", "obj", "axis"}, delete_}},
      {"insert", {{"arr", "obj", "values", "axis"}, insert}},
      {"resize",
       {{"a", "new_shape"},
        [](const Bound& b) -> Arrays { return {cp::resize(b.array("a"), b.shape("new_shape"))}; }}},
      {"trim_zeros",
       {{"filt", "trim"},
        [](const Bound& b) -> Arrays {
          return {cp::trim_zeros(b.array("filt"), b.text("trim", "fb"))};
        }}},
      {"block", {{"arrays"}, block}},
      {"in1d",
       {{"ar1", "ar2", "assume_unique", "invert", "kind"},
        [](const Bound& b) -> Arrays {
          return {cp::in1d(b.array("ar1"), b.array("ar2"), isin_options(b))};
        }}},
      {"isin",
       {{"element", "test_elements", "assume_unique", "invert", "kind"},
        [](const Bound& b) -> Arrays {
          return {cp::isin(b.array("element"), b.array("test_elements"), isin_options(b))};
        }}},
      {"intersect1d", {{"ar1", "ar2", "assume_unique", "return_indices"}, intersect1d}},
      {"setdiff1d", {{"ar1", "ar2", "assume_unique"}, set_operation<cp::setdiff1d>}},
      {"setxor1d", {{"ar1", "ar2", "assume_unique"}, set_operation<cp::setxor1d>}},
      {"union1d",
       {{"ar1", "ar2"},
        [](const Bound& b) -> Arrays { return {cp::union1d(b.array("ar1"), b.array("ar2"))}; }}},
      {"place",
       {{"arr", "mask", "vals"},
        [](const Bound& b) { return masked<cp::place>(b, "arr", "vals"); }}},
      {"putmask",
       {{"a", "mask", "values"},
        [](const Bound& b) { return masked<cp::putmask>(b, "a", "values"); }}},
      {"select",
       {{"condlist", "choicelist", "default"},
        [](const Bound& b) -> Arrays {
          const Arrays conditions = b.arrays("condlist"), choices = b.arrays("choicelist");
          if (!b.has("default")) return {cp::select(conditions, choices)};
          return {cp::select(conditions, choices, b.operand("default"))};
        }}},
      {"lexsort",
       {{"keys", "axis"},
        [](const Bound& b) -> Arrays {
          const Value& keys = b.at("keys");
          if (keys.is_list()) return {cp::lexsort(b.arrays("keys"), b.integer("axis", -1))};
          Arrays rows;
          for (const cp::ndarray& row : keys.array) rows.push_back(row);
          return {cp::lexsort(rows, b.integer("axis", -1))};
        }}},
  };
}

}  // namespace conformance
