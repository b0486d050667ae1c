// SPDX-License-Identifier: MIT
// The C++ of the guide's page on parallel training: each block of it stands in this file, which
// runs it on two threads.
#include "chainerxx/parallel/parallel.h"

#include <gtest/gtest.h>

#include <string>

#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/functions/loss/softmax_cross_entropy.h"
#include "chainerxx/optimizers/adam.h"
#include "cupyxx/creation.h"
#include "cupyxx/indexing.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "docs/guide/testing.h"

namespace {

namespace F = chainerxx::functions;
using chainerxx::Variable;
using cupyxx::ndarray;

struct Network : chainerxx::FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(4, 3));
  Variable operator()(const Variable& x) { return l1(x); }
};

TEST(Parallel, Training) {
  cupyxx::comm::run_threads(2, [](const cupyxx::comm::Communicator&) {
    cupyxx::random::RandomState random(1);
    const ndarray images = random.normal({512, 4}, {.dtype = cupyxx::float32});
    const ndarray labels = images.argmax(1).astype(cupyxx::int32) % 3;
    Network model;
    const auto loss = [&](const ndarray& x, const ndarray& t) {
      return F::softmax_cross_entropy(model(Variable(x)), Variable(t));
    };
    auto comm = chainerxx::create_communicator();
    chainerxx::optimizers::Adam adam({.alpha = 1e-3});
    auto optimizer = chainerxx::create_multi_node_optimizer(adam, comm);
    optimizer.setup(model);  // all start from rank 0's parameters
    chainerxx::MultiNodeSampler sampler(images.len(), 256, comm, {.seed = 1});
    while (sampler.state().epoch < 10) {
      const ndarray mine = sampler.next();  // this rank's part of the batch
      optimizer.update(loss, images(mine), labels(mine));
    }
    EXPECT_EQ(adam.t(), 20);
    optimizer.check_equal();
  });
}

TEST(Parallel, StatesInParts) {
  const std::string path = ::testing::TempDir() + "/parallel_test.npz";
  cupyxx::comm::run_threads(2, [&](const cupyxx::comm::Communicator& comm) {
    Network model;
    chainerxx::optimizers::Adam adam;
    auto optimizer = chainerxx::create_multi_node_optimizer(adam, comm, {.shard_states = true});
    optimizer.setup(model);
    save_npz(path, optimizer);  // all ranks call; rank 0 writes the file of one process
    load_npz(path, optimizer);
    EXPECT_EQ(adam.t(), 0);
  });
}

TEST(Parallel, GradientsInParts) {
  cupyxx::comm::run_threads(2, [&](const cupyxx::comm::Communicator& comm) {
    cupyxx::random::RandomState random(1);
    const ndarray images = random.normal({8, 4}, {.dtype = cupyxx::float32});
    const ndarray labels = cupyxx::zeros({4}, cupyxx::int32);
    Network model;
    const auto loss = [&](const ndarray& x, const ndarray& t) {
      return F::softmax_cross_entropy(model(Variable(x)), Variable(t));
    };
    chainerxx::optimizers::Adam adam;
    auto optimizer = chainerxx::create_multi_node_optimizer(adam, comm, {.shard_gradients = true});
    optimizer.setup(model);  // from here on model.l1.gW is None outside of backward()
    for (int step = 0; step < 3; ++step) {
      optimizer.zero_grads();  // this optimizer's, not the model's
      for (const ndarray& part : cupyxx::split(images, 2)) {
        optimizer.backward(loss(part, labels));  // averages add up in this rank's part
      }
      optimizer.clip_grads(1.0);  // by the norm of all parts
      optimizer.update();
    }
    EXPECT_TRUE(model.l1.gW.is_none());
    optimizer.check_equal();
  });
}

TEST(Parallel, PageQuotesThisFile) {
  docs::expect_pages_quote({"parallel.md"}, {"parallel_test.cc"});
}

}  // namespace
