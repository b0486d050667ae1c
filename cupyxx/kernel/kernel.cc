// SPDX-License-Identifier: MIT
#include "cupyxx/kernel.h"

#include <cstddef>
#include <initializer_list>
#include <string>

#include "cupyxx/error.h"
#include "cupyxx/kernel/user_kernel/elementwise.h"
#include "cupyxx/kernel/user_kernel/reduction.h"

namespace cupyxx {

namespace {

// An output that no text names, or that all texts only compare (`y == x`), would hold whatever its
// memory held before.
void check_outputs_are_set(const internal::user_kernel::Specification& spec, const char* argument,
                           std::initializer_list<const std::string*> texts) {
  for (const auto& parameter : spec.parameters) {
    if (!parameter.is_output || parameter.raw) continue;
    bool named = false;
    for (const std::string* text : texts) {
      named |= internal::user_kernel::does_more_than_compare(*text, parameter.name);
    }
    if (named) continue;
    throw ValueError(message(spec.name, ": ", argument, ": the output '", parameter.name,
                             "' is never set; write ", parameter.name, " = ..."));
  }
}

// A call that gives the inputs alone and returns one array would drop all outputs but the first.
void check_no_output_is_lost(const internal::user_kernel::Specification& spec, std::size_t given) {
  if (spec.nout() < 2 || given != spec.nin) return;
  throw TypeError(message(spec.name, ": the kernel has ", spec.nout(),
                          " outputs; call_all(...) returns them, or give them behind the inputs"));
}

}  // namespace

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
  check_outputs_are_set(*spec, "operation",
                        {&spec->operation, &spec->preamble, &spec->loop_prep, &spec->after_loop});
  specification_ = std::move(spec);
}

const std::string& ElementwiseKernel::name() const { return specification_->name; }

Arrays ElementwiseKernel::call(std::span<const Operand> arguments,
                               const ElementwiseCallOptions& options) const {
  return internal::user_kernel::call_elementwise(*specification_, arguments, options.size);
}

ndarray ElementwiseKernel::call_for_one(std::span<const Operand> arguments,
                                        const ElementwiseCallOptions& options) const {
  check_no_output_is_lost(*specification_, arguments.size());
  return call(arguments, options).front();
}

ReductionKernel::ReductionKernel(std::string_view in_params, std::string_view out_params,
                                 std::string_view map_expr, std::string_view reduce_expr,
                                 std::string_view post_map_expr, std::string_view identity,
                                 std::string_view name, const ReductionKernelOptions& options) {
  auto spec = std::make_shared<internal::user_kernel::ReductionSpecification>();
  static_cast<internal::user_kernel::Specification&>(*spec) =
      internal::user_kernel::specify(in_params, out_params, name);
  for (const auto& parameter : spec->parameters) {
    if (!parameter.is_output) continue;
    if (parameter.raw) {
      throw ValueError(message(spec->name, ": out_params: '", parameter.name,
                               "' is raw; outputs of a reduction are not"));
    }
    if (parameter.name == "a") {
      throw ValueError(
          message(spec->name, ": out_params: the name 'a' is reserved for what was reduced"));
    }
  }
  spec->map = map_expr;
  spec->reduce = reduce_expr;
  spec->post_map = post_map_expr;
  spec->identity = identity;
  spec->reduce_type = options.reduce_type;
  spec->preamble = options.preamble;
  spec->options = options.options;
  spec->reduce_dims = options.reduce_dims;
  for (const std::string* text : {&spec->map, &spec->post_map, &spec->preamble}) {
    spec->numbered |= internal::user_kernel::mentions(*text, "i");
  }
  check_outputs_are_set(*spec, "post_map_expr", {&spec->post_map, &spec->preamble});
  specification_ = std::move(spec);
}

const std::string& ReductionKernel::name() const { return specification_->name; }

ndarray ReductionKernel::operator()(const Operand& x, const ReductionCallOptions& options) const {
  return call_for_one({&x, 1}, options);
}

Arrays ReductionKernel::call(std::span<const Operand> arguments,
                             const ReductionCallOptions& options) const {
  return internal::user_kernel::call_reduction(
      *specification_, arguments,
      {.axis = options.axis, .keepdims = options.keepdims, .out = options.out});
}

ndarray ReductionKernel::call_for_one(std::span<const Operand> arguments,
                                      const ReductionCallOptions& options) const {
  check_no_output_is_lost(*specification_, arguments.size());
  return call(arguments, options).front();
}

}  // namespace cupyxx
