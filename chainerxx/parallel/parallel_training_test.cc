// SPDX-License-Identifier: MIT
// Training on several ranks beside one process that does the same work alone: threads here, and
// processes, for which this program starts itself again under mpirun.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <optional>
#include <vector>

#include "chainerxx/capture.h"
#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/functions/loss/softmax_cross_entropy.h"
#include "chainerxx/functions/normalization/batch_normalization.h"
#include "chainerxx/optimizers/momentum_sgd.h"
#include "chainerxx/parallel/parallel.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx {
namespace {

namespace F = functions;
using cupyxx::comm::Communicator;
using cupyxx::comm::run_threads;
using cupyxx::testing::expect_allclose;
using cupyxx::testing::expect_error;

/// Whether all bits are the same.
void expect_equal(const ndarray& a, const ndarray& b) {
  EXPECT_EQ(a.to_vector<double>(), b.to_vector<double>());
}

/// Whether training on ranks is that of one process: all bits on the host, where sums have the
/// order of the ranks, and of two ranks, which have one order; NCCL adds up more in an order of its
/// own.
void expect_as_alone(const ndarray& found, const ndarray& expected, const Communicator& comm) {
  if (found.device().is_cuda() && comm.size() > 2) {
    expect_allclose(found, expected, 1e-6, 1e-6);
  } else {
    expect_equal(found, expected);
  }
}

struct Network : FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(6, 5));
  F::Linear& l2 = add("l2", F::Linear(5, 5));
  F::Linear& l3 = add("l3", F::Linear(5, 3));
  F::Linear& unused = add("unused", F::Linear(2, 2));
  Variable operator()(const Variable& x) { return l3(F::relu(l2(F::relu(l1(x))))); }
};

constexpr int kSteps = 3, kShare = 4;

ndarray images(int step, int rank) {
  cupyxx::random::RandomState random(static_cast<std::uint64_t>(100 * step + rank));
  return random.normal({kShare, 6}, {.dtype = cupyxx::float32});
}

Variable loss_of(Network& model, int step, int rank) {
  const ndarray labels = (cupyxx::arange(kShare) + step + rank) % 3;
  return F::softmax_cross_entropy(model(Variable(images(step, rank))),
                                  Variable(labels.astype(cupyxx::int32)));
}

/// A network with the numbers of a rank, which ranks have before setup() gives them those of rank
/// 0. Threads draw from one stream, so that they take turns.
struct Seeded {
  explicit Seeded(int rank) : turn(mutex()) {
    cupyxx::random::seed(static_cast<std::uint64_t>(7 + rank));
    model.emplace();
    turn.unlock();
  }
  static std::mutex& mutex() {
    static std::mutex one;
    return one;
  }
  std::unique_lock<std::mutex> turn;
  std::optional<Network> model;
};

/// One process: gradients of each rank's part by themselves, added up in the order of the ranks.
std::vector<ndarray> train_alone(int size, int passes) {
  Seeded seeded(0);
  Network& model = *seeded.model;
  optimizers::MomentumSGD optimizer({.lr = 0.1});
  optimizer.setup(model);
  optimizer.add_hook(WeightDecay(0.01));
  for (int step = 0; step < kSteps; ++step) {
    std::vector<ndarray> sums;
    for (int rank = 0; rank < size; ++rank) {
      optimizer.zero_grads();
      for (int pass = 0; pass < passes; ++pass) loss_of(model, step + pass, rank).backward();
      const std::vector<ndarray> grads = model.gradients();
      for (std::size_t i = 0; i < grads.size(); ++i) {
        if (rank == 0) {
          sums.push_back(grads[i].copy());
        } else {
          sums[i] += grads[i];
        }
      }
    }
    const std::vector<ndarray> grads = model.gradients();
    for (std::size_t i = 0; i < grads.size(); ++i) grads[i].set(sums[i] / size);
    optimizer.update();
  }
  return model.parameters();
}

/// `bucket_bytes` cuts the gradients in several pieces.
void check_training(const Communicator& comm, int passes, bool overlap) {
  Seeded seeded(comm.rank());
  Network& model = *seeded.model;
  optimizers::MomentumSGD actual({.lr = 0.1});
  auto optimizer =
      create_multi_node_optimizer(actual, comm, {.bucket_bytes = 200, .overlap = overlap});
  optimizer.setup(model);
  actual.add_hook(WeightDecay(0.01));
  optimizer.check_equal();
  for (int step = 0; step < kSteps; ++step) {
    optimizer.zero_grads();
    for (int pass = 0; pass < passes; ++pass) {
      loss_of(model, step + pass, comm.rank()).backward();
    }
    // The last of the four layers has no gradient, and its pieces wait for update().
    EXPECT_EQ(optimizer.overlapped_buckets() > 0, overlap && comm.size() > 1 && step > 0);
    EXPECT_LT(optimizer.overlapped_buckets(), std::max(optimizer.bucket_count(), 1));
    optimizer.update();
  }
  optimizer.check_equal();
  const std::vector<ndarray> expected = train_alone(comm.size(), passes);
  const std::vector<ndarray> found = model.parameters();
  for (std::size_t i = 0; i < found.size(); ++i) {
    expect_as_alone(found[i], expected[i], comm);
  }
}

/// Steps of one call, whose averages take the place of gradients while backward runs.
void check_steps(const Communicator& comm) {
  Seeded seeded(comm.rank());
  Network& model = *seeded.model;
  optimizers::MomentumSGD actual({.lr = 0.1});
  auto optimizer = create_multi_node_optimizer(actual, comm, {.bucket_bytes = 200});
  optimizer.setup(model);
  actual.add_hook(WeightDecay(0.01));
  for (int step = 0; step < kSteps; ++step) {
    optimizer.update([&] { return loss_of(model, step, comm.rank()); });
    EXPECT_EQ(optimizer.overlapped_buckets() > 0, comm.size() > 1 && step > 0);
  }
  const std::vector<ndarray> expected = train_alone(comm.size(), 1);
  const std::vector<ndarray> found = model.parameters();
  for (std::size_t i = 0; i < found.size(); ++i) {
    expect_as_alone(found[i], expected[i], comm);
  }
}

void check_narrow(const Communicator& comm) {
  Seeded seeded(0);
  Network& model = *seeded.model;
  optimizers::MomentumSGD actual({.lr = 0.1});
  auto optimizer = create_multi_node_optimizer(actual, comm, {.reduced_dtype = cupyxx::bfloat16_});
  optimizer.setup(model);
  for (int step = 0; step < kSteps; ++step) {
    optimizer.update([&] { return loss_of(model, step, comm.rank()); });
  }
  optimizer.check_equal();
}

/// The parameters after steps that a graph repeats, or that are not recorded.
std::vector<ndarray> train_steps(const Communicator& comm, const MultiNodeOptions& options,
                                 bool is_one_call, bool is_captured) {
  Seeded seeded(0);
  Network& model = *seeded.model;
  optimizers::MomentumSGD actual({.lr = 0.1});
  auto optimizer = create_multi_node_optimizer(actual, comm, options);
  optimizer.setup(model);
  actual.add_hook(WeightDecay(0.01));
  const auto train = [&](const ndarray& x, const ndarray& t) {
    const auto loss = [&] { return F::softmax_cross_entropy(model(Variable(x)), Variable(t)); };
    if (is_one_call) {
      optimizer.update(loss);
      return;
    }
    optimizer.zero_grads();
    for (int pass = 0; pass < 2; ++pass) optimizer.backward(loss());
    optimizer.update();
  };
  auto step = capture(train);
  for (int i = 0; i < 6; ++i) {
    const ndarray x = images(i, comm.rank());
    const ndarray t = ((cupyxx::arange(kShare) + i) % 3).astype(cupyxx::int32);
    is_captured ? step(x, t) : train(x, t);
  }
  if (is_captured) {
    EXPECT_EQ(step.is_replaying(), model.l1.W.device().is_cuda());
  }
  optimizer.check_equal();
  return model.parameters();
}

/// In a graph, too, averages are on their way while backward goes on: to the same bits.
void check_captured(const Communicator& comm) {
  const MultiNodeOptions pieces{.bucket_bytes = 200};
  const MultiNodeOptions narrow{.bucket_bytes = 200, .reduced_dtype = cupyxx::bfloat16_};
  const MultiNodeOptions divided{.bucket_bytes = 200, .shard_states = true};
  for (const MultiNodeOptions& options : {pieces, narrow, divided}) {
    for (const bool is_one_call : {true, false}) {
      const std::vector<ndarray> expected = train_steps(comm, options, is_one_call, false);
      const std::vector<ndarray> found = train_steps(comm, options, is_one_call, true);
      for (std::size_t i = 0; i < found.size(); ++i) expect_equal(found[i], expected[i]);
    }
  }
}

void check_clipping(const Communicator& comm) {
  Seeded seeded(0);
  Network& model = *seeded.model;
  optimizers::MomentumSGD actual({.lr = 0.1});
  auto optimizer = create_multi_node_optimizer(actual, comm);
  optimizer.setup(model);
  optimizer.zero_grads();
  optimizer.backward(loss_of(model, 0, comm.rank()));
  optimizer.clip_grads(0.01);
  const double norm = optimizer.compute_grads_norm();
  EXPECT_NEAR(norm, 0.01, 1e-6);
  EXPECT_EQ(comm.all_reduce(cupyxx::full({1}, norm), {.op = cupyxx::comm::Op::max}).item<double>(),
            norm)
      << "the norm is that of the averages";
  optimizer.update();
  optimizer.check_equal();
}

void check_refusals(const Communicator& comm) {
  optimizers::MomentumSGD actual({.lr = 0.1});
  expect_error<cupyxx::DtypeError>(
      [&] { create_multi_node_optimizer(actual, comm, {.reduced_dtype = cupyxx::int8}); },
      "create_multi_node_optimizer: gradients travel as float16 or bfloat16; int8");
  expect_error<cupyxx::ValueError>(
      [&] { create_multi_node_optimizer(actual, comm, {.bucket_bytes = 0}); },
      "create_multi_node_optimizer: bucket_bytes is below 1; 0");
  auto optimizer = create_multi_node_optimizer(actual, comm);
  expect_error<cupyxx::ValueError>([&] { optimizer.update(); },
                                   "MultiNodeOptimizer.update: setup() comes first; the optimizer "
                                   "has no model yet");
  struct Unsized : FunctionSet {
    F::Linear& l1 = add("l1", F::Linear(cupyxx::none, 5));
  } unsized;
  expect_error<cupyxx::ValueError>([&] { optimizer.setup(unsized); },
                                   "MultiNodeOptimizer.setup: the parameter l1/W has no size yet, "
                                   "which the model's first call gives");
  Network model;
  if (comm.size() > 1) {
    struct Other : FunctionSet {
      F::Linear& l1 = add("l1", F::Linear(6, 4));
    } other;
    FunctionSet& own = comm.rank() == 1 ? static_cast<FunctionSet&>(other) : model;
    expect_error<cupyxx::ValueError>(
        [&] { optimizer.setup(own); },
        ": the models of ranks 0 and 1 differ; l1/W float32 (5, 6) and l1/W float32 (4, 6)");
  }
  optimizer.setup(model);
  if (comm.size() == 1) return;
  if (comm.rank() == 1) model.l2.b += 1;
  expect_error<cupyxx::ValueError>([&] { optimizer.check_equal(); },
                                   ": l2/b differs between ranks; 0 and 1");
  optimizer.broadcast();
  optimizer.check_equal();
}

void check_batch_normalization(const Communicator& comm) {
  const int size = comm.size(), rank = comm.rank();
  cupyxx::random::RandomState random(3);
  const ndarray all = random.normal({2 * size, 3, 4}, {.dtype = cupyxx::float32}) + 100;
  const ndarray gy = random.normal({2 * size, 3, 4}, {.dtype = cupyxx::float32});
  const auto mine = [&](const ndarray& a) {
    return ndarray(a(cupyxx::slice(2 * rank, 2 * rank + 2)));
  };
  F::BatchNormalization whole(3);
  const Variable x(all), y = whole(x);
  y.set_grad(gy);
  y.backward();
  links::MultiNodeBatchNormalization parted(3, comm);
  const Variable own_x(mine(all)), own_y = parted(own_x);
  own_y.set_grad(mine(gy));
  own_y.backward();
  expect_allclose(own_y.data(), mine(y.data()), 1e-3, 1e-4);
  expect_allclose(own_x.grad(), mine(x.grad()), 1e-3, 1e-4);
  expect_allclose(parted.avg_mean, whole.avg_mean, 1e-5, 1e-5);
  expect_allclose(parted.avg_var, whole.avg_var, 1e-4, 1e-5);
  expect_allclose(comm.all_reduce(parted.ggamma), whole.ggamma, 1e-3, 1e-3);
  const TrainScope test(false);
  expect_allclose(parted(own_x).data(), mine(whole(x).data()), 1e-3, 1e-3);
}

/// More elements than float16 counts.
void check_narrow_batch_normalization(const Communicator& comm) {
  const int size = comm.size(), rank = comm.rank();
  cupyxx::random::RandomState random(4);
  const cupyxx::Shape shape = {size, 2, 70000}, channels = {2, 1};
  const auto drawn = [&](double mean, double scale) {
    return random.normal(shape, {.loc = mean, .scale = scale, .dtype = cupyxx::float32})
        .astype(cupyxx::float16);
  };
  const ndarray all = drawn(5, 3), gy = drawn(0.01, 0.1);
  const auto wide = [](const ndarray& a) { return a.astype(cupyxx::float64); };
  const auto mine = [&](const ndarray& a) { return ndarray(a(cupyxx::slice(rank, rank + 1))); };
  const ndarray x = wide(all), mean = x.mean({0, 2}), variance = x.var({0, 2});
  const ndarray normal =
      (x - mean.reshape(channels)) / cupyxx::sqrt(variance + 2e-5).reshape(channels);
  links::MultiNodeBatchNormalization parted(2, comm, {.dtype = cupyxx::float16});
  const Variable own_x(mine(all)), own_y = parted(own_x);
  own_y.set_grad(mine(gy));
  own_y.backward();
  EXPECT_EQ(own_y.dtype(), cupyxx::float16);
  EXPECT_EQ(parted.avg_mean.dtype(), cupyxx::float16);
  expect_allclose(wide(own_y.data()), mine(normal), 2e-3, 2e-3);
  expect_allclose(wide(parted.avg_mean), mean * 0.1, 2e-3);
  expect_allclose(wide(parted.avg_var), variance * 0.1 + 0.9, 2e-3);
  const ndarray sums = (wide(gy) * normal).sum({0, 2}), count = cupyxx::array(size * 70000.0);
  expect_allclose(comm.all_reduce(wide(parted.ggamma)), sums, 5e-3, 0.05);
  const ndarray rest = wide(gy) - (wide(gy).sum({0, 2}) / count).reshape(channels) -
                       normal * (sums / count).reshape(channels);
  expect_allclose(wide(own_x.grad()), mine(rest / cupyxx::sqrt(variance).reshape(channels)), 5e-3,
                  1e-3);
}

/// Two stages, each on its rank, beside the network on one.
void check_pipeline(const Communicator& comm) {
  if (comm.size() < 2 || comm.rank() > 1) return;
  Seeded other(0);
  Network& whole = *other.model;
  const Variable expected = loss_of(whole, 0, 0);
  expected.backward();
  Seeded seeded(0);
  Network& model = *seeded.model;
  const ndarray labels = cupyxx::arange(kShare) % 3;
  if (comm.rank() == 0) {
    const Variable h = F::relu(model.l1(Variable(images(0, 0))));
    F::send(h, comm, 1).backward();
    expect_equal(model.l1.gW, whole.l1.gW);
  } else {
    const Variable h = F::recv(comm, 0);
    const Variable y = model.l3(F::relu(model.l2(h)));
    const Variable loss = F::softmax_cross_entropy(y, Variable(labels.astype(cupyxx::int32)));
    loss.backward();
    expect_equal(loss.data(), expected.data());
    expect_equal(model.l3.gW, whole.l3.gW);
  }
}

void check_data(const Communicator& comm) {
  const int size = comm.size(), rank = comm.rank();
  // Everybody's samples are all samples, some twice.
  const ndarray index = scatter_index(10, comm, {.shuffle = true, .seed = 5});
  EXPECT_EQ(index.size(), (10 + size - 1) / size);
  const std::vector<int> together = comm.all_gather(index).to_vector<int>();
  for (int i = 0; i < 10; ++i) {
    EXPECT_GE(std::count(together.begin(), together.end(), i), 1) << i;
  }
  const ndarray data = cupyxx::arange(20).reshape({10, 2});
  const ndarray rows =
      scatter_dataset(rank == 0 ? data : ndarray(), comm, {.shuffle = true, .seed = 5});
  expect_equal(rows(cupyxx::slice(), 0), index * 2);
  expect_error<cupyxx::ValueError>([&] { scatter_dataset(ndarray(), comm); },
                                   "scatter_dataset: the root has no array of samples; rank 0");
  expect_error<cupyxx::ValueError>([&] { scatter_index(-1, comm); },
                                   "scatter_index: the count is negative; -1");

  // The batches are those of one process, and go on in the middle of an epoch.
  const Communicator alone = comm.split(rank);
  const std::int64_t batch = 2 * size;
  MultiNodeSampler sampler(5 * size, batch, comm, {.seed = 9});
  MultiNodeSampler single(5 * size, batch, alone, {.seed = 9});
  SamplerState middle;
  std::vector<ndarray> later;
  for (int i = 0; i < 5; ++i) {
    if (i == 1) middle = sampler.state();
    const ndarray mine = sampler.next();
    expect_equal(comm.all_gather(mine).ravel(), single.next());
    if (i >= 1) later.push_back(mine);
  }
  EXPECT_EQ(sampler.state().epoch, 2);
  MultiNodeSampler resumed(5 * size, batch, comm, {.seed = 9});
  resumed.set_state(middle);
  for (const ndarray& expected : later) expect_equal(resumed.next(), expected);
  expect_error<cupyxx::ValueError>(
      [&] {
        resumed.set_state({0, -1});
      },
      "MultiNodeSampler.set_state: there is no such place; epoch 0");
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (const SamplerState& state : {SamplerState{0, most}, SamplerState{most, 0}}) {
    expect_error<cupyxx::ValueError>([&] { sampler.set_state(state); },
                                     "MultiNodeSampler.set_state: there is no such place; epoch ");
  }
  expect_error<cupyxx::ValueError>([&] { MultiNodeSampler(3, 4, comm); },
                                   "MultiNodeSampler: the batch is not between 1 and the dataset");
}

void check_evaluator(const Communicator& comm) {
  const int rank = comm.rank();
  const auto evaluate = create_multi_node_evaluator(
      [&](double x) {
        return EvaluationResults{{"loss", x + rank}, {"accuracy", 1}};
      },
      comm);
  auto results = evaluate;
  EXPECT_EQ(results(2.0)["loss"], 2 + (comm.size() - 1) / 2.0);
  auto mean = create_multi_node_evaluator([&] { return static_cast<double>(rank); }, comm);
  EXPECT_EQ(mean(), (comm.size() - 1) / 2.0);
  if (comm.size() == 1) return;
  auto wrong = create_multi_node_evaluator(
      [&] {
        return EvaluationResults{{rank == 1 ? "b" : "a", 0}};
      },
      comm);
  expect_error<cupyxx::ValueError>([&] { wrong(); },
                                   ": the results of ranks 0 and 1 have other names");
  expect_error<cupyxx::ValueError>([] { create_communicator("fast"); },
                                   "create_communicator: there is no such communicator; \"fast\"");
}

/// A stage of the computation that has no parameters steps with the others.
void check_stage_without_parameters(const Communicator& comm) {
  struct Stage : FunctionSet {
    Variable operator()(const Variable& x) { return F::relu(x); }
  } stage;
  for (const bool shard_states : {false, true}) {
    optimizers::MomentumSGD actual;
    auto optimizer = create_multi_node_optimizer(actual, comm, {.shard_states = shard_states});
    optimizer.setup(stage);
    for (int step = 0; step < 2; ++step) {
      optimizer.zero_grads();
      const Variable x(cupyxx::ones({2, 3}, cupyxx::float32));
      optimizer.backward(stage(x).sum());
      optimizer.clip_grads(1);
      EXPECT_EQ(optimizer.compute_grads_norm(), 0);
      optimizer.update();
      EXPECT_EQ(x.grad().sum().item<float>(), 6);
    }
    optimizer.check_equal();
    optimizer.broadcast();
    EXPECT_EQ(actual.t(), 2);
  }
  optimizers::MomentumSGD alone;
  alone.setup(stage);
  expect_error<cupyxx::ValueError>([&] { alone.update(); }, "update: the model has no parameters");
}

void check_everything(const Communicator& comm) {
  check_training(comm, 1, true);
  check_training(comm, 1, false);
  check_training(comm, 2, true);
  check_steps(comm);
  check_narrow(comm);
  check_captured(comm);
  check_clipping(comm);
  check_refusals(comm);
  check_batch_normalization(comm);
  check_narrow_batch_normalization(comm);
  check_pipeline(comm);
  check_data(comm);
  check_evaluator(comm);
  check_stage_without_parameters(comm);
}

class DataParallel : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(DataParallel);

TEST_P(DataParallel, OfTheWorld) { check_everything(create_communicator()); }

TEST(ParallelThreads, DoWhatOneProcessDoes) {
  for (const int count : {2, 3}) {
    run_threads(count, [](const Communicator& comm) {
      const cupyxx::DeviceScope on_host(cupyxx::Device::cpu());
      check_training(comm, 1, true);
      check_training(comm, 2, true);
      check_steps(comm);
      check_pipeline(comm);
      check_batch_normalization(comm);
      check_narrow_batch_normalization(comm);
      check_stage_without_parameters(comm);
    });
  }
}

}  // namespace
}  // namespace chainerxx
