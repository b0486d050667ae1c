// SPDX-License-Identifier: MIT
// Drives the 1-D loops over arrays of any rank: threads, casts through small buffers, masks, and
// stores that bypass the caches for large results.
#include "cupyxx/internal/elementwise.h"

#include <algorithm>
#include <cstring>

#include "cupyxx/internal/cpu/arch.h"
#include "cupyxx/internal/cpu/copy_bytes.h"
#include "cupyxx/internal/cpu/elementwise/cast.h"
#include "cupyxx/internal/cpu/elementwise/repeat.h"
#include "cupyxx/internal/cpu/elementwise/short_rows.h"
#include "cupyxx/internal/cpu/elementwise/special_loops.h"
#include "cupyxx/internal/cpu/elementwise/stream_loops.h"
#include "cupyxx/internal/cpu/elementwise/stream_store.h"
#include "cupyxx/internal/cpu/elementwise/transpose.h"
#include "cupyxx/internal/cpu/parallel.h"

namespace cupyxx::internal::cpu {

namespace {

constexpr std::int64_t kChunk = 1024;  // elements that are cast at a time
constexpr std::int64_t kMaxItem = 16;

using Buffer = char[kChunk * kMaxItem];

// The last operand where one number serves all elements, or null.
const char* constant_of(const ElementwiseCall& c) {
  const int last = c.nargs - 1;
  if (last < c.nout + 1) return nullptr;
  for (int axis = 0; axis < c.ndim; ++axis) {
    if (c.strides[last][axis] != 0) return nullptr;
  }
  return c.data[last];
}

// What is the same for all parts of one call.
struct Plan {
  const ElementwiseCall& call;
  LoopFn loop;
  cupyxx::dtype compute[ElementwiseCall::kMaxOperands];
  LoopFn cast[ElementwiseCall::kMaxOperands] = {};  // null: the operand is used in place
  std::int64_t compute_size[ElementwiseCall::kMaxOperands];
  bool direct = true;    // no operand needs a buffer
  bool gathers = false;  // operands are worth bringing together: the loop has vectors then
  std::int64_t least_gathered = 16;  // in shorter rows that costs more than it gains
  bool streams = false;              // the result is stored past the caches ...
  LoopFn stream = nullptr;           // ... by a loop that does so itself, if there is one

  explicit Plan(const ElementwiseCall& c)
      : call(c), loop(best_loop(*c.op, c.loop, arch(), constant_of(c), c.dtypes[c.nargs - 1])) {
    const LoopInfo& info = c.op->loops[c.loop];
    for (int k = 0; k < c.nargs; ++k) {
      compute[k] = k < c.nout ? info.compute_out[k] : info.compute_in[k - c.nout];
      compute_size[k] = compute[k].itemsize();
      if (compute[k] != c.dtypes[k]) {
        cast[k] =
            k < c.nout ? cast_loop(compute[k], c.dtypes[k]) : cast_loop(c.dtypes[k], compute[k]);
        direct = false;
      }
    }
    if (c.has_mask) direct = false;
    if (direct && c.op->copies && !c.dtypes[0].is_complex()) {
      loop = cast_loop(c.dtypes[1], c.dtypes[0]);  // has the usual strides
    }
    if (!direct && !c.has_mask && c.op->copies) {
      loop = cast_loop(c.dtypes[1], c.dtypes[0]);  // one pass instead of two
      compute_size[0] = c.dtypes[0].itemsize();
      direct = true;
    }
    gathers = direct && c.nout == 1 && c.ndim > 0 &&
              (c.op->vector_function ? has_gaps() : has_quick_gaps());
    if (!c.op->vector_function) least_gathered = 1024;
    const bool can_stream = direct && !gathers && c.nout == 1 && c.ndim == 1 &&
                            c.strides[0][0] == compute_size[0] && !stores_plainly() && !aliased();
    if (can_stream && is_large() && is_uniform()) {
      stream = stream_loop(*c.op, c.dtypes[c.nargs - 1], arch());
    }
    streams = stream != nullptr || (can_stream && c.size * compute_size[0] >= stream_bytes());
  }

  // Whether an operand is neither contiguous along the last axis nor one number.
  bool has_gaps() const {
    for (int k = 0; k < call.nargs; ++k) {
      const std::int64_t stride = call.strides[k][call.ndim - 1];
      if (stride != compute_size[k] && (stride != 0 || k == 0)) return true;
    }
    return false;
  }

  // Whether a contiguous result has inputs of which every second element is used, or that go
  // backward: these are brought together in vectors, which costs less than a loop without them.
  bool has_quick_gaps() const {
    const int last = call.ndim - 1;
    if (call.strides[0][last] != compute_size[0] || call.op->copies) return false;
    bool found = false;
    for (int k = 1; k < call.nargs; ++k) {
      const std::int64_t stride = call.strides[k][last];
      if (stride == 0 || stride == compute_size[k]) continue;
      // Without AVX-512 the loop itself reads half of what lies there as fast, if numbers are long.
      const bool joins = compute_size[k] < 8 || arch() == Arch::avx512;
      const bool is_quick = (stride == 2 * compute_size[k] && joins) || stride == -compute_size[k];
      if (!is_quick || call.dtypes[k].is_complex()) return false;
      found = true;
    }
    return found;
  }

  // Whether one number goes everywhere, which has a way of its own, or a copy has gaps, which is
  // fastest through the caches.
  bool stores_plainly() const {
    const std::int64_t stride = call.strides[1][call.ndim - 1];
    return call.nargs == 2 &&
           (stride == 0 || (call.op->copies && stride != call.dtypes[1].itemsize()));
  }

  // Whether the result does not stay in the caches, or what is read pushes all out of them.
  bool is_large() const {
    std::int64_t input_bytes = 0;
    for (int k = 1; k < call.nargs; ++k) {
      if (call.strides[k][0] != 0) input_bytes += call.size * compute_size[k];
    }
    return call.size * compute_size[0] >= stream_bytes() || input_bytes >= 4 * stream_bytes();
  }

  // Whether inputs have one dtype, which is the result's unless that is bool, and are contiguous
  // or one number.
  bool is_uniform() const {
    const cupyxx::dtype type = call.dtypes[call.nargs - 1];
    for (int k = 1; k < call.nargs; ++k) {
      const std::int64_t stride = call.strides[k][0];
      if (call.dtypes[k] != type || (stride != 0 && stride != compute_size[k])) return false;
    }
    return call.dtypes[0] == type || call.dtypes[0].is_bool();
  }

  // Whether an input is the output itself, whose lines are in the caches already.
  bool aliased() const {
    for (int k = 1; k < call.nargs; ++k) {
      if (call.data[k] == call.data[0]) return true;
    }
    return false;
  }
};

void copy_masked(char* to, std::int64_t to_stride, const char* from, std::int64_t size,
                 const char* mask, std::int64_t mask_stride, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) {
    if (mask[i * mask_stride] != 0) {
      std::memcpy(to + i * to_stride, from + i * size, static_cast<std::size_t>(size));
    }
  }
}

// One row with casts or a mask, a chunk at a time.
void run_buffered(const Plan& plan, char* const* data, const std::int64_t* strides,
                  std::int64_t n) {
  alignas(64) Buffer buffers[ElementwiseCall::kMaxOperands];
  alignas(64) Buffer narrowed;
  const ElementwiseCall& call = plan.call;
  for (std::int64_t begin = 0; begin < n; begin += kChunk) {
    const std::int64_t count = std::min(kChunk, n - begin);
    char* at[ElementwiseCall::kMaxOperands];
    std::int64_t step[ElementwiseCall::kMaxOperands];
    for (int k = 0; k < call.nargs; ++k) {
      at[k] = data[k] + begin * strides[k];
      step[k] = strides[k];
      const bool is_out = k < call.nout;
      if (is_out && (plan.cast[k] != nullptr || call.has_mask)) {
        at[k] = buffers[k];
        step[k] = plan.compute_size[k];
      } else if (!is_out && plan.cast[k] != nullptr) {
        char* const pair[] = {buffers[k], at[k]};
        // A repeated value is cast once.
        const bool repeated = strides[k] == 0;
        const std::int64_t pair_strides[] = {plan.compute_size[k], strides[k]};
        plan.cast[k](pair, pair_strides, repeated ? 1 : count);
        at[k] = buffers[k];
        step[k] = repeated ? 0 : plan.compute_size[k];
      }
    }
    plan.loop(at, step, count);
    for (int k = 0; k < call.nout; ++k) {
      if (at[k] != buffers[k]) continue;
      char* out = data[k] + begin * strides[k];
      const char* computed = buffers[k];
      std::int64_t size = plan.compute_size[k];
      if (plan.cast[k] != nullptr) {
        const std::int64_t stored = call.dtypes[k].itemsize();
        char* const pair[] = {call.has_mask ? narrowed : out, buffers[k]};
        const std::int64_t pair_strides[] = {call.has_mask ? stored : strides[k], size};
        plan.cast[k](pair, pair_strides, count);
        if (!call.has_mask) continue;
        computed = narrowed;
        size = stored;
      }
      copy_masked(out, strides[k], computed, size, data[call.nargs] + begin * strides[call.nargs],
                  strides[call.nargs], count);
    }
  }
}

// One row of a long loop, its operands brought together a chunk at a time.
void run_gathered(const Plan& plan, char* const* data, const std::int64_t* strides,
                  std::int64_t n) {
  constexpr std::int64_t kPiece = 256;
  alignas(64) char buffers[ElementwiseCall::kMaxOperands][kPiece * kMaxItem];
  const ElementwiseCall& call = plan.call;
  for (std::int64_t begin = 0; begin < n; begin += kPiece) {
    const std::int64_t count = std::min(kPiece, n - begin);
    char* at[ElementwiseCall::kMaxOperands];
    std::int64_t step[ElementwiseCall::kMaxOperands];
    for (int k = 0; k < call.nargs; ++k) {
      at[k] = data[k] + begin * strides[k];
      step[k] = strides[k];
      if (strides[k] == plan.compute_size[k] || (k != 0 && strides[k] == 0)) continue;
      if (k != 0) {
        char* const pair[] = {buffers[k], at[k]};
        const std::int64_t pair_strides[] = {plan.compute_size[k], strides[k]};
        cast_loop(call.dtypes[k], call.dtypes[k])(pair, pair_strides, count);
      }
      at[k] = buffers[k];
      step[k] = plan.compute_size[k];
    }
    plan.loop(at, step, count);
    if (at[0] == buffers[0]) {
      char* const pair[] = {data[0] + begin * strides[0], buffers[0]};
      const std::int64_t pair_strides[] = {strides[0], plan.compute_size[0]};
      cast_loop(call.dtypes[0], call.dtypes[0])(pair, pair_strides, count);
    }
  }
}

// The same where the result does not stay in the caches: whole lines go past them, none of which is
// read before. Returns false where elements do not begin at lines, and with AVX-512: on the
// processors that have it here, stores through the caches were measured to be faster.
bool stream_first(char* out, std::int64_t size, std::int64_t all) {
  constexpr std::int64_t kLine = 64;
  const std::int64_t head =
      -static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(out)) & (kLine - 1);
  if (head % size != 0 || arch() == Arch::avx512) return false;
  alignas(kLine) char line[kLine];
  for (std::int64_t i = 0; i < kLine; i += size) {
    std::memcpy(line + i, out, static_cast<std::size_t>(size));
  }
  const std::int64_t end = head + (all - head) / kLine * kLine;
  std::memcpy(out, line, static_cast<std::size_t>(head));
  stream_lines(out + head, line, end - head);
  std::memcpy(out + end, line, static_cast<std::size_t>(all - end));
  return true;
}

// Copies the first of n contiguous elements to the others.
void fill_with_first(char* out, std::int64_t size, std::int64_t n) {
  const std::int64_t all = size * n;
  if (all >= stream_bytes() && stream_first(out, size, all)) return;
  if (std::all_of(out + 1, out + size, [&](char byte) { return byte == out[0]; })) {
    std::memset(out, out[0], static_cast<std::size_t>(all));
    return;
  }
  if (size <= 8) {
    // The loop that copies one number everywhere stores whole registers.
    constexpr dtype::Code kWords[] = {dtype::Code::uint16, dtype::Code::uint32,
                                      dtype::Code::uint64};
    const cupyxx::dtype word(kWords[size == 2 ? 0 : size == 4 ? 1 : 2]);
    char first[8];
    std::memcpy(first, out, static_cast<std::size_t>(size));
    char* const pair[] = {out, first};
    const std::int64_t strides[] = {size, 0};
    cast_loop(word, word)(pair, strides, n);
    return;
  }
  // Doubled up to a block, which is then copied from where it lies in the caches.
  constexpr std::int64_t kBlock = 4096;
  std::int64_t done = size;
  for (; done < all && done < kBlock; done *= 2) {
    copy_bytes(out + done, out, static_cast<std::size_t>(std::min(done, all - done)));
  }
  for (const std::int64_t block = done; done < all; done += block) {
    copy_bytes(out + done, out, static_cast<std::size_t>(std::min(block, all - done)));
  }
}

// A contiguous result that does not fit the caches: computed into a small buffer, then streamed.
void run_streamed(const Plan& plan, char* const* data, const std::int64_t* strides,
                  std::int64_t n) {
  const std::int64_t size = plan.compute_size[0];
  if (plan.stream != nullptr) {
    plan.stream(data, strides, n);
    return;
  }
  if (plan.call.op->copies && plan.call.dtypes[0] == plan.call.dtypes[1] && strides[1] == size) {
    // The longest by memmove, which reads from several pages at a time.
    constexpr std::int64_t kLongest = std::int64_t{32} << 20;
    const auto bytes = static_cast<std::size_t>(n * size);
    if (n * size >= kLongest) return copy_bytes(data[0], data[1], bytes);
    stream_store(data[0], data[1], bytes);
    stream_fence();
    return;
  }
  alignas(64) char buffer[2048];
  const std::int64_t chunk = static_cast<std::int64_t>(sizeof(buffer)) / size;
  char* at[ElementwiseCall::kMaxOperands];
  for (std::int64_t begin = 0; begin < n; begin += chunk) {
    const std::int64_t count = std::min(chunk, n - begin);
    for (int k = 1; k < plan.call.nargs; ++k) at[k] = data[k] + begin * strides[k];
    at[0] = buffer;
    plan.loop(at, strides, count);
    stream_store(data[0] + begin * size, buffer, static_cast<std::size_t>(count * size));
  }
  stream_fence();
}

void run_row(const Plan& plan, char* const* data, const std::int64_t* strides, std::int64_t n) {
  if (plan.streams) {
    run_streamed(plan, data, strides, n);
  } else if (plan.gathers && n >= plan.least_gathered) {
    run_gathered(plan, data, strides, n);
  } else if (plan.direct && plan.call.nargs == 2 && plan.call.nout == 1 && strides[1] == 0 &&
             strides[0] == plan.compute_size[0] && n * strides[0] >= 1024) {
    plan.loop(data, strides, 1);
    fill_with_first(data[0], strides[0], n);
  } else if (plan.direct) {
    plan.loop(data, strides, n);
  } else {
    run_buffered(plan, data, strides, n);
  }
}

// Elements [begin, end) in the order of the collapsed axes.
void run_range(const Plan& plan, std::int64_t begin, std::int64_t end) {
  const ElementwiseCall& call = plan.call;
  const int operands = call.operands();
  const int inner = call.ndim - 1;
  char* data[ElementwiseCall::kMaxOperands];
  std::int64_t strides[ElementwiseCall::kMaxOperands];
  std::int64_t index[kMaxNdim] = {};
  std::int64_t rest = begin;
  for (int axis = inner; axis >= 0; --axis) {
    index[axis] = rest % call.shape[axis];
    rest /= call.shape[axis];
  }
  for (int k = 0; k < operands; ++k) {
    data[k] = call.data[k];
    for (int axis = 0; axis <= inner; ++axis) data[k] += index[axis] * call.strides[k][axis];
    strides[k] = call.strides[k][inner];
  }
  for (std::int64_t done = begin; done < end;) {
    const std::int64_t n = std::min(call.shape[inner] - index[inner], end - done);
    run_row(plan, data, strides, n);
    done += n;
    // Step to the start of the next row.
    for (int k = 0; k < operands; ++k) data[k] -= index[inner] * strides[k];
    index[inner] = 0;
    for (int axis = inner - 1; axis >= 0; --axis) {
      for (int k = 0; k < operands; ++k) data[k] += call.strides[k][axis];
      if (++index[axis] < call.shape[axis]) break;
      for (int k = 0; k < operands; ++k) data[k] -= call.shape[axis] * call.strides[k][axis];
      index[axis] = 0;
    }
  }
}

void run(const ElementwiseCall& call) {
  const Plan plan(call);
  if (call.ndim == 0) {
    const std::int64_t strides[ElementwiseCall::kMaxOperands] = {};
    run_row(plan, call.data, strides, 1);
    return;
  }
  if (plan.direct && joins_short_rows(call)) {
    const std::int64_t extent = call.shape[call.ndim - 1];
    parallel_for(
        call.size / extent, std::max<std::int64_t>(1, kGrain / extent),
        [&](std::int64_t begin, std::int64_t end) { run_joined(call, plan.loop, begin, end); });
    return;
  }
  parallel_for(call.size, kGrain,
               [&](std::int64_t begin, std::int64_t end) { run_range(plan, begin, end); });
}

}  // namespace

LoopFn stream_loop(const OpInfo& op, dtype type, Arch arch) {
  return with_arch(arch, [&]<Arch kArch>() { return StreamLoops<kArch>::find(op, type); });
}

void run_elementwise(const ElementwiseCall& call) {
  if (copy_transposed(call) || copy_repeated(call) || copy_short_rows(call)) return;
  ElementwiseCall blocks;
  ElementwiseCall rest;
  if (split_transposed(call, blocks, rest)) {
    run(blocks);
    if (rest.size != 0) run(rest);
  } else {
    run(call);
  }
}

}  // namespace cupyxx::internal::cpu
