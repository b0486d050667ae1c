// SPDX-License-Identifier: MIT
// A network of one's own on data of one's own: which of two spirals a point lies on.
//   g++ train.cc $(pkg-config --cflags --libs chainerxx) -o train && ./train
#include <iostream>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"

namespace cp = cupyxx;
namespace F = chainerxx::functions;
using chainerxx::Variable;

struct Mlp : chainerxx::FunctionSet {
  F::Linear& l1 = add("l1", F::Linear(2, 64));
  F::Linear& l2 = add("l2", F::Linear(64, 64));
  F::Linear& l3 = add("l3", F::Linear(64, 2));
  Variable operator()(const Variable& x) { return l3(F::relu(l2(F::relu(l1(x))))); }
};

int main() {
  cp::random::seed(0);
  const auto best = cp::cuda::is_available() ? cp::Device::cuda(0) : cp::Device::cpu();
  const cp::DeviceScope scope(best);

  // 400 points of each spiral: angle and radius grow together, the second is the first turned by
  // pi.
  const auto t = cp::linspace(0.5, 9, 400);
  const auto spiral = [&](double turn) {
    const auto angle = t + turn;
    return cp::stack({t * cp::cos(angle), t * cp::sin(angle)}, 1) / 9 +
           0.02 * cp::random::normal({400, 2});
  };
  const auto points = cp::concatenate({spiral(0), spiral(cp::pi)}).astype(cp::float32);
  const auto labels = (cp::arange(800) >= 400).astype(cp::int32);

  Mlp model;
  chainerxx::optimizers::Adam optimizer({.alpha = 1e-2});
  optimizer.setup(model);
  for (int epoch = 1; epoch <= 400; ++epoch) {
    auto loss = F::softmax_cross_entropy(model(points), labels);
    optimizer.zero_grads();
    loss.backward();
    optimizer.update();
    if (epoch % 100 == 0) std::cout << "epoch " << epoch << "  loss " << loss.data() << "\n";
  }
  const Variable accuracy = F::accuracy(model(points), labels);
  std::cout << "accuracy " << accuracy.data() << " on " << best << "\n";
  return accuracy.data().item<float>() > 0.9f ? 0 : 1;
}
