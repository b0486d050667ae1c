// SPDX-License-Identifier: MIT
#include "cupyxx/kernel/user_kernel/reduction.h"

#include <algorithm>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/order_k.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/collapse_axes.h"
#include "cupyxx/internal/cpu/parallel.h"
#include "cupyxx/internal/jit/host_compiler.h"
#include "cupyxx/kernel/user_kernel/words.h"

namespace cupyxx::internal::user_kernel {

namespace {

Shape input_shape(const Specification& spec, const Binding& binding) {
  Shape shape;
  bool found = false;
  bool has_array = false;
  for (std::size_t k = 0; k < spec.nin; ++k) {
    if (spec.parameters[k].raw) continue;
    found = true;
    const Argument& argument = binding.arguments[k];
    if (argument.is_number) continue;
    shape = has_array ? broadcast_shapes(spec.c_name(), shape, argument.array.shape())
                      : argument.array.shape();
    has_array = true;
  }
  if (!found) throw ValueError(message(spec.name, ": all inputs are raw; one must give the shape"));
  return shape;
}

// Splits the axes of the inputs into kept and reduced ones. Outputs have `out_shape`.
void split(const ReductionSpecification& spec, const Binding& binding, const Shape& shape,
           std::uint32_t mask, AxisTable& kept, AxisTable& reduced) {
  const std::vector<std::size_t> order = outputs_first(spec);
  std::int64_t rows[33][kMaxNdim];
  const int ndim = shape.ndim();
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Argument& argument = binding.arguments[order[k]];
    std::fill(rows[k], rows[k] + kMaxNdim, 0);
    if (argument.is_number) continue;
    if (!spec.parameters[order[k]].is_output) {
      broadcast_strides(argument.array, ndim, rows[k]);
      continue;
    }
    const Strides strides = argument.array.strides();
    const bool keepdims = argument.array.ndim() == ndim;
    for (int axis = 0, out = 0; axis < ndim; ++axis) {
      const bool is_reduced = (mask >> axis & 1u) != 0;
      if (!is_reduced) rows[k][axis] = strides[out];
      if (!is_reduced || keepdims) ++out;
    }
  }
  const Strides counting = contiguous_strides(shape, 1);
  for (int axis = 0; axis < ndim; ++axis) rows[order.size()][axis] = counting[axis];
  for (int axis = 0; axis < ndim; ++axis) {
    AxisTable& table = (mask >> axis & 1u) != 0 ? reduced : kept;
    table.shape[table.ndim] = shape[axis];
    table.count *= shape[axis];
    for (std::size_t k = 0; k <= order.size(); ++k) table.strides[k][table.ndim] = rows[k][axis];
    ++table.ndim;
  }
  if (spec.reduce_dims) {
    // Elements that nobody counts may come in any order.
    const int operands = static_cast<int>(order.size()) + spec.numbered;
    for (AxisTable* table : {&kept, &reduced}) {
      table->ndim =
          collapse_axes(table->ndim, table->shape, table->strides, operands, spec.numbered);
    }
  }
}

void run_host(const Compiled& compiled, const Specification& spec, const Binding& binding,
              const AxisTable& kept, const AxisTable& reduced, const Raws& raws) {
  std::vector<char*> data;
  std::vector<std::uint64_t> immediate;
  std::vector<std::int64_t> extents(kept.shape, kept.shape + kept.ndim);
  extents.insert(extents.end(), reduced.shape, reduced.shape + reduced.ndim);
  std::vector<std::int64_t> strides;
  const std::vector<std::size_t> order = outputs_first(spec);
  for (std::size_t k = 0; k <= order.size(); ++k) {
    strides.insert(strides.end(), kept.strides[k], kept.strides[k] + kept.ndim);
    strides.insert(strides.end(), reduced.strides[k], reduced.strides[k] + reduced.ndim);
    if (k == order.size()) break;
    const Argument& argument = binding.arguments[order[k]];
    data.push_back(argument.is_number ? nullptr : argument.array.body()->data);
    immediate.push_back(argument.value);
  }
  const std::vector<const void*> raw = raw_pointers(raws);
  kernels::HostArgs args{};
  args.data = data.data();
  args.immediate = immediate.data();
  args.raw = raw.data();
  args.size = kept.count * reduced.count;
  args.rank = kept.ndim + reduced.ndim;
  args.extent = extents.data();
  args.stride = strides.data();
  args.kept_rank = kept.ndim;
  args.kept = kept.count;
  args.reduced = reduced.count;
  const std::int64_t grain =
      std::max<std::int64_t>(1, cpu::kGrain / std::max<std::int64_t>(1, reduced.count));
  cpu::parallel_for(kept.count, grain,
                    [&](std::int64_t begin, std::int64_t end) { compiled.host(args, begin, end); });
}

HostFunction* compile(const ReductionSpecification& spec, const Binding& binding,
                      const Raws& raws) {
  return reinterpret_cast<HostFunction*>(jit::load_host(
      {spec.name, write_reduction(spec, binding, raws, {}, true), spec.entry(), spec.options}));
}

// Makes the outputs that were not given, in order K of the inputs, checks the others. `shape` is
// that of the inputs, `result` that of the outputs.
std::vector<ndarray> prepare_outputs(const Specification& spec, Binding& binding,
                                     const Shape& shape, std::uint32_t mask, bool keepdims,
                                     const Shape& result) {
  std::vector<const Body*> layouts;
  for (std::size_t p = 0; p < spec.nin; ++p) {
    const Argument& argument = binding.arguments[p];
    if (spec.parameters[p].raw || argument.is_number) continue;
    layouts.push_back(argument.array.body());
  }
  std::vector<ndarray> outputs;
  for (std::size_t p = spec.nin; p < spec.parameters.size(); ++p) {
    Argument& output = binding.arguments[p];
    if (output.given) {
      check_output(spec, spec.parameters[p], output.array, result);
      for (std::size_t k = 0; k < spec.nin; ++k) {
        ndarray& input = binding.arguments[k].array;
        if (spec.parameters[k].raw || input.is_none()) continue;
        if (may_overlap(input, output.array)) input = input.copy();
      }
    } else {
      output.array =
          make_reduced(spec.c_name(), shape, mask, keepdims, output.seen, binding.device, layouts);
    }
    outputs.push_back(output.array);
    touch(output.array.body());
  }
  return outputs;
}

}  // namespace

std::vector<ndarray> call_reduction(const ReductionSpecification& spec,
                                    std::span<const Operand> arguments, const ReductionCall& call) {
  Binding binding = bind_call(spec, arguments, call.out);
  const Shape shape = input_shape(spec, binding);
  const std::uint32_t mask = call.axis.mask(spec.c_name(), shape.ndim());
  const Raws raws = collect_raws(spec, binding);
  if (!raws.operands.empty() && (mask & (mask + 1)) != 0) {
    throw ValueError(message(
        spec.name, ": raw arguments need the reduced axes to be the first ones: 0, (0, 1), ..."));
  }
  Shape result;
  for (int axis = 0; axis < shape.ndim(); ++axis) {
    if ((mask >> axis & 1u) == 0) {
      result.push_back(shape[axis]);
    } else if (call.keepdims) {
      result.push_back(1);
    }
  }
  AxisTable kept, reduced;
  std::vector<ndarray> outputs = prepare_outputs(spec, binding, shape, mask, call.keepdims, result);
  split(spec, binding, shape, mask, kept, reduced);
  if (reduced.count == 0 && spec.identity.empty()) {
    throw ValueError(
        message(spec.name, ": no elements to reduce and no identity; the shape is ", shape));
  }
  if (kept.count == 0) return outputs;

  if (binding.device.is_cpu()) {
    std::string key;
    append_key(binding, raws, key);
    const Compiled compiled =
        spec.compiled->find(key, [&] { return Compiled{.host = compile(spec, binding, raws)}; });
    run_host(compiled, spec, binding, kept, reduced, raws);
  } else {
    run_reduction(spec, binding, kept, reduced, raws);
  }
  return outputs;
}

}  // namespace cupyxx::internal::user_kernel
