// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/elementwise/transpose.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "cupyxx/internal/cpu/arch.h"
#include "cupyxx/internal/cpu/elementwise/stream_store.h"
#include "cupyxx/internal/cpu/elementwise/turn_loops.h"
#include "cupyxx/internal/cpu/parallel.h"

namespace cupyxx::internal::cpu {

namespace {

constexpr std::int64_t kLine = 64;                            // bytes of a cache line
constexpr std::int64_t kRun = 64;                             // elements written at a time
constexpr std::int64_t kShortest = 8;                         // extents worth a tile
constexpr std::int64_t kNearBytes = std::int64_t{1} << 20;    // results that stay in the caches
constexpr std::int64_t kStreamBytes = std::int64_t{4} << 20;  // results that bypass them

// The plane that is turned: the output runs along `to`, the input along `from`.
struct Plan {
  const ElementwiseCall& call;
  int to;
  int from;
  bool streams;
  std::int64_t columns;  // elements of an input line
  std::int64_t tiles_to;
  std::int64_t tiles_from;
  std::int64_t planes = 1;
};

// One tile through a buffer: whole lines are read and whole lines are written, which keeps arrays
// whose rows lie a power of two apart from fighting for the same lines of the caches.
template <class T>
void copy_tile(const Plan& plan, char* out, const char* in, std::int64_t rows,
               std::int64_t columns) {
  constexpr std::int64_t kColumns = kLine / static_cast<std::int64_t>(sizeof(T));
  alignas(kLine) T buffer[kColumns][kRun];
  const std::int64_t in_step = plan.call.strides[1][plan.to];
  const std::int64_t out_step = plan.call.strides[0][plan.from];
  if (columns == kColumns) {
    for (std::int64_t i = 0; i < rows; ++i) {
      T line[kColumns];
      std::memcpy(line, in + i * in_step, sizeof(line));
      for (std::int64_t j = 0; j < kColumns; ++j) buffer[j][i] = line[j];
    }
  } else {
    for (std::int64_t i = 0; i < rows; ++i) {
      const auto* line = reinterpret_cast<const T*>(in + i * in_step);
      for (std::int64_t j = 0; j < columns; ++j) buffer[j][i] = line[j];
    }
  }
  const auto bytes = static_cast<std::size_t>(rows) * sizeof(T);
  for (std::int64_t j = 0; j < columns; ++j) {
    if (plan.streams) {
      stream_store(out + j * out_step, reinterpret_cast<const char*>(buffer[j]), bytes);
    } else {
      std::memcpy(out + j * out_step, buffer[j], bytes);
    }
  }
}

// The same where both sides are in the caches: lines are read and go to as many lines of the
// output, which grow side by side.
template <class T>
void copy_lines(const Plan& plan, char* out, const char* in, std::int64_t rows,
                std::int64_t columns) {
  constexpr std::int64_t kColumns = 8;
  const std::int64_t in_step = plan.call.strides[1][plan.to];
  const std::int64_t out_step = plan.call.strides[0][plan.from];
  std::int64_t j = 0;
  for (; j + kColumns <= columns; j += kColumns) {
    T* to[kColumns];
    for (std::int64_t k = 0; k < kColumns; ++k) {
      to[k] = reinterpret_cast<T*>(out + (j + k) * out_step);
    }
    const char* from = in + j * static_cast<std::int64_t>(sizeof(T));
    for (std::int64_t i = 0; i < rows; ++i, from += in_step) {
      const auto* line = reinterpret_cast<const T*>(from);
#pragma GCC unroll 8
      for (std::int64_t k = 0; k < kColumns; ++k) to[k][i] = line[k];
    }
  }
  for (; j < columns; ++j) {
    auto* to = reinterpret_cast<T*>(out + j * out_step);
    const char* from = in + j * static_cast<std::int64_t>(sizeof(T));
    for (std::int64_t i = 0; i < rows; ++i, from += in_step) {
      to[i] = *reinterpret_cast<const T*>(from);
    }
  }
}

TurnFn turn_loop(std::int64_t size) {
  return with_arch(arch(), [&]<Arch kArch>() { return TurnLoops<kArch>::find(size); });
}

template <class T>
void copy_tiles(const Plan& plan, std::int64_t begin, std::int64_t end) {
  const ElementwiseCall& call = plan.call;
  const bool near = call.size * static_cast<std::int64_t>(sizeof(T)) <= kNearBytes;
  const TurnFn turn = near ? turn_loop(sizeof(T)) : nullptr;
  for (std::int64_t tile = begin; tile < end; ++tile) {
    std::int64_t rest = tile / plan.tiles_to;
    const std::int64_t i = tile % plan.tiles_to * kRun;
    const std::int64_t j = rest % plan.tiles_from * plan.columns;
    rest /= plan.tiles_from;
    char* out = call.data[0] + i * call.strides[0][plan.to] + j * call.strides[0][plan.from];
    const char* in = call.data[1] + i * call.strides[1][plan.to] + j * call.strides[1][plan.from];
    for (int axis = call.ndim - 1; axis >= 0; --axis) {
      if (axis == plan.to || axis == plan.from) continue;
      const std::int64_t at = rest % call.shape[axis];
      rest /= call.shape[axis];
      out += at * call.strides[0][axis];
      in += at * call.strides[1][axis];
    }
    const std::int64_t rows = std::min(kRun, call.shape[plan.to] - i);
    const std::int64_t columns = std::min(plan.columns, call.shape[plan.from] - j);
    if (turn != nullptr) {
      turn(out, call.strides[0][plan.from], in, call.strides[1][plan.to], rows, columns);
      continue;
    }
    const auto copy = near ? &copy_lines<T> : &copy_tile<T>;
    copy(plan, out, in, rows, columns);
  }
  if (plan.streams) stream_fence();
}

}  // namespace

bool copy_transposed(const ElementwiseCall& call) {
  const std::int64_t size = call.dtypes[0].itemsize();
  const int to = call.ndim - 1;
  if (!call.op->copies || call.has_mask || call.immediate != 0 || call.ndim < 2 ||
      call.dtypes[0] != call.dtypes[1] || size > 8 || call.strides[0][to] != size ||
      call.shape[to] < kShortest) {
    return false;
  }
  int from = -1;
  for (int axis = 0; axis < to; ++axis) {
    if (call.strides[1][axis] == size && call.shape[axis] >= kShortest) from = axis;
  }
  if (from < 0) return false;
  Plan plan{call, to, from, call.size * size >= kStreamBytes, kLine / size, 0, 0};
  plan.tiles_to = (call.shape[to] + kRun - 1) / kRun;
  plan.tiles_from = (call.shape[from] + plan.columns - 1) / plan.columns;
  for (int axis = 0; axis < to; ++axis) {
    if (axis != from) plan.planes *= call.shape[axis];
  }
  const auto grain = std::max<std::int64_t>(1, kGrain / (kRun * plan.columns));
  parallel_for(plan.planes * plan.tiles_from * plan.tiles_to, grain,
               [&](std::int64_t begin, std::int64_t end) {
                 switch (size) {
                   case 1:
                     return copy_tiles<std::uint8_t>(plan, begin, end);
                   case 2:
                     return copy_tiles<std::uint16_t>(plan, begin, end);
                   case 4:
                     return copy_tiles<std::uint32_t>(plan, begin, end);
                   default:
                     return copy_tiles<std::uint64_t>(plan, begin, end);
                 }
               });
  return true;
}

namespace {

// The axis along which the elements of an input share cache lines while they do not along the
// innermost one; -1 if there is none.
int turned_axis(const ElementwiseCall& call) {
  const int inner = call.ndim - 1;
  for (int k = call.nout; k < call.operands(); ++k) {
    if (std::abs(call.strides[k][inner]) < kLine) continue;
    for (int axis = inner - 1; axis >= 0; --axis) {
      if (std::abs(call.strides[k][axis]) < kLine && call.shape[axis] >= kShortest) return axis;
    }
  }
  return -1;
}

}  // namespace

bool split_transposed(const ElementwiseCall& call, ElementwiseCall& blocks, ElementwiseCall& rest) {
  const int inner = call.ndim - 1;
  if (call.ndim < 2 || call.ndim == kMaxNdim || call.size < kGrain ||
      call.shape[inner] < 2 * kRun) {
    return false;
  }
  const int turned = turned_axis(call);
  if (turned < 0) return false;
  const std::int64_t whole = call.shape[inner] / kRun;
  // The other axes, then the block, the turned axis, the place within the block.
  blocks = call;
  blocks.ndim = call.ndim + 1;
  blocks.size = call.size / call.shape[inner] * whole * kRun;
  int to = 0;
  const auto put = [&](int axis, std::int64_t extent, std::int64_t times) {
    blocks.shape[to] = extent;
    for (int k = 0; k < call.operands(); ++k) {
      blocks.strides[k][to] = call.strides[k][axis] * times;
    }
    ++to;
  };
  for (int axis = 0; axis < inner; ++axis) {
    if (axis != turned) put(axis, call.shape[axis], 1);
  }
  put(inner, whole, kRun);
  put(turned, call.shape[turned], 1);
  put(inner, kRun, 1);

  rest = call;
  rest.shape[inner] -= whole * kRun;
  rest.size = call.size - blocks.size;
  for (int k = 0; k < call.operands(); ++k) {
    rest.data[k] += whole * kRun * call.strides[k][inner];
  }
  return true;
}

}  // namespace cupyxx::internal::cpu
