// SPDX-License-Identifier: MIT
// One walk over the public routines with arguments that none may accept: each throws NumPy's kind
// of exception and leaves its arguments as they were; an `out` that shares memory with an argument
// still receives the right result.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/functional.h"
#include "cupyxx/indexing.h"
#include "cupyxx/linalg.h"
#include "cupyxx/logic.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/reduction.h"
#include "cupyxx/sets.h"
#include "cupyxx/sorting.h"
#include "cupyxx/statistics.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

class BadInput : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(BadInput);

using Call = std::function<void(const ndarray&)>;
using Result = std::function<ndarray(const ndarray& a, const ndarray& out)>;

struct Routine {
  const char* name;
  Call call;
};

/// `call` throws an E, and `a` is what it was.
template <class E>
void expect_refusal(const std::string& name, const ndarray& a, const std::function<void()>& call) {
  const auto bytes = [&] {
    return a.is_none() ? std::vector<std::uint8_t>() : a.view(uint8).to_vector<std::uint8_t>();
  };
  const auto before = bytes();
  try {
    call();
    ADD_FAILURE() << name << ": nothing was thrown";
  } catch (const E& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find(": "), std::string::npos) << name << " does not name itself: " << text;
  } catch (const std::exception& error) {
    ADD_FAILURE() << name << ": another error: " << error.what();
  }
  EXPECT_EQ(bytes(), before) << name << " changed its argument";
}

/// Routines of one array.
std::vector<Routine> routines_of_one() {
  std::vector<Routine> all = {
      {"sum", [](const ndarray& a) { sum(a); }},
      {"prod", [](const ndarray& a) { prod(a); }},
      {"mean", [](const ndarray& a) { mean(a); }},
      {"var", [](const ndarray& a) { var(a); }},
      {"std", [](const ndarray& a) { std(a); }},
      {"amax", [](const ndarray& a) { amax(a); }},
      {"amin", [](const ndarray& a) { amin(a); }},
      {"all", [](const ndarray& a) { cupyxx::all(a); }},
      {"any", [](const ndarray& a) { any(a); }},
      {"argmax", [](const ndarray& a) { argmax(a); }},
      {"argmin", [](const ndarray& a) { argmin(a); }},
      {"count_nonzero", [](const ndarray& a) { count_nonzero(a); }},
      {"cumsum", [](const ndarray& a) { cumsum(a); }},
      {"cumprod", [](const ndarray& a) { cumprod(a); }},
      {"diff", [](const ndarray& a) { diff(a); }},
      {"bincount", [](const ndarray& a) { bincount(a); }},
      {"histogram", [](const ndarray& a) { histogram(a); }},
      {"median", [](const ndarray& a) { median(a); }},
      {"quantile", [](const ndarray& a) { quantile(a, 0.5); }},
      {"percentile", [](const ndarray& a) { percentile(a, 50); }},
      {"average", [](const ndarray& a) { average(a); }},
      {"ptp", [](const ndarray& a) { ptp(a); }},
      {"nansum", [](const ndarray& a) { nansum(a); }},
      {"nanprod", [](const ndarray& a) { nanprod(a); }},
      {"nanmax", [](const ndarray& a) { nanmax(a); }},
      {"nanmin", [](const ndarray& a) { nanmin(a); }},
      {"nanmean", [](const ndarray& a) { nanmean(a); }},
      {"nanvar", [](const ndarray& a) { nanvar(a); }},
      {"nanstd", [](const ndarray& a) { nanstd(a); }},
      {"nanargmax", [](const ndarray& a) { nanargmax(a); }},
      {"nanargmin", [](const ndarray& a) { nanargmin(a); }},
      {"nanmedian", [](const ndarray& a) { nanmedian(a); }},
      {"nanquantile", [](const ndarray& a) { nanquantile(a, 0.5); }},
      {"nancumsum", [](const ndarray& a) { nancumsum(a); }},
      {"sort", [](const ndarray& a) { sort(a); }},
      {"argsort", [](const ndarray& a) { argsort(a); }},
      {"partition", [](const ndarray& a) { partition(a, 0); }},
      {"argpartition", [](const ndarray& a) { argpartition(a, 0); }},
      {"searchsorted", [](const ndarray& a) { searchsorted(a, 1); }},
      {"nonzero", [](const ndarray& a) { nonzero(a); }},
      {"argwhere", [](const ndarray& a) { argwhere(a); }},
      {"unique", [](const ndarray& a) { unique(a); }},
      {"around", [](const ndarray& a) { around(a); }},
      {"nan_to_num", [](const ndarray& a) { nan_to_num(a); }},
      {"trapz", [](const ndarray& a) { trapz(a); }},
      {"gradient", [](const ndarray& a) { gradient(a); }},
      {"ediff1d", [](const ndarray& a) { ediff1d(a); }},
      {"cov", [](const ndarray& a) { cov(a); }},
      {"digitize", [](const ndarray& a) { digitize(a, a); }},
      {"in1d", [](const ndarray& a) { in1d(a, a); }},
      {"union1d", [](const ndarray& a) { union1d(a, a); }},
      {"convolve", [](const ndarray& a) { convolve(a, a); }},
      {"dot", [](const ndarray& a) { dot(a, a); }},
      {"matmul", [](const ndarray& a) { matmul(a, a); }},
      {"linalg.inv", [](const ndarray& a) { linalg::inv(a); }},
      {"linalg.norm", [](const ndarray& a) { linalg::norm(a); }},
      {"linalg.svd", [](const ndarray& a) { linalg::svd(a); }},
      {"add", [](const ndarray& a) { add(a, a); }},
      {"exp", [](const ndarray& a) { exp(a); }},
      {"where", [](const ndarray& a) { where(a, 1, 0); }},
      {"clip", [](const ndarray& a) { clip(a, 0, 1); }},
  };
  return all;
}

/// Those that move bytes only, whatever the dtype.
std::vector<Routine> moving_routines() {
  return {
      {"reshape", [](const ndarray& a) { reshape(a, {-1}); }},
      {"ravel", [](const ndarray& a) { ravel(a); }},
      {"transpose", [](const ndarray& a) { transpose(a); }},
      {"swapaxes", [](const ndarray& a) { swapaxes(a, 0, 0); }},
      {"rollaxis", [](const ndarray& a) { rollaxis(a, 0); }},
      {"expand_dims", [](const ndarray& a) { expand_dims(a, 0); }},
      {"squeeze", [](const ndarray& a) { squeeze(a); }},
      {"broadcast_to", [](const ndarray& a) { broadcast_to(a, {2}); }},
      {"copyto", [](const ndarray& a) { copyto(a, 1); }},
      {"take", [](const ndarray& a) { take(a, zeros({1}, int64)); }},
      {"diagonal", [](const ndarray& a) { diagonal(a); }},
      {"concatenate",
       [](const ndarray& a) {
         concatenate({a, a});
       }},
      {"stack",
       [](const ndarray& a) {
         stack({a, a});
       }},
      {"vstack",
       [](const ndarray& a) {
         vstack({a, a});
       }},
      {"split", [](const ndarray& a) { array_split(a, 1); }},
      {"copy", [](const ndarray& a) { copy(a); }},
      {"array", [](const ndarray& a) { array(a); }},
      {"astype", [](const ndarray& a) { a.astype(float32); }},
      {"zeros_like", [](const ndarray& a) { zeros_like(a); }},
      {"diag", [](const ndarray& a) { diag(a); }},
      {"append", [](const ndarray& a) { append(a, 1); }},
      {"delete", [](const ndarray& a) { delete_(a, 0); }},
      {"insert", [](const ndarray& a) { insert(a, 0, 1); }},
      {"resize", [](const ndarray& a) { resize(a, {2}); }},
      {"trim_zeros", [](const ndarray& a) { trim_zeros(a); }},
      {"fill_diagonal", [](const ndarray& a) { fill_diagonal(a, 1); }},
      {"unravel_index", [](const ndarray& a) { unravel_index(a, {2}); }},
      {"vander", [](const ndarray& a) { vander(a); }},
  };
}

TEST_P(BadInput, NoneIsNoArray) {
  for (const auto& list : {routines_of_one(), moving_routines()}) {
    for (const Routine& routine : list) {
      expect_refusal<TypeError>(routine.name, {}, [&] { routine.call({}); });
    }
  }
}

TEST_P(BadInput, DtypesWithoutLoopsAreRefused) {
  const ndarray a = zeros({4}, uint8).view(dtype(dtype::Code::float8_e4m3));
  for (const Routine& routine : routines_of_one()) {
    expect_refusal<TypeError>(routine.name, a, [&] { routine.call(a); });
  }
}

/// Routines that take one axis.
std::vector<std::pair<const char*, std::function<void(const ndarray&, int)>>> axis_routines() {
  using A = const ndarray&;
  return {
      {"sum", [](A a, int i) { sum(a, i); }},
      {"mean", [](A a, int i) { mean(a, i); }},
      {"var", [](A a, int i) { var(a, i); }},
      {"amax", [](A a, int i) { amax(a, i); }},
      {"all", [](A a, int i) { all(a, i); }},
      {"argmin", [](A a, int i) { argmin(a, i); }},
      {"count_nonzero", [](A a, int i) { count_nonzero(a, i); }},
      {"cumsum", [](A a, int i) { cumsum(a, i); }},
      {"diff", [](A a, int i) { diff(a, 1, i); }},
      {"median", [](A a, int i) { median(a, i); }},
      {"quantile", [](A a, int i) { quantile(a, 0.5, i); }},
      {"nanmedian", [](A a, int i) { nanmedian(a, i); }},
      {"average", [](A a, int i) { average(a, i); }},
      {"ptp", [](A a, int i) { ptp(a, i); }},
      {"nansum", [](A a, int i) { nansum(a, i); }},
      {"sort", [](A a, int i) { sort(a, i); }},
      {"argsort", [](A a, int i) { argsort(a, i); }},
      {"partition", [](A a, int i) { partition(a, 0, i); }},
      {"unique", [](A a, int i) { unique(a, {.axis = i}); }},
      {"take", [](A a, int i) { take(a, zeros({1}, int64), i); }},
      {"take_along_axis",
       [](A a, int i) {
         take_along_axis(a, zeros({2, 3}, int64), i);
       }},
      {"compress", [](A a, int i) { compress(ones({1}, bool_), a, i); }},
      {"swapaxes", [](A a, int i) { swapaxes(a, i, 0); }},
      {"rollaxis", [](A a, int i) { rollaxis(a, i); }},
      {"moveaxis", [](A a, int i) { moveaxis(a, i, 0); }},
      {"squeeze", [](A a, int i) { squeeze(a, i); }},
      {"expand_dims", [](A a, int i) { expand_dims(a, i); }},
      {"flip", [](A a, int i) { flip(a, i); }},
      {"roll", [](A a, int i) { roll(a, 1, i); }},
      {"repeat", [](A a, int i) { repeat(a, 2, i); }},
      {"concatenate",
       [](A a, int i) {
         concatenate({a, a}, i);
       }},
      {"stack",
       [](A a, int i) {
         stack({a, a}, i);
       }},
      {"split", [](A a, int i) { split(a, 1, i); }},
      {"append", [](A a, int i) { append(a, a, i); }},
      {"delete", [](A a, int i) { delete_(a, 0, i); }},
      {"insert", [](A a, int i) { insert(a, 0, 1, i); }},
      {"trapz", [](A a, int i) { trapz(a, {.axis = i}); }},
      {"gradient", [](A a, int i) { gradient(a, 1.0, {.axis = i}); }},
      {"cross", [](A a, int i) { cross(a, a, {.axis = i}); }},
      {"linalg.norm", [](A a, int i) { linalg::norm(a, {.ord = 2, .axis = i}); }},
      {"add.reduce", [](A a, int i) { add.reduce(a, i); }},
      {"add.accumulate", [](A a, int i) { add.accumulate(a, i); }},
      {"diagonal", [](A a, int i) { diagonal(a, 0, 0, i); }},
      {"apply_along_axis",
       [](A a, int i) { apply_along_axis([](const ndarray& x) { return sum(x); }, i, a); }},
  };
}

TEST_P(BadInput, AxesOutOfRangeAreAxisErrors) {
  const ndarray a = arange(6.0).reshape({2, 3});
  for (const auto& [name, call] : axis_routines()) {
    for (const int axis : {4, -5}) {
      expect_refusal<AxisError>(name, a, [&, &f = call] { f(a, axis); });
    }
  }
}

TEST_P(BadInput, RepeatedAxesAreValueErrors) {
  const ndarray a = arange(6.0).reshape({2, 3});
  const Axes twice{0, -2};
  using A = const ndarray&;
  const std::vector<std::pair<const char*, std::function<void(A, const Axes&)>>> routines = {
      {"sum", [](A x, const Axes& i) { sum(x, i); }},
      {"mean", [](A x, const Axes& i) { mean(x, i); }},
      {"var", [](A x, const Axes& i) { var(x, i); }},
      {"amin", [](A x, const Axes& i) { amin(x, i); }},
      {"any", [](A x, const Axes& i) { any(x, i); }},
      {"count_nonzero", [](A x, const Axes& i) { count_nonzero(x, i); }},
      {"median", [](A x, const Axes& i) { median(x, i); }},
      {"percentile", [](A x, const Axes& i) { percentile(x, 50, i); }},
      {"nanmean", [](A x, const Axes& i) { nanmean(x, i); }},
      {"flip", [](A x, const Axes& i) { flip(x, i); }},
      {"squeeze", [](A x, const Axes& i) { squeeze(x, i); }},
      {"gradient", [](A x, const Axes& i) { gradient(x, 1.0, {.axis = i}); }},
      {"add.reduce", [](A x, const Axes& i) { add.reduce(x, i); }},
      {"transpose", [](A x, const Axes& i) { transpose(x, i.list()); }},
      {"moveaxis",
       [](A x, const Axes& i) {
         moveaxis(x, i.list(), {0, 1});
       }},
      {"linalg.norm", [](A x, const Axes& i) { linalg::norm(x, {.ord = 1, .axis = i}); }},
      {"diagonal", [](A x, const Axes&) { diagonal(x, 0, 1, 1); }},
  };
  for (const auto& [name, call] : routines) {
    expect_refusal<ValueError>(name, a, [&, &f = call] { f(a, twice); });
  }
}

TEST_P(BadInput, ShapesThatDoNotFitAreValueErrors) {
  const ndarray a = arange(6.0).reshape({2, 3}), b = arange(4.0);
  const std::vector<std::pair<const char*, std::function<void()>>> calls = {
      {"add", [&] { add(a, b); }},
      {"where", [&] { where(greater(a, 1), a, b); }},
      {"clip", [&] { clip(a, b, 9); }},
      {"copyto", [&] { copyto(a, b); }},
      {"setitem", [&] { a(0) = b; }},
      {"broadcast_to",
       [&] {
         broadcast_to(b, {2, 3});
       }},
      {"broadcast_arrays",
       [&] {
         broadcast_arrays(std::vector<ndarray>{a, b});
       }},
      {"reshape", [&] { reshape(a, {4}); }},
      {"reshape -1",
       [&] {
         reshape(a, {-1, 4});
       }},
      {"concatenate",
       [&] {
         concatenate({a, b});
       }},
      {"stack",
       [&] {
         stack({a, b});
       }},
      {"hstack",
       [&] {
         hstack({a, b});
       }},
      {"split", [&] { split(a, 4, 1); }},
      {"dot", [&] { dot(a, b); }},
      {"matmul", [&] { matmul(a, a); }},
      {"inner", [&] { inner(a, b); }},
      {"vdot", [&] { vdot(a, b); }},
      {"tensordot", [&] { tensordot(a, b, 1); }},
      {"einsum",
       [&] {
         einsum("ij,j->i", {a, b});
       }},
      {"cross", [&] { cross(b, b); }},
      {"interp", [&] { interp(1.0, b, arange(3.0)); }},
      {"average", [&] { average(a, 1, {.weights = b}); }},
      {"sum where", [&] { sum(a, {}, {.where = ones({4}, bool_)}); }},
      {"add.outer out", [&] { add.outer(a, b, {.out = a}); }},
      {"linalg.solve", [&] { linalg::solve(eye(3), b); }},
      {"linalg.inv", [&] { linalg::inv(a); }},
      {"linalg.lstsq", [&] { linalg::lstsq(a, b); }},
      {"histogram weights", [&] { histogram(a, 3, {.weights = b}); }},
      {"bincount weights", [&] { bincount(arange(3), {.weights = b}); }},
      {"put_along_axis", [&] { put_along_axis(a, zeros({3}, int64), 1, 0); }},
      {"place", [&] { place(a, b, 1); }},
      {"select", [&] { select({greater(a, 0)}, {b}); }},
      {"lexsort",
       [&] {
         lexsort({b, arange(3.0)});
       }},
      {"insert",
       [&] {
         insert(a, array({0, 1}), b, 0);
       }},
      {"append", [&] { append(a, b, 0); }},
      {"set_shape",
       [&] {
         ndarray c = a;
         c.set_shape({5});
       }},
  };
  for (const auto& [name, call] : calls) expect_refusal<ValueError>(name, a, call);
}

/// Routines with `out`, whose result has a's shape and dtype.
std::vector<std::pair<const char*, Result>> routines_with_out() {
  using A = const ndarray&;
  return {
      {"add", [](A a, A out) { return add(a, 2, {.out = out}); }},
      {"exp", [](A a, A out) { return exp(a, {.out = out}); }},
      {"clip", [](A a, A out) { return clip(a, 1, 3, out); }},
      {"around", [](A a, A out) { return around(a, 1, out); }},
      {"fix", [](A a, A out) { return fix(a, out); }},
      {"sum",
       [](A a, A out) {
         return sum(stack({a, a}), 0, {.out = out});
       }},
      {"mean",
       [](A a, A out) {
         return mean(stack({a, a}), 0, {.out = out});
       }},
      {"var",
       [](A a, A out) {
         return var(stack({a, a * 2}), 0, {.out = out});
       }},
      {"amax",
       [](A a, A out) {
         return amax(stack({a, a}), 0, {.out = out});
       }},
      {"cumsum", [](A a, A out) { return cumsum(a, 1, {.out = out}); }},
      {"cumprod", [](A a, A out) { return cumprod(a, 1, {.out = out}); }},
      {"median",
       [](A a, A out) {
         return median(stack({a, a}), 0, {.out = out});
       }},
      {"ptp",
       [](A a, A out) {
         return ptp(stack({a, -a}), 0, {.out = out});
       }},
      {"nanmax",
       [](A a, A out) {
         return nanmax(stack({a, a}), 0, {.out = out});
       }},
      {"take",
       [](A a, A out) {
         return take(a, array({2, 0, 1}), 1, {.out = out});
       }},
      {"matmul", [](A a, A out) { return matmul(a, a, out); }},
      {"concatenate",
       [](A a, A out) {
         return concatenate({a(slice(1, 3)), a(slice(0, 1))}, 0, {.out = out});
       }},
      {"add.accumulate", [](A a, A out) { return add.accumulate(a, 0, {.out = out}); }},
  };
}

TEST_P(BadInput, OutOfAnotherShapeIsAValueError) {
  const ndarray a = arange(9.0).reshape({3, 3}) + 1;
  for (const auto& [name, call] : routines_with_out()) {
    const ndarray out = zeros({3, 4});
    expect_refusal<ValueError>(name, a, [&, &f = call] { f(a, out); });
    EXPECT_EQ(out.to_vector<double>(), std::vector<double>(12, 0.0)) << name << " wrote to out";
  }
}

TEST_P(BadInput, OutThatCannotHoldTheResultIsATypeError) {
  const ndarray a = arange(9.0).reshape({3, 3}) + 1;
  for (const auto& [name, call] : routines_with_out()) {
    // These cast as they must, as NumPy's do.
    static const std::set<std::string> casting = {"sum",    "prod",          "mean",    "var",
                                                  "amax",   "cumsum",        "cumprod", "median",
                                                  "nanmax", "add.accumulate"};
    if (casting.contains(name)) continue;
    const ndarray out = zeros({3, 3}, int32);
    expect_refusal<TypeError>(name, a, [&, &f = call] { f(a, out); });
    EXPECT_EQ(out.to_vector<double>(), std::vector<double>(9, 0.0)) << name << " wrote to out";
  }
}

TEST_P(BadInput, ReadOnlyOutIsAValueError) {
  const ndarray a = arange(9.0).reshape({3, 3}) + 1;
  for (const auto& [name, call] : routines_with_out()) {
    ndarray out = zeros({3, 3});
    out.set_writeable(false);
    expect_refusal<ValueError>(name, a, [&, &f = call] { f(a, out); });
    EXPECT_EQ(out.to_vector<double>(), std::vector<double>(9, 0.0)) << name << " wrote to out";
  }
}

TEST_P(BadInput, OutMayOverlapTheArgument) {
  for (const auto& [name, call] : routines_with_out()) {
    SCOPED_TRACE(name);
    const ndarray expected = call(arange(9.0).reshape({3, 3}) + 1, {});
    // The argument itself, its transpose, and a neighbour one element further.
    const ndarray same = arange(9.0).reshape({3, 3}) + 1;
    testing::expect_allclose(call(same, same), expected, 1e-15, 0);
    const ndarray turned = arange(9.0).reshape({3, 3}) + 1;
    testing::expect_allclose(call(turned, turned.T()), expected, 1e-15, 0);
    const ndarray memory = arange(10.0) + 1;
    const ndarray first = memory(slice(0, 9)).reshape({3, 3});
    const ndarray next = memory(slice(1, 10)).reshape({3, 3});
    testing::expect_allclose(call(first, next), expected, 1e-15, 0);
  }
}

TEST_P(BadInput, IndicesOutOfRangeAreIndexErrors) {
  const ndarray a = arange(6.0).reshape({2, 3});
  const ndarray far = array({0, 7}), before = array({-8});
  const std::vector<std::pair<const char*, std::function<void()>>> calls = {
      {"getitem", [&] { a(2); }},
      {"getitem -", [&] { a(0, -4); }},
      {"too many", [&] { a(0, 0, 0); }},
      {"take", [&] { take(a, far).to_cpu(); }},
      {"take axis", [&] { take(a, before, 1).to_cpu(); }},
      {"getitem array", [&] { a(far).get().to_vector<double>(); }},
      {"put",
       [&] {
         put(a, far, 1);
         a.to_vector<double>();
       }},
      {"take_along_axis",
       [&] {
         take_along_axis(a, full({2, 1}, 3, int64), 1).to_vector<double>();
       }},
      {"put_along_axis",
       [&] {
         put_along_axis(a, full({2, 1}, 3, int64), 1, 1);
         a.to_cpu();
       }},
      {"compress", [&] { compress(ones({4}, bool_), a, 1); }},
      {"delete", [&] { delete_(a, 6); }},
      {"delete array", [&] { delete_(a, far); }},
      {"insert", [&] { insert(a, 7, 1.0); }},
      {"insert array",
       [&] {
         insert(a, array({0, -7}), 1.0);
       }},
      {"mask", [&] { a(ones({3}, bool_)).get(); }},
      {"reduceat",
       [&] {
         add.reduceat(a, array({0, 3}), 1);
       }},
  };
  for (const auto& [name, call] : calls) {
    expect_refusal<IndexError>(name, device().is_cpu() ? a : ndarray(), call);
  }
  const std::vector<std::pair<const char*, std::function<void()>>> values = {
      {"choose",
       [&] {
         choose(far, {a, a});
       }},
      {"unravel_index",
       [&] {
         unravel_index(far, {2, 3});
       }},
      {"ravel_multi_index",
       [&] {
         ravel_multi_index({far, far}, {2, 3});
       }},
      {"partition", [&] { partition(a, 3); }},
      {"bincount", [&] { bincount(before); }},
  };
  for (const auto& [name, call] : values) expect_refusal<ValueError>(name, a, call);
}

TEST_P(BadInput, ReductionsOfNothingNeedAnIdentity) {
  const ndarray a = zeros({0, 3});
  const std::vector<Routine> without = {
      {"amax", [](const ndarray& x) { amax(x); }},
      {"amin", [](const ndarray& x) { amin(x, 0); }},
      {"argmax", [](const ndarray& x) { argmax(x); }},
      {"argmin", [](const ndarray& x) { argmin(x, 0); }},
      {"ptp", [](const ndarray& x) { ptp(x); }},
      {"maximum.reduce", [](const ndarray& x) { maximum.reduce(x); }},
      {"nanargmax", [](const ndarray& x) { nanargmax(x); }},
      {"nanmax", [](const ndarray& x) { nanmax(x); }},
      {"fmin.reduce", [](const ndarray& x) { fmin.reduce(x, 0); }},
  };
  for (const Routine& routine : without) {
    expect_refusal<ValueError>(routine.name, a, [&] { routine.call(a); });
  }
  EXPECT_EQ(sum(a).item<double>(), 0);
  EXPECT_EQ(prod(a).item<double>(), 1);
  EXPECT_TRUE(all(a).item<bool>());
  EXPECT_FALSE(any(a).item<bool>());
  EXPECT_TRUE(std::isnan(mean(a).item<double>()));
  EXPECT_EQ(amax(a, 1).size(), 0);
}

TEST_P(BadInput, SizesThatCannotBeAreRefused) {
  constexpr std::int64_t kHuge = std::int64_t{1} << 40;
  const std::vector<std::pair<const char*, std::function<void()>>> values = {
      {"empty",
       [] {
         empty({2, -1});
       }},
      {"zeros", [] { zeros({-3}); }},
      {"ones F", [] { ones({-3}, float32, Order::F); }},
      {"full",
       [] {
         full({-1, 2}, 1);
       }},
      {"eye", [] { eye(-2); }},
      {"linspace", [] { linspace(0.0, 1.0, -1); }},
      {"logspace", [] { logspace(0.0, 1.0, -1); }},
      {"indices",
       [] {
         indices({2, -1});
       }},
      {"resize", [] { resize(arange(3), {-1}); }},
      {"tile", [] { tile(arange(3), -1); }},
      {"repeat", [] { repeat(arange(3), -1); }},
      {"pad", [] { pad(arange(3), -1); }},
      {"overflow",
       [] {
         empty({kHuge, kHuge});
       }},
      {"bytes overflow",
       [] {
         zeros({kHuge, std::int64_t{1} << 22});
       }},
      {"broadcast_to",
       [] {
         broadcast_to(arange(1), {kHuge, kHuge, kHuge});
       }},
      {"memory", [] { ndarray({4}, float64, zeros({3})); }},
      {"memory stride", [] { ndarray({2}, float64, zeros({3}), {24}); }},
      {"memory offset", [] { ndarray({1}, float64, zeros({3}), {}, -8); }},
      {"memory overflow",
       [] {
         ndarray({kHuge, kHuge}, float64, zeros({3}), {INT64_MAX, INT64_MAX});
       }},
      {"rank", [] { Shape(std::vector<std::int64_t>(33, 1)); }},
      {"ndmin", [] { array({1}, {}, {.ndmin = 33}); }},
      {"arange", [] { arange(0, 10, 0); }},
  };
  for (const auto& [name, call] : values) expect_refusal<ValueError>(name, {}, call);
  // More than any machine has, less than what 64 bits count.
  constexpr std::int64_t kElements = std::int64_t{1} << 56;
  const std::vector<std::pair<const char*, std::function<void()>>> memory = {
      {"empty", [] { empty({kElements}, int8); }},
      {"zeros", [] { zeros({kElements}, int8); }},
      {"full",
       [] {
         full({kElements / 2, 2}, 1, int8);
       }},
      {"copy", [] { broadcast_to(zeros({1}, int8), {kElements}).copy(); }},
      {"add", [] { add(broadcast_to(zeros({1}, int8), {kElements}), 1); }},
      {"tile", [] { tile(zeros({1}, int8), kElements); }},
  };
  for (const auto& [name, call] : memory) expect_refusal<MemoryError>(name, {}, call);
}

}  // namespace
}  // namespace cupyxx
