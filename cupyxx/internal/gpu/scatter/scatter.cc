// SPDX-License-Identifier: MIT
#include "cupyxx/internal/scatter.h"

#include <bit>

#include "cupyxx/core/arrays.h"
#include "cupyxx/internal/collapse_axes.h"
#include "cupyxx/internal/gpu/launcher.h"
#include "cupyxx/internal/gpu/scatter/layout.h"
#include "cupyxx/internal/gpu/scatter/programs.h"
#include "cupyxx/internal/kernels/scatter.h"
#include "cupyxx/manipulation.h"

namespace cupyxx::internal::gpu {

namespace {

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

void scatter(const RowsOf& target, const ndarray& rows, const ndarray& values,
             const RowOrder* order) {
  const Body& view = *target.view->body();
  const std::int64_t itemsize = view.dtype.itemsize();
  const std::int64_t inner = count(view, target.indexed, view.ndim);
  if (rows.size() == 0 || inner == 0) return;
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
  ndarray mark;
  const std::int64_t row_count = count(view, 0, target.indexed);
  if (!same && order == nullptr) {
    mark = make_array(target.operation, {row_count}, uint64, device);
    set_bytes(mark.elements(), 0, static_cast<std::size_t>(mark.nbytes()), device.index,
              launcher.stream());
    args.mark = launcher.use<kernels::u64>(&mark);
    args.winner = kernels::Winner::noted;
    static KernelSlot slot;
    launcher.elements(slot, note_winners_program, args.n, &args);
  } else if (!same) {
    args.rows = launcher.use<const kernels::i64>(&order->rows);
    args.order = launcher.use<const kernels::i64>(&order->places);
    args.winner = kernels::Winner::sorted;
  }
  static KernelSlot slots[5];
  launcher.elements(
      slots[std::countr_zero(static_cast<unsigned>(unit))], [=] { return scatter_program(unit); },
      args.n * args.inner, &args);
}

}  // namespace cupyxx::internal::gpu
