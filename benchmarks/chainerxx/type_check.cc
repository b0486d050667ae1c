// SPDX-License-Identifier: MIT
// What type checks cost: a training step of the network 784-units-units-10 with and without them,
// in turns. The time of the benchmark is that of a step with checks; `without_us` is the median of
// those without, `cost_percent` the difference of the medians. The row Checks has the checks of
// such a step alone.
#include <algorithm>
#include <chrono>
#include <vector>

#include "benchmarks/device.h"
#include "chainerxx/chainerxx.h"
#include "cupyxx/creation.h"
#include "cupyxx/random.h"

namespace {

namespace F = chainerxx::functions;
using chainerxx::Variable;

constexpr std::int64_t kBatch = 100;

struct Mlp : chainerxx::FunctionSet {
  explicit Mlp(std::int64_t units)
      : l1(add("l1", F::Linear(784, units))),
        l2(add("l2", F::Linear(units, units))),
        l3(add("l3", F::Linear(units, 10))) {}
  F::Linear& l1;
  F::Linear& l2;
  F::Linear& l3;
};

struct Problem {
  explicit Problem(std::int64_t units) : model(units) { optimizer.setup(model); }

  void step() {
    const Variable y = model.l3(F::relu(model.l2(F::relu(model.l1(images)))));
    const Variable loss = F::softmax_cross_entropy(y, Variable(labels));
    optimizer.zero_grads();
    loss.backward();
    optimizer.update();
  }

  Mlp model;
  chainerxx::optimizers::SGD optimizer;
  cupyxx::ndarray images = benchmarks::random({kBatch, 784});
  cupyxx::ndarray labels = cupyxx::random::randint(0, 10, {kBatch}).astype(cupyxx::int32);
};

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
