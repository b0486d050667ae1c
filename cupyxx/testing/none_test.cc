// SPDX-License-Identifier: MIT
// Every public routine says so, by its name, where an array is None, in each of the places that
// cannot be left out. The headers are read for names of routines, so that none is forgotten.
#include <gtest/gtest.h>

#include <cctype>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "cupyxx/array_api.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/fft.h"
#include "cupyxx/functional.h"
#include "cupyxx/indexing.h"
#include "cupyxx/interop.h"
#include "cupyxx/io.h"
#include "cupyxx/linalg.h"
#include "cupyxx/logic.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/polynomials.h"
#include "cupyxx/reduction.h"
#include "cupyxx/sets.h"
#include "cupyxx/sorting.h"
#include "cupyxx/special.h"
#include "cupyxx/statistics.h"
#include "cupyxx/type_functions.h"
#include "cupyxx/ufunc.h"

namespace cupyxx {
namespace {

namespace fs = std::filesystem;

const ndarray null;
ndarray matrix() { return ones({2, 2}); }
ndarray vector() { return ones({3}); }
ndarray places() { return array({0, 1}); }
ndarray mask() { return ones({3}, bool_); }
std::string scratch() { return (fs::temp_directory_path() / "cupyxx_none_test").string(); }

ndarray first_sum(const ndarray& x) { return sum(x); }
ndarray axis_sum(const ndarray& x, int axis) { return sum(x, axis); }

struct Row {
  std::string name;
  std::string call;
  void (*run)();
};

#define CALL(name, ...)                     \
  Row {                                     \
    name, #__VA_ARGS__, [] { __VA_ARGS__; } \
  }

// clang-format off
std::vector<Row> first_rows() {
  return {
      CALL("packbits", packbits(null)),
      CALL("unpackbits", unpackbits(null)),
      CALL("real", real(null)),
      CALL("imag", imag(null)),
      CALL("angle", angle(null)),
      CALL("real_if_close", real_if_close(null)),
      CALL("iscomplex", iscomplex(null)),
      CALL("isreal", isreal(null)),
      CALL("iscomplexobj", iscomplexobj(null)),
      CALL("isrealobj", isrealobj(null)),
      CALL("cov", cov(null)),
      CALL("corrcoef", corrcoef(null)),
      CALL("digitize", digitize(null, vector())),
      CALL("digitize", digitize(null, {0, 1})),
      CALL("append", append(null, {1, 2})),
      CALL("delete", delete_(null, {0, 1})),
      CALL("insert", insert(null, {0, 1}, {1, 2})),
      CALL("insert", insert(vector(), {0, 1}, null)),
      CALL("searchsorted", searchsorted(null, {1, 2})),
      CALL("percentile", percentile(null, {25, 50})),
      CALL("dot", dot(null, {1, 2})),
      CALL("dot", dot({1, 2}, null)),
      CALL("in1d", in1d(null, {1, 2})),
      CALL("interp", interp({1, 2}, null, {1, 2})),
      CALL("diff", diff(null, 1, -1, 0)),
      CALL("gradient", gradient(null, 1., 2.)),
      CALL("digitize", digitize(vector(), null)),
      CALL("histogram2d", histogram2d(null, vector())),
      CALL("histogram2d", histogram2d(vector(), null)),
      CALL("histogramdd", histogramdd(null)),
      CALL("full", full({2}, null)),
      CALL("full", full({2}, null, float32, Order::F)),
      CALL("empty_like", empty_like(null)),
      CALL("empty_like", empty_like(null, {.dtype = float32})),
      CALL("zeros_like", zeros_like(null)),
      CALL("zeros_like", zeros_like(null, {.dtype = float32})),
      CALL("ones_like", ones_like(null)),
      CALL("ones_like", ones_like(null, {.dtype = float32})),
      CALL("full_like", full_like(null, 1)),
      CALL("full_like", full_like(vector(), null)),
      CALL("full_like", full_like(null, 1, {.dtype = float32})),
      CALL("full_like", full_like(vector(), null, {.dtype = float32})),
      CALL("linspace", linspace(null, vector())),
      CALL("linspace", linspace(vector(), null)),
      CALL("logspace", logspace(null, vector())),
      CALL("logspace", logspace(vector(), null)),
      CALL("geomspace", geomspace(null, vector())),
      CALL("geomspace", geomspace(vector(), null)),
      CALL("diag", diag(null)),
      CALL("diagflat", diagflat(null)),
      CALL("array", array(null)),
      CALL("array", array({null, null})),
      CALL("array", array({vector(), null})),
      CALL("asarray", asarray(null)),
      CALL("asanyarray", asanyarray(null)),
      CALL("ascontiguousarray", ascontiguousarray(null)),
      CALL("asarray_chkfinite", asarray_chkfinite(null)),
      CALL("asfortranarray", asfortranarray(null)),
      CALL("copy", copy(null)),
      CALL("copy", copy(null, Order::F)),
      CALL("linalg.solve", linalg::solve(null, matrix())),
      CALL("linalg.solve", linalg::solve(matrix(), null)),
      CALL("linalg.inv", linalg::inv(null)),
      CALL("linalg.det", linalg::det(null)),
      CALL("linalg.slogdet", linalg::slogdet(null)),
      CALL("linalg.cholesky", linalg::cholesky(null)),
      CALL("linalg.qr", linalg::qr(null)),
      CALL("linalg.svd", linalg::svd(null)),
      CALL("linalg.eigh", linalg::eigh(null)),
      CALL("linalg.eigvalsh", linalg::eigvalsh(null)),
      CALL("linalg.eig", linalg::eig(null)),
      CALL("linalg.eigvals", linalg::eigvals(null)),
      CALL("linalg.tensorsolve", linalg::tensorsolve(null, vector())),
      CALL("linalg.tensorsolve", linalg::tensorsolve(matrix(), null)),
      CALL("linalg.tensorinv", linalg::tensorinv(null)),
      CALL("append", append(null, 1)),
      CALL("append", append(vector(), null)),
      CALL("delete", delete_(null, 0)),
      CALL("delete", delete_(null, slice())),
      CALL("delete", delete_(null, vector())),
      CALL("delete", delete_(vector(), null)),
      CALL("insert", insert(null, 0, 1)),
      CALL("insert", insert(vector(), 0, null)),
      CALL("insert", insert(null, vector(), 1)),
      CALL("insert", insert(vector(), null, 1)),
      CALL("insert", insert(null, slice(), 1)),
      CALL("insert", insert(vector(), slice(), null)),
      CALL("resize", resize(null, {2})),
      CALL("trim_zeros", trim_zeros(null)),
      CALL("block", block({{null}})),
      CALL("block", block({{matrix(), null}})),
      CALL("block", block({matrix(), null})),
      CALL("split", split(matrix(), null)),
      CALL("einsum", einsum("ij->ji", {null})),
      CALL("einsum", einsum("ij,jk->ik", {matrix(), null})),
      CALL("fft.fft", fft::fft(null)),
      CALL("fft.ifft", fft::ifft(null)),
      CALL("fft.rfft", fft::rfft(null)),
      CALL("fft.irfft", fft::irfft(null)),
      CALL("fft.hfft", fft::hfft(null)),
      CALL("fft.ihfft", fft::ihfft(null)),
      CALL("fft.fftn", fft::fftn(null)),
      CALL("fft.ifftn", fft::ifftn(null)),
      CALL("fft.rfftn", fft::rfftn(null)),
      CALL("fft.irfftn", fft::irfftn(null)),
      CALL("fft.fft2", fft::fft2(null)),
      CALL("fft.ifft2", fft::ifft2(null)),
      CALL("fft.rfft2", fft::rfft2(null)),
      CALL("fft.irfft2", fft::irfft2(null)),
      CALL("fft.fftshift", fft::fftshift(null)),
      CALL("fft.ifftshift", fft::ifftshift(null)),
      CALL("apply_along_axis", apply_along_axis(first_sum, 0, null)),
      CALL("apply_over_axes", apply_over_axes(axis_sum, null, {0})),
      CALL("piecewise", piecewise(null, {vector()}, 1)),
      CALL("piecewise", piecewise(vector(), {null}, 1)),
      CALL("take", take(null, vector())),
      CALL("take", take(vector(), null)),
      CALL("take", take(null, vector(), 0)),
      CALL("take", take(vector(), null, 0)),
      CALL("take", take(null, vector(), {.mode = IndexMode::wrap})),
      CALL("take", take(vector(), null, {.mode = IndexMode::wrap})),
      CALL("where", where(null, 1, 0)),
      CALL("where", where(vector(), null, 0)),
      CALL("where", where(vector(), 1, null)),
      CALL("diagonal", diagonal(null)),
      CALL("save", save(scratch(), null)),
      CALL("savez", savez(scratch(), {{"a", null}})),
      CALL("savez_compressed", savez_compressed(scratch(), {{"a", null}})),
      CALL("dumps", dumps(null)),
      CALL("dump", dump(null, scratch())),
      CALL("tofile", tofile(null, scratch())),
      CALL("tofile", tofile(null, scratch(), " ")),
      CALL("savetxt", savetxt(scratch(), null)),
      CALL("save_safetensors", save_safetensors(scratch(), {{"a", null}})),
      CALL("dot", dot(null, matrix())),
      CALL("dot", dot(matrix(), null)),
      CALL("matmul", matmul(null, matrix())),
      CALL("matmul", matmul(matrix(), null)),
      CALL("vdot", vdot(null, matrix())),
      CALL("vdot", vdot(matrix(), null)),
      CALL("inner", inner(null, matrix())),
      CALL("inner", inner(matrix(), null)),
      CALL("outer", outer(null, matrix())),
      CALL("outer", outer(matrix(), null)),
      CALL("tensordot", tensordot(null, matrix())),
      CALL("tensordot", tensordot(matrix(), null)),
      CALL("tensordot", tensordot(null, matrix(), {0}, {0})),
      CALL("tensordot", tensordot(matrix(), null, {0}, {0})),
      CALL("trace", trace(null)),
      CALL("linalg.norm", linalg::norm(null)),
      CALL("gemm", gemm(null, matrix())),
      CALL("gemm", gemm(matrix(), null)),
      CALL("isclose", isclose(null, vector())),
      CALL("isclose", isclose(vector(), null)),
      CALL("allclose", allclose(null, vector())),
      CALL("allclose", allclose(vector(), null)),
      CALL("array_equal", array_equal(null, vector())),
      CALL("array_equal", array_equal(vector(), null)),
      CALL("array_equiv", array_equiv(null, vector())),
      CALL("array_equiv", array_equiv(vector(), null)),
      CALL("isposinf", isposinf(null)),
      CALL("isneginf", isneginf(null)),
      CALL("reshape", reshape(null, {1})),
      CALL("reshape", reshape(null, {1}, Order::F)),
      CALL("shape", shape(null)),
      CALL("ndim", ndim(null)),
      CALL("size", size(null)),
      CALL("size", size(null, 0)),
      CALL("ravel", ravel(null)),
      CALL("ravel", ravel(null, Order::F)),
      CALL("transpose", transpose(null)),
      CALL("transpose", transpose(null, {0})),
      CALL("swapaxes", swapaxes(null, 0, 0)),
      CALL("rollaxis", rollaxis(null, 0)),
      CALL("expand_dims", expand_dims(null, 0)),
      CALL("expand_dims", expand_dims(null, {0, 1})),
      CALL("squeeze", squeeze(null)),
      CALL("squeeze", squeeze(null, 0)),
      CALL("atleast_1d", atleast_1d(null)),
      CALL("atleast_2d", atleast_2d(null)),
      CALL("atleast_3d", atleast_3d(null)),
      CALL("broadcast_to", broadcast_to(null, {2})),
      CALL("broadcast_arrays", broadcast_arrays(std::vector<ndarray>{null})),
      CALL("broadcast_arrays", broadcast_arrays(std::vector<ndarray>{vector(), null})),
      CALL("may_share_memory", may_share_memory(null, vector())),
      CALL("may_share_memory", may_share_memory(vector(), null)),
      CALL("isfortran", isfortran(null)),
      CALL("broadcast", broadcast({vector(), null})),
      CALL("copyto", copyto(null, 1)),
      CALL("copyto", copyto(vector(), null)),
      CALL("concatenate", concatenate({null})),
      CALL("concatenate", concatenate({vector(), null})),
      CALL("concatenate", concatenate({vector(), null}, {}, {})),
      CALL("concatenate", concatenate({vector(), null}, 0, {.dtype = float32})),
      CALL("stack", stack({null})),
      CALL("stack", stack({vector(), null})),
      CALL("stack", stack({vector(), null}, 0, {.dtype = float32})),
      CALL("column_stack", column_stack({null})),
      CALL("column_stack", column_stack({vector(), null})),
      CALL("vstack", vstack({null})),
      CALL("vstack", vstack(null)),
      CALL("stack", stack(null)),
      CALL("hstack", hstack(null)),
      CALL("concatenate", concatenate(null)),
      CALL("vstack", vstack({vector(), null})),
      CALL("hstack", hstack({null})),
      CALL("hstack", hstack({vector(), null})),
      CALL("dstack", dstack({null})),
      CALL("dstack", dstack({vector(), null})),
      CALL("vstack", row_stack({vector(), null})),
      CALL("split", split(null, 1)),
      CALL("split", split(null, {1})),
      CALL("array_split", array_split(null, 1)),
      CALL("vsplit", vsplit(null, 1)),
  };
}

std::vector<Row> second_rows() {
  return {
      CALL("hsplit", hsplit(null, 1)),
      CALL("dsplit", dsplit(null, 1)),
      CALL("clip", clip(null, 0, 1)),
      CALL("clip", clip(null, none, 1)),
      CALL("clip", clip(null, 0, none)),
      CALL("around", around(null)),
      CALL("around", round(null)),
      CALL("fix", fix(null)),
      CALL("tril", tril(null)),
      CALL("triu", triu(null)),
      CALL("vander", vander(null)),
      CALL("meshgrid", meshgrid({null})),
      CALL("meshgrid", meshgrid({vector(), null})),
      CALL("meshgrid", meshgrid({vector(), null}, {.sparse = true})),
      CALL("linalg.matrix_power", linalg::matrix_power(null, 2)),
      CALL("linalg.multi_dot", linalg::multi_dot({null, matrix()})),
      CALL("linalg.multi_dot", linalg::multi_dot({matrix(), null})),
      CALL("linalg.pinv", linalg::pinv(null)),
      CALL("linalg.pinv", linalg::pinv(matrix(), null)),
      CALL("linalg.matrix_rank", linalg::matrix_rank(null)),
      CALL("linalg.cond", linalg::cond(null)),
      CALL("linalg.lstsq", linalg::lstsq(null, vector())),
      CALL("linalg.lstsq", linalg::lstsq(matrix(), null)),
      CALL("interp", interp(null, vector(), vector())),
      CALL("interp", interp(vector(), null, vector())),
      CALL("interp", interp(vector(), vector(), null)),
      CALL("trapz", trapz(null)),
      CALL("gradient", gradient(null)),
      CALL("gradient", gradient(vector(), std::vector<ndarray>{null})),
      CALL("ediff1d", ediff1d(null)),
      CALL("cross", cross(null, vector())),
      CALL("cross", cross(vector(), null)),
      CALL("convolve", convolve(null, vector())),
      CALL("convolve", convolve(vector(), null)),
      CALL("correlate", correlate(null, vector())),
      CALL("correlate", correlate(vector(), null)),
      CALL("nan_to_num", nan_to_num(null)),
      CALL("spacing", spacing(null)),
      CALL("sinc", sinc(null)),
      CALL("unwrap", unwrap(null)),
      CALL("take_along_axis", take_along_axis(null, places(), 0)),
      CALL("take_along_axis", take_along_axis(vector(), null, 0)),
      CALL("put_along_axis", put_along_axis(null, places(), 1, 0)),
      CALL("put_along_axis", put_along_axis(vector(), null, 1, 0)),
      CALL("put_along_axis", put_along_axis(vector(), places(), null, 0)),
      CALL("put", put(null, places(), 1)),
      CALL("put", put(vector(), null, 1)),
      CALL("put", put(vector(), places(), null)),
      CALL("scatter_add", scatter_add(null, std::vector<Index>{places()}, 1)),
      CALL("scatter_add", scatter_add(vector(), std::vector<Index>{places()}, null)),
      CALL("choose", choose(null, std::vector<ndarray>{vector(), vector()})),
      CALL("choose", choose(places(), std::vector<ndarray>{vector(), null})),
      CALL("compress", compress(null, vector())),
      CALL("compress", compress(vector(), null)),
      CALL("extract", extract(null, vector())),
      CALL("extract", extract(vector(), null)),
      CALL("place", place(null, vector(), 1)),
      CALL("place", place(vector(), null, 1)),
      CALL("place", place(vector(), vector(), null)),
      CALL("putmask", putmask(null, vector(), 1)),
      CALL("putmask", putmask(vector(), null, 1)),
      CALL("putmask", putmask(vector(), vector(), null)),
      CALL("select", select({null}, {vector()})),
      CALL("select", select({mask()}, {null})),
      CALL("select", select({mask()}, {vector()}, null)),
      CALL("polyval", polyval(null, vector())),
      CALL("polyval", polyval(vector(), null)),
      CALL("polyadd", polyadd(null, vector())),
      CALL("polyadd", polyadd(vector(), null)),
      CALL("polysub", polysub(null, vector())),
      CALL("polysub", polysub(vector(), null)),
      CALL("polymul", polymul(null, vector())),
      CALL("polymul", polymul(vector(), null)),
      CALL("polydiv", polydiv(null, vector())),
      CALL("polydiv", polydiv(vector(), null)),
      CALL("polyder", polyder(null)),
      CALL("polyint", polyint(null)),
      CALL("poly", poly(null)),
      CALL("roots", roots(null)),
      CALL("polyfit", polyfit(null, vector(), 1)),
      CALL("polyfit", polyfit(vector(), null, 1)),
      CALL("polyfit_full", polyfit_full(null, vector(), 1)),
      CALL("polyfit_full", polyfit_full(vector(), null, 1)),
      CALL("polyfit_cov", polyfit_cov(null, vector(), 1)),
      CALL("polyfit_cov", polyfit_cov(vector(), null, 1)),
      CALL("ix_", ix_({null})),
      CALL("ix_", ix_({vector(), null})),
      CALL("unravel_index", unravel_index(null, {2})),
      CALL("ravel_multi_index", ravel_multi_index({null}, {2})),
      CALL("ravel_multi_index", ravel_multi_index({places(), null}, {3, 3})),
      CALL("diag_indices_from", diag_indices_from(null)),
      CALL("tril_indices_from", tril_indices_from(null)),
      CALL("triu_indices_from", triu_indices_from(null)),
      CALL("fill_diagonal", fill_diagonal(null, 1)),
      CALL("fill_diagonal", fill_diagonal(matrix(), null)),
      CALL("flip", flip(null)),
      CALL("flip", flip(null, 0)),
      CALL("fliplr", fliplr(null)),
      CALL("flipud", flipud(null)),
      CALL("rot90", rot90(null)),
      CALL("roll", roll(null, 1)),
      CALL("roll", roll(null, 1, 0)),
      CALL("roll", roll(null, {1}, {0})),
      CALL("moveaxis", moveaxis(null, 0, 0)),
      CALL("moveaxis", moveaxis(null, {0}, {0})),
      CALL("sum", sum(null)),
      CALL("sum", sum(null, 0)),
      CALL("prod", prod(null)),
      CALL("mean", mean(null)),
      CALL("var", var(null)),
      CALL("std", std(null)),
      CALL("amax", amax(null)),
      CALL("amin", amin(null)),
      CALL("amax", max(null)),
      CALL("amin", min(null)),
      CALL("all", all(null)),
      CALL("any", any(null)),
      CALL("argmax", argmax(null)),
      CALL("argmin", argmin(null)),
      CALL("count_nonzero", count_nonzero(null)),
      CALL("count_nonzero", count_nonzero(null, 0)),
      CALL("in1d", in1d(null, vector())),
      CALL("in1d", in1d(vector(), null)),
      CALL("isin", isin(null, vector())),
      CALL("isin", isin(vector(), null)),
      CALL("intersect1d", intersect1d(null, vector())),
      CALL("intersect1d", intersect1d(vector(), null)),
      CALL("intersect1d_with_indices", intersect1d_with_indices(null, vector())),
      CALL("intersect1d_with_indices", intersect1d_with_indices(vector(), null)),
      CALL("union1d", union1d(null, vector())),
      CALL("union1d", union1d(vector(), null)),
      CALL("setdiff1d", setdiff1d(null, vector())),
      CALL("setdiff1d", setdiff1d(vector(), null)),
      CALL("setxor1d", setxor1d(null, vector())),
      CALL("setxor1d", setxor1d(vector(), null)),
      CALL("sort", sort(null)),
      CALL("argsort", argsort(null)),
      CALL("lexsort", lexsort({null})),
      CALL("lexsort", lexsort(null)),
      CALL("lexsort", lexsort({vector(), null})),
      CALL("partition", partition(null, 0)),
      CALL("partition", partition(null, std::vector<std::int64_t>{0})),
      CALL("argpartition", argpartition(null, 0)),
      CALL("argpartition", argpartition(null, std::vector<std::int64_t>{0})),
      CALL("searchsorted", searchsorted(null, 1)),
      CALL("searchsorted", searchsorted(vector(), null)),
      CALL("sort_complex", sort_complex(null)),
      CALL("nonzero", nonzero(null)),
      CALL("flatnonzero", flatnonzero(null)),
      CALL("argwhere", argwhere(null)),
      CALL("unique", unique(null)),
      CALL("unique", unique(null, {.return_counts = true})),
      CALL("cumsum", cumsum(null)),
      CALL("cumprod", cumprod(null)),
      CALL("nancumsum", nancumsum(null)),
      CALL("nancumprod", nancumprod(null)),
      CALL("diff", diff(null)),
      CALL("bincount", bincount(null)),
      CALL("histogram", histogram(null)),
      CALL("histogram_bin_edges", histogram_bin_edges(null)),
      CALL("median", median(null)),
      CALL("quantile", quantile(null, 0.5)),
      CALL("quantile", quantile(vector(), null)),
      CALL("percentile", percentile(null, 50)),
      CALL("percentile", percentile(vector(), null)),
      CALL("average", average(null)),
      CALL("ptp", ptp(null)),
      CALL("nansum", nansum(null)),
      CALL("nanprod", nanprod(null)),
      CALL("nanmax", nanmax(null)),
      CALL("nanmin", nanmin(null)),
      CALL("nanmean", nanmean(null)),
      CALL("nanvar", nanvar(null)),
      CALL("nanstd", nanstd(null)),
      CALL("nanmedian", nanmedian(null)),
      CALL("nanquantile", nanquantile(null, 0.5)),
      CALL("nanquantile", nanquantile(vector(), null)),
      CALL("nanpercentile", nanpercentile(null, 50)),
      CALL("nanpercentile", nanpercentile(vector(), null)),
      CALL("nanargmax", nanargmax(null)),
      CALL("nanargmin", nanargmin(null)),
      CALL("tile", tile(null, 2)),
      CALL("tile", tile(null, {2})),
      CALL("repeat", repeat(null, 2)),
      CALL("pad", pad(null, {{1, 1}})),
      CALL("kron", kron(null, vector())),
      CALL("kron", kron(vector(), null)),
      CALL("min_scalar_type", min_scalar_type(null)),
      CALL("common_type", common_type({null})),
      CALL("common_type", common_type({vector(), null})),
      CALL("asnumpy", asnumpy(null)),
      CALL("memory_of", memory_of(null)),
      CALL("empty_like_pinned", empty_like_pinned(null)),
      CALL("zeros_like_pinned", zeros_like_pinned(null)),
      CALL("copy_async", copy_async(null, vector(), cuda::Stream())),
      CALL("copy_async", copy_async(vector(), null, cuda::Stream())),
      CALL("to_dlpack", to_dlpack(null)),
      CALL("from_dlpack", from_dlpack(null)),
  };
}
// clang-format on

std::vector<Row> all_rows() {
  std::vector<Row> rows = first_rows();
  for (Row& row : second_rows()) rows.push_back(std::move(row));
  return rows;
}

/// What is wrong with the error of a call, or nothing.
std::string complaint(const std::string& name, const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& error) {
    const std::string text = error.what();
    const bool names_itself = text.starts_with(name + ": ");
    return names_itself && text.find("None") != std::string::npos ? "" : text;
  } catch (const std::exception& error) {
    return std::string("another error: ") + error.what();
  }
  return "nothing was thrown";
}

TEST(None, EveryRoutineNamesItself) {
  for (const Row& row : all_rows()) {
    EXPECT_EQ(complaint(row.name, row.run), "") << row.call;
  }
}

TEST(None, EveryUfuncNamesItself) {
  const std::string name = "copy where clip";  // no ufuncs of the public
  for (const ufunc* f : all_ufuncs()) {
    if (name.find(f->name()) != std::string::npos) continue;
    for (int missing = 0; missing < f->nin(); ++missing) {
      const ndarray one = ones({2}, float32);
      const Operand given(one), none_given;
      std::vector<const Operand*> operands;
      for (int i = 0; i < f->nin(); ++i) operands.push_back(i == missing ? &none_given : &given);
      EXPECT_EQ(complaint(std::string(f->name()), [&] { f->call(operands, {}, {}); }), "")
          << f->name() << ", argument " << missing;
    }
  }
}

/// The names that stand before a list of parameters with an array.
std::set<std::string> routines_of(const std::string& header) {
  static const std::regex comment("//[^\n]*");
  const std::string text = std::regex_replace(header, comment, "");
  std::set<std::string> names;
  for (std::size_t at = text.find('('); at != std::string::npos; at = text.find('(', at + 1)) {
    const std::string given = text.substr(at + 1, text.find_first_of("(){};", at + 1) - at - 1);
    bool takes_arrays = false;
    for (const char* type : {"const ndarray&", "const Operand&", "span<const ndarray>",
                             "initializer_list<ndarray>", "NamedArrays&", "vector<ndarray>"}) {
      takes_arrays = takes_arrays || given.find(type) != std::string::npos;
    }
    std::size_t begin = at;
    while (begin > 0 && (std::isalnum(text[begin - 1]) != 0 || text[begin - 1] == '_')) --begin;
    if (takes_arrays && begin < at) names.insert(text.substr(begin, at - begin));
  }
  return names;
}

// Routines that pass their arrays on: the error may have the name of what they call.
std::vector<Row> passing_rows() {
  return {
      CALL("matrix_norm", linalg::matrix_norm(null)),
      CALL("svdvals", linalg::svdvals(null)),
      CALL("vector_norm", linalg::vector_norm(null)),
      CALL("log_softmax", special::log_softmax(null)),
      CALL("logsumexp", special::logsumexp(null)),
      CALL("softmax", special::softmax(null)),
      CALL("astype", astype(null, float32)),
      CALL("concat", concat({matrix(), null})),
      CALL("cumulative_prod", cumulative_prod(null)),
      CALL("cumulative_sum", cumulative_sum(null)),
      CALL("matrix_transpose", matrix_transpose(null)),
      CALL("matvec", matvec(matrix(), null)),
      CALL("permute_dims", permute_dims(null, {0})),
      CALL("trapezoid", trapezoid(null)),
      CALL("unique_all", unique_all(null)),
      CALL("unique_counts", unique_counts(null)),
      CALL("unique_inverse", unique_inverse(null)),
      CALL("unique_values", unique_values(null)),
      CALL("unstack", unstack(null)),
      CALL("vecdot", vecdot(null, vector())),
      CALL("vecmat", vecmat(null, matrix())),
      CALL("as_strided", as_strided(null, {1}, {8})),
      CALL("sliding_window_view", sliding_window_view(null, 1)),
      CALL("require", require(null)),
      CALL("len", len(null)),
  };
}

TEST(None, RoutinesThatPassArraysOnRefuseIt) {
  for (const Row& row : passing_rows()) {
    try {
      row.run();
      ADD_FAILURE() << row.name << " takes None";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("is None"), std::string::npos)
          << row.name << ": " << error.what();
    }
  }
}

TEST(None, EveryRoutineHasARow) {
  // Classes with rows or tests of their own; kernels check their arguments by position.
  const std::set<std::string> others = {"comm.h",   "diagnostics.h",    "fuse.h",
                                        "kernel.h", "literal_kernel.h", "ndarray.h",
                                        "random.h", "testing.h",        "ufunc.h"};
  std::set<std::string> known = {
      // None is printed.
      "PrintTo", "array_repr", "array_str", "array2string",
      // Other names of amax, amin, around and vstack, whose errors have these names.
      "max", "min", "round", "row_stack",
      // Parts of others.
      "complete_conditions", "geomspace_between", "join_slices", "logspace_between", "slice_result",
      "slice_at", "tensordot_to", "with_options", "from_arrays", "array_beside", "position_beside",
      "repeat_counts", "delete_range", "insert_range", "gradient_by", "diff_between", "parts_of",
      "unique_of", "histogram_by_rule", "bin_edges_by_rule", "histogram_by_name",
      "bin_edges_by_name", "histogram2d_by", "block_row", "section_positions", "einsum_of",
      "number_of", "only_result", "roll_each", "extents_of", "choose_rows", "ravel_rows",
      "delete_",  // its errors say delete
      "to_dlpack_unversioned",
      // Numbers as text, functions of users, iterators.
      "format_float_positional", "format_float_scientific", "call", "call_list", "nditer",
      "Iterator", "element_view", "enumerated", "held",
      // What members call by their own names: array_memory_test.
      "get", "set", "to_cuda"};
  for (const Row& row : all_rows()) known.insert(row.name.substr(row.name.rfind('.') + 1));
  for (const Row& row : passing_rows()) known.insert(row.name);
  int headers = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator("cupyxx")) {
    const std::string name = entry.path().filename().string();
    if (!name.ends_with(".h") || others.contains(name)) continue;
    ++headers;
    std::ifstream file(entry.path());
    const std::string text((std::istreambuf_iterator<char>(file)), {});
    for (const std::string& routine : routines_of(text)) {
      EXPECT_TRUE(known.contains(routine)) << routine << " of " << name << " has no row";
    }
  }
  EXPECT_GT(headers, 25);
}

}  // namespace
}  // namespace cupyxx
