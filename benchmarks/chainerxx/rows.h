// SPDX-License-Identifier: MIT
// Rows of a table beside benchmarks/function_peers.py, which has the same names: functions forward,
// or forward and backward with a given gradient of the result.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "benchmarks/device.h"
#include "chainerxx/chainerxx.h"
#include "cupyxx/creation.h"
#include "cupyxx/random.h"

namespace benchmarks {

namespace F = chainerxx::functions;
using chainerxx::Variable;
using cupyxx::ndarray;

enum class Way { forward, both };

inline std::string name_of(Way way) { return way == Way::forward ? ", forward" : ", both ways"; }

/// Normal numbers on the device.
inline ndarray normal(const cupyxx::Shape& shape, cupyxx::dtype dtype = cupyxx::float32) {
  return cupyxx::random::normal(shape, {.dtype = cupyxx::float32}).astype(dtype);
}

/// Integers in [0, end) on the device.
inline ndarray integers(const cupyxx::Shape& shape, std::int64_t end) {
  return cupyxx::random::randint(0, end, shape).astype(cupyxx::int32);
}

/// Times a function of variables one way or both; `bytes` is the least traffic of a call, or 0 for
/// rows that arithmetic bounds.
template <class Function>
void time_function(benchmark::State& state, Way way, const std::vector<Variable>& inputs,
                   std::int64_t bytes, Function&& f) {
  constexpr std::int64_t kCalls = 10;
  if (way == Way::forward) {
    const chainerxx::NoGradScope no_graph;
    time_calls(state, kCalls, [&] { benchmark::DoNotOptimize(f(inputs).node()); });
  } else {
    const ndarray gy = normal(f(inputs).shape(), inputs[0].dtype());
    time_calls(state, kCalls, [&] {
      for (const Variable& x : inputs) x.set_grad({});
      const Variable y = f(inputs);
      y.set_grad(gy);
      y.backward();
    });
  }
  if (bytes != 0) set_bytes(state, bytes);
}

/// Adds a row to the table, in microseconds; `body` makes its arrays and times itself.
template <class Body>
void add_row(const std::string& name, Body&& body) {
  benchmark::RegisterBenchmark(name.c_str(), std::forward<Body>(body))
      ->UseRealTime()
      ->Unit(benchmark::kMicrosecond);
}

}  // namespace benchmarks
