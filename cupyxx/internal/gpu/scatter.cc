// SPDX-License-Identifier: MIT
#include "cupyxx/internal/scatter.h"

#include <bit>
#include <string>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/arrays.h"
#include "cupyxx/internal/collapse_axes.h"
#include "cupyxx/internal/gpu/launcher.h"
#include "cupyxx/internal/gpu/scatter_programs.h"
#include "cupyxx/internal/kernels/scatter.h"
#include "cupyxx/internal/sorting.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"

namespace cupyxx::internal::gpu {

namespace {

// Rows up to this number are worth a note each; above it only where many are written.
constexpr std::int64_t kCheapNotes = std::int64_t{1} << 20;

// Axes [begin, end) of a view, neighbours merged.
kernels::ScatterLayout layout_of(const Body& view, int begin, int end) {
  std::int64_t shape[kMaxNdim] = {}, strides[1][kMaxNdim] = {};
  for (int i = begin; i < end; ++i) {
    shape[i - begin] = view.shape[i];
    strides[0][i - begin] = view.strides[i];
  }
  kernels::ScatterLayout layout{};
  layout.rank = collapse_axes(end - begin, shape, strides, 1, true);
  std::copy_n(shape, layout.rank, layout.extent);
  std::copy_n(strides[0], layout.rank, layout.stride);
  return layout;
}

std::int64_t count(const Body& view, int begin, int end) {
  std::int64_t product = 1;
  for (int i = begin; i < end; ++i) product *= view.shape[i];
  return product;
}

// The widest unit in which whole rows can be moved: an element's size, or more where the elements
// of a row lie side by side.
int unit_of(const kernels::ScatterArgs& args, std::int64_t itemsize, std::int64_t inner) {
  const bool dense =
      args.rest.rank == 0 || (args.rest.rank == 1 && args.rest.stride[0] == itemsize);
  if (!dense) return static_cast<int>(itemsize);
  auto bits = static_cast<std::uint64_t>(itemsize * inner) |
              reinterpret_cast<std::uint64_t>(args.target) |
              reinterpret_cast<std::uint64_t>(args.values) | 16;
  for (int i = 0; i < args.row.rank; ++i) bits |= static_cast<std::uint64_t>(args.row.stride[i]);
  return 1 << std::countr_zero(bits);
}

// Sorts rows with the places where they stood; rows that are out of range come first. Sorting takes
// a pass for each byte, so the numbers are made as short as they can be.
void sort_with_order(const char* operation, const ndarray& rows, std::int64_t row_count,
                     ndarray& sorted, ndarray& order) {
  const dtype type = row_count <= INT16_MAX ? int16 : row_count <= INT32_MAX ? int32 : int64;
  const Device device = rows.device();
  const ndarray keys = type == int64 ? rows : maximum(rows, -1).astype(type);
  sorted = make_array(operation, rows.shape(), type, device);
  order = make_array(operation, rows.shape(), int64, device);
  gpu::sort_rows({operation, &keys, &sorted, &order, 1, rows.size()});
  sorted = sorted.astype(int64, false);
}

}  // namespace

ndarray combine_rows(const char* operation, std::span<const ndarray> index, const Shape& extents,
                     const Shape& shape) {
  const Device device = index[0].device();
  ndarray rows = make_array(operation, shape, int64, device);
  if (rows.size() == 0) return rows;
  const Launcher launcher(device);
  kernels::CombineArgs args{};
  std::int64_t axes[kMaxNdim], strides[kernels::kIndexArrays][kMaxNdim] = {};
  std::copy(shape.begin(), shape.end(), axes);
  args.count = static_cast<int>(index.size());
  for (int k = 0; k < args.count; ++k) {
    const ndarray spread = broadcast_to(index[static_cast<std::size_t>(k)], shape);
    args.index[k] = launcher.use<const kernels::i64>(&spread);
    args.bound[k] = extents[k];
    for (int i = 0; i < shape.ndim(); ++i) strides[k][i] = spread.body()->strides[i] / 8;
  }
  args.rank = collapse_axes(shape.ndim(), axes, strides, args.count, true);
  std::copy_n(axes, args.rank, args.extent);
  for (int k = 0; k < args.count; ++k) std::copy_n(strides[k], args.rank, args.stride[k]);
  args.rows = launcher.use<kernels::i64>(&rows);
  args.size = rows.size();
  args.error = reinterpret_cast<kernels::ErrorWord*>(error_word(device.index, launcher.stream()));
  args.operation = operation_number(operation);
  static KernelSlot slot;
  launcher.elements(slot, combine_rows_program, args.size, &args);
  return rows;
}

void scatter(const RowsOf& target, const ndarray& rows, const ndarray& values) {
  const Body& view = *target.view->body();
  const std::int64_t itemsize = view.dtype.itemsize();
  const std::int64_t inner = count(view, target.indexed, view.ndim);
  if (rows.size() == 0 || inner == 0) return;
  touch(target.view->body());
  const Device device = target.view->device();
  touch(target.view->body());
  const Launcher launcher(device);
  kernels::ScatterArgs args{};
  args.target = launcher.use<char>(target.view);
  args.values = launcher.use<const char>(&values);
  args.rows = launcher.use<const kernels::i64>(&rows);
  args.n = rows.size();
  args.row = layout_of(view, 0, target.indexed);
  args.rest = layout_of(view, target.indexed, view.ndim);
  const int unit = unit_of(args, itemsize, inner);
  args.inner = inner * itemsize / unit;
  if (unit != itemsize) {
    args.rest.rank = 1;
    args.rest.extent[0] = args.inner;
    args.rest.stride[0] = unit;
  }
  const bool same = values.size() == inner;
  args.value_step = same ? 0 : args.inner;
  args.winner = kernels::Winner::any;
  ndarray mark, sorted, order;
  const std::int64_t row_count = count(view, 0, target.indexed);
  if (!same && (row_count <= kCheapNotes || row_count <= 8 * args.n)) {
    const DeviceScope scope(device);
    mark = zeros({row_count}, uint64);
    args.mark = launcher.use<kernels::u64>(&mark);
    args.winner = kernels::Winner::noted;
    static KernelSlot slot;
    launcher.elements(slot, note_winners_program, args.n, &args);
  } else if (!same) {
    sort_with_order(target.operation, rows, row_count, sorted, order);
    args.rows = launcher.use<const kernels::i64>(&sorted);
    args.order = launcher.use<const kernels::i64>(&order);
    args.winner = kernels::Winner::sorted;
  }
  static KernelSlot slots[5];
  launcher.elements(
      slots[std::countr_zero(static_cast<unsigned>(unit))], [=] { return scatter_program(unit); },
      args.n * args.inner, &args);
}

void at(const AtCall& call) {
  const Body& view = *call.target.view->body();
  const std::int64_t inner = count(view, call.target.indexed, view.ndim);
  if (call.rows->size() == 0 || inner == 0) return;
  touch(call.target.view->body());
  const Device device = call.target.view->device();
  touch(call.target.view->body());
  const Launcher launcher(device);
  kernels::AtArgs args{};
  args.target = launcher.use<char>(call.target.view);
  args.n = call.rows->size();
  args.inner = inner;
  args.row = layout_of(view, 0, call.target.indexed);
  args.rest = layout_of(view, call.target.indexed, view.ndim);
  ndarray nothing;
  const ndarray* operands = call.operands;
  if (operands == nullptr) {
    nothing = make_array(call.target.operation, {inner}, uint8, device);
    operands = &nothing;
  }
  args.operands = launcher.use(operands);
  args.operand_step = operands->size() == inner ? 0 : inner;
  const dtype type = view.dtype;
  // Sums of integers are the same in any order.
  const bool adds = call.op->fold == ops::Fold::sum && call.associative;
  if (adds && can_add_atomically(type) && (!call.deterministic || type.is_integer())) {
    static KernelSlot slots[dtype::kCount];
    KernelSlot& slot = slots[static_cast<int>(type.code())];
    args.rows = launcher.use<const kernels::i64>(call.rows);
    launcher.elements(
        slot, [=] { return add_atomically_program(type); }, args.n * inner, &args);
    return;
  }
  ndarray sorted, order, tails;
  sort_with_order(call.target.operation, *call.rows, count(view, 0, call.target.indexed), sorted,
                  order);
  args.rows = launcher.use<const kernels::i64>(&sorted);
  args.order = launcher.use<const kernels::i64>(&order);
  // Kernels of rare combinations are found by their text; sorting costs more than that.
  const auto run = [&](bool first_step, std::int64_t elements) {
    KernelSlot slot;
    launcher.elements(
        slot, [&] { return at_program(*call.op, call.loop, type, first_step); }, elements, &args);
  };
  if (call.associative && args.n > kernels::kTailPieces) {
    const std::int64_t pieces = (args.n + kernels::kTailPieces - 1) / kernels::kTailPieces;
    tails = make_array(call.target.operation, {pieces, inner}, type, device);
    args.tails = launcher.use(&tails);
    run(true, pieces * inner);
  }
  run(false, args.n * inner);
}

void bincount(const BincountCall& call) {
  const Device device = call.positions->device();
  const Launcher launcher(device);
  set_bytes(call.out->elements(), 0, static_cast<std::size_t>(call.out->nbytes()), device.index,
            launcher.stream());
  if (call.weights != nullptr) {
    // Equal positions come together in their order, so every sum has one order.
    const OpInfo& op = ufunc_of<ops::Add>().op();
    gpu::at({.target = {call.operation, call.out, 1},
             .rows = call.positions,
             .operands = call.weights,
             .op = &op,
             .loop = op.same_loop[static_cast<int>(float64.code())],
             .associative = true,
             .deterministic = true});
    return;
  }
  static KernelSlot slot;
  kernels::CountArgs args{};
  args.positions = launcher.use<const kernels::i64>(call.positions);
  args.out = launcher.use<unsigned long long>(call.out);
  args.n = call.positions->size();
  launcher.elements(slot, count_positions_program, args.n, &args);
}

}  // namespace cupyxx::internal::gpu
