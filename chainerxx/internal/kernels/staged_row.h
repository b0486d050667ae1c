// SPDX-License-Identifier: MIT
// Device-safe. Rows too long for the registers of a block, which wait in shared memory between
// passes over them. A thread reads back the packs that it copied itself, so that nobody waits for
// anybody; and where it has used one for the last time, it starts the copy of the same pack of its
// block's next row: memory is read while results are written.
#pragma once

#include "chainerxx/internal/kernels/row.h"

namespace chainerxx::internal::kernels {

#if defined(__CUDACC__)
/// The launch's shared memory.
template <class V>
CUPYXX_FN V* shared_memory() {
#if defined(__CUDA_ARCH__)
  extern __shared__ double memory[];
#else
  static double memory[8 << 10];  // where tests run blocks one after the other
#endif
  return reinterpret_cast<V*>(memory);
}

/// Copies 16 bytes into shared memory; they are there after await_own_copies().
template <class P>
CUPYXX_FN void start_copy(P* to, const P* from) {
  static_assert(sizeof(P) == 16);
#if defined(__CUDA_ARCH__)
  const auto address = static_cast<unsigned>(__cvta_generic_to_shared(to));
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(address), "l"(from) : "memory");
#else
  *to = *from;
#endif
}
CUPYXX_FN void await_own_copies() {
#if defined(__CUDA_ARCH__)
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

/// The packs and the edge element of one row after another that a thread of the block has.
template <class T>
struct StagedRow {
  using C = Compute<T>;
  static constexpr int kWidth = kPackWidth<T>;

  Pack<T, kWidth>* memory;  // as many packs as a row has
  RowCut<T> cut;
  C edge;  // of the threads with has_edge()

  /// Starts to copy a row of n elements.
  CUPYXX_FN StagedRow(Pack<T, kWidth>* the_memory, const T* row, long n)
      : memory(the_memory), cut(row, n), edge(0) {
    for (int p = first(); p < cut.packs; p += step()) copy(row, cut, p);
    load_edge(row);
  }

  static CUPYXX_FN int first() { return static_cast<int>(threadIdx.x); }
  static CUPYXX_FN int step() { return static_cast<int>(blockDim.x); }
  CUPYXX_FN bool has_edge() const { return first() < cut.edges; }
  CUPYXX_FN int edge_place() const { return cut.edge_place(first()); }

  /// Calls `body(elements)` for the packs, when they are there.
  template <class Body>
  CUPYXX_FN void for_packs(Body&& body) {
    await_own_copies();
    for (int p = first(); p < cut.packs; p += step()) {
      C value[kWidth];
      read(p, value);
      body(value);
    }
  }

  /// Says which row of n elements follows; null for none.
  CUPYXX_FN void announce(const T* row, long n) {
    next_ = row;
    after_ = RowCut<T>(row, row != nullptr ? n : 0);
  }
  CUPYXX_FN void read(int p, C (&value)[kWidth]) const {
    const Pack<T, kWidth> pack = memory[p];
#pragma unroll
    for (int i = 0; i < kWidth; ++i) value[i] = static_cast<C>(pack.x[i]);
  }
  /// Makes room of a pack that is not read again for that of the row that was announced.
  CUPYXX_FN void leave(int p) {
    if (p < after_.packs) copy(next_, after_, p);
  }
  /// Goes on to the row that was announced, when all packs have been left.
  CUPYXX_FN void go_on() {
    const int left = cut.packs - first();
    const int begin = left > 0 ? first() + (left + step() - 1) / step() * step() : first();
    for (int p = begin; p < after_.packs; p += step()) copy(next_, after_, p);
    cut = after_;
    edge = 0;
    if (next_ != nullptr) load_edge(next_);
  }

 private:
  CUPYXX_FN void copy(const T* row, const RowCut<T>& of, int p) {
    start_copy(memory + p, &pack_at<T, kWidth>(row, of.pack_begin(p)));
  }
  CUPYXX_FN void load_edge(const T* row) {
    if (has_edge()) edge = static_cast<C>(row[edge_place()]);
  }
  const T* next_ = nullptr;
  RowCut<T> after_{nullptr, 0};
};
#endif

}  // namespace chainerxx::internal::kernels
