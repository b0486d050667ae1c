// SPDX-License-Identifier: MIT
// The network 784-units-units-10 of the benchmarks, and a batch for it.
#pragma once

#include <cstdint>

#include "benchmarks/device.h"
#include "chainerxx/chainerxx.h"
#include "cupyxx/creation.h"
#include "cupyxx/random.h"

namespace benchmarks {

struct Mlp : chainerxx::FunctionSet {
  explicit Mlp(std::int64_t units)
      : l1(add("l1", chainerxx::functions::Linear(784, units))),
        l2(add("l2", chainerxx::functions::Linear(units, units))),
        l3(add("l3", chainerxx::functions::Linear(units, 10))) {}

  chainerxx::Variable operator()(const chainerxx::Variable& x) const {
    using chainerxx::functions::relu;
    return l3(relu(l2(relu(l1(x)))));
  }

  chainerxx::functions::Linear& l1;
  chainerxx::functions::Linear& l2;
  chainerxx::functions::Linear& l3;
};

/// A network with 100 images, which receive no gradient, and their labels.
struct MlpProblem {
  static constexpr std::int64_t kBatch = 100;

  explicit MlpProblem(std::int64_t units) : model(units) {}

  chainerxx::Variable loss() const { return loss(images, labels); }
  chainerxx::Variable loss(const cupyxx::ndarray& x, const cupyxx::ndarray& t) const {
    return chainerxx::functions::softmax_cross_entropy(model(x), chainerxx::Variable(t));
  }

  Mlp model;
  cupyxx::ndarray images = random({kBatch, 784});
  cupyxx::ndarray labels = cupyxx::random::randint(0, 10, {kBatch}).astype(cupyxx::int32);
};

}  // namespace benchmarks
