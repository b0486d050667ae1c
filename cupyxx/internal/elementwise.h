// SPDX-License-Identifier: MIT
// One elementwise launch, as the two backends receive it: operands, strides, dtypes. Broadcasting,
// type resolution and allocation have happened.
#pragma once

#include <cstdint>

#include "cupyxx/core/body.h"
#include "cupyxx/dtype.h"
#include "cupyxx/internal/op_info.h"
#include "cupyxx/shape.h"

namespace cupyxx::internal {

/// Outputs first, then inputs, then the optional mask.
struct ElementwiseCall {
  static constexpr int kMaxOperands = 6;

  const OpInfo* op = nullptr;
  int loop = 0;  // index into op->loops
  int nout = 0;
  int nargs = 0;           // outputs and inputs
  bool has_mask = false;   // operand nargs is a bool mask
  unsigned immediate = 0;  // bit per operand: data points to one host value
  char* data[kMaxOperands] = {};
  cupyxx::dtype dtypes[kMaxOperands];   // as stored; the loop's own dtypes may differ
  Storage* storage[kMaxOperands] = {};  // null for immediates
  int ndim = 0;
  std::int64_t size = 1;
  std::int64_t shape[kMaxNdim];
  std::int64_t strides[kMaxOperands][kMaxNdim];

  int operands() const { return nargs + (has_mask ? 1 : 0); }
};

/// Drops axes of extent 1, orders the axes by the first output's strides and merges neighbours that
/// all operands walk as one. A call over no axes ends with ndim 0.
void collapse(ElementwiseCall& call);

namespace cpu {
void run_elementwise(const ElementwiseCall& call);
}
namespace gpu {
void run_elementwise(const ElementwiseCall& call, int device);
}

/// Runs on the device of the operands; `call` is collapsed here.
inline void run_elementwise(ElementwiseCall& call, Device device) {
  if (call.size == 0) return;
  collapse(call);
  if (device.is_cpu()) {
    cpu::run_elementwise(call);
  } else {
    gpu::run_elementwise(call, device.index);
  }
}

}  // namespace cupyxx::internal
