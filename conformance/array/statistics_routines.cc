// SPDX-License-Identifier: MIT
#include <array>

#include "conformance/array/routine.h"
#include "cupyxx/creation.h"
#include "cupyxx/message.h"
#include "cupyxx/statistics.h"

namespace conformance {
namespace cp = cupyxx;
namespace {

template <class Options>
using Reduction = cp::ndarray(const cp::ndarray&, const cp::Axes&, const Options&);

std::optional<cp::Scalar> initial(const Bound& b) {
  if (!b.has("initial")) return {};
  return b.at("initial").scalar;
}

template <Reduction<cp::CumsumOptions>* kFunction>
Arrays running(const Bound& b) {
  return {kFunction(b.array("a"), b.axes("axis"),
                    {.dtype = b.dtype("dtype"), .out = b.optional_array("out")})};
}

template <Reduction<cp::SumOptions>* kFunction>
Arrays sum(const Bound& b) {
  return {kFunction(b.array("a"), b.axes("axis"),
                    {.dtype = b.dtype("dtype"),
                     .out = b.optional_array("out"),
                     .keepdims = b.boolean("keepdims", false),
                     .initial = initial(b),
                     .where = b.optional_array("where")})};
}

template <Reduction<cp::MaxOptions>* kFunction>
Arrays extreme(const Bound& b) {
  return {kFunction(b.array("a"), b.axes("axis"),
                    {.out = b.optional_array("out"),
                     .keepdims = b.boolean("keepdims", false),
                     .initial = initial(b),
                     .where = b.optional_array("where")})};
}

template <Reduction<cp::VarOptions>* kFunction>
Arrays var(const Bound& b) {
  return {kFunction(b.array("a"), b.axes("axis"),
                    {.dtype = b.dtype("dtype"),
                     .out = b.optional_array("out"),
                     .ddof = b.has("ddof") ? b.at("ddof").scalar.as_double() : 0,
                     .keepdims = b.boolean("keepdims", false)})};
}

template <Reduction<cp::ArgOptions>* kFunction>
Arrays position(const Bound& b) {
  return {kFunction(b.array("a"), b.axes("axis"),
                    {.out = b.optional_array("out"), .keepdims = b.boolean("keepdims", false)})};
}

Arrays nanmean(const Bound& b) {
  return {cp::nanmean(b.array("a"), b.axes("axis"),
                      {.dtype = b.dtype("dtype"),
                       .out = b.optional_array("out"),
                       .keepdims = b.boolean("keepdims", false),
                       .where = b.optional_array("where")})};
}

Arrays diff(const Bound& b) {
  return {cp::diff(b.array("a"), b.integer("n", 1), b.integer("axis", -1),
                   {.prepend = b.optional_array("prepend"), .append = b.optional_array("append")})};
}

Arrays bincount(const Bound& b) {
  return {cp::bincount(b.array("x"), {.weights = b.optional_array("weights"),
                                      .minlength = b.integer("minlength", 0)})};
}

cp::HistogramOptions range_of_bins(const Bound& b) {
  cp::HistogramOptions options;
  if (b.has("range")) {
    const auto& ends = b.at("range").list;
    options.range = {ends.at(0).scalar.as_double(), ends.at(1).scalar.as_double()};
  }
  return options;
}

Arrays histogram_bin_edges(const Bound& b) {
  // Given edges are the result.
  if (b.has("bins") && !b.at("bins").is_scalar()) {
    return {cp::histogram(b.array("a"), b.array("bins")).bin_edges};
  }
  return {cp::histogram_bin_edges(b.array("a"), b.integer("bins", 10), range_of_bins(b))};
}

Arrays histogram(const Bound& b) {
  cp::HistogramOptions options = range_of_bins(b);
  options.density = b.boolean("density", false);
  options.weights = b.optional_array("weights");
  const bool by_edges = b.has("bins") && !b.at("bins").is_scalar();
  const cp::HistogramResult found =
      by_edges ? cp::histogram(b.array("a"), b.array("bins"), options)
               : cp::histogram(b.array("a"), b.integer("bins", 10), options);
  return {found.hist, found.bin_edges};
}

Arrays median(const Bound& b) {
  return {cp::median(b.array("a"), b.axes("axis"),
                     {.out = b.optional_array("out"), .keepdims = b.boolean("keepdims", false)})};
}

cp::QuantileMethod method(const Bound& b) {
  constexpr std::array<std::string_view, 13> kNames = {"inverted_cdf",
                                                       "averaged_inverted_cdf",
                                                       "closest_observation",
                                                       "interpolated_inverted_cdf",
                                                       "hazen",
                                                       "weibull",
                                                       "linear",
                                                       "median_unbiased",
                                                       "normal_unbiased",
                                                       "lower",
                                                       "higher",
                                                       "midpoint",
                                                       "nearest"};
  if (!b.has("method")) return cp::QuantileMethod::linear;
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == b.at("method").text) return static_cast<cp::QuantileMethod>(i);
  }
  throw Missing(cupyxx::message("the method '", b.at("method").text, "'"));
}

template <cp::ndarray (*kFunction)(const cp::ndarray&, const cp::Operand&, const cp::Axes&,
                                   const cp::QuantileOptions&)>
Arrays quantile(const Bound& b) {
  return {kFunction(b.array("a"), b.array("q"), b.axes("axis"),
                    {.out = b.optional_array("out"),
                     .method = method(b),
                     .keepdims = b.boolean("keepdims", false)})};
}

Arrays average(const Bound& b) {
  cp::ndarray returned;
  const bool wanted = b.boolean("returned", false);
  const cp::ndarray result = cp::average(b.array("a"), b.axes("axis"),
                                         {.weights = b.optional_array("weights"),
                                          .returned = wanted ? &returned : nullptr,
                                          .keepdims = b.boolean("keepdims", false)});
  if (wanted) return {result, returned};
  return {result};
}

Arrays ptp(const Bound& b) {
  return {cp::ptp(b.array("a"), b.axes("axis"),
                  {.out = b.optional_array("out"), .keepdims = b.boolean("keepdims", false)})};
}

}  // namespace

Routines statistics_routines() {
  const std::vector<std::string_view> runs = {"a", "axis", "dtype", "out"};
  const std::vector<std::string_view> sums = {"a",        "axis",    "dtype", "out",
                                              "keepdims", "initial", "where"};
  const std::vector<std::string_view> extremes = {"a",        "axis",    "out",
                                                  "keepdims", "initial", "where"};
  const std::vector<std::string_view> vars = {"a", "axis", "dtype", "out", "ddof", "keepdims"};
  const std::vector<std::string_view> positions = {"a", "axis", "out", "keepdims"};
  const std::vector<std::string_view> quantiles = {
      "a", "q", "axis", "out", "overwrite_input", "method", "keepdims"};
  return {
      {"cumsum", {runs, running<cp::cumsum>}},
      {"cumprod", {runs, running<cp::cumprod>}},
      {"nancumsum", {runs, running<cp::nancumsum>}},
      {"nancumprod", {runs, running<cp::nancumprod>}},
      {"diff", {{"a", "n", "axis", "prepend", "append"}, diff}},
      {"bincount", {{"x", "weights", "minlength"}, bincount}},
      {"histogram", {{"a", "bins", "range", "density", "weights"}, histogram}},
      {"histogram_bin_edges", {{"a", "bins", "range", "weights"}, histogram_bin_edges}},
      {"median", {{"a", "axis", "out", "overwrite_input", "keepdims"}, median}},
      {"quantile", {quantiles, quantile<cp::quantile>}},
      {"percentile", {quantiles, quantile<cp::percentile>}},
      {"nanquantile", {quantiles, quantile<cp::nanquantile>}},
      {"nanpercentile", {quantiles, quantile<cp::nanpercentile>}},
      {"average", {{"a", "axis", "weights", "returned", "keepdims"}, average}},
      {"ptp", {{"a", "axis", "out", "keepdims"}, ptp}},
      {"nansum", {sums, sum<cp::nansum>}},
      {"nanprod", {sums, sum<cp::nanprod>}},
      {"nanmax", {extremes, extreme<cp::nanmax>}},
      {"nanmin", {extremes, extreme<cp::nanmin>}},
      {"nanmean", {{"a", "axis", "dtype", "out", "keepdims", "where"}, nanmean}},
      {"nanvar", {vars, var<cp::nanvar>}},
      {"nanstd", {vars, var<cp::nanstd>}},
      {"nanargmax", {positions, position<cp::nanargmax>}},
      {"nanargmin", {positions, position<cp::nanargmin>}},
  };
}

}  // namespace conformance
