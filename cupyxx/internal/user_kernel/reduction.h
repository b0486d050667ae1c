// SPDX-License-Identifier: MIT
// One call of a user's reduction kernel.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cupyxx/internal/user_kernel/bind.h"

namespace cupyxx::internal::user_kernel {

struct ReductionSpecification : Specification {
  std::string map, reduce, post_map;
  std::string identity;     // may be empty
  std::string reduce_type;  // a C++ type
};

/// What a reduction's text depends on besides its arguments' types.
struct ReductionLayout {
  int rank = 1;   // axes that the text can walk
  int lanes = 1;  // threads of one result: 1, or a whole block
};

/// The text of one specialisation, for a device or for the host; needs neither.
std::string write_reduction(const ReductionSpecification& spec, const Binding& binding,
                            const Raws& raws, const ReductionLayout& layout, bool on_host);

struct ReductionCall {
  Axes axis;
  bool keepdims = false;
  ndarray out;
};

/// Runs the kernel; the outputs.
std::vector<ndarray> call_reduction(const ReductionSpecification& spec,
                                    std::span<const Operand> arguments, const ReductionCall& call);

}  // namespace cupyxx::internal::user_kernel
