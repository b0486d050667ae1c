// SPDX-License-Identifier: MIT
// Ranks that do not do the same within a step: who has no backward counts as zeros, and all that
// would mix the averages of different steps is an error on every rank.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/functions/math/sum.h"
#include "chainerxx/optimizers/momentum_sgd.h"
#include "chainerxx/parallel/parallel.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx {
namespace {

namespace F = functions;
using cupyxx::comm::Communicator;
using cupyxx::comm::run_threads;
using cupyxx::testing::expect_allclose;
using cupyxx::testing::expect_error;
using ::testing::HasSubstr;

constexpr int kSteps = 4;

/// The layer that is used last stands first: what is ready first is not what comes last.
struct Network : FunctionSet {
  F::Linear& last = add("last", F::Linear(3, 3, {.nobias = true}));
  F::Linear& middle = add("middle", F::Linear(3, 3, {.nobias = true}));
  F::Linear& first = add("first", F::Linear(3, 3, {.nobias = true}));
  Network() {
    const ndarray numbers = cupyxx::arange(9, {.dtype = cupyxx::float32}).reshape({3, 3});
    first.W.set(numbers / 10);
    middle.W.set(numbers / 20 - 0.1);
    last.W.set(0.2 - numbers / 30);
  }
  Variable loss(int step, int rank) {
    const ndarray x = cupyxx::full({2, 3}, 0.1 * step + rank + 1, cupyxx::float32);
    return F::sum(last(middle(first(Variable(x)))));
  }
};

/// How often a rank goes backward in a step.
using Walks = std::function<int(int step, int rank)>;

std::vector<ndarray> train_alone(int size, const Walks& walks) {
  Network model;
  optimizers::MomentumSGD optimizer({.lr = 0.01});
  optimizer.setup(model);
  for (int step = 0; step < kSteps; ++step) {
    optimizer.zero_grads();
    for (int rank = 0; rank < size; ++rank) {
      for (int i = 0; i < walks(step, rank); ++i) model.loss(step, rank).backward();
    }
    for (const ndarray& gradient : model.gradients()) gradient /= size;
    optimizer.update();
  }
  return model.parameters();
}

std::vector<ndarray> train(const Communicator& comm, const MultiNodeOptions& options,
                           const Walks& walks) {
  Network model;
  optimizers::MomentumSGD actual({.lr = 0.01});
  auto optimizer = create_multi_node_optimizer(actual, comm, options);
  optimizer.setup(model);
  for (int step = 0; step < kSteps; ++step) {
    optimizer.zero_grads();
    for (int i = 0; i < walks(step, comm.rank()); ++i) model.loss(step, comm.rank()).backward();
    optimizer.update();
  }
  optimizer.check_equal();
  std::vector<ndarray> found;
  for (const ndarray& parameter : model.parameters()) found.push_back(parameter.copy());
  return found;
}

TEST(UnevenSteps, WhoHasNoBackwardCountsAsZeros) {
  for (const bool divides_states : {false, true}) {
    // The optimizer follows what rank 0 does first.
    for (const int idle_rank : {0, 1}) {
      for (const int idle_step : {0, 2}) {
        const Walks walks = [&](int step, int rank) {
          return rank == idle_rank && step == idle_step ? 0 : 1;
        };
        const std::vector<ndarray> expected = train_alone(3, walks);
        run_threads(3, [&](const Communicator& comm) {
          const std::vector<ndarray> found =
              train(comm, {.bucket_bytes = 1, .shard_states = divides_states}, walks);
          for (std::size_t i = 0; i < found.size(); ++i) {
            expect_allclose(found[i], expected[i], 1e-5, 1e-6);
          }
        });
      }
    }
  }
}

/// What each of two ranks says of a training.
std::vector<std::string> said(
    const MultiNodeOptions& options,
    const std::function<void(MultiNodeOptimizer&, Network&, int step, int rank)>& step_of_rank) {
  std::vector<std::string> texts(2);
  run_threads(2, [&](const Communicator& comm) {
    Network model;
    optimizers::MomentumSGD actual({.lr = 0.01});
    auto optimizer = create_multi_node_optimizer(actual, comm, options);
    optimizer.setup(model);
    try {
      for (int step = 0; step < kSteps; ++step) {
        optimizer.zero_grads();
        step_of_rank(optimizer, model, step, comm.rank());
        optimizer.update();
      }
    } catch (const cupyxx::ValueError& error) {
      texts[static_cast<std::size_t>(comm.rank())] = error.what();
    }
  });
  return texts;
}

TEST(UnevenSteps, AnotherNumberOfBackwardsIsAnErrorOnAllRanks) {
  for (const bool divides_states : {false, true}) {
    const std::vector<std::string> texts =
        said({.bucket_bytes = 1, .shard_states = divides_states},
             [](MultiNodeOptimizer& optimizer, Network& model, int step, int rank) {
               for (int i = 0; i < (step == 1 && rank == 1 ? 1 : 2); ++i) {
                 optimizer.backward(model.loss(step, rank));
               }
             });
    for (const std::string& text : texts) {
      EXPECT_THAT(text, HasSubstr("MultiNodeOptimizer: the ranks are at different places of a "
                                  "step; all of them call backward() equally often before an "
                                  "update: "));
    }
  }
}

TEST(UnevenSteps, GradientsThatOneRankChangesAreAnErrorOnAllRanks) {
  for (const bool divides_states : {false, true}) {
    for (const int changing : {0, 1}) {
      const std::vector<std::string> texts =
          said({.bucket_bytes = 1, .shard_states = divides_states},
               [&](MultiNodeOptimizer& optimizer, Network& model, int step, int rank) {
                 optimizer.backward(model.loss(step, rank));
                 if (step == 1 && rank == changing) model.middle.gW += 1;
               });
      const std::string names =
          cupyxx::message(" of 2: gradients were changed after backward() on rank ", changing,
                          " and not in the same way on rank ", 1 - changing,
                          "; all ranks change the same ones, or none does");
      EXPECT_EQ(texts[0], "MultiNodeOptimizer: rank 0" + names);
      EXPECT_EQ(texts[1], "MultiNodeOptimizer: rank 1" + names);
    }
  }
}

TEST(UnevenSteps, GradientsThatAllRanksChangeAreSentAgain) {
  const std::vector<std::string> texts = said(
      {.bucket_bytes = 1}, [](MultiNodeOptimizer& optimizer, Network& model, int step, int rank) {
        optimizer.backward(model.loss(step, rank));
        model.middle.gW.fill(static_cast<double>(rank));
        optimizer.average_grads();
        expect_allclose(model.middle.gW, cupyxx::full({3, 3}, 0.5), 0, 0);
      });
  EXPECT_EQ(texts, std::vector<std::string>(2));
}

TEST(UnevenSteps, AGradientThatIsNoneIsNamed) {
  expect_error<cupyxx::ValueError>(
      [] {
        run_threads(2, [](const Communicator& comm) {
          Network model;
          optimizers::MomentumSGD actual({.lr = 0.01});
          auto optimizer = create_multi_node_optimizer(actual, comm);
          optimizer.setup(model);
          optimizer.backward(model.loss(0, comm.rank()));
          if (comm.rank() == 1) model.first.gW = ndarray();
          optimizer.update();
        });
      },
      "MultiNodeOptimizer: rank 1 of 2: a parameter's gradient is None; first/W");
  expect_error<cupyxx::ValueError>(
      [] {
        run_threads(2, [](const Communicator& comm) {
          Network model;
          model.middle.gW = ndarray();
          optimizers::MomentumSGD actual({.lr = 0.01});
          create_multi_node_optimizer(actual, comm).setup(model);
        });
      },
      "MultiNodeOptimizer.setup: a parameter and its gradient do not match; middle/W");
}

}  // namespace
}  // namespace chainerxx
