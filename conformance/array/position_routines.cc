// SPDX-License-Identifier: MIT
// Arrays of indices.
#include "conformance/array/routine.h"
#include "cupyxx/indexing.h"

namespace conformance {
namespace cp = cupyxx;
namespace {

cp::dtype dtype_or_int64(const Bound& b) { return b.has("dtype") ? b.dtype("dtype") : cp::int64; }

/// The arrays of a list, or the rows of an array.
Arrays arrays_or_rows(const Bound& b, std::string_view name) {
  const Value& value = b.at(name);
  if (value.is_list()) return b.arrays(name);
  Arrays rows;
  for (const cp::ndarray& row : value.array) rows.push_back(row);
  return rows;
}

Arrays ravel_multi_index(const Bound& b) {
  const std::string mode = b.text("mode", "raise");
  return {cp::ravel_multi_index(arrays_or_rows(b, "multi_index"), b.shape("dims"),
                                {.mode = mode == "wrap"   ? cp::IndexMode::wrap
                                         : mode == "clip" ? cp::IndexMode::clip
                                                          : cp::IndexMode::raise,
                                 .order = b.order("order")})};
}

template <cp::ArrayTuple<2> (*kFunction)(cp::internal::Int64, cp::internal::Int64,
                                         cp::internal::Int64)>
Arrays triangle(const Bound& b) {
  return kFunction(b.integer("n"), b.integer("k", 0), b.integer("m", -1));
}

template <cp::ArrayTuple<2> (*kFunction)(const cp::ndarray&, cp::internal::Int64)>
Arrays triangle_from(const Bound& b) {
  return kFunction(b.array("arr"), b.integer("k", 0));
}

}  // namespace

Routines position_routines() {
  return {
      {"indices",
       {{"dimensions", "dtype", "sparse"},
        [](const Bound& b) -> Arrays {
          if (b.boolean("sparse", false)) {
            return cp::indices_sparse(b.shape("dimensions"), dtype_or_int64(b));
          }
          return {cp::indices(b.shape("dimensions"), dtype_or_int64(b))};
        }}},
      {"ix_", {{"*"}, [](const Bound& b) -> Arrays { return cp::ix_(b.rest()); }}},
      {"unravel_index",
       {{"indices", "shape", "order"},
        [](const Bound& b) -> Arrays {
          return cp::unravel_index(b.array("indices"), b.shape("shape"), b.order("order"));
        }}},
      {"ravel_multi_index", {{"multi_index", "dims", "mode", "order"}, ravel_multi_index}},
      {"diag_indices",
       {{"n", "ndim"},
        [](const Bound& b) -> Arrays {
          return cp::diag_indices(b.integer("n"), b.integer("ndim", 2));
        }}},
      {"diag_indices_from",
       {{"arr"}, [](const Bound& b) -> Arrays { return cp::diag_indices_from(b.array("arr")); }}},
      {"tril_indices", {{"n", "k", "m"}, triangle<cp::tril_indices>}},
      {"triu_indices", {{"n", "k", "m"}, triangle<cp::triu_indices>}},
      {"tril_indices_from", {{"arr", "k"}, triangle_from<cp::tril_indices_from>}},
      {"triu_indices_from", {{"arr", "k"}, triangle_from<cp::triu_indices_from>}},
      {"fill_diagonal",
       {{"a", "val", "wrap"},
        [](const Bound& b) -> Arrays {
          const cp::ndarray a = b.array("a");
          cp::fill_diagonal(a, b.array("val"), b.boolean("wrap", false));
          return {a};
        }}},
  };
}

}  // namespace conformance
