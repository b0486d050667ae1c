// SPDX-License-Identifier: MIT
// Lays a user's reduction over a device: the schedules of the built-in reductions, chosen by the
// input that moves most bytes.
#include <algorithm>
#include <cstddef>

#include "cupyxx/internal/gpu/divider.h"
#include "cupyxx/internal/gpu/reduce/reduce.h"
#include "cupyxx/internal/gpu/reduce/shape.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/kernel/user_kernel/reduction.h"
#include "cupyxx/kernel/user_kernel/words.h"

namespace cupyxx::internal::user_kernel {

namespace {

using gpu::ReduceKernel;

struct Plan {
  ReductionLayout layout;
  gpu::ReduceShape shape;
};

// One operand as if it were reduced alone.
Reduction view(const Argument& argument, std::size_t k, const AxisTable& kept,
               const AxisTable& reduced) {
  Reduction r{};
  r.in = argument.array.dtype();
  r.data = argument.array.body()->data;
  r.kept = kept.count;
  r.reduced = reduced.count;
  const auto add = [&](const AxisTable& table, ReduceAxis* axes, int& ndim) {
    for (int axis = 0; axis < table.ndim; ++axis) {
      axes[ndim++] = {table.shape[axis], table.strides[k][axis], 0};
    }
    if (ndim == 0) axes[ndim++] = {1, 0, 0};
  };
  add(kept, r.kept_axes, r.kept_ndim);
  add(reduced, r.reduced_axes, r.reduced_ndim);
  return r;
}

// Bytes that an operand is read from, within a factor: its item size where it is not broadcast.
double weight(const Reduction& r) {
  auto bytes = static_cast<double>(r.in.itemsize());
  for (int d = 0; d < r.kept_ndim; ++d) {
    if (r.kept_axes[d].stride != 0) bytes *= static_cast<double>(r.kept_axes[d].extent);
  }
  for (int d = 0; d < r.reduced_ndim; ++d) {
    if (r.reduced_axes[d].stride != 0) bytes *= static_cast<double>(r.reduced_axes[d].extent);
  }
  return bytes;
}

std::int64_t packet_stride(const Reduction& r, ReduceKernel kernel) {
  return kernel == ReduceKernel::columns ? r.kept_axes[r.kept_ndim - 1].stride
                                         : r.reduced_axes[r.reduced_ndim - 1].stride;
}

Plan make_plan(const ReductionSpecification& spec, const Binding& binding, const AxisTable& kept,
               const AxisTable& reduced, int multiprocessors) {
  const std::vector<std::size_t> order = outputs_first(spec);
  std::vector<std::pair<std::size_t, Reduction>> inputs;
  std::size_t main = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    const Argument& argument = binding.arguments[order[k]];
    if (spec.parameters[order[k]].is_output || argument.is_number) continue;
    inputs.emplace_back(k, view(argument, k, kept, reduced));
    if (weight(inputs.back().second) > weight(inputs[main].second)) main = inputs.size() - 1;
  }
  Plan plan;
  plan.layout.rank = std::max(1, device_rank(kept.ndim + reduced.ndim));
  if (inputs.empty()) {  // numbers only: a result of one value
    plan.layout.kernel = ReduceKernel::rows_short;
    plan.shape.launch = {.grid_x = 1, .block_x = kernels::kBlock};
    return plan;
  }
  const Reduction& widest = inputs[main].second;
  plan.shape = gpu::reduce_shape(widest, multiprocessors);
  const ReduceKernel kernel = plan.shape.variant.kernel;
  const std::int64_t packet = gpu::packet_size(plan.shape.variant, widest.in);
  unsigned splat = 0;
  bool packets = plan.shape.variant.packets;
  for (const auto& [k, r] : inputs) {
    if (&r == &widest || !packets) continue;
    if (packet_stride(r, kernel) == 0) {
      splat |= 1u << k;
    } else {
      packets = gpu::whole_packets(r, kernel, packet) && gpu::whole_packets(widest, kernel, packet);
    }
  }
  if (!packets) plan.shape = gpu::reduce_shape(widest, multiprocessors, false);
  if (reduced_bytes(spec, binding) == 0 &&
      (plan.shape.variant.kernel == ReduceKernel::columns || plan.shape.parts_bytes > 0)) {
    // Parts of unknown size stay within a block.
    plan.shape = {};
    plan.shape.variant.kernel = ReduceKernel::rows;
    plan.shape.launch = {.grid_x = static_cast<unsigned>(kept.count), .block_x = kernels::kBlock};
    packets = false;
  }
  plan.layout.kernel = plan.shape.variant.kernel;
  plan.layout.packet = packets ? static_cast<int>(packet) : 1;
  plan.layout.wide = reduced.count >= (std::int64_t{1} << 31) - (1 << 16) ||
                     kept.count >= (std::int64_t{1} << 31) - (1 << 16);
  plan.layout.main = static_cast<int>(inputs[main].first);
  plan.layout.splat = packets ? splat : 0;
  return plan;
}

// What fill() writes word by word.
using Args = kernels::UserReduceArgs<3, 5>;
static_assert(offsetof(Args, kept) == 8 * 10 && offsetof(Args, partials) == 8 * 14);
static_assert(offsetof(Args, extent) == 8 * 18 && offsetof(Args, stride) == 8 * 21);
static_assert(offsetof(Args, divider) == 8 * 39 && sizeof(Args) <= 8 * 40 + 3 * 12);

Words fill(const ReductionSpecification& spec, const Binding& binding, const AxisTable& kept,
           const AxisTable& reduced, const Plan& plan, char* partials, unsigned* tickets) {
  const std::vector<std::size_t> order = outputs_first(spec);
  Words words;
  for (const std::size_t p : order) {
    const Argument& argument = binding.arguments[p];
    words.add(argument.is_number ? nullptr : argument.array.body()->data);
  }
  for (const std::size_t p : order) words.add(binding.arguments[p].value);
  words.add(kept.count);
  words.add(reduced.count);
  words.add(kept.ndim);
  words.add(kept.ndim + reduced.ndim);
  words.add(partials);
  words.add(tickets);
  words.add(plan.shape.tiles);
  words.add(static_cast<int>(plan.shape.lanes_log2));
  const auto add_row = [&](const std::int64_t* of_kept, const std::int64_t* of_reduced) {
    for (int axis = 0; axis < kept.ndim; ++axis) words.add(of_kept[axis]);
    for (int axis = 0; axis < reduced.ndim; ++axis) words.add(of_reduced[axis]);
    for (int axis = kept.ndim + reduced.ndim; axis < plan.layout.rank; ++axis) words.add(0);
  };
  add_row(kept.shape, reduced.shape);
  for (std::size_t k = 0; k <= order.size(); ++k) add_row(kept.strides[k], reduced.strides[k]);
  for (int axis = 0; axis < plan.layout.rank; ++axis) {
    const int behind = axis - kept.ndim;
    const std::int64_t extent = axis < kept.ndim        ? kept.shape[axis]
                                : behind < reduced.ndim ? reduced.shape[behind]
                                                        : 1;
    const bool narrow = extent > 0 && extent < (std::int64_t{1} << 31);
    words.add(gpu::make_divider(narrow ? extent : 1));
  }
  words.add(0);  // the struct ends on a word
  return words;
}

}  // namespace

void run_reduction(const ReductionSpecification& spec, const Binding& binding,
                   const AxisTable& kept, const AxisTable& reduced, const Raws& raws) {
  const int device = binding.device.index;
  const gpu::OnDevice on(device);
  void* stream = gpu::current_stream(device);
  for (const std::size_t p : outputs_first(spec)) {
    const Argument& argument = binding.arguments[p];
    if (!argument.is_number) gpu::record_use(argument.array.body()->storage, stream);
  }
  for (Storage* storage : raws.storage) gpu::record_use(storage, stream);

  const Plan plan =
      make_plan(spec, binding, kept, reduced, gpu::device_info(device).multiprocessors);
  const ReductionLayout& layout = plan.layout;
  std::string key;
  append_key(binding, raws, key);
  for (const int part : {layout.rank, static_cast<int>(layout.kernel), layout.packet,
                         static_cast<int>(layout.wide), layout.main}) {
    key += static_cast<char>(part);
  }
  key.append(reinterpret_cast<const char*>(&layout.splat), sizeof layout.splat);
  const Compiled compiled = spec.compiled->find(key, [&] {
    const std::string text = write_reduction(spec, binding, raws, layout, false);
    return Compiled{.device =
                        jit::load(device, {spec.name, text, spec.entry(), device_options(spec)})};
  });

  Storage* parts = nullptr;
  unsigned* tickets = nullptr;
  if (plan.shape.parts_bytes > 0) {
    tickets = gpu::reduce_tickets(device, stream);
    parts = gpu::allocate(device, static_cast<std::size_t>(plan.shape.parts_bytes));
  }
  Words words =
      fill(spec, binding, kept, reduced, plan, parts == nullptr ? nullptr : parts->data, tickets);
  try {
    launch(compiled.device, plan.shape.launch, stream, words, raws);
  } catch (...) {
    if (parts != nullptr) release(parts);
    throw;
  }
  if (parts != nullptr) release(parts);
}

}  // namespace cupyxx::internal::user_kernel
