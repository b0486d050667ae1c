// SPDX-License-Identifier: MIT
// Kernels that a user writes as text, beside a copy of the same run.
#include "benchmarks/device.h"
#include "cupyxx/creation.h"
#include "cupyxx/kernel.h"
#include "cupyxx/manipulation.h"

namespace {

namespace cp = cupyxx;
using benchmarks::random, benchmarks::set_bytes, benchmarks::time_calls;

constexpr std::int64_t kSide = 8192;

void Copy(benchmark::State& state) {
  const auto a = random({kSide, kSide});
  const auto b = cp::empty_like(a);
  time_calls(state, 20, [&] { cp::copyto(b, a); });
  set_bytes(state, 2 * a.nbytes());
}

const cp::ElementwiseKernel& chain() {
  static const auto& kernel = *new cp::ElementwiseKernel(
      "T x, T y, T z", "T out", "out = (x - y) * (x - y) * z + 1", "chain");
  return kernel;
}

void Chain(benchmark::State& state, cp::dtype dtype) {
  const std::int64_t n = state.range(0);
  const auto x = random({n}, dtype), y = random({n}, dtype), z = random({n}, dtype);
  const auto out = cp::empty({n}, dtype);
  time_calls(state, 20, [&] { chain()(x, y, z, out); });
  set_bytes(state, 4 * n * dtype.itemsize());
}

/// One operand is a row, one a column.
void ChainBroadcast(benchmark::State& state) {
  const auto x = random({kSide, kSide}), y = random({kSide}), z = random({kSide, 1});
  const auto out = cp::empty_like(x);
  time_calls(state, 20, [&] { chain()(x, y, z, out); });
  set_bytes(state, 2 * x.nbytes());
}

void ChainTransposed(benchmark::State& state) {
  const auto x = random({kSide, kSide}), y = random({kSide, kSide});
  const auto out = cp::empty_like(x);
  time_calls(state, 20, [&] { chain()(x, y.T(), x, out); });
  set_bytes(state, 3 * x.nbytes());
}

const cp::ReductionKernel& norm() {
  static const auto& kernel =
      *new cp::ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm");
  return kernel;
}

void Norm(benchmark::State& state, const cp::Shape& shape, const cp::Axes& axes) {
  const auto x = random(shape);
  time_calls(state, 20, [&] { norm()(x, {.axis = axes}); });
  set_bytes(state, x.nbytes());
}

/// Two inputs, accumulated in float64.
void Dot(benchmark::State& state) {
  static const cp::ReductionKernel dot("T x, T y", "float64 r", "(double)x * y", "a + b", "r = a",
                                       "0", "dot");
  const auto x = random({kSide, kSide}), y = random({kSide, kSide});
  time_calls(state, 20, [&] { dot({x, y}, {.axis = 1}); });
  set_bytes(state, 2 * x.nbytes());
}

BENCHMARK(Copy)->UseRealTime();
BENCHMARK_CAPTURE(Chain, float32, cp::float32)
    ->Arg(1 << 4)
    ->Arg(1 << 20)
    ->Arg(1 << 26)
    ->UseRealTime();
BENCHMARK_CAPTURE(Chain, float16, cp::float16)->Arg(1 << 26)->UseRealTime();
BENCHMARK(ChainBroadcast)->UseRealTime();
BENCHMARK(ChainTransposed)->UseRealTime();
BENCHMARK_CAPTURE(Norm, rows, cp::Shape{kSide, kSide}, cp::Axes(1))->UseRealTime();
BENCHMARK_CAPTURE(Norm, columns, cp::Shape{kSide, kSide}, cp::Axes(0))->UseRealTime();
BENCHMARK_CAPTURE(Norm, all, cp::Shape{kSide, kSide}, cp::Axes{})->UseRealTime();
BENCHMARK_CAPTURE(Norm, short_rows, cp::Shape{1 << 23, 8}, cp::Axes(1))->UseRealTime();
BENCHMARK_CAPTURE(Norm, channels, cp::Shape{64, 256, 64, 64}, cp::Axes{0, 2, 3})->UseRealTime();
BENCHMARK_CAPTURE(Norm, small, cp::Shape{16, 16}, cp::Axes(1))->UseRealTime();
BENCHMARK(Dot)->UseRealTime();

}  // namespace
