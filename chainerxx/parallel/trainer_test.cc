// SPDX-License-Identifier: MIT
// The training kit on several ranks.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/optimizers/adam.h"
#include "chainerxx/parallel/parallel.h"
#include "chainerxx/training/training.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/io.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx {
namespace {

namespace cp = cupyxx;
using cp::comm::Communicator;
using cp::comm::run_threads;

struct Net : FunctionSet {
  functions::Linear& l = add("l", functions::Linear(4, 3));
  Variable operator()(const Variable& x) { return l(x); }
};

/// The bits of a training on all ranks, which goes on from what is in the folder.
std::string train(const Communicator& comm, const std::string& out, int steps,
                  const MultiNodeOptions& options = {}) {
  cp::random::RandomState random(5);
  const ndarray x = random.normal(cp::Shape{40, 4}, {.dtype = cp::float32});
  const ndarray t = (cp::arange(40) % 3).astype(cp::int32);
  const datasets::TupleDataset part(scatter_dataset(x, comm), scatter_dataset(t, comm));
  links::Classifier<Net> model;
  optimizers::Adam adam;
  auto optimizer = create_multi_node_optimizer(adam, comm, options);
  optimizer.setup(model);
  iterators::SerialIterator iterator(part, 6, {.seed = 1});
  training::StandardUpdater updater(iterator, optimizer, model);
  training::Trainer trainer(updater, {steps, "iteration"}, out + "/" + std::to_string(comm.rank()));
  trainer.extend(training::extensions::ExponentialShift("alpha", 0.9), {2, "iteration"});
  trainer.extend([&](training::Trainer&) { adam.beta1 = 0.8; },
                 {.name = "slows", .trigger = training::ManualScheduleTrigger({3}, "iteration")});
  trainer.extend(training::extensions::snapshot({.autoload = true}), {steps, "iteration"});
  trainer.run();
  optimizer.check_equal();
  std::string bits;
  for (const NamedField& field : model.fields()) bits += cp::dumps(*field.array);
  return bits;
}

TEST(ParallelTrainer, GoesOnToTheSameBits) {
  const std::string out = ::testing::TempDir() + "/trainer_" + std::to_string(::getpid());
  run_threads(2, [&](const Communicator& comm) {
    // Threads draw from one stream, so that both begin from the file of one step.
    const std::string whole = train(comm, out + "/first", 1);
    EXPECT_EQ(train(comm, out + "/first", 1), whole);
    std::filesystem::create_directories(out + "/parts");
    std::filesystem::copy(out + "/first/" + std::to_string(comm.rank()),
                          out + "/parts/" + std::to_string(comm.rank()));
    const std::string expected = train(comm, out + "/first", 9);
    train(comm, out + "/parts", 5);
    EXPECT_EQ(train(comm, out + "/parts", 9), expected);
  });
  std::filesystem::remove_all(out);
}

TEST(ParallelTrainer, RefusesDividedStates) {
  cp::testing::expect_error<cp::ValueError>(
      [] {
        run_threads(2, [](const Communicator& comm) {
          train(comm, ::testing::TempDir(), 1, {.shard_states = true});
        });
      },
      "MultiNodeOptimizer.actual_optimizer: with shard_states and shard_gradients each rank has a "
      "part of the states, which an updater cannot save; train in a loop, and save_npz(path, "
      "optimizer) writes them all");
}

}  // namespace
}  // namespace chainerxx
