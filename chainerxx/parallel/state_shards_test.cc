// SPDX-License-Identifier: MIT
// Training with states, or states and gradients, that are divided over the ranks beside training
// with whole ones: threads here, processes in processes_test.cc. A world of one divides nothing and
// does the same, which is what a machine with one GPU can show.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "chainerxx/capture.h"
#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/functions/loss/softmax_cross_entropy.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/functions/util/forget.h"
#include "chainerxx/grad.h"
#include "chainerxx/optimizers/adam.h"
#include "chainerxx/optimizers/lars.h"
#include "chainerxx/optimizers/momentum_sgd.h"
#include "chainerxx/optimizers/sgd.h"
#include "chainerxx/parallel/parallel.h"
#include "chainerxx/serializers.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/memory_pool.h"
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

/// Sets within sets, a layer with another order in its memory, two that share their parameters, one
/// that is never used.
struct Network : FunctionSet {
  struct Block : FunctionSet {
    F::Linear& l1 = add("l1", F::Linear(40, 30));
    F::Linear& l2 = add("l2", F::Linear(30, 30));
    Variable operator()(const Variable& x) { return F::relu(l2(F::relu(l1(x)))); }
  };
  Block& block = add<Block>("block");
  F::Linear& l3 = add("l3", F::Linear(30, 30));
  F::Linear& l4 = add("l4", F::Linear(30, 7));
  F::Linear& unused = add("unused", F::Linear(30, 9));
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

ndarray inputs(int step, int rank) {
  cupyxx::random::RandomState random(static_cast<std::uint64_t>(100 * step + rank));
  return random.normal({4, 40}, {.dtype = cupyxx::float32});
}

Variable loss_of(Network& model, int step, int rank, double factor = 1) {
  const ndarray labels = (cupyxx::arange(4) + step + rank) % 7;
  return F::softmax_cross_entropy(model(Variable(inputs(step, rank) * factor)),
                                  Variable(labels.astype(cupyxx::int32)));
}

constexpr int kSteps = 4;
// Several pieces, of which some parameters are in the parts of two ranks.
constexpr MultiNodeOptions kWhole{.bucket_bytes = 3000};
constexpr MultiNodeOptions kDivided{.bucket_bytes = 3000, .shard_states = true};
constexpr MultiNodeOptions kDividedGradients{.bucket_bytes = 3000, .shard_gradients = true};

/// A training of its own for one rank.
template <class Algorithm>
struct Trained {
  Trained(const Communicator& comm, const MultiNodeOptions& options)
      : rank(comm.rank()),
        keeps_whole(options.shard_gradients),
        optimizer(create_multi_node_optimizer(actual, comm, options)) {
    optimizer.setup(*model);
  }
  void train(int begin, int end) {
    for (int step = begin; step < end; ++step) {
      optimizer.zero_grads();
      // Several backward() add up, on each rank.
      for (int pass = 0; pass <= step % 2; ++pass) {
        if (keeps_whole) optimizer.set_overlap(pass == step % 2);
        optimizer.backward(loss_of(*model, step + pass, rank));
      }
      optimizer.update();
    }
  }

  int rank;
  bool keeps_whole;
  std::unique_ptr<Network> model = network();
  Algorithm actual;
  MultiNodeOptimizer optimizer;
};

void expect_same_parameters(const FunctionSet& a, const FunctionSet& b) {
  const std::vector<ndarray> found = a.parameters(), expected = b.parameters();
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) expect_array_equal(found[i], expected[i]);
}

/// Divided training is whole training: to the same bits on the host and of two ranks, which have
/// one order of additions; NCCL adds up more in an order that depends on what it is asked for.
bool has_one_order(const Communicator& comm, const ndarray& a) {
  return a.device().is_cpu() || comm.size() <= 2;
}
void expect_as_whole(const FunctionSet& divided, const FunctionSet& whole,
                     const Communicator& comm) {
  const std::vector<ndarray> found = divided.parameters(), expected = whole.parameters();
  if (has_one_order(comm, expected[0])) {
    expect_same_parameters(divided, whole);
    return;
  }
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) expect_allclose(found[i], expected[i], 1e-4, 1e-5);
}

template <class Algorithm>
void check_same_bits(const Communicator& comm, const MultiNodeOptions& options,
                     cupyxx::dtype reduced = {}) {
  MultiNodeOptions whole_options = kWhole, divided_options = options;
  whole_options.reduced_dtype = divided_options.reduced_dtype = reduced;
  Trained<Algorithm> whole(comm, whole_options), divided(comm, divided_options);
  for (Optimizer* optimizer : {&whole.optimizer.actual(), &divided.optimizer.actual()}) {
    optimizer->add_group("biases", {"*/b"}, {.rate = 0.5, .decay = 0});
    optimizer->add_hook(WeightDecay(0.01));
  }
  whole.train(0, kSteps);
  divided.train(0, kSteps);
  expect_as_whole(*divided.model, *whole.model, comm);
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

/// Memory that is given next has NaN where nobody writes.
void leave_nan() {
  for (std::int64_t count = 8; count <= std::int64_t{1} << 14; count *= 2) {
    const ndarray block = cupyxx::full({count}, std::numeric_limits<double>::quiet_NaN());
  }
}

/// The norm of all parts, whose last bits are those of another order of additions.
void check_clipping(const Communicator& comm, const MultiNodeOptions& options) {
  leave_nan();
  Trained<optimizers::Adam> whole(comm, kWhole), divided(comm, options);
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

/// One rank's gradients overflow: all leave the update out.
void check_overflow(const Communicator& comm, const MultiNodeOptions& options) {
  Trained<optimizers::Adam> divided(comm, options);
  divided.actual.scale_loss({.initial = 1024, .interval = 2});
  divided.train(0, 1);
  const ndarray before = divided.model->l4.W.copy();
  divided.optimizer.zero_grads();
  const float largest = std::numeric_limits<float>::infinity();
  const bool is_whole = !options.shard_gradients;
  const double factor = comm.rank() == 0 && !is_whole ? largest : 1;
  divided.optimizer.backward(loss_of(*divided.model, 1, divided.rank, factor));
  if (is_whole) divided.model->block.l1.gW(0, 0) = comm.rank() == 0 ? largest : 1;
  divided.optimizer.update();
  expect_array_equal(divided.model->l4.W, before);
  EXPECT_EQ(divided.actual.skipped_updates(), 1);
  EXPECT_EQ(divided.actual.loss_scale(), 512);
  divided.train(2, 5);
  EXPECT_EQ(divided.actual.loss_scale(), 1024);
  EXPECT_EQ(divided.actual.skipped_updates(), 1);
  divided.optimizer.check_equal();
}

void expect_same_files(const std::string& a, const std::string& b, bool has_same_bits = true) {
  const cupyxx::NpzFile found(a), expected(b);
  ASSERT_EQ(found.files(), expected.files());
  for (const std::string& name : found.files()) {
    if (has_same_bits || !expected[name].dtype().is_floating()) {
      expect_array_equal(found[name], expected[name]);
    } else {
      expect_allclose(found[name], expected[name], 1e-3, 1e-6);
    }
  }
}

/// Files are those of whole states, and are taken by any number of ranks.
void check_files(const Communicator& comm, const MultiNodeOptions& parts) {
  const std::string folder = ::testing::TempDir() + "/state_shards";
  const std::string one = folder + "/one.npz", two = folder + "/two.npz";
  const std::string model = folder + "/model.npz";
  if (comm.rank() == 0) std::filesystem::create_directories(folder);
  comm.barrier();
  Trained<optimizers::Adam> whole(comm, kWhole), divided(comm, parts);
  for (auto* each : {&whole, &divided}) {
    each->actual.scale_loss();
    each->train(0, 2);
  }
  save_npz(one, whole.optimizer);
  save_npz(two, divided.optimizer);
  if (comm.rank() == 0) {
    save_npz(model, *divided.model);
    expect_same_files(two, one, has_one_order(comm, divided.model->l4.W));
    Trained<optimizers::Adam> alone(comm.split(0), kWhole);
    alone.actual.scale_loss();
    load_npz(two, alone.actual);
    EXPECT_EQ(alone.actual.t(), 2);
  } else {
    comm.split(1);
  }
  // The same number of ranks goes on to the same bits.
  Trained<optimizers::Adam> resumed(comm, parts);
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
  for (const MultiNodeOptions& options : {parts, kWhole}) {
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
void check_captured(const Communicator& comm, const MultiNodeOptions& options) {
  Trained<optimizers::Adam> whole(comm, kWhole), divided(comm, options);
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

/// Each backward() divides what it has added, and the parts add up: in another order.
void check_sums_of_parts(const Communicator& comm) {
  Trained<optimizers::MomentumSGD> whole(comm, kWhole), divided(comm, kDividedGradients);
  divided.keeps_whole = false;
  for (auto* each : {&whole, &divided}) {
    each->actual.add_hook(WeightDecay(0.01));
    each->train(0, kSteps);
  }
  EXPECT_GT(divided.optimizer.overlapped_buckets(), 0) << "in the order of the first walk";
  divided.optimizer.check_equal();
  const std::vector<ndarray> found = divided.model->parameters();
  const std::vector<ndarray> expected = whole.model->parameters();
  for (std::size_t i = 0; i < found.size(); ++i) expect_allclose(found[i], expected[i], 1e-4, 1e-5);
}

/// Steps of one call, and walks that observers are not told of: of gradients of gradients, and
/// within functions.
void check_other_walks(const Communicator& comm) {
  Trained<optimizers::MomentumSGD> whole(comm, kWhole), divided(comm, kDividedGradients);
  for (auto* each : {&whole, &divided}) {
    Network& model = *each->model;
    MultiNodeOptimizer& optimizer = each->optimizer;
    optimizer.update([&] { return loss_of(model, 0, comm.rank()); });
    optimizer.zero_grads();
    const Variable twice = loss_of(model, 1, comm.rank());
    twice.backward({.enable_double_backprop = true});
    optimizer.update();
    optimizer.zero_grads();
    const Variable x(inputs(2, comm.rank()));
    const auto block = [&](const Variable& h) { return model.block(h); };
    const Variable y = model.l4(F::forget(block, x));
    F::sum(y * y).backward();
    optimizer.update();
    optimizer.zero_grads();
    const Variable loss = F::sum(F::tanh(model.l4(F::tanh(model.block.l1(x)))));
    const Variable gx = grad({loss}, {x}, {.enable_double_backprop = true})[0];
    F::sum(gx * gx).backward();
    optimizer.update();
  }
  expect_as_whole(*divided.model, *whole.model, comm);
  divided.optimizer.check_equal();
}

/// Calls something when backward comes here.
struct Probe final : FunctionOf<Probe> {
  explicit Probe(std::function<void()> the_call) : call(std::move(the_call)) {}
  std::vector<ndarray> forward(ArraySpan x) override { return {x[0]}; }
  std::vector<ndarray> backward(ArraySpan, ArraySpan gy) override {
    call();
    return {gy[0]};
  }
  std::function<void()> call;
};

/// Layers of one size, of which each is a bucket.
struct Deep : FunctionSet {
  static constexpr int kLayers = 6, kUnits = 200;
  static constexpr std::int64_t kBytes = std::int64_t{4} * kUnits * kUnits;
  Deep() {
    for (int i = 0; i < kLayers; ++i) {
      layers.push_back(&add("l" + std::to_string(i), F::Linear(kUnits, kUnits, {.nobias = true})));
    }
  }
  std::int64_t bytes_of_gradients() const {
    std::int64_t nbytes = 0;
    for (const ndarray& gradient : gradients()) {
      if (!gradient.is_none()) nbytes += gradient.nbytes();
    }
    return nbytes;
  }
  std::vector<F::Linear*> layers;
};

/// While backward runs there are the gradients of few buckets, and then none, even of a graph that
/// is kept.
void check_gradients_in_flight(const Communicator& comm) {
  Deep model;
  optimizers::SGD sgd;
  auto optimizer = create_multi_node_optimizer(
      sgd, comm, {.bucket_bytes = Deep::kBytes, .shard_gradients = true});
  optimizer.setup(model);
  EXPECT_EQ(optimizer.bucket_count(), Deep::kLayers);
  std::int64_t most = 0;
  int calls = 0;
  Variable h(cupyxx::ones({2, Deep::kUnits}, cupyxx::float32));
  for (F::Linear* layer : model.layers) {
    h = Probe([&] {
      most = std::max(most, model.bytes_of_gradients());
      ++calls;
    })((*layer)(h));
  }
  const Variable loss = F::sum(h);
  for (int pass = 0; pass < 2; ++pass) {  // the graph is still there
    optimizer.backward(loss);
    EXPECT_EQ(model.bytes_of_gradients(), 0);
    for (F::Linear* layer : model.layers) EXPECT_TRUE(layer->gW.is_none());
  }
  EXPECT_EQ(calls, 2 * Deep::kLayers);
  EXPECT_LE(most, Deep::kBytes);
  EXPECT_EQ(optimizer.overlapped_buckets(), Deep::kLayers);
}

void check_refusals_of_gradients(const Communicator& comm) {
  optimizers::LARS lars;
  expect_error<cupyxx::ValueError>(
      [&] { create_multi_node_optimizer(lars, comm, kDividedGradients); },
      "create_multi_node_optimizer: shard_gradients divides parameters, and the algorithm (LARS, "
      "LAMB or one with an update_one of its own) needs them whole");
  Trained<optimizers::SGD> divided(comm, kDividedGradients);
  divided.train(0, 1);
  EXPECT_TRUE(divided.model->l4.gW.is_none());
  expect_error<cupyxx::ValueError>(
      [&] { divided.optimizer.backward(loss_of(*divided.model, 0, comm.rank())); },
      "MultiNodeOptimizer: with shard_gradients nothing is added to gradients that update() has "
      "used; this optimizer's zero_grads() comes before backward()");
  divided.train(0, 1);
  divided.optimizer.setup(*divided.model);  // again, without the gradients
  divided.train(0, 1);
  const std::string moved =
      "MultiNodeOptimizer: with shard_gradients parameters stay the arrays that setup() has made "
      "and gradients are there during backward() only; they were moved or replaced";
  const ndarray before = divided.model->l4.W;
  divided.model->l4.W = before.copy();
  expect_error<cupyxx::ValueError>([&] { divided.optimizer.update(); }, moved);
  divided.model->l4.W = before;
  divided.model->l4.gW = cupyxx::zeros_like(before);
  divided.optimizer.zero_grads();
  expect_error<cupyxx::ValueError>(
      [&] { divided.optimizer.backward(loss_of(*divided.model, 0, comm.rank())); }, moved);
}

/// A graph has no place for gradients that stay.
void check_captured_refusal(const Communicator& comm) {
  Trained<optimizers::SGD> divided(comm, kDividedGradients);
  if (divided.model->l4.W.device().is_cpu()) return;
  divided.optimizer.set_overlap(false);
  auto step = capture(
      [&] { divided.optimizer.update([&] { return loss_of(*divided.model, 0, comm.rank()); }); });
  expect_error<cupyxx::ValueError>(
      [&] {
        for (int i = 0; i < 4; ++i) step();
      },
      "MultiNodeOptimizer: with shard_gradients a captured step reduces all gradients within "
      "backward(); after set_overlap(false), and with enable_double_backprop, a rank keeps its "
      "own");
}

void check_division(const Communicator& comm, const MultiNodeOptions& options) {
  check_same_bits<optimizers::Adam>(comm, options);
  check_same_bits<optimizers::SGD>(comm, options);
  check_same_bits<optimizers::MomentumSGD>(comm, options);
  // One rank rounds nothing unless it divides.
  if (comm.size() > 1) check_same_bits<optimizers::Adam>(comm, options, cupyxx::bfloat16_);
  check_clipping(comm, options);
  check_overflow(comm, options);
  check_files(comm, options);
  check_captured(comm, options);
}

void check_everything(const Communicator& comm) {
  check_division(comm, kDivided);
  check_memory(comm);
  check_refusals(comm);
}

void check_gradients(const Communicator& comm) {
  check_division(comm, kDividedGradients);
  check_sums_of_parts(comm);
  check_other_walks(comm);
  check_gradients_in_flight(comm);
  check_refusals_of_gradients(comm);
  check_captured_refusal(comm);
}

class ShardsParallel : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(ShardsParallel);

TEST_P(ShardsParallel, OfTheWorld) { check_everything(create_communicator()); }
TEST_P(ShardsParallel, GradientsOfTheWorld) { check_gradients(create_communicator()); }

TEST(ShardThreads, DoWhatOneProcessDoes) {
  for (const int count : {2, 4}) {
    run_threads(count, [](const Communicator& comm) {
      const cupyxx::DeviceScope on_host(cupyxx::Device::cpu());
      check_everything(comm);
      check_gradients(comm);
    });
  }
}

/// After setup() and after backward() each rank has 1 / size() of what gradients were before.
TEST(ShardThreads, HaveTheirPartOfTheGradients) {
  const auto used = [] { return cupyxx::pool_stats(cupyxx::Device::cpu()).used; };
  for (const int count : {2, 4}) {
    run_threads(count, [&](const Communicator& comm) {
      const cupyxx::DeviceScope on_host(cupyxx::Device::cpu());
      Deep model;
      optimizers::SGD sgd;
      auto optimizer = create_multi_node_optimizer(
          sgd, comm, {.bucket_bytes = Deep::kBytes, .shard_gradients = true});
      comm.barrier();
      const std::uint64_t before = used();  // of all threads
      comm.barrier();
      optimizer.setup(model);
      optimizer.backward(
          F::sum((*model.layers[0])(Variable(cupyxx::ones({2, Deep::kUnits}, cupyxx::float32)))));
      comm.barrier();
      const auto freed = static_cast<double>(before) - static_cast<double>(used());
      comm.barrier();
      const double whole = Deep::kLayers * static_cast<double>(Deep::kBytes) * count;
      EXPECT_NEAR(freed / whole, 1 - 1.0 / count, 0.05);
    });
  }
}

}  // namespace
}  // namespace chainerxx
