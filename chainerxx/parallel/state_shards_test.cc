// SPDX-License-Identifier: MIT
// Training with states that are divided over the ranks beside training with whole ones: threads
// here, processes in processes_test.cc. A world of one divides nothing and does the same, which is
// what a machine with one GPU can show.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "chainerxx/capture.h"
#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/functions/loss/softmax_cross_entropy.h"
#include "chainerxx/optimizers/adam.h"
#include "chainerxx/optimizers/lars.h"
#include "chainerxx/optimizers/momentum_sgd.h"
#include "chainerxx/optimizers/sgd.h"
#include "chainerxx/parallel/parallel.h"
#include "chainerxx/serializers.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/indexing.h"
#include "cupyxx/io.h"
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
using cupyxx::testing::expect_array_equal;
using cupyxx::testing::expect_error;

/// Sets within sets, a layer with another order in its memory, two that share their parameters.
struct Network : FunctionSet {
  struct Block : FunctionSet {
    F::Linear& l1 = add("l1", F::Linear(40, 30));
    F::Linear& l2 = add("l2", F::Linear(30, 30));
    Variable operator()(const Variable& x) { return F::relu(l2(F::relu(l1(x)))); }
  };
  Block& block = add<Block>("block");
  F::Linear& l3 = add("l3", F::Linear(30, 30));
  F::Linear& l4 = add("l4", F::Linear(30, 7));
  Network() {
    const ndarray turned = block.l1.W.T().copy();
    block.l1.W = turned.T();
    l3.W = block.l2.W;
    l3.gW = block.l2.gW;
  }
  Variable operator()(const Variable& x) { return l4(F::relu(l3(block(x)))); }
};

/// Threads draw from one stream, so that they take turns.
std::unique_ptr<Network> network() {
  static std::mutex one;
  const std::lock_guard turn(one);
  cupyxx::random::seed(7);
  return std::make_unique<Network>();
}

Variable loss_of(Network& model, int step, int rank) {
  cupyxx::random::RandomState random(static_cast<std::uint64_t>(100 * step + rank));
  const ndarray x = random.normal({4, 40}, {.dtype = cupyxx::float32});
  const ndarray labels = (cupyxx::arange(4) + step + rank) % 7;
  return F::softmax_cross_entropy(model(Variable(x)), Variable(labels.astype(cupyxx::int32)));
}

constexpr int kSteps = 4;
// Several pieces, of which some parameters are in the parts of two ranks.
constexpr MultiNodeOptions kWhole{.bucket_bytes = 3000};
constexpr MultiNodeOptions kDivided{.bucket_bytes = 3000, .shard_states = true};

/// A training of its own for one rank.
template <class Algorithm>
struct Trained {
  Trained(const Communicator& comm, const MultiNodeOptions& options)
      : rank(comm.rank()), optimizer(create_multi_node_optimizer(actual, comm, options)) {
    optimizer.setup(*model);
  }
  void train(int begin, int end) {
    for (int step = begin; step < end; ++step) {
      optimizer.zero_grads();
      // Several backward() add up.
      for (int pass = 0; pass <= step % 2; ++pass) {
        optimizer.backward(loss_of(*model, step + pass, rank));
      }
      optimizer.update();
    }
  }

  int rank;
  std::unique_ptr<Network> model = network();
  Algorithm actual;
  MultiNodeOptimizer optimizer;
};

void expect_same_parameters(const FunctionSet& a, const FunctionSet& b) {
  const std::vector<ndarray> found = a.parameters(), expected = b.parameters();
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) expect_array_equal(found[i], expected[i]);
}

template <class Algorithm>
void check_same_bits(const Communicator& comm, cupyxx::dtype reduced = {}) {
  MultiNodeOptions whole_options = kWhole, divided_options = kDivided;
  whole_options.reduced_dtype = divided_options.reduced_dtype = reduced;
  Trained<Algorithm> whole(comm, whole_options), divided(comm, divided_options);
  for (Optimizer* optimizer : {&whole.optimizer.actual(), &divided.optimizer.actual()}) {
    optimizer->add_group("biases", {"*/b"}, {.rate = 0.5, .decay = 0});
    optimizer->add_hook(WeightDecay(0.01));
  }
  whole.train(0, kSteps);
  divided.train(0, kSteps);
  expect_same_parameters(*divided.model, *whole.model);
  divided.optimizer.check_equal();
}

std::int64_t bytes_of_states(Optimizer& optimizer) {
  std::int64_t nbytes = 0;
  for (const NamedField& field : optimizer.fields()) nbytes += field.array->nbytes();
  return nbytes;
}

void check_memory(const Communicator& comm) {
  struct Large : FunctionSet {
    F::Linear& l1 = add("l1", F::Linear(300, 100));
    F::Linear& l2 = add("l2", F::Linear(100, 50));
  } model;
  optimizers::Adam whole, divided;
  whole.setup(model);
  auto optimizer = create_multi_node_optimizer(divided, comm, {.shard_states = true});
  optimizer.setup(model);
  const auto all = static_cast<double>(bytes_of_states(whole));
  const auto own = static_cast<double>(bytes_of_states(divided));
  EXPECT_LT(own, 1.05 * all / comm.size());
  EXPECT_EQ(comm.all_reduce(cupyxx::full({1}, own)).item<double>(), all);
}

/// The norm of all parts, whose last bits are those of another order of additions.
void check_clipping(const Communicator& comm) {
  Trained<optimizers::Adam> whole(comm, kWhole), divided(comm, kDivided);
  for (auto* each : {&whole, &divided}) {
    each->optimizer.zero_grads();
    each->optimizer.backward(loss_of(*each->model, 0, each->rank));
  }
  const double norm = whole.optimizer.compute_grads_norm();
  EXPECT_NEAR(divided.optimizer.compute_grads_norm(), norm, 1e-9 * norm);
  for (auto* each : {&whole, &divided}) {
    each->optimizer.clip_grads(norm / 2);
    EXPECT_NEAR(each->optimizer.compute_grads_norm(), norm / 2, 1e-6 * norm);
    each->optimizer.weight_decay(0.01);
    each->optimizer.update();
    each->actual.add_hook(WeightDecay(0.01));
    each->actual.add_hook(GradientClipping(norm / 4));
    each->train(1, kSteps);
  }
  divided.optimizer.check_equal();
  const std::vector<ndarray> found = divided.model->parameters();
  const std::vector<ndarray> expected = whole.model->parameters();
  for (std::size_t i = 0; i < found.size(); ++i) expect_allclose(found[i], expected[i], 1e-4, 1e-5);
}

/// One rank's gradient of one element overflows: all leave the update out.
void check_overflow(const Communicator& comm) {
  Trained<optimizers::Adam> divided(comm, kDivided);
  divided.actual.scale_loss({.initial = 1024, .interval = 2});
  divided.train(0, 1);
  const ndarray before = divided.model->l4.W.copy();
  divided.optimizer.zero_grads();
  divided.optimizer.backward(loss_of(*divided.model, 1, divided.rank));
  const float largest = std::numeric_limits<float>::infinity();
  divided.model->block.l1.gW(0, 0) = comm.rank() == 0 ? largest : 1;
  divided.optimizer.update();
  expect_array_equal(divided.model->l4.W, before);
  EXPECT_EQ(divided.actual.skipped_updates(), 1);
  EXPECT_EQ(divided.actual.loss_scale(), 512);
  divided.train(2, 5);
  EXPECT_EQ(divided.actual.loss_scale(), 1024);
  EXPECT_EQ(divided.actual.skipped_updates(), 1);
  divided.optimizer.check_equal();
}

void expect_same_files(const std::string& a, const std::string& b) {
  const cupyxx::NpzFile found(a), expected(b);
  ASSERT_EQ(found.files(), expected.files());
  for (const std::string& name : found.files()) expect_array_equal(found[name], expected[name]);
}

/// Files are those of whole states, and are taken by any number of ranks.
void check_files(const Communicator& comm) {
  const std::string folder = ::testing::TempDir() + "/state_shards";
  const std::string one = folder + "/one.npz", two = folder + "/two.npz";
  const std::string model = folder + "/model.npz";
  if (comm.rank() == 0) std::filesystem::create_directories(folder);
  comm.barrier();
  Trained<optimizers::Adam> whole(comm, kWhole), divided(comm, kDivided);
  for (auto* each : {&whole, &divided}) {
    each->actual.scale_loss();
    each->train(0, 2);
  }
  save_npz(one, whole.optimizer);
  save_npz(two, divided.optimizer);
  if (comm.rank() == 0) {
    save_npz(model, *divided.model);
    expect_same_files(two, one);
    Trained<optimizers::Adam> alone(comm.split(0), kWhole);
    alone.actual.scale_loss();
    load_npz(two, alone.actual);
    EXPECT_EQ(alone.actual.t(), 2);
  } else {
    comm.split(1);
  }
  // The same number of ranks goes on to the same bits.
  Trained<optimizers::Adam> resumed(comm, kDivided);
  resumed.actual.scale_loss();
  if (comm.rank() == 0) load_npz(model, *resumed.model);
  resumed.optimizer.broadcast();
  load_npz(two, resumed.optimizer);
  EXPECT_EQ(resumed.actual.t(), 2);
  divided.train(2, kSteps);
  resumed.train(2, kSteps);
  expect_same_parameters(*resumed.model, *divided.model);
  // Half as many, and whole states, read and write the same.
  const Communicator half = comm.split(comm.rank() % 2, comm.rank());
  for (const MultiNodeOptions& options : {kDivided, kWhole}) {
    Trained<optimizers::Adam> fewer(half, options);
    fewer.actual.scale_loss();
    load_npz(two, fewer.optimizer);
    const std::string path = folder + "/half" + std::to_string(comm.rank() % 2) + ".npz";
    save_npz(path, fewer.optimizer);
    if (half.rank() == 0) expect_same_files(path, two);
  }
  comm.barrier();
  expect_error<cupyxx::Error>([&] { load_npz(folder + "/none.npz", resumed.optimizer); },
                              comm.rank() == 0 ? "none.npz" : ": rank 0 failed; ");
  expect_error<cupyxx::Error>([&] { load_npz(model, resumed.optimizer); }, "does not match");
  expect_same_parameters(*resumed.model, *divided.model);
}

void check_refusals(const Communicator& comm) {
  optimizers::LARS lars;
  expect_error<cupyxx::ValueError>(
      [&] { create_multi_node_optimizer(lars, comm, kDivided); },
      "create_multi_node_optimizer: shard_states divides parameters, and the algorithm (LARS, LAMB "
      "or one with an update_one of its own) needs them whole");
  optimizers::SGD sgd;
  auto unset = create_multi_node_optimizer(sgd, comm, kDivided);
  expect_error<cupyxx::ValueError>([&] { save_npz("x.npz", unset); },
                                   "save_npz: setup() comes first");
  expect_error<cupyxx::ValueError>([&] { load_npz("x.npz", unset); },
                                   "load_npz: setup() comes first");
  const auto unpaired = network();
  unpaired->l4.gb = cupyxx::zeros({3}, cupyxx::float32);
  expect_error<cupyxx::ValueError>(
      [&] { unset.setup(*unpaired); },
      "MultiNodeOptimizer.setup: a parameter and its gradient do not match; l4/b");

  Trained<optimizers::SGD> divided(comm, kDivided);
  divided.optimizer.backward(loss_of(*divided.model, 0, comm.rank()));
  divided.optimizer.average_grads();
  expect_error<cupyxx::ValueError>(
      [&] { divided.optimizer.backward(loss_of(*divided.model, 0, comm.rank())); },
      "MultiNodeOptimizer: with shard_states nothing is added to averages, of which each rank has "
      "a part; zero_grads() or update() comes before backward()");
  divided.optimizer.update();
  divided.model->l4.W = divided.model->l4.W.copy();
  expect_error<cupyxx::ValueError>(
      [&] { divided.optimizer.update(); },
      "MultiNodeOptimizer: with shard_states parameters and gradients stay the arrays that "
      "setup() has made; they were moved or replaced");
}

/// On a device the step, with all that ranks tell each other, is one graph.
void check_captured(const Communicator& comm) {
  Trained<optimizers::Adam> whole(comm, kWhole), divided(comm, kDivided);
  for (auto* each : {&whole, &divided}) {
    each->actual.scale_loss({.initial = 8});
    each->actual.add_hook(GradientClipping(0.1));
    auto step = capture([&](const ndarray& x, const ndarray& t) {
      each->optimizer.update(
          [&] { return F::softmax_cross_entropy((*each->model)(Variable(x)), Variable(t)); });
    });
    for (int i = 0; i < 6; ++i) {
      cupyxx::random::RandomState random(static_cast<std::uint64_t>(100 * i + comm.rank()));
      each->actual.alpha = 0.001 * (i + 1);
      step(random.normal({4, 40}, {.dtype = cupyxx::float32}),
           ((cupyxx::arange(4) + i) % 7).astype(cupyxx::int32));
    }
    EXPECT_EQ(step.is_replaying(), each->model->l4.W.device().is_cuda());
  }
  const std::vector<ndarray> found = divided.model->parameters();
  const std::vector<ndarray> expected = whole.model->parameters();
  for (std::size_t i = 0; i < found.size(); ++i) expect_allclose(found[i], expected[i], 1e-4, 1e-5);
  EXPECT_EQ(divided.actual.t(), 6);
}

void check_everything(const Communicator& comm) {
  check_same_bits<optimizers::Adam>(comm);
  check_same_bits<optimizers::SGD>(comm);
  check_same_bits<optimizers::MomentumSGD>(comm);
  // One rank rounds nothing unless it divides.
  if (comm.size() > 1) check_same_bits<optimizers::Adam>(comm, cupyxx::bfloat16_);
  check_memory(comm);
  check_clipping(comm);
  check_overflow(comm);
  check_files(comm);
  check_refusals(comm);
  check_captured(comm);
}

class ShardsParallel : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(ShardsParallel);

TEST_P(ShardsParallel, OfTheWorld) { check_everything(create_communicator()); }

TEST(ShardThreads, DoWhatOneProcessDoes) {
  for (const int count : {2, 4}) {
    run_threads(count, [](const Communicator& comm) {
      const cupyxx::DeviceScope on_host(cupyxx::Device::cpu());
      check_everything(comm);
    });
  }
}

}  // namespace
}  // namespace chainerxx
