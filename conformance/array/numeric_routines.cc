// SPDX-License-Identifier: MIT
// Functions of sampled data, correlation, windows, what is made of decompositions.
#include "conformance/array/routine.h"
#include "cupyxx/creation.h"
#include "cupyxx/linalg.h"
#include "cupyxx/math.h"
#include "cupyxx/special.h"
#include "cupyxx/statistics.h"

namespace conformance {
namespace cp = cupyxx;
namespace {

Arrays interp(const Bound& b) {
  return {cp::interp(b.array("x"), b.array("xp"), b.array("fp"),
                     {.left = b.optional_number("left"),
                      .right = b.optional_number("right"),
                      .period = b.optional_number("period")})};
}

Arrays trapz(const Bound& b) {
  return {cp::trapz(
      b.array("y"),
      {.x = b.optional_array("x"), .dx = b.number("dx", 1), .axis = b.integer("axis", -1)})};
}

Arrays gradient(const Bound& b) {
  const Arrays spacing = b.rest();
  return cp::gradient(b.array("f"), spacing,
                      {.axis = b.axes("axis"), .edge_order = b.integer("edge_order", 1)});
}

Arrays cross(const Bound& b) {
  cp::CrossOptions options{.axisa = b.integer("axisa", -1),
                           .axisb = b.integer("axisb", -1),
                           .axisc = b.integer("axisc", -1)};
  if (b.has("axis")) options.axis = b.integer("axis");
  return {cp::cross(b.array("a"), b.array("b"), options)};
}

template <cp::ndarray (*kFunction)(const cp::ndarray&, const cp::ndarray&, cp::ConvolveMode)>
Arrays convolve(const Bound& b, const char* otherwise) {
  const std::string mode = b.text("mode", otherwise);
  return {kFunction(b.array("a"), b.array("v"),
                    mode == "full"   ? cp::ConvolveMode::full
                    : mode == "same" ? cp::ConvolveMode::same
                                     : cp::ConvolveMode::valid)};
}

Arrays nan_to_num(const Bound& b) {
  return {cp::nan_to_num(b.array("x"), {.copy = b.boolean("copy", true),
                                        .nan = b.number("nan", 0),
                                        .posinf = b.optional_number("posinf"),
                                        .neginf = b.optional_number("neginf")})};
}

Arrays cov(const Bound& b) {
  cp::CovOptions options{.y = b.optional_array("y"),
                         .rowvar = b.boolean("rowvar", true),
                         .bias = b.boolean("bias", false)};
  if (b.has("ddof")) options.ddof = b.integer("ddof");
  options.fweights = b.optional_array("fweights");
  options.aweights = b.optional_array("aweights");
  options.dtype = b.dtype("dtype");
  return {cp::cov(b.array("m"), options)};
}

Arrays histogram2d(const Bound& b) {
  cp::Histogram2dOptions options;
  if (b.has("bins")) {
    const Value& bins = b.at("bins");
    if (bins.is_scalar()) options.bins = b.integer("bins");
    std::array<int, 2> counts = {options.bins[0], options.bins[1]};
    for (std::size_t i = 0; i < bins.list.size(); ++i) {
      if (bins.list[i].is_scalar()) {
        counts.at(i) = static_cast<int>(bins.list[i].scalar.as_int64());
      } else {
        options.edges.at(i) = to_array(bins.list[i]);
      }
    }
    options.bins = counts;
  }
  if (b.has("range")) {
    const auto v = b.array("range").to_vector<double>();
    options.range = {{v.at(0), v.at(1)}, {v.at(2), v.at(3)}};
  }
  options.density = b.boolean("density", false);
  options.weights = b.optional_array("weights");
  const cp::Histogram2dResult result = cp::histogram2d(b.array("x"), b.array("y"), options);
  return {result.hist, result.x_edges, result.y_edges};
}

/// A number of bins for all axes, or a number or edges for each.
Arrays histogramdd(const Bound& b) {
  cp::HistogramddOptions options;
  if (b.has("bins")) {
    const Value& bins = b.at("bins");
    options.bins.assign(std::max<std::size_t>(1, bins.list.size()), 10);
    options.edges.resize(bins.list.size());
    if (bins.is_scalar()) options.bins = {b.integer("bins")};
    for (std::size_t i = 0; i < bins.list.size(); ++i) {
      if (bins.list[i].is_scalar()) {
        options.bins[i] = static_cast<int>(bins.list[i].scalar.as_int64());
      } else {
        options.edges[i] = to_array(bins.list[i]);
      }
    }
  }
  if (b.has("range")) {
    for (const Value& ends : b.at("range").list) {
      options.range.emplace_back();
      if (ends.is_none()) continue;
      options.range.back() = {ends.list.at(0).scalar.as_double(),
                              ends.list.at(1).scalar.as_double()};
    }
  }
  options.density = b.boolean("density", false);
  options.weights = b.optional_array("weights");
  const cp::HistogramddResult found = cp::histogramdd(b.array("sample"), options);
  Arrays result = {found.hist};
  result.insert(result.end(), found.edges.begin(), found.edges.end());
  return result;
}

Arrays unwrap(const Bound& b) {
  cp::UnwrapOptions options{.discont = b.optional_number("discont"), .axis = b.integer("axis", -1)};
  if (b.has("period")) options.period = b.at("period").scalar;
  return {cp::unwrap(b.array("p"), options)};
}

Arrays lstsq(const Bound& b) {
  // NumPy 1.24's default, "warn", is the machine's precision.
  const std::optional<double> rcond = b.given("rcond") ? b.optional_number("rcond") : -1.0;
  const cp::linalg::LstsqResult result = cp::linalg::lstsq(b.array("a"), b.array("b"), rcond);
  return {result.x, result.residuals, cp::array(cp::Scalar(result.rank), cp::int32), result.s};
}

Arrays slogdet(const Bound& b) {
  const cp::linalg::SlogdetResult result = cp::linalg::slogdet(b.array("a"));
  return {result.sign, result.logdet};
}

Arrays cond(const Bound& b) {
  if (!b.has("p")) return {cp::linalg::cond(b.array("x"))};
  const Value& p = b.at("p");
  return {cp::linalg::cond(b.array("x"), p.is_scalar() ? cp::linalg::Order(p.scalar.as_double())
                                                       : cp::linalg::Order(p.text.c_str()))};
}

template <cp::ndarray (*kFunction)(cp::internal::Int64)>
Arrays window(const Bound& b) {
  return {kFunction(b.integer("M"))};
}

}  // namespace

Routines numeric_routines() {
  return {
      {"interp", {{"x", "xp", "fp", "left", "right", "period"}, interp}},
      {"trapz", {{"y", "x", "dx", "axis"}, trapz}},
      {"gradient", {{"f", "*", "axis", "edge_order"}, gradient}},
      {"ediff1d",
       {{"ary", "to_end", "to_begin"},
        [](const Bound& b) -> Arrays {
          return {cp::ediff1d(b.array("ary"), {.to_end = b.optional_array("to_end"),
                                               .to_begin = b.optional_array("to_begin")})};
        }}},
      {"cross", {{"a", "b", "axisa", "axisb", "axisc", "axis"}, cross}},
      {"convolve",
       {{"a", "v", "mode"}, [](const Bound& b) { return convolve<cp::convolve>(b, "full"); }}},
      {"correlate",
       {{"a", "v", "mode"}, [](const Bound& b) { return convolve<cp::correlate>(b, "valid"); }}},
      {"nan_to_num", {{"x", "copy", "nan", "posinf", "neginf"}, nan_to_num}},
      {"spacing", {{"x"}, [](const Bound& b) -> Arrays { return {cp::spacing(b.array("x"))}; }}},
      {"unwrap", {{"p", "discont", "axis", "period"}, unwrap}},
      {"sinc", {{"x"}, [](const Bound& b) -> Arrays { return {cp::sinc(b.array("x"))}; }}},
      {"vander",
       {{"x", "N", "increasing"},
        [](const Bound& b) -> Arrays {
          return {cp::vander(b.array("x"), b.integer("N", -1),
                             {.increasing = b.boolean("increasing", false)})};
        }}},
      {"cov", {{"m", "y", "rowvar", "bias", "ddof", "fweights", "aweights", "dtype"}, cov}},
      {"corrcoef",
       {{"x", "y", "rowvar", "bias", "ddof", "dtype"},
        [](const Bound& b) -> Arrays {
          return {cp::corrcoef(b.array("x"), {.y = b.optional_array("y"),
                                              .rowvar = b.boolean("rowvar", true),
                                              .dtype = b.dtype("dtype")})};
        }}},
      {"digitize",
       {{"x", "bins", "right"},
        [](const Bound& b) -> Arrays {
          return {cp::digitize(b.array("x"), b.array("bins"), b.boolean("right", false))};
        }}},
      {"histogramdd", {{"sample", "bins", "range", "density", "weights"}, histogramdd}},
      {"histogram2d", {{"x", "y", "bins", "range", "density", "weights"}, histogram2d}},
      {"bartlett", {{"M"}, window<cp::bartlett>}},
      {"blackman", {{"M"}, window<cp::blackman>}},
      {"hamming", {{"M"}, window<cp::hamming>}},
      {"hanning", {{"M"}, window<cp::hanning>}},
      {"kaiser",
       {{"M", "beta"},
        [](const Bound& b) -> Arrays {
          return {cp::kaiser(b.integer("M"), b.number("beta", 0))};
        }}},
      {"linalg.matrix_power",
       {{"a", "n"},
        [](const Bound& b) -> Arrays {
          return {cp::linalg::matrix_power(b.array("a"), b.integer("n"))};
        }}},
      {"linalg.multi_dot",
       {{"arrays", "out"},
        [](const Bound& b) -> Arrays {
          return {cp::linalg::multi_dot(b.arrays("arrays"), b.optional_array("out"))};
        }}},
      {"linalg.pinv",
       {{"a", "rcond", "hermitian"},
        [](const Bound& b) -> Arrays {
          if (!b.has("rcond")) return {cp::linalg::pinv(b.array("a"))};
          return {cp::linalg::pinv(b.array("a"), b.operand("rcond"))};
        }}},
      {"linalg.matrix_rank",
       {{"A", "tol", "hermitian"},
        [](const Bound& b) -> Arrays {
          if (!b.has("tol")) return {cp::linalg::matrix_rank(b.array("A"))};
          return {cp::linalg::matrix_rank(b.array("A"), b.operand("tol"))};
        }}},
      {"linalg.cond", {{"x", "p"}, cond}},
      {"linalg.lstsq", {{"a", "b", "rcond"}, lstsq}},
      {"linalg.slogdet", {{"a"}, slogdet}},
  };
}

}  // namespace conformance
