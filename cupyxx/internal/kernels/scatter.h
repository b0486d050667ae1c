// SPDX-License-Identifier: MIT
// Device-safe. Writing through index arrays: row numbers from index arrays, rows of elements to
// their places, operations at places that occur several times. The host's side is
// internal/gpu/scatter/scatter.cc.
#pragma once

#include "cupyxx/internal/kernels/elementwise.h"

namespace cupyxx::internal::kernels {

inline constexpr int kScatterRank = 32;  // axes of an array
inline constexpr int kIndexArrays = 8;   // of one index list
inline constexpr int kTailPieces = 512;  // neighbours that one thread combines
inline constexpr i64 kNoRow = -9223372036854775807L - 1;

/// rows[e] = number of the row that the index arrays name, in the C order of the indexed axes.
struct CombineArgs {
  const i64* index[kIndexArrays];
  i64 stride[kIndexArrays][kScatterRank];  // elements; of the arrays' common shape
  i64 bound[kIndexArrays];                 // extents of the indexed axes
  i64 extent[kScatterRank];
  i64* rows;
  i64 size;
  ErrorWord* error;
  u32 operation;
  int rank;
  int count;
};

/// Where element number e lies: bytes from the first one.
struct ScatterLayout {
  i64 extent[kScatterRank];
  i64 stride[kScatterRank];
  int rank;
};

enum class Winner : int {
  any,     // all values for a place are the same, or there is one
  noted,   // mark[row] is one more than the last occurrence
  sorted,  // rows are sorted, order[j] is the occurrence; the last of a run wins
};

/// Copies row i of the values to row rows[i] of the target, in units of 1 to 16 bytes.
struct ScatterArgs {
  char* target;
  const char* values;
  const i64* rows;
  const i64* order;
  u64* mark;
  i64 n;
  i64 inner;       // units of a row
  i64 value_step;  // units from one row of values to the next; 0 when all are the same
  Winner winner;
  ScatterLayout row;
  ScatterLayout rest;
};

/// target[rows[i]] = op(target[rows[i]], operand[i]) for each i in order.
struct AtArgs {
  char* target;
  const void* operands;
  void* tails;
  const i64* rows;   // sorted, except where order does not matter
  const i64* order;  // the occurrences of the sorted rows
  i64 n;
  i64 inner;         // elements of a row
  i64 operand_step;  // elements; 0 when all rows are the same
  ScatterLayout row;
  ScatterLayout rest;
};

/// out[positions[i]] += 1.
struct CountArgs {
  const i64* positions;
  unsigned long long* out;
  i64 n;
};

#if defined(__CUDACC__) || defined(CUPYXX_EMULATED_DEVICE)

CUPYXX_FN i64 first_element() { return static_cast<i64>(blockIdx.x) * blockDim.x + threadIdx.x; }
CUPYXX_FN i64 element_step() { return static_cast<i64>(gridDim.x) * blockDim.x; }

CUPYXX_FN i64 place_of(const ScatterLayout& layout, i64 element) {
  i64 offset = 0;
  for (int axis = layout.rank - 1; axis > 0; --axis) {
    const i64 outer =
        static_cast<i64>(static_cast<u64>(element) / static_cast<u64>(layout.extent[axis]));
    offset += (element - outer * layout.extent[axis]) * layout.stride[axis];
    element = outer;
  }
  return layout.rank == 0 ? 0 : offset + element * layout.stride[0];
}

CUPYXX_FN void combine_rows(const CombineArgs& args) {
  for (i64 e = first_element(); e < args.size; e += element_step()) {
    i64 offset[kIndexArrays] = {};
    i64 element = e;
    for (int axis = args.rank - 1; axis >= 0; --axis) {
      const i64 outer = element / args.extent[axis];
      const i64 at = element - outer * args.extent[axis];
#pragma unroll
      for (int k = 0; k < kIndexArrays; ++k) {
        if (k < args.count) offset[k] += at * args.stride[k][axis];
      }
      element = outer;
    }
    i64 row = 0;
#pragma unroll
    for (int k = 0; k < kIndexArrays; ++k) {
      if (k >= args.count) break;
      const i64 index = args.index[k][offset[k]];
      const i64 bound = args.bound[k];
      if (index < -bound || index >= bound) {
        report(args.error, kIndexOutOfRange, args.operation, index, bound);
        row = kNoRow;
        break;
      }
      row = row * bound + (index < 0 ? index + bound : index);
    }
    args.rows[e] = row;
  }
}

/// Notes for each row which occurrence is the last.
CUPYXX_FN void note_winners(const ScatterArgs& args) {
  for (i64 i = first_element(); i < args.n; i += element_step()) {
    const i64 row = args.rows[i];
    if (row < 0) continue;
    atomicMax(reinterpret_cast<unsigned long long*>(args.mark) + row,
              static_cast<unsigned long long>(i) + 1);
  }
}

template <class Unit>
CUPYXX_FN void scatter(const ScatterArgs& args) {
  const i64 size = args.n * args.inner;
  for (i64 e = first_element(); e < size; e += element_step()) {
    const i64 j = args.inner == 1 ? e : e / args.inner;
    const i64 row = args.rows[j];
    if (row < 0) continue;
    i64 i = j;
    if (args.winner == Winner::noted) {
      if (args.mark[row] != static_cast<u64>(j) + 1) continue;
    } else if (args.winner == Winner::sorted) {
      if (j + 1 < args.n && args.rows[j + 1] == row) continue;
      i = args.order[j];
    }
    const i64 r = e - j * args.inner;
    char* to = args.target + place_of(args.row, row) + place_of(args.rest, r);
    *reinterpret_cast<Unit*>(to) =
        reinterpret_cast<const Unit*>(args.values)[i * args.value_step + r];
  }
}

template <class U>
CUPYXX_FN U operand_at(const AtArgs& args, i64 j, i64 r) {
  return static_cast<const U*>(args.operands)[args.order[j] * args.operand_step + r];
}

/// Of operations that may combine their operands first: what the occurrences from each multiple of
/// kTailPieces to the next, or to the end of the run, come to. Only inside of runs.
template <class T, class Op>
CUPYXX_FN void at_tails(const AtArgs& args) {
  const i64 size = (args.n + kTailPieces - 1) / kTailPieces * args.inner;
  for (i64 e = first_element(); e < size; e += element_step()) {
    const i64 piece = e / args.inner, r = e - piece * args.inner;
    i64 j = piece * kTailPieces;
    const i64 row = args.rows[j], end = j + kTailPieces < args.n ? j + kTailPieces : args.n;
    if (j == 0 || row < 0 || args.rows[j - 1] != row) continue;
    T result = operand_at<T>(args, j, r);
    for (++j; j < end && args.rows[j] == row; ++j) {
      result = Op::apply(result, operand_at<T>(args, j, r));
    }
    static_cast<T*>(args.tails)[e] = result;
  }
}

/// One thread for each run of equal rows and each element of a row.
template <class T, class U, class Op>
CUPYXX_FN void at_runs(const AtArgs& args) {
  const i64 size = args.n * args.inner;
  for (i64 e = first_element(); e < size; e += element_step()) {
    i64 j = args.inner == 1 ? e : e / args.inner;
    const i64 r = e - j * args.inner, row = args.rows[j];
    if (row < 0 || (j > 0 && args.rows[j - 1] == row)) continue;
    T* target =
        reinterpret_cast<T*>(args.target + place_of(args.row, row) + place_of(args.rest, r));
    T result = *target;
    const T* tails = static_cast<const T*>(args.tails);
    const i64 own = j / kTailPieces;
    while (j < args.n && args.rows[j] == row) {
      if (tails != nullptr && j % kTailPieces == 0 && j / kTailPieces != own) {
        result = Op::combine(result, tails[j / kTailPieces * args.inner + r]);
        j += kTailPieces;
      } else {
        result = Op::apply(result, operand_at<U>(args, j, r));
        ++j;
      }
    }
    *target = result;
  }
}

/// The same for additions in whatever order the threads come.
template <class T>
CUPYXX_FN void add_atomically(const AtArgs& args) {
  const i64 size = args.n * args.inner;
  for (i64 e = first_element(); e < size; e += element_step()) {
    const i64 j = args.inner == 1 ? e : e / args.inner;
    const i64 r = e - j * args.inner, row = args.rows[j];
    if (row < 0) continue;
    atomicAdd(reinterpret_cast<T*>(args.target + place_of(args.row, row) + place_of(args.rest, r)),
              static_cast<const T*>(args.operands)[j * args.operand_step + r]);
  }
}

CUPYXX_FN void count_positions(const CountArgs& args) {
  for (i64 i = first_element(); i < args.n; i += element_step()) {
    atomicAdd(args.out + args.positions[i], 1ull);
  }
}

#endif

}  // namespace cupyxx::internal::kernels
