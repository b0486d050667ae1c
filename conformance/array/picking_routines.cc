// SPDX-License-Identifier: MIT
#include "conformance/array/routine.h"
#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/logic.h"

namespace conformance {
namespace cp = cupyxx;
namespace {

cp::IndexMode index_mode(const Bound& b) {
  if (!b.has("mode")) return cp::IndexMode::raise;
  const std::string& mode = b.at("mode").text;
  return mode == "wrap"   ? cp::IndexMode::wrap
         : mode == "clip" ? cp::IndexMode::clip
                          : cp::IndexMode::raise;
}

Arrays truth(bool value) { return {cp::array(cp::Scalar(value))}; }

cp::CloseOptions close_options(const Bound& b) {
  cp::CloseOptions options;
  if (b.has("rtol")) options.rtol = b.at("rtol").scalar.as_double();
  if (b.has("atol")) options.atol = b.at("atol").scalar.as_double();
  options.equal_nan = b.boolean("equal_nan", false);
  return options;
}

/// NumPy changes the array it is given.
Arrays put_along_axis(const Bound& b) {
  const cp::ndarray a = b.array("arr");
  cp::put_along_axis(a, b.array("indices"), b.operand("values"), b.integer("axis"));
  return {a};
}

Arrays put(const Bound& b) {
  const cp::ndarray a = b.array("a");
  const Value& values = b.at("v");
  if (values.is_list()) {
    cp::put(a, b.array("ind"), to_array(values), index_mode(b));
  } else {
    cp::put(a, b.array("ind"), b.operand("v"), index_mode(b));
  }
  return {a};
}

}  // namespace

Routines picking_routines() {
  return {
      {"take_along_axis",
       {{"arr", "indices", "axis"},
        [](const Bound& b) -> Arrays {
          return {cp::take_along_axis(b.array("arr"), b.array("indices"), b.integer("axis"))};
        }}},
      {"put_along_axis", {{"arr", "indices", "values", "axis"}, put_along_axis}},
      {"put", {{"a", "ind", "v", "mode"}, put}},
      {"choose",
       {{"a", "choices", "out", "mode"},
        [](const Bound& b) -> Arrays {
          return {cp::choose(b.array("a"), b.arrays("choices"), index_mode(b),
                             b.optional_array("out"))};
        }}},
      {"compress",
       {{"condition", "a", "axis", "out"},
        [](const Bound& b) -> Arrays {
          return {cp::compress(b.array("condition"), b.array("a"), b.axes("axis"),
                               b.optional_array("out"))};
        }}},
      {"extract",
       {{"condition", "arr"},
        [](const Bound& b) -> Arrays {
          return {cp::extract(b.array("condition"), b.array("arr"))};
        }}},
      {"isclose",
       {{"a", "b", "rtol", "atol", "equal_nan"},
        [](const Bound& b) -> Arrays {
          return {cp::isclose(b.array("a"), b.array("b"), close_options(b))};
        }}},
      {"allclose",
       {{"a", "b", "rtol", "atol", "equal_nan"},
        [](const Bound& b) {
          return truth(cp::allclose(b.array("a"), b.array("b"), close_options(b)));
        }}},
      {"array_equal",
       {{"a1", "a2", "equal_nan"},
        [](const Bound& b) {
          return truth(
              cp::array_equal(b.array("a1"), b.array("a2"), b.boolean("equal_nan", false)));
        }}},
      {"array_equiv",
       {{"a1", "a2"},
        [](const Bound& b) { return truth(cp::array_equiv(b.array("a1"), b.array("a2"))); }}},
  };
}

}  // namespace conformance
