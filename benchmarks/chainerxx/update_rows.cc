// SPDX-License-Identifier: MIT
// Updates of all parameters of a network.
#include "benchmarks/chainerxx/rows.h"

namespace benchmarks {
namespace {

using Shapes = std::vector<cupyxx::Shape>;

/// The 161 parameters of ResNet-50.
Shapes resnet50() {
  Shapes shapes;
  const auto convolution = [&](std::int64_t in, std::int64_t out, std::int64_t side) {
    shapes.insert(shapes.end(), {{out, in, side, side}, {out}, {out}});  // with its normalisation
  };
  convolution(3, 64, 7);
  std::int64_t in = 64, width = 64;
  for (const int blocks : {3, 4, 6, 3}) {
    for (int i = 0; i < blocks; ++i) {
      convolution(in, width, 1);
      convolution(width, width, 3);
      convolution(width, 4 * width, 1);
      if (i == 0) convolution(in, 4 * width, 1);
      in = 4 * width;
    }
    width *= 2;
  }
  shapes.insert(shapes.end(), {{1000, 2048}, {1000}});
  return shapes;
}

Shapes mlp() { return {{1000, 784}, {1000}, {1000, 1000}, {1000}, {10, 1000}, {10}}; }

/// `streams`: how often an update reads or writes each parameter or state.
template <class Optimizer>
void add_update(const std::string& name, const Shapes& shapes, std::int64_t streams) {
  add_row(name, [=](benchmark::State& state) {
    std::vector<ndarray> parameters, gradients;
    std::int64_t bytes = 0;
    for (const cupyxx::Shape& shape : shapes) {
      parameters.push_back(normal(shape));
      gradients.push_back(normal(shape));
      bytes += parameters.back().nbytes();
    }
    Optimizer optimizer;
    optimizer.setup(parameters, gradients);
    time_calls(state, 20, [&] { optimizer.update(); });
    set_bytes(state, streams * bytes);
  });
}

const bool added = [] {
  using chainerxx::optimizers::Adam, chainerxx::optimizers::LAMB, chainerxx::optimizers::LARS;
  using chainerxx::optimizers::MomentumSGD;
  add_update<Adam>("Adam, 161 tensors of ResNet-50", resnet50(), 7);
  add_update<MomentumSGD>("momentum SGD, 161 tensors of ResNet-50", resnet50(), 5);
  add_update<LAMB>("LAMB, 161 tensors of ResNet-50", resnet50(), 10);  // in two passes
  add_update<LARS>("LARS, 161 tensors of ResNet-50", resnet50(), 7);
  add_update<Adam>("Adam, 6 tensors of an MLP", mlp(), 7);
  add_update<MomentumSGD>("momentum SGD, 6 tensors of an MLP", mlp(), 5);
  return true;
}();

}  // namespace
}  // namespace benchmarks
