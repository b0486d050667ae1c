// SPDX-License-Identifier: MIT
// What type checks cost: a training step of the network 784-units-units-10 with and without them,
// in turns. The time of the benchmark is that of a step with checks; `without_us` is the median of
// those without, `cost_percent` the difference of the medians. The row Checks has the checks of
// such a step alone.
#include <algorithm>
#include <chrono>
#include <vector>

#include "benchmarks/chainerxx/mlp.h"

namespace {

namespace F = chainerxx::functions;

struct Problem : benchmarks::MlpProblem {
  explicit Problem(std::int64_t units) : MlpProblem(units) { optimizer.setup(model); }

  void step() {
    const chainerxx::Variable result = loss();
    optimizer.zero_grads();
    result.backward();
    optimizer.update();
  }

  chainerxx::optimizers::SGD optimizer;
};

constexpr std::int64_t kBatch = Problem::kBatch;

double median(std::vector<double>& values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

void StepWithAndWithout(benchmark::State& state) {
  Problem p(state.range(0));
  for (int i = 0; i < 10; ++i) p.step();
  std::vector<double> times[2];
  bool turn = false;
  for (auto _ : state) {
    turn = !turn;  // so that neither is always the second
    for (const bool enabled : {turn, !turn}) {
      chainerxx::Function::type_check_enable = enabled;
      benchmarks::synchronize();
      const auto start = std::chrono::steady_clock::now();
      p.step();
      benchmarks::synchronize();
      const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
      times[enabled].push_back(time.count());
      if (enabled) state.SetIterationTime(time.count());
    }
  }
  chainerxx::Function::type_check_enable = true;
  const double with = median(times[1]), without = median(times[0]);
  state.counters["with_us"] = with * 1e6;
  state.counters["without_us"] = without * 1e6;
  state.counters["cost_percent"] = (with / without - 1) * 100;
}

void Checks(benchmark::State& state) {
  Problem p(100);
  const typecheck::TypeInfo image({kBatch, 784}, cupyxx::float32);
  const typecheck::TypeInfo hidden({kBatch, 100}, cupyxx::float32);
  const typecheck::TypeInfo scores({kBatch, 10}, cupyxx::float32);
  const typecheck::TypeInfo labels({kBatch}, cupyxx::int32);
  const std::vector<typecheck::TypeInfo> first = {image}, next = {hidden}, last = {scores, labels};
  const F::ReLU relu;
  const F::SoftmaxCrossEntropy loss;
  for (auto _ : state) {
    p.model.l1.check_type_forward(typecheck::TypeInfos(first));
    relu.check_type_forward(typecheck::TypeInfos(next));
    p.model.l2.check_type_forward(typecheck::TypeInfos(next));
    relu.check_type_forward(typecheck::TypeInfos(next));
    p.model.l3.check_type_forward(typecheck::TypeInfos(next));
    loss.check_type_forward(typecheck::TypeInfos(last));
  }
}

BENCHMARK(StepWithAndWithout)->Arg(100)->Arg(1000)->UseManualTime();
BENCHMARK(Checks);

}  // namespace
