// SPDX-License-Identifier: MIT
// With the kernel bundle, a program that uses built-in routines on everyday types compiles nothing.
// The routines run in a process of their own, where no other test has loaded a kernel.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "cupyxx/cupyxx.h"
#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/testing/devices.h"

namespace cupyxx {
namespace {

/// Routines that still compile a kernel: for integers those that compute in float64 with a
/// conversion, and a few that take more axes or a mask.
bool is_known(const std::string& name, dtype type) {
  for (const char* known :
       {"tile", "masked assignment", "where", "all", "any", "allclose", "median"}) {
    if (name == known) return true;
  }
  if (type.is_floating()) return false;
  for (const char* known : {"true_divide", "true_divide of a number", "true_divide of a row",
                            "sqrt", "exp", "log", "sin", "cos", "tanh"}) {
    if (name == known) return true;
  }
  return false;
}

/// Runs routines and notes those that needed a kernel from elsewhere than the bundle.
class Watch {
 public:
  template <class Call>
  void operator()(const std::string& name, dtype type, Call call) {
    const internal::jit::CacheStats before = internal::jit::cache_stats();
    call();
    const internal::jit::CacheStats after = internal::jit::cache_stats();
    const bool missed_it = before.compiled != after.compiled || before.disk_hits != after.disk_hits;
    if (missed_it && !is_known(name, type)) {
      missed += "  " + name + " of " + std::string(type.name()) + "\n";
    }
  }
  std::string missed;
};

/// A ufunc that is chosen at run time.
void call(const ufunc& f, const Operand& x) {
  const Operand* inputs[] = {&x};
  f.call(inputs, {}, {});
}
void call(const ufunc& f, const Operand& x, const Operand& y) {
  const Operand* inputs[] = {&x, &y};
  f.call(inputs, {}, {});
}

void make_and_move(Watch& watch, dtype t) {
  watch("zeros", t, [&] { zeros({300, 40}, t); });
  watch("ones", t, [&] { ones({300, 40}, t); });
  watch("full", t, [&] { full({300, 40}, 3, t); });
  watch("arange", t, [&] { arange(1000).astype(t); });
  watch("eye", t, [&] { eye(30, -1, 0, t); });
  const auto a = arange(12000).astype(t).reshape({300, 40});
  watch("copy", t, [&] { a.copy(); });
  watch("copy of a transpose", t, [&] { a.T().copy(); });
  watch("copy of rows", t, [&] { a(slice(none, none, 2)).copy(); });
  watch("copy of columns", t, [&] { a(slice(), slice(none, none, 2)).copy(); });
  watch("write into a view", t, [&] { a.copy()(slice(), slice(1, none, 2)) = 0; });
  watch("write a view", t, [&] { a.copy()(slice(), slice(0, 20)) = a(slice(), slice(20, none)); });
  watch("concatenate", t, [&] { concatenate({a, a}); });
  watch("concatenate columns", t, [&] { concatenate({a, a}, 1); });
  watch("stack", t, [&] { stack({a, a}); });
  watch("flip", t, [&] { flip(a); });
  watch("roll", t, [&] { roll(a, 3); });
  watch("tile", t, [&] { tile(a, {2, 3}); });
  watch("repeat", t, [&] { repeat(a, 2, 1); });
  watch("take", t, [&] { take(a, array({2, 0, 5}), 0); });
  watch("index array", t, [&] { ndarray chosen = a(array({2, 0, 5})); });
  watch("mask", t, [&] { ndarray chosen = a(a > 3); });
  watch("masked assignment", t, [&] { a.copy()(a > 3) = 0; });
  watch("index assignment", t, [&] { a.copy()(array({2, 0, 5})) = 1; });
  watch("where", t, [&] { where(a > 3, a, 0); });
  watch("where of arrays", t, [&] { where(a > 3, a, a); });
  watch("clip", t, [&] { clip(a, 1, 5); });
  for (const dtype to : {bool_, int32, int64, float32, float64}) {
    watch("astype " + std::string(to.name()), t, [&] { a.astype(to); });
  }
}

void compute(Watch& watch, dtype t) {
  const auto a = (arange(12000) % 17 + 1).astype(t).reshape({300, 40});
  const ndarray first = a(0, 0);
  const auto row = a(0).copy(), column = a(slice(), slice(0, 1)).copy();
  for (const char* name :
       {"add", "subtract", "multiply", "true_divide", "floor_divide", "remainder", "power",
        "maximum", "minimum", "equal", "less", "greater_equal"}) {
    const ufunc& f = find_ufunc(name);
    watch(name, t, [&] { call(f, a, a); });
    watch(std::string(name) + " of a number", t, [&] { call(f, a, 2); });
    watch(std::string(name) + " of a row", t, [&] { call(f, a, row); });
    watch(std::string(name) + " of a column", t, [&] { call(f, a, column); });
    watch(std::string(name) + " of a 0-d array", t, [&] { call(f, a, first); });
  }
  for (const char* name : {"negative", "absolute", "sign", "square", "sqrt", "exp", "log", "sin",
                           "cos", "tanh", "isnan", "floor", "logical_not"}) {
    const ufunc& f = find_ufunc(name);
    watch(name, t, [&] {
      if (t.is_floating() || std::string(name) != "floor") call(f, a);
    });
  }
  watch("in place", t, [&] {
    auto b = a.copy();
    b += a;
    b *= 2;
  });
}

void reduce(Watch& watch, dtype t) {
  const auto a = (arange(12000) % 17).astype(t).reshape({300, 40});
  const auto large = (arange(300000) % 17).astype(t).reshape({3000, 100});
  for (const ndarray& x : {a, large}) {
    for (const int axis : {-1, 0, 1}) {
      const Axes axes = axis < 0 ? Axes{} : Axes(axis);
      watch("sum", t, [&] { sum(x, axes); });
      watch("prod", t, [&] { prod(x, axes); });
      watch("mean", t, [&] { mean(x, axes); });
      watch("var", t, [&] { var(x, axes); });
      watch("std", t, [&] { cupyxx::std(x, axes); });
      watch("amax", t, [&] { amax(x, axes); });
      watch("amin", t, [&] { amin(x, axes); });
      watch("argmax", t, [&] { argmax(x, axes); });
      watch("argmin", t, [&] { argmin(x, axes); });
      watch("all", t, [&] { all(x > 3, axes); });
      watch("any", t, [&] { any(x > 3, axes); });
      watch("cumsum", t, [&] { cumsum(x, axes); });
      watch("sort", t, [&] { sort(x, axis); });
    }
  }
  watch("count_nonzero", t, [&] { count_nonzero(a); });
  watch("allclose", t, [&] { allclose(a, a); });
  watch("array_equal", t, [&] { array_equal(a, a); });
  watch("nonzero", t, [&] { nonzero(a); });
  watch("argsort", t, [&] { argsort(a); });
  watch("unique", t, [&] { unique(a); });
  watch("searchsorted", t, [&] { searchsorted(sort(a.reshape({-1})), a(0)); });
  watch("median", t, [&] { median(a); });
  watch("diff", t, [&] { diff(a); });
  watch("tril", t, [&] { tril(a); });
}

[[noreturn]] void run_all() {
  Watch watch;
  {
    const DeviceScope scope(Device::cuda(0));
    for (const dtype type : {float32, float64, int32, int64}) {
      make_and_move(watch, type);
      compute(watch, type);
      reduce(watch, type);
    }
    watch("dot", float32, [] { dot(ones({40, 30}, float32), ones({30, 20}, float32)); });
    watch("bincount", int64, [] { bincount(arange(100) % 7); });
    watch("linspace", float64, [] { linspace(0, 1, 100); });
  }
  if (!watch.missed.empty()) {
    std::fprintf(stderr, "not in the bundle:\n%s", watch.missed.c_str());
  }
  std::exit(watch.missed.empty() ? 0 : 1);
}

class BundleTest : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(BundleTest);

TEST_P(BundleTest, EverydayRoutinesCompileNothing) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(run_all(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace cupyxx
