// SPDX-License-Identifier: MIT
// Random numbers into an array that exists: bytes written per second.
#include "cupyxx/random.h"

#include "benchmarks/device.h"
#include "cupyxx/creation.h"

namespace {

namespace cp = cupyxx;
using benchmarks::set_bytes, benchmarks::time_calls;
using cp::random::RandomState;

template <class Draw>
void draw(benchmark::State& state, cp::dtype dtype, Draw&& body) {
  benchmarks::device();
  RandomState random(1);
  const auto out = cp::empty({state.range(0)}, dtype);
  time_calls(state, 100, [&] { body(random, out); });
  set_bytes(state, out.nbytes());
}

void Uniform(benchmark::State& state, cp::dtype dtype) {
  draw(state, dtype, [](RandomState& r, const cp::ndarray& a) { r.uniform({}, {.out = a}); });
}
void Normal(benchmark::State& state, cp::dtype dtype) {
  draw(state, dtype, [](RandomState& r, const cp::ndarray& a) { r.normal({}, {.out = a}); });
}
void Exponential(benchmark::State& state, cp::dtype dtype) {
  draw(state, dtype, [](RandomState& r, const cp::ndarray& a) { r.exponential({}, {.out = a}); });
}
void Integers(benchmark::State& state, cp::dtype dtype) {
  draw(state, dtype,
       [](RandomState& r, const cp::ndarray& a) { r.randint(0, 1000, {}, {.out = a}); });
}
void Poisson(benchmark::State& state) {
  draw(state, cp::int64,
       [](RandomState& r, const cp::ndarray& a) { r.poisson(20, {}, {.out = a}); });
}
void Gamma(benchmark::State& state) {
  draw(state, cp::float32,
       [](RandomState& r, const cp::ndarray& a) { r.gamma(2.5, {}, {.out = a}); });
}
void Permutation(benchmark::State& state) {
  benchmarks::device();
  RandomState random(1);
  time_calls(state, 5, [&] { random.permutation(state.range(0)); });
  set_bytes(state, 8 * state.range(0));
}

void sizes(benchmark::internal::Benchmark* b) {
  b->Arg(1 << 10)->Arg(1 << 20)->Arg(1 << 26)->UseRealTime();
}

BENCHMARK_CAPTURE(Uniform, float32, cp::float32)->Apply(sizes);
BENCHMARK_CAPTURE(Uniform, float64, cp::float64)->Apply(sizes);
BENCHMARK_CAPTURE(Uniform, float16, cp::float16)->Apply(sizes);
BENCHMARK_CAPTURE(Normal, float32, cp::float32)->Apply(sizes);
BENCHMARK_CAPTURE(Normal, float64, cp::float64)->Apply(sizes);
BENCHMARK_CAPTURE(Exponential, float32, cp::float32)->Apply(sizes);
BENCHMARK_CAPTURE(Integers, int32, cp::int32)->Apply(sizes);
BENCHMARK_CAPTURE(Integers, int64, cp::int64)->Apply(sizes);
BENCHMARK(Poisson)->Apply(sizes);
BENCHMARK(Gamma)->Apply(sizes);
BENCHMARK(Permutation)->Apply(sizes);

}  // namespace
