// SPDX-License-Identifier: MIT
#include "examples/mnist/data_parallel.h"

#include "cupyxx/cupyxx.h"

namespace mnist {
namespace {

namespace F = chainerxx::functions;
using chainerxx::Variable;
using cupyxx::ndarray;
using cupyxx::slice;

}  // namespace

WholeMlp::WholeMlp(std::int64_t pixels, std::int64_t units)
    : l1(add("l1", Linear(pixels, units))),
      l2(add("l2", Linear(units, units))),
      l3(add("l3", Linear(units, 10))) {}

Variable WholeMlp::operator()(const Variable& x) const { return l3(F::relu(l2(F::relu(l1(x))))); }

DataParallel::DataParallel(const ParallelOptions& options, std::int64_t pixels)
    : devices_(options.devices), optimizer_({.lr = 0.1}) {
  for (const cupyxx::Device device : devices_) {
    models_.push_back(std::make_unique<WholeMlp>(pixels, options.units));
    move(*models_.back(), device);
    models_.back()->copy_parameters_from(models_[0]->parameters());
  }
  optimizer_.setup(*models_[0]);
}

ndarray DataParallel::step(const ndarray& images, const ndarray& labels) {
  const std::int64_t n = images.shape()[0];
  const auto count = static_cast<std::int64_t>(devices_.size());
  optimizer_.zero_grads();
  ndarray total;
  // A device has its work in its queue when its turn ends, so the devices compute at once.
  for (std::int64_t i = 0; i < count; ++i) {
    WholeMlp& model = *models_[i];
    if (i != 0) {
      for (ndarray& gradient : model.gradients()) gradient.fill(0);
    }
    const slice share(i * n / count, (i + 1) * n / count);
    const Variable x(images(share).to(devices_[i])), t(labels(share).to(devices_[i]));
    if (t.size() == 0) continue;
    // The loss is the mean over a share: it counts by how many images that has.
    const double weight = static_cast<double>(t.size()) / static_cast<double>(n);
    const Variable loss = F::softmax_cross_entropy(model(x), t) * weight;
    loss.backward();
    const ndarray part = loss.data().to(devices_[0]);
    total = total.is_none() ? part : total + part;
  }
  for (std::int64_t i = 1; i < count; ++i) optimizer_.accumulate_grads(models_[i]->gradients());
  optimizer_.update();
  for (std::int64_t i = 1; i < count; ++i) {
    models_[i]->copy_parameters_from(models_[0]->parameters());
  }
  return total;
}

}  // namespace mnist
