// SPDX-License-Identifier: MIT
// Tiling, rearranging, triangles, einsum and decompositions.
#include "conformance/array/routine.h"
#include "cupyxx/creation.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"

namespace conformance {
namespace cp = cupyxx;
namespace {

template <cp::ndarray (*kFunction)(const cp::ndarray&)>
Arrays unary(const Bound& b) {
  return {kFunction(b.array("a"))};
}

template <cp::ndarray (*kFunction)(const cp::ndarray&)>
Arrays complex_part(const Bound& b) {
  return {kFunction(b.array("val"))};
}

template <bool (*kFunction)(const cp::ndarray&)>
Arrays question(const Bound& b) {
  return {cp::array(cp::Scalar(kFunction(b.array("x"))))};
}

Arrays repeat(const Bound& b) {
  const cp::ndarray counts = b.array("repeats");
  if (counts.ndim() == 0) {
    return {cp::repeat(b.array("a"), counts.item<std::int64_t>(), b.axes("axis"))};
  }
  return {cp::repeat(b.array("a"), counts.to_vector<std::int64_t>(), b.axes("axis"))};
}

cp::PadMode pad_mode(const std::string& name) {
  if (name == "constant") return cp::PadMode::constant;
  if (name == "edge") return cp::PadMode::edge;
  if (name == "reflect") return cp::PadMode::reflect;
  if (name == "symmetric") return cp::PadMode::symmetric;
  if (name == "wrap") return cp::PadMode::wrap;
  if (name == "empty") return cp::PadMode::empty;
  if (name == "linear_ramp") return cp::PadMode::linear_ramp;
  if (name == "maximum") return cp::PadMode::maximum_;
  if (name == "mean") return cp::PadMode::mean;
  if (name == "median") return cp::PadMode::median;
  if (name == "minimum") return cp::PadMode::minimum_;
  throw Missing(cupyxx::message("the padding mode '", name, "'"));
}

/// One number, one number or pair for all axes, or a pair per axis.
cp::PadValues pad_values(const Value& value) {
  if (value.is_scalar()) return value.scalar;
  const auto pair = [](const Value& item) -> std::array<cp::Scalar, 2> {
    if (item.is_scalar()) return {item.scalar, item.scalar};
    return {item.list.front().scalar, item.list.back().scalar};
  };
  if (value.list.front().is_scalar()) return {pair(value)};
  std::vector<std::array<cp::Scalar, 2>> pairs;
  for (const Value& item : value.list) pairs.push_back(pair(item));
  return pairs;
}

Arrays pad(const Bound& b) {
  const cp::ndarray width = b.array("pad_width");
  std::vector<std::array<std::int64_t, 2>> pairs;
  const auto numbers = width.to_vector<std::int64_t>();
  if (numbers.size() == 1) {
    pairs.push_back({numbers[0], numbers[0]});
  } else {
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2) {
      pairs.push_back({numbers[i], numbers[i + 1]});
    }
  }
  cp::PadOptions options;
  if (b.has("mode")) options.mode = pad_mode(b.at("mode").text);
  if (b.has("constant_values")) options.constant_values = pad_values(b.at("constant_values"));
  if (b.has("end_values")) options.end_values = pad_values(b.at("end_values"));
  if (b.has("stat_length")) options.stat_length = b.integer("stat_length");
  options.reflect_type = b.text("reflect_type", "even");
  return {cp::pad(b.array("array"), pairs, options)};
}

Arrays roll(const Bound& b) { return {cp::roll(b.array("a"), b.shape("shift"), b.axes("axis"))}; }

Arrays rot90(const Bound& b) {
  const cp::Shape axes = b.has("axes") ? b.shape("axes") : cp::Shape{0, 1};
  return {cp::rot90(b.array("m"), b.integer("k", 1), static_cast<int>(axes[0]),
                    static_cast<int>(axes[1]))};
}

Arrays meshgrid(const Bound& b) {
  cp::MeshgridOptions options{.copy = b.boolean("copy", true),
                              .sparse = b.boolean("sparse", false)};
  if (b.has("indexing")) options.indexing = b.at("indexing").text;
  return cp::meshgrid(b.rest(), options);
}

Arrays qr(const Bound& b) {
  const std::string mode = b.has("mode") ? b.at("mode").text : "reduced";
  const cp::linalg::QrResult result =
      cp::linalg::qr(b.array("a"), mode == "complete" ? cp::linalg::QrMode::complete
                                   : mode == "r"      ? cp::linalg::QrMode::r
                                                      : cp::linalg::QrMode::reduced);
  return mode == "r" ? Arrays{result.r} : Arrays{result.q, result.r};
}

Arrays svd(const Bound& b) {
  const bool vectors = b.boolean("compute_uv", true);
  const cp::linalg::SvdResult result =
      cp::linalg::svd(b.array("a"), b.boolean("full_matrices", true), vectors);
  return vectors ? Arrays{result.u, result.s, result.vh} : Arrays{result.s};
}

Arrays einsum(const Bound& b) {
  return {cp::einsum(b.at("subscripts").text, b.rest(),
                     {.out = b.optional_array("out"),
                      .dtype = b.dtype("dtype"),
                      .casting = b.has("casting") ? b.casting("casting") : cp::Casting::safe})};
}

char triangle(const Bound& b) { return b.has("UPLO") ? b.at("UPLO").text.at(0) : 'L'; }

Arrays eigh(const Bound& b) {
  const cp::linalg::EighResult result = cp::linalg::eigh(b.array("a"), triangle(b));
  return {result.eigenvalues, result.eigenvectors};
}

}  // namespace

// `optimize`, `hermitian` and `kind` of NumPy choose among algorithms for the same result.
Routines composed_routines() {
  return {
      {"tile",
       {{"A", "reps"},
        [](const Bound& b) -> Arrays { return {cp::tile(b.array("A"), b.shape("reps"))}; }}},
      {"repeat", {{"a", "repeats", "axis"}, repeat}},
      {"pad",
       {{"array", "pad_width", "mode", "constant_values", "end_values", "stat_length",
         "reflect_type"},
        pad}},
      {"kron",
       {{"a", "b"},
        [](const Bound& b) -> Arrays { return {cp::kron(b.array("a"), b.array("b"))}; }}},
      {"roll", {{"a", "shift", "axis"}, roll}},
      {"flip",
       {{"m", "axis"},
        [](const Bound& b) -> Arrays { return {cp::flip(b.array("m"), b.axes("axis"))}; }}},
      {"fliplr", {{"m"}, [](const Bound& b) -> Arrays { return {cp::fliplr(b.array("m"))}; }}},
      {"flipud", {{"m"}, [](const Bound& b) -> Arrays { return {cp::flipud(b.array("m"))}; }}},
      {"rot90", {{"m", "k", "axes"}, rot90}},
      {"moveaxis",
       {{"a", "source", "destination"},
        [](const Bound& b) -> Arrays {
          return {cp::moveaxis(b.array("a"), b.shape("source"), b.shape("destination"))};
        }}},
      {"tri",
       {{"N", "M", "k", "dtype"},
        [](const Bound& b) -> Arrays {
          return {cp::tri(b.integer("N"), b.integer("M", -1), b.integer("k", 0),
                          b.has("dtype") ? b.dtype("dtype") : cp::float64)};
        }}},
      {"tril",
       {{"m", "k"},
        [](const Bound& b) -> Arrays { return {cp::tril(b.array("m"), b.integer("k", 0))}; }}},
      {"triu",
       {{"m", "k"},
        [](const Bound& b) -> Arrays { return {cp::triu(b.array("m"), b.integer("k", 0))}; }}},
      {"real", {{"val"}, complex_part<cp::real>}},
      {"imag", {{"val"}, complex_part<cp::imag>}},
      {"iscomplex",
       {{"x"}, [](const Bound& b) -> Arrays { return {cp::iscomplex(b.array("x"))}; }}},
      {"isreal", {{"x"}, [](const Bound& b) -> Arrays { return {cp::isreal(b.array("x"))}; }}},
      {"iscomplexobj", {{"x"}, question<cp::iscomplexobj>}},
      {"isrealobj", {{"x"}, question<cp::isrealobj>}},
      {"angle",
       {{"z", "deg"},
        [](const Bound& b) -> Arrays {
          return {cp::angle(b.array("z"), b.boolean("deg", false))};
        }}},
      {"real_if_close",
       {{"a", "tol"},
        [](const Bound& b) -> Arrays {
          const double tol = b.has("tol") ? b.at("tol").scalar.as_double() : 100;
          return {cp::real_if_close(b.array("a"), tol)};
        }}},
      {"meshgrid", {{"*", "copy", "sparse", "indexing"}, meshgrid}},
      {"einsum", {{"subscripts", "*", "out", "dtype", "casting", "optimize"}, einsum}},
      {"linalg.solve",
       {{"a", "b"},
        [](const Bound& b) -> Arrays { return {cp::linalg::solve(b.array("a"), b.array("b"))}; }}},
      {"linalg.inv", {{"a"}, unary<cp::linalg::inv>}},
      {"linalg.det", {{"a"}, unary<cp::linalg::det>}},
      {"linalg.cholesky", {{"a"}, unary<cp::linalg::cholesky>}},
      {"linalg.qr", {{"a", "mode"}, qr}},
      {"linalg.svd", {{"a", "full_matrices", "compute_uv", "hermitian"}, svd}},
      {"linalg.eigh", {{"a", "UPLO"}, eigh}},
      {"linalg.eigvalsh",
       {{"a", "UPLO"},
        [](const Bound& b) -> Arrays {
          return {cp::linalg::eigvalsh(b.array("a"), triangle(b))};
        }}},
      {"linalg.eig",
       {{"a"},
        [](const Bound& b) -> Arrays {
          const cp::linalg::EigResult result = cp::linalg::eig(b.array("a"));
          return {result.eigenvalues, result.eigenvectors};
        }}},
      {"linalg.eigvals", {{"a"}, unary<cp::linalg::eigvals>}},
      {"linalg.tensorsolve",
       {{"a", "b", "axes"},
        [](const Bound& b) -> Arrays {
          return {cp::linalg::tensorsolve(b.array("a"), b.array("b"), b.axes("axes"))};
        }}},
      {"linalg.tensorinv",
       {{"a", "ind"},
        [](const Bound& b) -> Arrays {
          return {cp::linalg::tensorinv(b.array("a"), b.integer("ind", 2))};
        }}},
      {"ifloordiv",
       {{"a", "b"},
        [](const Bound& b) -> Arrays { return {b.array("a").ifloordiv(b.operand("b"))}; }}},
      {"ipow",
       {{"a", "b"}, [](const Bound& b) -> Arrays { return {b.array("a").ipow(b.operand("b"))}; }}},
  };
}

}  // namespace conformance
