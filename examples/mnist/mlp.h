// SPDX-License-Identifier: MIT
// The network of train_mnist.
#pragma once

#include <cstdint>

#include "chainerxx/function_set.h"
#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/connection/linear.h"
#include "chainerxx/functions/noise/dropout.h"

namespace mnist {

namespace F = chainerxx::functions;
using chainerxx::Variable;

inline constexpr int kClasses = 10;

/// Two hidden layers, half of whose units are dropped while training, and the scores of the
/// classes.
struct Mlp : chainerxx::FunctionSet {
  Mlp(std::int64_t pixels, std::int64_t units)
      : l1(add("l1", F::Linear(pixels, units))),
        l2(add("l2", F::Linear(units, units))),
        l3(add("l3", F::Linear(units, kClasses))) {}

  Variable operator()(const Variable& x) const {
    const Variable h1 = F::dropout(F::relu(l1(x)), 0.5);
    const Variable h2 = F::dropout(F::relu(l2(h1)), 0.5);
    return l3(h2);
  }

  F::Linear& l1;
  F::Linear& l2;
  F::Linear& l3;
};

}  // namespace mnist
