// SPDX-License-Identifier: MIT
// The same network on every device, each of which learns from its share of the images.
#pragma once

#include <memory>
#include <vector>

#include "examples/mnist/parallel.h"

namespace mnist {

/// The network pixels-units-units-10.
struct WholeMlp : chainerxx::FunctionSet {
  using Linear = chainerxx::functions::Linear;
  using Variable = chainerxx::Variable;
  WholeMlp(std::int64_t pixels, std::int64_t units);
  Variable operator()(const Variable& x) const;
  Linear& l1;
  Linear& l2;
  Linear& l3;
};

/// Trains a WholeMlp by SGD: gradients are added up on the first device, which updates its
/// parameters and hands them to the others.
class DataParallel final : public Trainer {
 public:
  DataParallel(const ParallelOptions& options, std::int64_t pixels);
  cupyxx::ndarray step(const cupyxx::ndarray& images, const cupyxx::ndarray& labels) override;
  chainerxx::Variable predict(const cupyxx::ndarray& images) override {
    return (*models_[0])(images);
  }
  WholeMlp& model() { return *models_[0]; }

 private:
  std::vector<cupyxx::Device> devices_;
  std::vector<std::unique_ptr<WholeMlp>> models_;
  chainerxx::optimizers::MomentumSGD optimizer_;
};

}  // namespace mnist
