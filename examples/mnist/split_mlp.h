// SPDX-License-Identifier: MIT
// A network cut in two: each device holds half of the units of both hidden layers.
#pragma once

#include <cstdint>

#include "chainerxx/function_set.h"
#include "chainerxx/functions/activation/activation.h"
#include "chainerxx/functions/array/array.h"
#include "chainerxx/functions/array/copying.h"
#include "chainerxx/functions/connection/linear.h"
#include "cupyxx/device.h"
#include "examples/mnist/mlp.h"

namespace mnist {

/// The layers of an Mlp over two devices, without dropout. functions::copy carries activations from
/// one to the other, and their gradients back.
struct SplitMlp : chainerxx::FunctionSet {
  /// What one device holds: its rows of the first two layers.
  struct Half : chainerxx::FunctionSet {
    Half(std::int64_t pixels, std::int64_t units, std::int64_t own_units, cupyxx::Device where)
        : device(where),
          l1(add("l1", F::Linear(pixels, own_units))),
          l2(add("l2", F::Linear(units, own_units))) {
      l1.move_to(where);
      l2.move_to(where);
    }
    cupyxx::Device device;
    F::Linear& l1;
    F::Linear& l2;
  };

  SplitMlp(std::int64_t pixels, std::int64_t units, cupyxx::Device first, cupyxx::Device second)
      : half0(add<Half>("half0", pixels, units, units - units / 2, first)),
        half1(add<Half>("half1", pixels, units, units / 2, second)),
        l3(add("l3", F::Linear(units, kClasses))) {
    l3.move_to(first);
  }

  /// The scores of x; both are on the first device.
  Variable operator()(const Variable& x) const {
    const Variable h0 = F::relu(half0.l1(x));
    const Variable h1 = F::relu(half1.l1(F::copy(x, half1.device)));
    // Each device needs the units of both, in one order.
    const Variable all0 = F::concat({h0, F::copy(h1, half0.device)});
    const Variable all1 = F::concat({F::copy(h0, half1.device), h1});
    const Variable g0 = F::relu(half0.l2(all0));
    const Variable g1 = F::relu(half1.l2(all1));
    return l3(F::concat({g0, F::copy(g1, half0.device)}));
  }

  Half& half0;
  Half& half1;
  F::Linear& l3;  // on the first device
};

}  // namespace mnist
