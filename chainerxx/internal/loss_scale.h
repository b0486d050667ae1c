// SPDX-License-Identifier: MIT
// A factor of the loss that keeps gradients of float16 from vanishing. It lives beside the
// parameters, so that nothing waits to learn whether a gradient overflowed.
#pragma once

#include "chainerxx/loss_scaling.h"
#include "cupyxx/device.h"
#include "cupyxx/ndarray.h"

namespace chainerxx::internal {

using cupyxx::ndarray;

class LossScale {
 public:
  LossScale(const LossScaling& options, cupyxx::Device device);

  /// The scale as the gradient from which backward of a loss starts. Throws ValueError for a loss
  /// of several elements or on another device.
  ndarray gradient_of(const ndarray& loss) const;
  /// The numbers of kernels/tensors.h.
  ndarray& state() { return state_; }
  /// The same to compute with. Throws ValueError where the user has put something else there.
  const ndarray& checked_state() const;
  float* numbers() const { return static_cast<float*>(checked_state().elements()); }
  double scale() const;
  double skipped() const;
  /// Whether the coming update is left out.
  bool is_overflown() const;
  /// Behind an update: the scale of the next step.
  void advance();
  /// Moves to the device of the parameters.
  void follow(cupyxx::Device device);

 private:
  double number(int at) const;

  LossScaling options_;
  ndarray state_;
};

}  // namespace chainerxx::internal
