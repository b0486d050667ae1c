// SPDX-License-Identifier: MIT
// Device-safe. Adds gradients of embeddings to the rows of a matrix where they came from, for few
// ids: a block for each, of which the first with an id takes the rows of all that follow, in order.
#pragma once

#include "chainerxx/internal/kernels/types.h"
#include "cupyxx/extension/error_word.h"

namespace chainerxx::internal::kernels {

struct EmbedArgs {
  const void* ids;  // int32 or int64; negative ones count from the end
  const void* gy;   // ids x units
  void* gW;         // words x units
  long count;
  long words;
  long units;
  long ignored;
  int ignores;
  int wide_ids;
  cupyxx::extension::ErrorWord* error;
  unsigned operation;
};

#if defined(__CUDACC__)
/// An id as a row; -1 for those that have none.
CUPYXX_FN long embedded_row(const EmbedArgs& args, long i) {
  const long id =
      args.wide_ids ? static_cast<const long*>(args.ids)[i] : static_cast<const int*>(args.ids)[i];
  if (args.ignores && id == args.ignored) return -1;
  const long row = id < 0 ? id + args.words : id;
  return row >= 0 && row < args.words ? row : -1;
}

CUPYXX_FN void report_id(const EmbedArgs& args, long i) {
  const long id =
      args.wide_ids ? static_cast<const long*>(args.ids)[i] : static_cast<const int*>(args.ids)[i];
  if (args.ignores && id == args.ignored) return;
  report(args.error, cupyxx::extension::kIndexOutOfRange, args.operation, id, args.words);
}

/// Whether an id before number i has the same row; all lanes of a warp look.
CUPYXX_FN bool is_repeated(const EmbedArgs& args, long i, long row) {
  int repeated = 0;
  for (long j = threadIdx.x % 32; j < i; j += 32) repeated |= embedded_row(args, j) == row;
  return warp_max(repeated) != 0;
}

/// Calls `body(j)` for the ids from number i on that have the row, in order.
template <class Body>
CUPYXX_FN void for_same(const EmbedArgs& args, long i, long row, Body&& body) {
  const unsigned lane = threadIdx.x % 32;
  for (long begin = i; begin < args.count; begin += 32) {
    const long j = begin + lane;
    const bool same = j < args.count && embedded_row(args, j) == row;
    for (unsigned left = warp_sum(same ? 1u << lane : 0u); left != 0; left &= left - 1) {
      body(begin + __popc((left & (0u - left)) - 1));
    }
  }
}

template <class T>
CUPYXX_FN void embed_grad(const EmbedArgs& args) {
  using C = Compute<T>;
  constexpr int kColumns = 4;  // of a thread
  const T* const gy = static_cast<const T*>(args.gy);
  for (long i = blockIdx.x; i < args.count; i += gridDim.x) {
    const long row = embedded_row(args, i);
    if (row < 0) {
      if (threadIdx.x == 0) report_id(args, i);
      continue;
    }
    if (is_repeated(args, i, row)) continue;
    T* const to = static_cast<T*>(args.gW) + row * args.units;
    const long step = blockDim.x;
    for (long first = threadIdx.x; first - static_cast<long>(threadIdx.x) < args.units;
         first += kColumns * step) {
      C sums[kColumns] = {};
      for_same(args, i, row, [&](long j) {
#pragma unroll
        for (int k = 0; k < kColumns; ++k) {
          const long column = first + k * step;
          if (column < args.units) sums[k] += static_cast<C>(gy[j * args.units + column]);
        }
      });
#pragma unroll
      for (int k = 0; k < kColumns; ++k) {
        const long column = first + k * step;
        if (column < args.units) to[column] = T(static_cast<C>(to[column]) + sums[k]);
      }
    }
  }
}
#endif

}  // namespace chainerxx::internal::kernels
