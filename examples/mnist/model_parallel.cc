// SPDX-License-Identifier: MIT
#include "examples/mnist/model_parallel.h"

#include "examples/mnist/errors.h"

namespace mnist {
namespace {

namespace F = chainerxx::functions;
using chainerxx::Variable;

const ParallelOptions& with_two_devices(const ParallelOptions& options) {
  if (options.devices.size() == 2) return options;
  throw UsageError("--devices names " + std::to_string(options.devices.size()) +
                   " devices; a model is cut in two");
}

}  // namespace

SplitMlp::Half::Half(std::int64_t pixels, std::int64_t units, std::int64_t own_units,
                     cupyxx::Device where)
    : device(where),
      l1(add("l1", Linear(pixels, own_units))),
      l2(add("l2", Linear(units, own_units))) {
  move(*this, where);
}

SplitMlp::SplitMlp(std::int64_t pixels, std::int64_t units, cupyxx::Device first,
                   cupyxx::Device second)
    : half0(add<Half>("half0", pixels, units, units - units / 2, first)),
      half1(add<Half>("half1", pixels, units, units / 2, second)),
      l3(add("l3", Linear(units, 10))) {
  l3.move_to(first);
}

Variable SplitMlp::operator()(const Variable& x) const {
  const Variable h0 = F::relu(half0.l1(x));
  const Variable h1 = F::relu(half1.l1(F::copy(x, half1.device)));
  // Each device needs the units of both, in one order.
  const Variable all0 = F::concat({h0, F::copy(h1, half0.device)});
  const Variable all1 = F::concat({F::copy(h0, half1.device), h1});
  const Variable g0 = F::relu(half0.l2(all0));
  const Variable g1 = F::relu(half1.l2(all1));
  return l3(F::concat({g0, F::copy(g1, half0.device)}));
}

ModelParallel::ModelParallel(const ParallelOptions& options, std::int64_t pixels)
    : model_(pixels, with_two_devices(options).units, options.devices[0], options.devices[1]),
      optimizer_({.lr = 0.1}) {
  optimizer_.setup(model_);
}

cupyxx::ndarray ModelParallel::step(const cupyxx::ndarray& images, const cupyxx::ndarray& labels) {
  const Variable loss = F::softmax_cross_entropy(model_(images), Variable(labels));
  optimizer_.zero_grads();
  loss.backward();
  optimizer_.update();
  return loss.data();
}

}  // namespace mnist
