// SPDX-License-Identifier: MIT
// Device-safe. Adds gradients of embeddings to the rows of a matrix where they came from, always in
// the same order. Few ids: a block for each, of which the first with an id takes the rows of all
// that follow. Many: their places are sorted by ids, blocks add up the rows of a piece of that
// order, and where an id goes on over several pieces their sums are added afterwards.
#pragma once

#include "chainerxx/internal/kernels/pack.h"
#include "cupyxx/extension/error_word.h"

namespace chainerxx::internal::kernels {

struct EmbedArgs {
  const void* ids;  // int32 or int64; negative ones count from the end
  const void* gy;   // ids x units
  void* gW;         // words x units, of the type of the computation
  long count;
  long words;
  long units;
  long ignored;
  int ignores;
  int wide_ids;
  cupyxx::extension::ErrorWord* error;
  unsigned operation;
  int* keys = nullptr;          // of many: the row of each id, `words` for those that have none
  const long* order = nullptr;  // the places of ids, sorted by keys
  void* sums = nullptr;         // pieces x 2 x units: of the first id and of the last one of a
                                // piece, where they have more in the piece before or behind it
};

/// Ids in a piece of the order.
inline constexpr int kEmbedPiece = 16;

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
    C* const to = static_cast<C*>(args.gW) + row * args.units;
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
        if (column < args.units) to[column] += sums[k];
      }
    }
  }
}

CUPYXX_FN void embed_keys(const EmbedArgs& args) {
  for (long i = global_thread(); i < args.count; i += global_threads()) {
    const long row = embedded_row(args, i);
    if (row < 0) report_id(args, i);
    args.keys[i] = static_cast<int>(row < 0 ? args.words : row);
  }
}

/// A piece of the order of ids as its block sees it.
struct EmbedPiece {
  const EmbedArgs& args;
  long begin, end;

  CUPYXX_FN EmbedPiece(const EmbedArgs& the_args, long number)
      : args(the_args), begin(number * kEmbedPiece) {
    end = begin + kEmbedPiece < args.count ? begin + kEmbedPiece : args.count;
  }
  CUPYXX_FN int key(long i) const { return args.keys[args.order[i]]; }
  /// Whether the first id has more in the piece before, and the last one in the piece behind.
  CUPYXX_FN bool is_continued() const { return begin > 0 && key(begin - 1) == key(begin); }
  CUPYXX_FN bool goes_on() const { return end < args.count && key(end - 1) == key(end); }
  CUPYXX_FN bool is_of_one() const { return key(begin) == key(end - 1); }
};

/// What a block knows of its piece, read once.
struct EmbedPlan {
  long place[kEmbedPiece];
  int key[kEmbedPiece];
  int continued, goes_on;
};

/// Adds up columns [column, column + kWidth) of a piece.
template <class T, int kWidth>
CUPYXX_FN void embed_columns(const EmbedArgs& args, const EmbedPlan& plan, int ids, long number,
                             long column) {
  using C = Compute<T>;
  constexpr int kAtOnce = 8;
  Pack<C, kWidth> sum{};
  int run = 0;  // where the ids of the sum begin
  const auto put = [&](int end) {
    const int key = plan.key[run];
    if (key < args.words) {
      if (run == 0 && plan.continued) {
        store_pack(args.sums, 2 * number * args.units + column, sum);
      } else if (end == ids && plan.goes_on) {
        store_pack(args.sums, (2 * number + 1) * args.units + column, sum);
      } else {
        const long at = key * args.units + column;
        Pack<C, kWidth> total = pack_at<C, kWidth>(args.gW, at);
#pragma unroll
        for (int i = 0; i < kWidth; ++i) total.x[i] += sum.x[i];
        store_pack(args.gW, at, total);
      }
    }
    run = end;
    sum = Pack<C, kWidth>{};
  };
  for (int first = 0; first < ids; first += kAtOnce) {
    Pack<T, kWidth> packs[kAtOnce];
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      if (first + k < ids) {
        packs[k] = pack_at<T, kWidth>(args.gy, plan.place[first + k] * args.units + column);
      }
    }
#pragma unroll
    for (int k = 0; k < kAtOnce; ++k) {
      if (first + k >= ids) break;
      if (plan.key[first + k] != plan.key[run]) put(first + k);
#pragma unroll
      for (int i = 0; i < kWidth; ++i) sum.x[i] += static_cast<C>(packs[k].x[i]);
    }
  }
  put(ids);
}

/// Calls `body(column)` for the columns of a block's thread, kWidth apart.
template <int kWidth, class Body>
CUPYXX_FN void for_columns(long units, Body&& body) {
  for (long column = threadIdx.x * kWidth; column < units; column += blockDim.x * kWidth) {
    body(column);
  }
}

/// Whether all rows of gy, gW and the sums begin on packs.
template <class T>
CUPYXX_FN bool embed_is_packed(const EmbedArgs& args) {
  const unsigned long bits =
      reinterpret_cast<unsigned long>(args.gy) | reinterpret_cast<unsigned long>(args.gW);
  return bits % 16 == 0 && args.units % kPackWidth<T> == 0;
}

/// A block for each piece.
template <class T>
CUPYXX_FN void embed_pieces(const EmbedArgs& args) {
  __shared__ EmbedPlan plan;
  const long number = blockIdx.x;
  const EmbedPiece piece(args, number);
  const int ids = static_cast<int>(piece.end - piece.begin);
  const int thread = static_cast<int>(threadIdx.x);
  if (thread < ids) {
    plan.place[thread] = args.order[piece.begin + thread];
    plan.key[thread] = args.keys[plan.place[thread]];
  }
  if (thread == 0) {
    plan.continued = piece.is_continued();
    plan.goes_on = piece.goes_on();
  }
  __syncthreads();
  constexpr int kWidth = kPackWidth<T>;
  if (embed_is_packed<T>(args)) {
    for_columns<kWidth>(args.units, [&](long column) {
      embed_columns<T, kWidth>(args, plan, ids, number, column);
    });
  } else {
    for_columns<1>(args.units,
                   [&](long column) { embed_columns<T, 1>(args, plan, ids, number, column); });
  }
}

/// The sums of ids that go on over several pieces, in the block of the piece where they begin.
template <class T>
CUPYXX_FN void embed_continued(const EmbedArgs& args) {
  using C = Compute<T>;
  constexpr long kAtOnce = 8;
  const long number = blockIdx.x;
  const EmbedPiece piece(args, number);
  const int key = piece.key(piece.end - 1);
  if (key >= args.words || !piece.goes_on()) return;
  if (piece.is_of_one() && piece.is_continued()) return;
  // The first place behind the id's last one.
  long low = piece.end, high = args.count;
  while (low < high) {
    const long middle = (low + high) / 2;
    if (piece.key(middle) == key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const long last = (low - 1) / kEmbedPiece;
  const C* const sums = static_cast<const C*>(args.sums);
  C* const to = static_cast<C*>(args.gW) + key * args.units;
  for_columns<1>(args.units, [&](long column) {
    C sum = sums[(2 * number + 1) * args.units + column];
    for (long first = number + 1; first <= last; first += kAtOnce) {
      C part[kAtOnce];
#pragma unroll
      for (long k = 0; k < kAtOnce; ++k) {
        part[k] = first + k <= last ? sums[2 * (first + k) * args.units + column] : C(0);
      }
#pragma unroll
      for (long k = 0; k < kAtOnce; ++k) sum += part[k];
    }
    to[column] += sum;
  });
}
#endif

}  // namespace chainerxx::internal::kernels
