// SPDX-License-Identifier: MIT
// What products are added to where the user's gradient has gaps: `decoder.gW = encoder.gW.T()`.
#pragma once

#include "cupyxx/creation.h"
#include "cupyxx/device.h"
#include "cupyxx/math.h"
#include "cupyxx/ndarray.h"

namespace chainerxx::internal {

/// A C-contiguous array to add to: `sum` itself where it is one, else zeros, which finish() adds to
/// it. None stays None.
class ContiguousSum {
 public:
  explicit ContiguousSum(const cupyxx::ndarray& sum) : sum_(sum), inside_(sum) {
    if (sum.is_none() || sum.flags().c_contiguous) return;
    const cupyxx::DeviceScope device(sum.device());
    inside_ = cupyxx::zeros(sum.shape(), sum.dtype());
  }
  const cupyxx::ndarray& get() const { return inside_; }
  void finish() const {
    if (!sum_.is_none() && inside_.handle() != sum_.handle()) sum_ += inside_;
  }

 private:
  cupyxx::ndarray sum_, inside_;
};

}  // namespace chainerxx::internal
