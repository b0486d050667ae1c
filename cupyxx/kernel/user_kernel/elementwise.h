// SPDX-License-Identifier: MIT
// One call of a user's elementwise kernel.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cupyxx/internal/jit/host_compiler.h"
#include "cupyxx/kernel/user_kernel/bind.h"

namespace cupyxx::internal::user_kernel {

struct ElementwiseSpecification : Specification {
  std::string operation;
  std::string loop_prep;
  std::string after_loop;
};

/// The generator's input for one specialisation; needs no device.
jit::ElementwiseSource elementwise_source(const ElementwiseSpecification& spec,
                                          const Binding& binding, const Raws& raws,
                                          const jit::ElementwiseLayout& layout);
/// A program for a device.
jit::Program device_program(const Specification& spec, const jit::ElementwiseSource& source);

/// Runs the kernel; the outputs. `size` below 0: not given.
std::vector<ndarray> call_elementwise(const ElementwiseSpecification& spec,
                                      std::span<const Operand> arguments, std::int64_t size);

}  // namespace cupyxx::internal::user_kernel
