// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/reduce/columns.h"

#include <algorithm>
#include <cstddef>
#include <memory>

#include "cupyxx/internal/cpu/reduce/walk.h"

namespace cupyxx::internal::cpu {

namespace {

constexpr std::int64_t kTile = 1024;      // columns side by side: accumulators stay in L1
constexpr std::int64_t kChunk = 1 << 18;  // elements of a task, about
constexpr std::int64_t kAccBytes = kTile * kMaxAccBytes;

struct Columns {
  const Reduction& r;
  const ReduceIsa& isa;
  const ReduceLoops& loops;
  const ReduceAxis& inner = r.kept_axes[r.kept_ndim - 1];
  std::int64_t tile = std::min(inner.extent, r.in == complex128 ? kTile / 2 : kTile);
  std::int64_t tiles = (inner.extent + tile - 1) / tile;
  bool contiguous = !is_narrow(r.in) && inner.stride == r.in.itemsize();

  std::int64_t first(std::int64_t strip) const { return strip % tiles * tile; }
  std::int64_t width(std::int64_t strip) const {
    return std::min(tile, inner.extent - first(strip));
  }

  /// Combines the rows [begin, end) of a strip (a tile at one place of the other kept axes).
  void fold(std::int64_t strip, std::int64_t begin, std::int64_t end, void* acc) const {
    const std::int64_t n = width(strip);
    const char* data = r.data + first(strip) * inner.stride +
                       offset_of(strip / tiles, r.kept_axes, r.kept_ndim - 1, &ReduceAxis::stride);
    loops.start(acc, n);
    alignas(64) char buffer[kRowsAtOnce][kTile * 8];
    Walker walker(r.reduced_axes, r.reduced_ndim, begin);
    for (std::int64_t i = begin; i < end;) {
      const int count = end - i >= kRowsAtOnce ? kRowsAtOnce : 1;
      const void* rows[kRowsAtOnce];
      for (int k = 0; k < count; ++k) {
        rows[k] = data + walker.offset();
        if (!contiguous) {
          gather(isa, r.in, buffer[k], data + walker.offset(), inner.stride, n);
          rows[k] = buffer[k];
        }
        walker.advance(1);
      }
      loops.columns(acc, rows, count, n, i);
      i += count;
    }
  }

  /// All rows of a strip in chunks, whose accumulators are combined in their order.
  void fold_chunks(std::int64_t strip, std::int64_t chunk_rows, void* acc) const {
    fold(strip, 0, std::min(r.reduced, chunk_rows), acc);
    for (std::int64_t begin = chunk_rows; begin < r.reduced; begin += chunk_rows) {
      alignas(64) char part[kAccBytes];
      fold(strip, begin, std::min(r.reduced, begin + chunk_rows), part);
      loops.merge(acc, part, width(strip));
    }
  }

  void write(std::int64_t strip, const void* acc) const {
    const ops::Finish finish{static_cast<double>(r.reduced), r.ddof};
    char* out = r.result + first(strip) * inner.out_stride +
                offset_of(strip / tiles, r.kept_axes, r.kept_ndim - 1, &ReduceAxis::out_stride);
    loops.finish(acc, width(strip), out, inner.out_stride, finish);
  }
};

}  // namespace

void reduce_columns(const Reduction& r, const ReduceIsa& isa, const ReduceLoops& loops) {
  const Columns columns{r, isa, loops};
  const std::int64_t strips = r.kept / columns.inner.extent * columns.tiles;
  const bool parallel = r.kept * r.reduced >= kGrain;

  // Long columns are cut into chunks whatever the number of threads, so that it changes no result.
  std::int64_t chunk_rows = (std::max<std::int64_t>(64, kChunk / columns.tile) + kRowsAtOnce - 1) /
                            kRowsAtOnce * kRowsAtOnce;
  if (r.reduced < 2 * chunk_rows) chunk_rows = std::max<std::int64_t>(1, r.reduced);
  if (!parallel || r.reduced <= chunk_rows || strips % thread_count() == 0) {
    for_each_task(strips, parallel, [&](std::int64_t strip) {
      alignas(64) char acc[kAccBytes];
      columns.fold_chunks(strip, chunk_rows, acc);
      columns.write(strip, acc);
    });
    return;
  }

  // Too few strips for the threads: the chunks are the tasks.
  const std::int64_t chunks = (r.reduced + chunk_rows - 1) / chunk_rows;
  const std::int64_t bytes = (columns.tile * kMaxAccBytes + 63) / 64 * 64;
  const std::unique_ptr<std::max_align_t[]> memory(new std::max_align_t[static_cast<std::size_t>(
      strips * chunks * bytes / static_cast<std::int64_t>(sizeof(std::max_align_t)) + 1)]);
  char* parts = reinterpret_cast<char*>(memory.get());
  for_each_task(strips * chunks, parallel, [&](std::int64_t task) {
    const std::int64_t begin = task % chunks * chunk_rows;
    columns.fold(task / chunks, begin, std::min(r.reduced, begin + chunk_rows),
                 parts + task * bytes);
  });
  for_each_task(strips, parallel, [&](std::int64_t strip) {
    char* total = parts + strip * chunks * bytes;
    for (std::int64_t chunk = 1; chunk < chunks; ++chunk) {
      loops.merge(total, total + chunk * bytes, columns.width(strip));
    }
    columns.write(strip, total);
  });
}

}  // namespace cupyxx::internal::cpu
