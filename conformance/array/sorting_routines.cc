// SPDX-License-Identifier: MIT
#include <cstdint>
#include <span>
#include <vector>

#include "conformance/array/routine.h"
#include "cupyxx/creation.h"
#include "cupyxx/sorting.h"

namespace conformance {
namespace cp = cupyxx;
namespace {

std::vector<std::int64_t> positions(const Value& value) {
  if (value.is_scalar()) return {value.scalar.as_int64()};
  return to_array(value).to_vector<std::int64_t>();
}

template <cp::ndarray (*kFunction)(const cp::ndarray&, const cp::Axes&, const cp::SortOptions&)>
Arrays sort(const Bound& b) {
  return {kFunction(b.array("a"), b.axes("axis", -1), {})};
}

template <cp::ndarray (*kFunction)(const cp::ndarray&, std::span<const std::int64_t>,
                                   const cp::Axes&)>
Arrays partition(const Bound& b) {
  return {kFunction(b.array("a"), positions(b.at("kth")), b.axes("axis", -1))};
}

Arrays searchsorted(const Bound& b) {
  cp::SearchsortedOptions options;
  if (b.has("side") && b.at("side").text == "right") options.side = cp::SearchSide::right;
  options.sorter = b.optional_array("sorter");
  return {cp::searchsorted(b.array("a"), b.array("v"), options)};
}

Arrays unique(const Bound& b) {
  cp::UniqueOptions options{.return_index = b.boolean("return_index", false),
                            .return_inverse = b.boolean("return_inverse", false),
                            .return_counts = b.boolean("return_counts", false)};
  if (b.has("axis")) options.axis = b.integer("axis");
  options.equal_nan = b.boolean("equal_nan", true);
  const cp::UniqueResult found = cp::unique(b.array("ar"), options);
  Arrays result = {found.values};
  if (options.return_index) result.push_back(found.index);
  if (options.return_inverse) result.push_back(found.inverse);
  if (options.return_counts) result.push_back(found.counts);
  return result;
}

}  // namespace

Routines sorting_routines() {
  const std::vector<std::string_view> sorts = {"a", "axis", "kind", "order"};
  const std::vector<std::string_view> partitions = {"a", "kth", "axis", "kind", "order"};
  return {
      {"sort", {sorts, sort<cp::sort>}},
      {"argsort", {sorts, sort<cp::argsort>}},
      {"partition", {partitions, partition<cp::partition>}},
      {"argpartition", {partitions, partition<cp::argpartition>}},
      {"searchsorted", {{"a", "v", "side", "sorter"}, searchsorted}},
      {"sort_complex",
       {{"a"}, [](const Bound& b) -> Arrays { return {cp::sort_complex(b.array("a"))}; }}},
      {"nonzero", {{"a"}, [](const Bound& b) -> Arrays { return cp::nonzero(b.array("a")); }}},
      {"flatnonzero",
       {{"a"}, [](const Bound& b) -> Arrays { return {cp::flatnonzero(b.array("a"))}; }}},
      {"argwhere", {{"a"}, [](const Bound& b) -> Arrays { return {cp::argwhere(b.array("a"))}; }}},
      {"unique",
       {{"ar", "return_index", "return_inverse", "return_counts", "axis", "equal_nan"}, unique}},
  };
}

}  // namespace conformance
