// SPDX-License-Identifier: MIT
// A network cut in two: each device holds half of the units of both hidden layers.
#pragma once

#include "examples/mnist/parallel.h"

namespace mnist {

/// The network pixels-units-units-10 over two devices. functions::copy carries activations from one
/// to the other, and their gradients back.
struct SplitMlp : chainerxx::FunctionSet {
  using Linear = chainerxx::functions::Linear;
  using Variable = chainerxx::Variable;

  /// What one device holds: its rows of the first two layers.
  struct Half : chainerxx::FunctionSet {
    Half(std::int64_t pixels, std::int64_t units, std::int64_t own_units, cupyxx::Device where);
    cupyxx::Device device;
    Linear& l1;
    Linear& l2;
  };

  SplitMlp(std::int64_t pixels, std::int64_t units, cupyxx::Device first, cupyxx::Device second);
  /// The scores of x; both are on the first device.
  Variable operator()(const Variable& x) const;

  Half& half0;
  Half& half1;
  Linear& l3;  // on the first device
};

/// Trains a SplitMlp by SGD.
class ModelParallel final : public Trainer {
 public:
  /// Throws UsageError unless there are two devices.
  ModelParallel(const ParallelOptions& options, std::int64_t pixels);
  cupyxx::ndarray step(const cupyxx::ndarray& images, const cupyxx::ndarray& labels) override;
  chainerxx::Variable predict(const cupyxx::ndarray& images) override { return model_(images); }
  SplitMlp& model() { return model_; }

 private:
  SplitMlp model_;
  chainerxx::optimizers::MomentumSGD optimizer_;
};

}  // namespace mnist
