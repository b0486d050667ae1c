// SPDX-License-Identifier: MIT
// One call of a user's reduction kernel.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cupyxx/internal/gpu/reduce/program.h"
#include "cupyxx/kernel/user_kernel/bind.h"

namespace cupyxx::internal::user_kernel {

struct ReductionSpecification : Specification {
  std::string map, reduce, post_map;
  std::string identity;         // may be empty
  std::string reduce_type;      // a C++ type
  std::int64_t most_bytes = 0;  // of it, where it is none of the dtypes' and yet known
  bool numbered = false;        // a text asks for the numbers of elements or results
};

/// The axes of one kind, kept or reduced, of all operands, outputs first; the row behind the last
/// counts elements in C order.
struct AxisTable {
  int ndim = 0;
  std::int64_t count = 1;
  std::int64_t shape[kMaxNdim];
  std::int64_t strides[33][kMaxNdim];
};

/// The bytes of what is combined; 0 where only the compiler knows.
std::int64_t reduced_bytes(const ReductionSpecification& spec, const Binding& binding);

/// What a device's text depends on besides its arguments' types.
struct ReductionLayout {
  int rank = 1;  // axes that the text can walk
  gpu::ReduceKernel kernel = gpu::ReduceKernel::rows;
  int packet = 1;      // elements of an access
  bool wide = false;   // 64-bit indices
  int main = 0;        // the operand by which packets are aligned
  unsigned splat = 0;  // a bit for each operand with one element for a whole packet
};

/// The text of one specialisation, for a device or for the host; needs neither. The host's ignores
/// the layout.
std::string write_reduction(const ReductionSpecification& spec, const Binding& binding,
                            const Raws& raws, const ReductionLayout& layout, bool on_host);

/// Enqueues the kernel for these axes on the binding's device.
void run_reduction(const ReductionSpecification& spec, const Binding& binding,
                   const AxisTable& kept, const AxisTable& reduced, const Raws& raws);

struct ReductionCall {
  Axes axis;
  bool keepdims = false;
  ndarray out;
};

/// Runs the kernel; the outputs.
std::vector<ndarray> call_reduction(const ReductionSpecification& spec,
                                    std::span<const Operand> arguments, const ReductionCall& call);

}  // namespace cupyxx::internal::user_kernel
