// SPDX-License-Identifier: MIT
// A training step of several ranks beside that of one, each with a batch of its own:
//
//   parallel_step --parallel=threads --network=resnet50 --batch=64 --precision=bfloat16
//   CUPYXX_COMM_ADDRESS=localhost:29500 CUPYXX_COMM_SIZE=2 CUPYXX_COMM_RANK=0 parallel_step
//   --parallel=yes parallel_step --device=cuda:0                             # what one does
//
// Prints the median time of a step in ms, of the slowest rank, and the states' memory on each.
// benchmarks/parallel_peer.py does the same in PyTorch.
#include <algorithm>
#include <functional>
#include <iomanip>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "chainerxx/parallel/multi_node_optimizer.h"
#include "cupyxx/cupyxx.h"
#include "examples/gpt/gpt.h"
#include "examples/imagenet/architectures.h"
#include "examples/program/flags.h"
#include "examples/program/progress.h"
#include "examples/program/ranks.h"

namespace {

namespace cp = cupyxx;
using chainerxx::Variable;
using cp::ndarray;

struct Options {
  std::string network = "resnet50", precision = "bfloat16", reduced = "float32";
  std::string capture = "yes", shard_states = "no", shard_gradients = "no";
  std::int64_t batch = 64, steps = 10, rounds = 5;
  examples::RankFlags ranks;
};

examples::CommandLine command_line(Options& o) {
  examples::CommandLine line = {
      "parallel_step",
      "times a training step of several ranks.",
      {{"network", &o.network, "resnet50|gpt|ten", "what is trained; ten: ten numbers"},
       {"batch", &o.batch, "N", "pictures, or windows of 1024 tokens, of each rank", 65'536},
       {"precision", &o.precision, "float32|tf32|bfloat16", "of products and convolutions"},
       {"reduced", &o.reduced, "float32|bfloat16", "what gradients are on their way"},
       {"shard_states", &o.shard_states, "no|yes", "each rank keeps a part"},
       {"shard_gradients", &o.shard_gradients, "no|yes", "each rank keeps a part of them, too"},
       {"capture", &o.capture, "no|yes", "a step is one graph"},
       {"steps", &o.steps, "N", "between two looks at the clock", 1'000'000},
       {"rounds", &o.rounds, "N", "of which the median is told", 1'000'000}},
      ""};
  for (const examples::Flag& flag : examples::rank_flags(o.ranks)) line.flags.push_back(flag);
  return line;
}

/// A model and how it is trained.
struct Work {
  std::unique_ptr<chainerxx::FunctionSet> model;
  std::unique_ptr<chainerxx::Optimizer> optimizer;
  std::function<Variable()> loss;
};

Work resnet50(std::int64_t batch) {
  std::unique_ptr<imagenet::Network> model = imagenet::make_network("resnet50", 1000);
  const imagenet::Network* const network = model.get();
  const std::int64_t size = network->insize();
  const ndarray x = cp::random::uniform({batch, 3, size, size}, {.dtype = cp::float32});
  const ndarray t = cp::random::randint(0, 1000, {batch}).astype(cp::int32);
  auto sgd = std::make_unique<chainerxx::optimizers::SGD>();
  return {std::move(model), std::move(sgd),
          [=] { return network->loss(Variable(x), Variable(t)); }};
}

Work gpt2(std::int64_t batch) {
  constexpr std::int64_t kLength = 1024;
  auto model = std::make_unique<gpt::Gpt>(gpt::size_of("124M"), 50304, kLength);
  gpt::Gpt* const network = model.get();
  const auto random = [&] {
    return cp::random::randint(0, 50257, {batch, kLength}).astype(cp::int32);
  };
  const ndarray tokens = random(), next = random();
  auto adam = std::make_unique<chainerxx::optimizers::AdamW>(
      chainerxx::optimizers::AdamWOptions{.alpha = 3e-4});
  adam->add_hook(chainerxx::GradientClipping(1));
  return {std::move(model), std::move(adam), [=] { return network->loss(tokens, next); }};
}

/// One parameter of ten elements: what is left is the cost of a step and of its all-reduce.
Work ten() {
  struct Ten : chainerxx::FunctionSet {
    chainerxx::functions::Linear& w =
        add("w", chainerxx::functions::Linear(10, 1, {.nobias = true}));
  };
  auto model = std::make_unique<Ten>();
  Ten* const network = model.get();
  const ndarray x = cp::random::uniform({1, 10}, {.dtype = cp::float32});
  auto sgd = std::make_unique<chainerxx::optimizers::SGD>();
  return {std::move(model), std::move(sgd),
          [=] { return chainerxx::functions::sum(network->w(Variable(x))); }};
}

Work work_of(const Options& o) {
  if (o.network == "ten") return ten();
  return o.network == "gpt" ? gpt2(o.batch) : resnet50(o.batch);
}

void wait_for(cp::Device device) {
  if (device.is_cuda()) cp::cuda::Device(device.index).synchronize();
}

/// ms a step: the median over rounds that all ranks begin together.
double time_of(const std::function<void()>& step, const Options& o, const examples::Ranks& ranks) {
  for (int i = 0; i < 5; ++i) step();  // compiles, tunes, records, fills the pool
  std::vector<double> times;
  for (std::int64_t round = 0; round < o.rounds; ++round) {
    wait_for(ranks.device());
    ranks.barrier();
    const double start = examples::steady_seconds();
    for (std::int64_t i = 0; i < o.steps; ++i) step();
    wait_for(ranks.device());
    ranks.barrier();  // the slowest
    times.push_back(1e3 * (examples::steady_seconds() - start) / static_cast<double>(o.steps));
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

int run(const Options& o, const examples::Ranks& ranks) {
  const cp::DeviceScope scope(ranks.device());
  const chainerxx::PrecisionScope precision(cp::precision_of(o.precision, "--precision"));
  Work work = work_of(o);
  std::optional<chainerxx::MultiNodeOptimizer> together;
  if (ranks.communicator()) {
    const cp::dtype reduced = o.reduced == "bfloat16" ? cp::bfloat16_ : cp::dtype();
    together.emplace(
        chainerxx::create_multi_node_optimizer(*work.optimizer, *ranks.communicator(),
                                               {.reduced_dtype = reduced,
                                                .shard_states = o.shard_states == "yes",
                                                .shard_gradients = o.shard_gradients == "yes"}));
    together->setup(*work.model);
  } else {
    work.optimizer->setup(*work.model);
  }
  const auto train = [&] {
    together ? together->update(work.loss) : work.optimizer->update(work.loss);
  };
  auto captured = chainerxx::capture(train);
  const double ms =
      o.capture == "yes" ? time_of([&] { captured(); }, o, ranks) : time_of(train, o, ranks);
  double states = 0;
  for (const chainerxx::NamedField& field : work.optimizer->fields()) {
    states += static_cast<double>(field.array->nbytes()) / (1 << 20);
  }
  ranks.out() << o.network << " " << o.precision << (o.capture == "yes" ? " captured" : " eager")
              << ", gradients " << o.reduced
              << (o.shard_gradients == "yes" ? ", states and gradients in parts"
                  : o.shard_states == "yes"  ? ", states in parts"
                                             : "")
              << ", " << o.batch << " a rank, " << ranks.size()
              << (ranks.size() == 1 ? " rank: " : " ranks: ") << std::fixed << std::setprecision(3)
              << ms << " ms a step, states " << std::setprecision(1) << states << " MiB a rank";
  if (!ranks.device().is_cpu()) {
    const double used = static_cast<double>(cp::pool_stats(ranks.device()).used) / (1 << 20);
    ranks.out() << ", arrays " << used << " MiB";
  }
  ranks.out() << std::endl;
  if (together && o.network == "gpt") together->check_equal();  // it has no running statistics
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  const examples::CommandLine line = command_line(options);
  return examples::run_program(line, argc, argv, [&] {
    return examples::run_ranks(options.ranks,
                               [&](const auto& ranks) { return run(options, ranks); });
  });
}
