// SPDX-License-Identifier: MIT
// Reductions, statistics, sorting, mathematics, linear algebra, random numbers.
#include "cupyxx/creation.h"
#include "cupyxx/functional.h"
#include "cupyxx/linalg.h"
#include "cupyxx/logic.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/polynomials.h"
#include "cupyxx/random.h"
#include "cupyxx/reduction.h"
#include "cupyxx/sets.h"
#include "cupyxx/sorting.h"
#include "cupyxx/special.h"
#include "cupyxx/statistics.h"
#include "cupyxx/testing/kernel_walk.h"
#include "cupyxx/ufunc.h"

namespace cupyxx::testing {
namespace {

std::string label(const char* name, dtype type) {
  return std::string(name) + " of " + std::string(type.name());
}

std::vector<Axes> axes_of(const ndarray& x) {
  std::vector<Axes> all = {Axes{}};
  for (int axis = 0; axis < x.ndim(); ++axis) all.emplace_back(axis);
  if (x.ndim() == 3) all.insert(all.end(), {Axes{0, 2}, Axes{1, 2}, Axes{0, 1}});
  return all;
}

}  // namespace

void walk_reductions(KernelWatch& watch, dtype t) {
  const Operands a(t);
  const auto w = [&](const char* name, const std::function<void()>& call) {
    watch(label(name, t), call);
  };
  const ndarray odd = a.plain(slice(0, 299), slice(0, 37)).copy();
  const ndarray late = a.line(slice(1, none)), inner = a.plain(slice(), slice(1, none));
  for (const ndarray& x : {a.plain, a.large, odd, a.transposed, a.every_second, a.rows, a.cube,
                           a.cube_turned, a.line, a.number, late, inner}) {
    for (const Axes& axes : axes_of(x)) {
      w("sum",
        [&] { sum(x, axes), sum(x, axes, {.keepdims = true}), sum(x, axes, {.dtype = float64}); });
      w("prod", [&] { prod(x, axes); });
      w("mean", [&] { mean(x, axes); });
      w("var", [&] { var(x, axes), var(x, axes, {.ddof = 1}); });
      w("std", [&] { cupyxx::std(x, axes); });
      w("amax", [&] { amax(x, axes); });
      w("amin", [&] { amin(x, axes); });
      w("all", [&] { all(x, axes), all(x != 3, axes); });
      w("any", [&] { any(x, axes), any(x != 3, axes); });
      w("sum of bool", [&] { sum(x != 3, axes), mean(x != 3, axes); });
      w("count_nonzero", [&] { count_nonzero(x, axes), count_nonzero(x != 3, axes); });
      if (axes.list().ndim() <= 1) {
        w("argmax", [&] { argmax(x, axes), argmin(x, axes); });
        w("cumsum", [&] { cumsum(x, axes), cumprod(x, axes); });
      }
      w("reduce", [&] {
        maximum.reduce(x, axes), minimum.reduce(x, axes), add.reduce(x, axes);
        multiply.reduce(x, axes), logical_and.reduce(x, axes), logical_or.reduce(x, axes);
      });
      w("sum where", [&] {
        if (x.ndim() > 0) sum(x, axes, {.where = x != 3});
      });
      w("sum with initial", [&] { sum(x, axes, {.initial = 1}), amax(x, axes, {.initial = 1}); });
    }
  }
  w("accumulate",
    [&] { add.accumulate(a.plain), add.accumulate(a.plain, 1), multiply.accumulate(a.line); });
  w("outer", [&] { add.outer(a.row, a.line), multiply.outer(a.row, a.row); });
  for (const char* name : {"add", "subtract", "multiply", "maximum", "minimum"}) {
    w("at", [&] {
      find_ufunc(name).at(a.line.copy(), array({1, 2, 1}), 1);
      find_ufunc(name).at(a.line.copy(), array({1, 2, 1}), a.line(slice(0, 3)));
    });
  }
  w("reduceat", [&] { add.reduceat(a.line, array({0, 10, 50})); });
  w("sum into an array", [&] { sum(a.plain, 0, {.out = zeros({40}, sum(a.plain, 0).dtype())}); });
}

void walk_statistics(KernelWatch& watch, dtype t) {
  const Operands a(t);
  const auto w = [&](const char* name, const std::function<void()>& call) {
    watch(label(name, t), call);
  };
  for (const ndarray& x : {a.plain, a.transposed, a.line}) {
    for (const Axes& axes : axes_of(x)) {
      w("median", [&] { median(x, axes), nanmedian(x, axes); });
      w("quantile", [&] { quantile(x, 0.3, axes), percentile(x, array({10.0, 50.0}), axes); });
      w("nanquantile", [&] { nanquantile(x, 0.3, axes), nanpercentile(x, 30, axes); });
      w("average", [&] { average(x, axes); });
      w("ptp", [&] { ptp(x, axes); });
      w("nansum", [&] { nansum(x, axes), nanprod(x, axes), nanmean(x, axes); });
      w("nanvar", [&] { nanvar(x, axes), nanstd(x, axes); });
      w("nanmax", [&] { nanmax(x, axes), nanmin(x, axes); });
      if (axes.list().ndim() <= 1) {
        w("nanargmax", [&] { nanargmax(x, axes), nanargmin(x, axes); });
        w("nancumsum", [&] { nancumsum(x, axes), nancumprod(x, axes); });
      }
    }
    w("weighted average", [&] { average(x, 0, {.weights = ones({x.shape()[0]})}); });
    w("histogram",
      [&] { histogram(x), histogram(x, 5, {.range = std::pair(0.0, 9.0), .density = true}); });
    w("histogram of given bins", [&] { histogram(x, array({0.0, 3.0, 9.0})); });
    w("digitize", [&] { digitize(x, array({0.0, 3.0, 9.0})); });
    w("diff", [&] { diff(x), diff(x, 2), diff(x, 1, 0), ediff1d(x); });
  }
  w("cov", [&] { cov(a.plane), corrcoef(a.plane), cov(a.plane.T()); });
  if (t.is_integer()) {
    w("bincount", [&] { bincount(a.line), bincount(a.line, {.weights = a.line.astype(float64)}); });
  }
}

void walk_sorting(KernelWatch& watch, dtype t) {
  const Operands a(t);
  const auto w = [&](const char* name, const std::function<void()>& call) {
    watch(label(name, t), call);
  };
  for (const ndarray& x : {a.plain, a.large, a.transposed, a.every_second, a.cube, a.line}) {
    for (const Axes& axis : axes_of(x)) {
      if (axis.list().ndim() > 1) continue;
      w("sort", [&] { sort(x, axis), argsort(x, axis); });
      w("partition", [&] { partition(x, 3, axis), argpartition(x, 3, axis); });
    }
    w("sort in place", [&] { x.copy().sort(); });
    w("lexsort", [&] { lexsort({x, x}); });
    w("unique", [&] {
      unique(x);
      unique(x, {.return_index = true, .return_inverse = true, .return_counts = true});
    });
    w("sets", [&] { isin(x, a.row), isin(x, a.row, {.invert = true}), in1d(x, a.row); });
    w("searchsorted", [&] {
      const ndarray sorted = sort(x, Axes{});
      searchsorted(sorted, a.row), searchsorted(sorted, 3);
      searchsorted(sorted, x, {.side = SearchSide::right});
    });
  }
  w("unique rows", [&] { unique(a.plane, {.axis = 0}); });
  w("set operations", [&] {
    intersect1d(a.line, a.row), union1d(a.line, a.row), setdiff1d(a.line, a.row);
    setxor1d(a.line, a.row), intersect1d_with_indices(a.line, a.row);
  });
}

void walk_mathematics(KernelWatch& watch, dtype t) {
  const Operands a(t);
  const auto w = [&](const char* name, const std::function<void()>& call) {
    watch(label(name, t), call);
  };
  for (const ndarray& x : {a.plain, a.transposed, a.every_second, a.line}) {
    w("clip", [&] {
      clip(x, 1, 5), clip(x, 1, none), clip(x, none, 5), clip(x, x, x), clip(x, a.number, 5);
    });
    w("clip by rows", [&] {
      if (x.ndim() == 2) clip(x, a.row, 5), clip(x, 0, a.row);
    });
    w("clip by floats", [&] { clip(x, 1.5, 5.5); });
    w("round", [&] { around(x), around(x, 2), around(x, -1), fix(x); });
    w("nan_to_num", [&] { nan_to_num(x); });
    w("sinc", [&] { sinc(x); });
    w("close", [&] { isclose(x, x), allclose(x, x), allclose(x, 1), isclose(x, 1.5); });
    w("equal arrays", [&] { array_equal(x, x), array_equiv(x, x(0)); });
    w("signs of infinities", [&] {
      if (t.is_floating()) isposinf(x), isneginf(x);
    });
    w("gradient", [&] { gradient(x); });
    w("trapz", [&] { trapz(x); });
    w("interp", [&] { interp(x, arange(20.0), arange(20.0)); });
    w("polynomials", [&] { polyval(a.row(slice(0, 3)), x); });
    w("unwrap", [&] { unwrap(x), unwrap(x, {.axis = 0, .period = 360}); });
    w("piecewise", [&] { piecewise(x, {x<1, x> 3}, 2, [](const ndarray& y) { return y; }); });
    w("spacing", [&] { spacing(x); });
    w("parts",
      [&] { real(x), imag(x), angle(x), conj(x), real_if_close(x), iscomplex(x), isreal(x); });
    w("operators", [&] {
      const ndarray b = x.copy();
      b += x, b -= 1, b *= 2, b += a.number;
      if (x.ndim() == 2) b += a.row, b -= a.column;
      if (t.is_floating()) b /= 2;
      (void)-x, (void)(1 - x), (void)(2 / x), (void)abs(x);
    });
    w("divmod",
      [&] { divmod(x, x), divmod(x, 2), floor_divide(x, 2), power(x, 2), power(x, 0.5); });
  }
  const ndarray p = a.row(slice(0, 4)), q = a.row(slice(0, 3));
  w("sums of polynomials", [&] { polyadd(p, q), polysub(p, q), polymul(p, q); });
  w("derivatives", [&] { polyder(p, 2), polyint(p, 2); });
  w("histogramdd", [&] { histogramdd(a.plane(slice(), slice(0, 2)), {.bins = {3}}); });
  w("cross", [&] { cross(a.plane(slice(), slice(0, 3)), a.plane(slice(), slice(0, 3))); });
  w("convolve", [&] { convolve(a.line, a.row), correlate(a.line, a.row); });
  w("windows", [&] { hanning(20), hamming(20), blackman(20), bartlett(20), kaiser(20, 5.0); });
}

void walk_linear_algebra(KernelWatch& watch, dtype t) {
  const Operands a(t);
  const auto w = [&](const char* name, const std::function<void()>& call) {
    watch(label(name, t), call);
  };
  const ndarray square = a.plane(slice(0, 40));
  w("dot", [&] {
    dot(a.plain, a.plane.T()), dot(a.row, a.row), dot(a.plain, a.row), dot(a.plain, a.number);
  });
  w("dot of transposes", [&] { dot(a.transposed.T(), a.plain), dot(a.every_second, square); });
  w("matmul", [&] { matmul(a.cube, a.plane.T()), matmul(a.cube, a.cube.transpose({0, 2, 1})); });
  w("large product", [&] { matmul(a.large, a.large.T()(slice(), slice(0, 64))); });
  w("vdot", [&] { vdot(a.plain, a.plain), inner(a.plane, a.plane), inner(a.row, a.row); });
  w("outer",
    [&] { outer(a.row, a.line), tensordot(a.cube, a.plane, 2), tensordot(a.plane, a.row, 1); });
  w("trace", [&] { trace(square), trace(a.cube, 0, 1, 2); });
  w("einsum", [&] {
    einsum("ij,kj->ik", {a.plane, a.plane}), einsum("ij->j", {a.plane}), einsum("ii->i", {square});
    einsum("ij,ij->", {a.plane, a.plane}), einsum("bij,bkj->bik", {a.cube, a.cube});
  });
  w("norm", [&] { linalg::norm(a.plain), linalg::norm(a.plain, {.axis = 1}); });
  w("norms", [&] {
    linalg::norm(a.plane, {.ord = 1}), linalg::norm(a.row, {.ord = 3}),
        linalg::norm(a.row, {.ord = 1});
  });
  w("matrix_power", [&] { linalg::matrix_power(square, 3); });
  w("multi_dot", [&] { linalg::multi_dot({a.plain, square, a.row}); });
}

void walk_random(KernelWatch& watch) {
  const auto w = [&](const char* name, const std::function<void()>& call) { watch(name, call); };
  w("rand", [] { random::rand({300, 40}), random::rand({300}, {.dtype = float32}); });
  w("randn", [] { random::randn({300, 40}), random::randn({300}, {.dtype = float32}); });
  w("normal", [] {
    random::normal({300}, {.loc = 1, .scale = 2}), random::uniform({300}, {.low = -1, .high = 1});
  });
  w("randint",
    [] { random::randint(0, 10, {300}), random::randint(0, 10, {300}, {.dtype = int32}); });
  w("integers", [] { random::random_integers(1, 6, {300}); });
  w("permutation", [] { random::permutation(100), random::shuffle(arange(100)); });
  w("choice", [] { random::choice(10, {30}), random::choice(arange(100.0), {30}); });
  w("choice by chances", [] { random::choice(4, {30}, {.p = array({0.1, 0.2, 0.3, 0.4})}); });
  w("exponential", [] { random::exponential({300}), random::lognormal({300}); });
  w("bernoulli", [] { random::bernoulli(0.5, {300}), random::binomial(10, 0.5, {300}); });
  w("poisson", [] { random::poisson(3.0, {300}), random::geometric(0.3, {300}); });
  w("gamma", [] { random::gamma(2.0, {300}), random::standard_gamma(2.0, {300}); });
  w("beta", [] { random::beta(2.0, 3.0, {300}), random::chisquare(3.0, {300}); });
  w("ratios", [] { random::f(2.0, 3.0, {300}), random::standard_t(3.0, {300}); });
  w("tails", [] { random::laplace({300}), random::gumbel({300}), random::logistic({300}); });
  w("powers",
    [] { random::rayleigh({300}), random::weibull(2.0, {300}), random::pareto(2.0, {300}); });
  w("more", [] { random::power(2.0, {300}), random::standard_cauchy({300}); });
  w("triangular", [] { random::triangular(0.0, 1.0, 3.0, {300}), random::wald(1.0, 2.0, {300}); });
  w("vonmises", [] { random::vonmises(0.0, 1.0, {300}), random::zipf(2.0, {300}); });
  w("counts", [] { random::negative_binomial(5.0, 0.5, {300}), random::logseries(0.5, {300}); });
  w("urns", [] { random::hypergeometric(10, 20, 5, {300}); });
  w("vectors", [] {
    random::multinomial(20, array({0.2, 0.8}), {30}), random::dirichlet(array({1.0, 2.0}), {30});
  });
  w("parameters", [] {
    const ndarray scale = arange(1.0, 301.0);
    random::normal({300}, {.loc = scale, .scale = scale}),
        random::exponential({300}, {.scale = scale});
    random::poisson(scale, {300});
  });
}

}  // namespace cupyxx::testing
