// SPDX-License-Identifier: MIT
// Operations at places that may occur several times.
#include "cupyxx/core/arrays.h"
#include "cupyxx/core/places.h"
#include "cupyxx/internal/gpu/launcher.h"
#include "cupyxx/internal/gpu/scatter/layout.h"
#include "cupyxx/internal/gpu/scatter/programs.h"
#include "cupyxx/internal/kernels/scatter.h"
#include "cupyxx/internal/scatter.h"
#include "cupyxx/internal/sorting.h"
#include "cupyxx/math.h"

namespace cupyxx::internal::gpu {

void at(const AtCall& call) {
  const Body& view = *call.target.view->body();
  const std::int64_t inner = count(view, call.target.indexed, view.ndim);
  if (call.rows->size() == 0 || inner == 0) return;
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
  const RowOrder order =
      order_rows(call.target.operation, *call.rows, count(view, 0, call.target.indexed));
  ndarray tails;
  args.rows = launcher.use<const kernels::i64>(&order.rows);
  args.order = launcher.use<const kernels::i64>(&order.places);
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
