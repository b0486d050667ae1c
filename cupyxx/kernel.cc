// SPDX-License-Identifier: MIT
#include "cupyxx/kernel.h"

#include "cupyxx/error.h"
#include "cupyxx/internal/user_kernel/elementwise.h"

namespace cupyxx {

ElementwiseKernel::ElementwiseKernel(std::string_view in_params, std::string_view out_params,
                                     std::string_view operation, std::string_view name,
                                     const ElementwiseKernelOptions& options) {
  auto spec = std::make_shared<internal::user_kernel::ElementwiseSpecification>();
  static_cast<internal::user_kernel::Specification&>(*spec) =
      internal::user_kernel::specify(in_params, out_params, name);
  spec->operation = operation;
  spec->preamble = options.preamble;
  spec->options = options.options;
  spec->reduce_dims = options.reduce_dims;
  spec->loop_prep = options.loop_prep;
  spec->after_loop = options.after_loop;
  // A text that does not count its elements may meet them in any order.
  for (const std::string* text :
       {&spec->operation, &spec->preamble, &spec->loop_prep, &spec->after_loop}) {
    spec->keep_order |= internal::user_kernel::mentions(*text, "i");
  }
  specification_ = std::move(spec);
}

const std::string& ElementwiseKernel::name() const { return specification_->name; }

std::vector<ndarray> ElementwiseKernel::call(std::span<const Operand> arguments,
                                             const ElementwiseCallOptions& options) const {
  return internal::user_kernel::call_elementwise(*specification_, arguments, options.size);
}

}  // namespace cupyxx
