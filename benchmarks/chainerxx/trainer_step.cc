// SPDX-License-Identifier: MIT
// What a Trainer costs a step: steps that do nothing, in a loop and in a trainer; and the smallest
// steps of a network, in a loop and by StandardUpdater, with and without a log. One iteration is a
// thousand steps.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <filesystem>
#include <string>

#include "benchmarks/device.h"
#include "chainerxx/chainerxx.h"
#include "chainerxx/training/training.h"
#include "cupyxx/cupyxx.h"

namespace {

namespace cp = cupyxx;
namespace F = chainerxx::functions;
namespace training = chainerxx::training;
using chainerxx::Variable;
using chainerxx::iterators::SerialIterator;

constexpr std::int64_t kSteps = 1000;

std::string folder() { return std::filesystem::temp_directory_path() / "trainer_step"; }

/// A step that only counts.
struct Nothing final : training::Updater {
  void update() override { benchmark::DoNotOptimize(++steps); }
  std::int64_t iteration() const override { return steps; }
  std::int64_t epoch() const override { return 0; }
  double epoch_detail() const override { return 0; }
  bool is_new_epoch() const override { return false; }
  void serialize(const training::Serializer&) override {}
  std::int64_t steps = 0;
};

void per_step(benchmark::State& state) {
  state.SetItemsProcessed(state.iterations() * kSteps);
  state.counters["step"] =
      benchmark::Counter(static_cast<double>(state.iterations() * kSteps),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void EmptyLoop(benchmark::State& state) {
  for (auto _ : state) {
    Nothing nothing;
    training::Updater& updater = nothing;
    while (updater.iteration() < kSteps) updater.update();
  }
  per_step(state);
}

/// With so many extensions, none of whose triggers fires.
void EmptyTrainer(benchmark::State& state) {
  for (auto _ : state) {
    Nothing nothing;
    training::Trainer trainer(nothing, {kSteps, "iteration"}, folder());
    for (std::int64_t i = 0; i < state.range(0); ++i) {
      trainer.extend([](training::Trainer&) {}, {.trigger = {kSteps * 2, "iteration"}});
    }
    trainer.run();
  }
  per_step(state);
}

struct Line : chainerxx::FunctionSet {
  F::Linear& l = add("l", F::Linear(1, 1));
  Variable operator()(const Variable& x, const Variable& t) {
    return F::mean_squared_error(l(x), t);
  }
};

struct Problem {
  Problem() { optimizer.setup(model); }
  Line model;
  chainerxx::optimizers::SGD optimizer{{.lr = 0}};
  chainerxx::datasets::TupleDataset data{cp::ones({8, 1}, cp::float32),
                                         cp::ones({8, 1}, cp::float32)};
  SerialIterator iterator{data, 4, {.shuffle = false}};
};

void SmallestLoop(benchmark::State& state) {
  Problem p;
  for (auto _ : state) {
    for (std::int64_t i = 0; i < kSteps; ++i) {
      const auto arrays = chainerxx::concat_examples(p.iterator.next());
      const Variable loss = p.model(Variable(arrays[0]), Variable(arrays[1]));
      p.optimizer.zero_grads();
      loss.backward();
      p.optimizer.update();
    }
  }
  per_step(state);
}

void smallest(benchmark::State& state, bool has_log) {
  Problem p;
  for (auto _ : state) {
    training::StandardUpdater updater(p.iterator, p.optimizer, p.model,
                                      [&](const Variable& x, const Variable& t) {
                                        const Variable loss = p.model(x, t);
                                        chainerxx::report({{"loss", loss}});
                                        return loss;
                                      });
    training::Trainer trainer(updater, {kSteps, "iteration"}, folder());
    if (has_log) {
      trainer.extend(
          training::extensions::LogReport({.trigger = {kSteps, "iteration"}, .filename = ""}));
    }
    trainer.run();
  }
  per_step(state);
}

void SmallestTrainer(benchmark::State& state) { smallest(state, false); }
void SmallestTrainerWithLog(benchmark::State& state) { smallest(state, true); }

BENCHMARK(EmptyLoop);
BENCHMARK(EmptyTrainer)->Arg(0)->Arg(8);
BENCHMARK(SmallestLoop);
BENCHMARK(SmallestTrainer);
BENCHMARK(SmallestTrainerWithLog);

}  // namespace
