// SPDX-License-Identifier: MIT
// Specifications of users' kernels: lists of parameters, what a call binds to them, the source that
// is written from them. Nothing is compiled. The lines of an input are the texts.
#include "cupyxx/creation.h"
#include "cupyxx/internal/jit/elementwise_source.h"
#include "cupyxx/kernel.h"
#include "cupyxx/kernel/user_kernel/elementwise.h"
#include "cupyxx/kernel/user_kernel/reduction.h"
#include "cupyxx/testing/fuzz/target.h"

namespace cupyxx::fuzz {
namespace {

namespace user = internal::user_kernel;

/// What a call with these texts would hand to a compiler.
void write_sources(Input numbers, const std::string& in_params, const std::string& out_params,
                   const std::string& text, const std::string& name) {
  user::ReductionSpecification spec;
  static_cast<user::Specification&>(spec) = user::specify(in_params, out_params, name);
  if (spec.parameters.size() > 40) return;
  std::vector<ndarray> arrays;
  for (std::size_t i = 0; i < spec.parameters.size(); ++i) {
    const cupyxx::dtype type = numbers.flag() ? numbers.dtype(cupyxx::dtype::kCount) : float32;
    arrays.push_back(zeros(numbers.flag() ? Shape{2, 1} : Shape{3}, type));
  }
  const std::vector<Operand> arguments(arrays.begin(), arrays.end());
  const user::Binding binding = user::bind_call(spec, arguments);
  const user::Raws raws = user::collect_raws(spec, binding);
  std::string key;
  user::append_key(binding, raws, key);
  spec.map = spec.reduce = spec.post_map = text;
  for (const user::Parameter& parameter : spec.parameters) {
    if (parameter.is_output && parameter.raw) return;  // of elementwise kernels only
  }
  if (spec.nout() == 0) return;
  spec.reduce_type = "double";
  user::write_reduction(spec, binding, raws, {}, true);
}

void run(std::string_view bytes) {
  Input input(bytes);
  const Input numbers(input.until('\n'));
  const std::string in_params(input.until('\n')), out_params(input.until('\n'));
  const std::string name(input.until('\n')), reduce_type(input.until('\n'));
  const std::string text(input.rest());

  attempt([&] {
    const ElementwiseKernel kernel(in_params, out_params, text, name,
                                   {.preamble = text, .loop_prep = text, .after_loop = text});
    if (kernel.name() != name) fail("kernel: the name is another one");
  });
  attempt([&] {
    const ReductionKernel kernel(in_params, out_params, text, text, text, text, name,
                                 {.reduce_type = reduce_type, .preamble = text});
  });
  attempt([&] { write_sources(numbers, in_params, out_params, text, name); });
}

const Target kernel("kernel", &run);

}  // namespace
}  // namespace cupyxx::fuzz
