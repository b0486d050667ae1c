// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/reduce/rows.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <new>

#include "cupyxx/error.h"
#include "cupyxx/internal/cpu/reduce/walk.h"

namespace cupyxx::internal::cpu {

namespace {

constexpr std::int64_t kBlock = 2048;         // elements between two pairwise steps
constexpr std::int64_t kChunk = 32 * kBlock;  // elements of a task
constexpr std::int64_t kDirectRun = 256;      // shorter runs are brought together first

struct Rows {
  const Reduction& r;
  const ReduceIsa& isa;
  const ReduceLoops& loops;
  bool contiguous =
      !is_narrow(r.in) && r.reduced_ndim == 1 && r.reduced_axes[0].stride == r.in.itemsize();
  bool runs = !is_narrow(r.in) && r.reduced_axes[r.reduced_ndim - 1].stride == r.in.itemsize() &&
              r.reduced_axes[r.reduced_ndim - 1].extent >= kDirectRun;
  // Their loops end where the result is known.
  bool decides = r.op == ReduceOp::all || r.op == ReduceOp::any;
  // Rounds nothing, so needs no pairwise order; the place of an extreme would be looked for in each
  // block.
  bool exact = decides || r.op == ReduceOp::amax || r.op == ReduceOp::amin ||
               r.op == ReduceOp::count_nonzero || is_arg(r.op);

  /// Combines the elements [begin, end) of the row at `data` into the accumulator.
  void fold(const char* data, std::int64_t begin, std::int64_t end, void* acc) const {
    if (contiguous && (end - begin <= kBlock || exact)) {
      loops.row(acc, data + begin * r.in.itemsize(), end - begin, begin);
      return;
    }
    Pairwise parts(loops);
    if (contiguous) {
      for (std::int64_t i = begin; i < end; i += kBlock) {
        loops.row(parts.next(), data + i * r.in.itemsize(), std::min(kBlock, end - i), i);
        parts.push();
      }
    } else {
      fold_runs(data, begin, end, parts);
    }
    loops.merge(acc, parts.total(), 1);
  }

  void fold_runs(const char* data, std::int64_t begin, std::int64_t end, Pairwise& parts) const {
    const std::int64_t stride = r.reduced_axes[r.reduced_ndim - 1].stride;
    const std::int64_t itemsize = loaded_itemsize(r.in);
    alignas(64) char buffer[kBlock * 16];
    Walker walker(r.reduced_axes, r.reduced_ndim, begin);
    for (std::int64_t i = begin; i < end;) {
      void* acc = parts.next();
      if (runs) {
        const std::int64_t count = std::min({walker.run(), kBlock, end - i});
        loops.row(acc, data + walker.offset(), count, i);
        walker.advance(count);
        i += count;
      } else {
        std::int64_t filled = 0;
        const std::int64_t wanted = std::min(kBlock, end - i);
        while (filled < wanted) {
          const std::int64_t count = std::min(walker.run(), wanted - filled);
          gather(isa, r.in, buffer + filled * itemsize, data + walker.offset(), stride, count);
          walker.advance(count);
          filled += count;
        }
        loops.row(acc, buffer, filled, i);
        i += filled;
      }
      const bool ends = is_decided(acc);
      parts.push();
      if (ends) return;
    }
  }

  const char* row(std::int64_t index) const {
    return r.data + offset_of(index, r.kept_axes, r.kept_ndim, &ReduceAxis::stride);
  }
  void write(std::int64_t index, const void* acc) const {
    const ops::Finish finish{static_cast<double>(r.reduced), r.ddof};
    char* out = r.result + offset_of(index, r.kept_axes, r.kept_ndim, &ReduceAxis::out_stride);
    loops.finish(acc, 1, out, 0, finish);
  }
  /// Whether a part of a row says what the result is.
  bool is_decided(const void* acc) const {
    if (!decides) return false;
    const ops::Finish finish{static_cast<double>(r.reduced), r.ddof};
    char result = 0;
    loops.finish(acc, 1, &result, 0, finish);
    return (result != 0) == (r.op == ReduceOp::any);
  }
};

}  // namespace

void reduce_rows(const Reduction& r, const ReduceIsa& isa, const ReduceLoops& loops) {
  const Rows rows{r, isa, loops};
  const bool parallel = r.kept * r.reduced >= kGrain;

  if (r.reduced <= 2 * kChunk) {
    const auto per_task = std::max<std::int64_t>(1, kChunk / 4 / r.reduced);
    const std::int64_t tasks = (r.kept + per_task - 1) / per_task;
    for_each_task(tasks, parallel, [&](std::int64_t task) {
      const std::int64_t end = std::min(r.kept, (task + 1) * per_task);
      for (std::int64_t i = task * per_task; i < end; ++i) {
        alignas(8) char acc[kMaxAccBytes];
        loops.start(acc, 1);
        rows.fold(rows.row(i), 0, r.reduced, acc);
        rows.write(i, acc);
      }
    });
    return;
  }

  // Long rows are cut into chunks, whose accumulators are combined afterwards.
  struct alignas(8) Part {
    char acc[kMaxAccBytes];
  };
  const std::int64_t chunks = (r.reduced - 1) / kChunk + 1;
  // Of more the system may promise the memory, and the sum would take days.
  constexpr std::int64_t kMostTasks = std::int64_t{1} << 32;
  std::int64_t tasks;
  const bool is_sane = !__builtin_mul_overflow(r.kept, chunks, &tasks) && tasks <= kMostTasks;
  // A broadcast array may have more elements than there is memory for their parts.
  const std::unique_ptr<Part[]> parts(
      is_sane ? new (std::nothrow) Part[static_cast<std::size_t>(tasks)] : nullptr);
  if (parts == nullptr) {
    throw OutOfMemoryError(
        message("reduction: there is no memory for the parts of the sums; elements ", r.reduced,
                " in each of ", r.kept));
  }
  std::atomic<std::int64_t> decided = -1;  // a row of which no more needs to be looked at
  for_each_task(tasks, parallel, [&](std::int64_t task) {
    const std::int64_t begin = task % chunks * kChunk;
    loops.start(parts[task].acc, 1);
    if (decided.load(std::memory_order_relaxed) == task / chunks) return;
    rows.fold(rows.row(task / chunks), begin, std::min(r.reduced, begin + kChunk), parts[task].acc);
    if (rows.is_decided(parts[task].acc)) decided = task / chunks;
  });
  for (std::int64_t i = 0; i < r.kept; ++i) {
    Pairwise total(loops);
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
      loops.merge(total.next(), parts[i * chunks + chunk].acc, 1);
      total.push();
    }
    rows.write(i, total.total());
  }
}

}  // namespace cupyxx::internal::cpu
