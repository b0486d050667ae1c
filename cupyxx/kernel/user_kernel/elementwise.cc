// SPDX-License-Identifier: MIT
#include "cupyxx/kernel/user_kernel/elementwise.h"

#include <cstddef>

#include "cupyxx/core/arrays.h"
#include "cupyxx/core/order_k.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/collapse_axes.h"
#include "cupyxx/internal/cpu/parallel.h"
#include "cupyxx/internal/gpu/elementwise/layout.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/kernel/user_kernel/words.h"

namespace cupyxx::internal::user_kernel {

namespace {

// The operands that are not raw, outputs first, as the generator and the launches see them.
struct Space {
  std::vector<std::size_t> parameters;  // their numbers
  std::vector<char*> data;              // null for numbers
  std::vector<std::uint64_t> immediate;
  int ndim = 0;
  std::int64_t size = 1;
  std::int64_t shape[kMaxNdim];
  std::int64_t strides[32][kMaxNdim];
};

Shape result_shape(const Specification& spec, const Binding& binding, std::int64_t size) {
  Shape shape;
  bool has_array = false;
  bool all_raw = true;
  for (std::size_t p = 0; p < spec.parameters.size(); ++p) {
    const Argument& argument = binding.arguments[p];
    if (spec.parameters[p].raw || (spec.parameters[p].is_output && !argument.given)) continue;
    all_raw = false;
    if (argument.is_number) continue;
    shape = has_array ? broadcast_shapes(spec.c_name(), shape, argument.array.shape())
                      : argument.array.shape();
    has_array = true;
  }
  if (size >= 0 && has_array) {
    throw ValueError(message(
        spec.name, ": size is for calls whose arrays are all raw; the arrays give ", shape));
  }
  if (size >= 0) return {size};
  if (all_raw) {
    throw ValueError(message(
        spec.name, ": all arguments are raw; give the size behind the arguments, {.size = n}"));
  }
  return shape;
}

bool same_layout(const ndarray& a, const ndarray& b) {
  return a.elements() == b.elements() && a.itemsize() == b.itemsize() && a.shape() == b.shape() &&
         a.strides() == b.strides();
}

// What run_device() writes word by word.
using Strided = kernels::UserStridedArgs<3, 5>;
static_assert(offsetof(kernels::UserContiguousArgs<5>, vector) == 8 * 11);
static_assert(offsetof(Strided, extent) == 8 * 12 && offsetof(Strided, divider) == 8 * 30);
static_assert(sizeof(Strided) <= 8 * 30 + 3 * sizeof(kernels::Divider) + 8);

// Makes the outputs that were not given, and copies inputs that overlap those that were.
// New outputs are in order K of the arrays that the text does not index itself.
void prepare_arrays(const Specification& spec, Binding& binding, const Shape& shape) {
  std::vector<const Body*> layouts;
  for (std::size_t p = 0; p < spec.parameters.size(); ++p) {
    const Argument& argument = binding.arguments[p];
    if (spec.parameters[p].raw || argument.is_number || argument.array.is_none()) continue;
    layouts.push_back(argument.array.body());
  }
  for (std::size_t p = spec.nin; p < spec.parameters.size(); ++p) {
    if (spec.parameters[p].raw) continue;
    Argument& output = binding.arguments[p];
    if (!output.given) {
      output.array = make_kept(spec.c_name(), shape, output.seen, binding.device, layouts);
      continue;
    }
    check_output(spec, spec.parameters[p], output.array, shape);
    for (std::size_t k = 0; k < spec.nin; ++k) {
      ndarray& input = binding.arguments[k].array;
      if (spec.parameters[k].raw || input.is_none()) continue;
      if (may_overlap(input, output.array) && !same_layout(input, output.array)) {
        input = input.copy();
      }
    }
  }
}

Space make_space(const Specification& spec, const Binding& binding, const Shape& shape) {
  Space space;
  space.parameters = outputs_first(spec);
  space.ndim = shape.ndim();
  space.size = shape.element_count();
  for (int i = 0; i < shape.ndim(); ++i) space.shape[i] = shape[i];
  for (std::size_t k = 0; k < space.parameters.size(); ++k) {
    const Argument& argument = binding.arguments[space.parameters[k]];
    space.data.push_back(argument.is_number ? nullptr : argument.array.body()->data);
    space.immediate.push_back(argument.value);
    if (argument.is_number) {
      for (int i = 0; i < space.ndim; ++i) space.strides[k][i] = 0;
    } else {
      broadcast_strides(argument.array, space.ndim, space.strides[k]);
    }
  }
  return space;
}

void collapse(const Specification& spec, Space& space) {
  if (!spec.reduce_dims) return;
  space.ndim = collapse_axes(space.ndim, space.shape, space.strides,
                             static_cast<int>(space.parameters.size()), spec.keep_order);
}

using Layout = jit::ElementwiseLayout;

// A device's kernel may want the axes in another order.
gpu::ElementwiseSpace device_space(const Specification& spec, const Binding& binding,
                                   Space& space) {
  gpu::ElementwiseSpace result;
  result.operands = static_cast<int>(space.parameters.size());
  result.ndim = space.ndim;
  result.size = space.size;
  result.shape = space.shape;
  result.strides = space.strides;
  result.keep_order = spec.keep_order || !spec.reduce_dims;
  for (std::size_t k = 0; k < space.parameters.size(); ++k) {
    const Argument& argument = binding.arguments[space.parameters[k]];
    result.operand[k] = {
        .address = reinterpret_cast<std::uintptr_t>(space.data[k]),
        .itemsize = (argument.is_number ? argument.seen : argument.array.dtype()).itemsize(),
        .is_output = spec.parameters[space.parameters[k]].is_output,
        .is_scalar = argument.is_number};
  }
  return result;
}

Layout host_layout(const Binding& binding, const Space& space) {
  bool contiguous = space.ndim <= 1;
  for (std::size_t k = 0; contiguous && k < space.parameters.size(); ++k) {
    const Argument& argument = binding.arguments[space.parameters[k]];
    contiguous =
        argument.is_number || space.ndim == 0 || space.strides[k][0] == argument.array.itemsize();
  }
  Layout layout;
  if (!contiguous) layout = {jit::Form::strided, space.ndim};
  return layout;
}

Compiled compile(const ElementwiseSpecification& spec, const Binding& binding, const Raws& raws,
                 const Layout& layout) {
  const jit::ElementwiseSource source = elementwise_source(spec, binding, raws, layout);
  Compiled compiled;
  if (binding.device.is_cpu()) {
    compiled.host = reinterpret_cast<HostFunction*>(jit::load_host(
        {spec.name, jit::write_elementwise_host(source), source.entry, spec.options}));
    return compiled;
  }
  compiled.per_block = static_cast<std::uint32_t>(jit::elements_per_block(source));
  compiled.alignment = static_cast<std::uint32_t>(jit::vector_width(source));
  compiled.device = jit::load(binding.device.index, device_program(spec, source));
  return compiled;
}

void run_host(const Compiled& compiled, const Space& space, const Layout& layout,
              const Raws& raws) {
  const std::vector<const void*> raw = raw_pointers(raws);
  std::vector<std::int64_t> strides;
  for (std::size_t k = 0; k < space.parameters.size(); ++k) {
    strides.insert(strides.end(), space.strides[k], space.strides[k] + layout.rank);
  }
  kernels::HostArgs args{};
  args.data = space.data.data();
  args.immediate = space.immediate.data();
  args.raw = raw.data();
  args.size = space.size;
  args.rank = layout.rank;
  args.extent = space.shape;
  args.stride = strides.data();
  cpu::parallel_for(space.size, cpu::kGrain,
                    [&](std::int64_t begin, std::int64_t end) { compiled.host(args, begin, end); });
}

void run_device(const Compiled& compiled, const Binding& binding, const Space& space,
                const gpu::ElementwiseSpace& device_space, const Layout& layout, const Raws& raws) {
  const int device = binding.device.index;
  const gpu::OnDevice on(device);
  void* stream = gpu::current_stream(device);
  bool vector = true;
  for (const std::size_t p : space.parameters) {
    const Argument& argument = binding.arguments[p];
    if (argument.is_number) continue;
    gpu::record_use(argument.array.body()->storage, stream);
    const auto bytes = compiled.alignment * static_cast<std::uint64_t>(argument.array.itemsize());
    vector &= reinterpret_cast<std::uintptr_t>(argument.array.elements()) % bytes == 0;
  }
  for (Storage* storage : raws.storage) gpu::record_use(storage, stream);

  // The parameter struct, word by word: kernels/user_kernel.h.
  const std::size_t count = space.parameters.size();
  const int rank = layout.rank;
  Words words;
  for (const char* data : space.data) words.add(data);
  if (count == 0) words.add(nullptr);
  for (const std::uint64_t value : space.immediate) words.add(value);
  if (count == 0) words.add(std::uint64_t{0});
  words.add(space.size);
  if (rank == 0) {
    words.add(std::uint64_t{vector});
  } else {
    words.add(device_space.ndim);
    for (int axis = 0; axis < rank; ++axis) {
      words.add(axis < device_space.ndim ? device_space.shape[axis] : 1);
    }
    for (std::size_t k = 0; k < count; ++k) {
      for (int axis = 0; axis < rank; ++axis) {
        words.add(axis < device_space.ndim ? device_space.strides[k][axis] : 0);
      }
    }
    for (int axis = 0; axis < rank; ++axis) {
      words.add(gpu::axis_divider(device_space, layout, axis));
    }
    words.add(0);  // the struct ends on a word
  }
  jit::LaunchShape shape;
  shape.block_x = kernels::kBlock;
  shape.grid_x = static_cast<unsigned>(gpu::block_count(device_space, layout, compiled.per_block));
  launch(compiled.device, shape, stream, words, raws);
}

}  // namespace

jit::ElementwiseSource elementwise_source(const ElementwiseSpecification& spec,
                                          const Binding& binding, const Raws& raws,
                                          const Layout& layout) {
  jit::ElementwiseSource source;
  source.user = true;
  source.includes = "#include \"cupyxx/internal/kernels/user_kernel.h\"\n";
  source.preamble = preamble(spec, binding, {spec.operation, spec.loop_prep, spec.after_loop});
  source.body = as_statement(spec.operation);
  source.loop_prep = spec.loop_prep;
  if (mentions(spec.operation, "_ind") || mentions(spec.loop_prep, "_ind")) {
    source.preamble = indexer_type() + source.preamble;
    source.loop_prep = indexer("_ind", "n") + spec.loop_prep;
  }
  source.after_loop = spec.after_loop;
  source.entry = spec.entry();
  source.layout = layout;
  source.raws = raws.operands;
  for (const std::size_t p : outputs_first(spec)) {
    const Argument& argument = binding.arguments[p];
    jit::ElementwiseOperand operand;
    operand.name = spec.parameters[p].name;
    operand.type = argument.is_number ? argument.seen : argument.array.dtype();
    operand.seen = argument.seen;
    operand.is_output = spec.parameters[p].is_output;
    operand.is_read = operand.is_output && argument.given;
    operand.access = argument.is_number                     ? jit::Access::scalar
                     : layout.form == jit::Form::contiguous ? jit::Access::contiguous
                                                            : jit::Access::strided;
    source.operands.push_back(std::move(operand));
  }
  return source;
}

jit::Program device_program(const Specification& spec, const jit::ElementwiseSource& source) {
  return {spec.name, jit::write_elementwise(source), source.entry, device_options(spec)};
}

std::vector<ndarray> call_elementwise(const ElementwiseSpecification& spec,
                                      std::span<const Operand> arguments, std::int64_t size) {
  Binding binding = bind_call(spec, arguments);
  const Shape shape = result_shape(spec, binding, size);
  prepare_arrays(spec, binding, shape);
  std::vector<ndarray> outputs;
  for (std::size_t p = spec.nin; p < spec.parameters.size(); ++p) {
    outputs.push_back(binding.arguments[p].array);
    touch(outputs.back().body());
  }
  Space space = make_space(spec, binding, shape);
  if (space.size == 0) return outputs;
  collapse(spec, space);
  gpu::ElementwiseSpace device;
  Layout layout;
  if (binding.device.is_cpu()) {
    layout = host_layout(binding, space);
  } else {
    device = device_space(spec, binding, space);
    layout = gpu::choose_layout(device);
    gpu::specialize_layout(device, layout);
  }
  const Raws raws = collect_raws(spec, binding);
  std::string key;
  append_key(binding, raws, key);
  key += static_cast<char>(layout.rank);
  key += static_cast<char>(static_cast<int>(layout.form) * 2 + layout.wide);
  key += static_cast<char>(layout.whole);
  for (const unsigned* const operands : {&layout.staged, &layout.runs, &layout.repeats}) {
    key.append(reinterpret_cast<const char*>(operands), sizeof *operands);
  }
  const Compiled compiled =
      spec.compiled->find(key, [&] { return compile(spec, binding, raws, layout); });
  if (binding.device.is_cpu()) {
    run_host(compiled, space, layout, raws);
  } else {
    run_device(compiled, binding, space, device, layout, raws);
  }
  return outputs;
}

}  // namespace cupyxx::internal::user_kernel
