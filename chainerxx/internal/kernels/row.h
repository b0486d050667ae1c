// SPDX-License-Identifier: MIT
// Device-safe. Rows of a matrix that a warp or a block keeps in registers between its passes, so
// that each element is read from memory once; of rows too long for that the last part is kept and
// the others are read again.
#pragma once

#include "chainerxx/internal/kernels/pack.h"

namespace chainerxx::internal::kernels {

/// 16-byte packs of a row that a thread keeps.
template <class T>
inline constexpr int kHeldPacks = sizeof(T) == 2 ? 4 : 8;

#if defined(__CUDACC__)
/// The threads that share a row: a warp, or a block.
template <bool kWarp>
struct RowGroup {
  static CUPYXX_FN int size() { return kWarp ? 32 : static_cast<int>(blockDim.x); }
  static CUPYXX_FN int lane() { return static_cast<int>(kWarp ? threadIdx.x % 32 : threadIdx.x); }
  static CUPYXX_FN long first() { return kWarp ? global_thread() / 32 : blockIdx.x; }
  static CUPYXX_FN long count() { return kWarp ? global_threads() / 32 : gridDim.x; }
  template <class V>
  static CUPYXX_FN V sum(V value) {
    if constexpr (kWarp) return warp_sum(value);
    return block_sum(value);
  }
  template <class V>
  static CUPYXX_FN V max(V value) {
    if constexpr (kWarp) return warp_max(value);
    return block_max(value);
  }
};

/// How a row lies over aligned packs: fewer elements than a pack stand before the first one and
/// behind the last one, its edges.
template <class T>
struct RowCut {
  static constexpr int kWidth = kPackWidth<T>;
  int head, packs, edges;

  CUPYXX_FN RowCut(const T* row, long n) {
    const long misplaced = reinterpret_cast<unsigned long>(row) / sizeof(T) % kWidth;
    const long before = misplaced == 0 ? 0 : kWidth - misplaced;
    head = static_cast<int>(before < n ? before : n);
    packs = static_cast<int>(n - head) / kWidth;
    edges = static_cast<int>(n) - packs * kWidth;
  }
  /// The first element of a pack, and the element of an edge.
  CUPYXX_FN int pack_begin(int pack) const { return head + pack * kWidth; }
  CUPYXX_FN int edge_place(int edge) const { return edge < head ? edge : packs * kWidth + edge; }
};

/// What one thread sees of a part of a row: every size()-th pack, and in the last part one element
/// of the edges.
template <class T, bool kWarp, int kPacks = kHeldPacks<T>>
struct RowTile {
  using C = Compute<T>;
  using G = RowGroup<kWarp>;
  static constexpr int kWidth = kPackWidth<T>;
  C value[kPacks][kWidth];
  C edge = 0;

  static CUPYXX_FN int count(const RowCut<T>& cut) {
    const int packs = kPacks * G::size();
    return cut.packs <= packs ? 1 : (cut.packs + packs - 1) / packs;
  }

  /// Part `tile` of the row; `padding` where the row has no element.
  CUPYXX_FN void load(const T* row, const RowCut<T>& cut, int tile, C padding) {
    Pack<T, kWidth> packs[kPacks] = {};
#pragma unroll
    for (int k = 0; k < kPacks; ++k) {
      const int pack = (tile * kPacks + k) * G::size() + G::lane();
      if (pack < cut.packs) packs[k] = pack_at<T, kWidth>(row, cut.pack_begin(pack));
    }
    edge = padding;
    if (has_edge(cut, tile)) edge = static_cast<C>(row[cut.edge_place(G::lane())]);
#pragma unroll
    for (int k = 0; k < kPacks; ++k) {
      const bool inside = (tile * kPacks + k) * G::size() + G::lane() < cut.packs;
#pragma unroll
      for (int i = 0; i < kWidth; ++i) {
        value[k][i] = inside ? static_cast<C>(packs[k].x[i]) : padding;
      }
    }
  }

  CUPYXX_FN void store(T* row, const RowCut<T>& cut, int tile) {
    for_packs(cut, tile, [&](const C(&elements)[kWidth], int place) {
      Pack<T, kWidth> out;
#pragma unroll
      for (int i = 0; i < kWidth; ++i) out.x[i] = T(elements[i]);
      store_pack(row, place, out);
    });
    if (has_edge(cut, tile)) row[cut.edge_place(G::lane())] = T(edge);
  }

  /// Calls `body(element)` for all elements, those of the padding too.
  template <class Body>
  CUPYXX_FN void for_each(Body&& body) {
#pragma unroll
    for (int k = 0; k < kPacks; ++k) {
#pragma unroll
      for (int i = 0; i < kWidth; ++i) body(value[k][i]);
    }
    body(edge);
  }

  /// Calls `body(element, element of another tile)` for all elements.
  template <class Body>
  CUPYXX_FN void for_each_with(RowTile& other, Body&& body) {
#pragma unroll
    for (int k = 0; k < kPacks; ++k) {
#pragma unroll
      for (int i = 0; i < kWidth; ++i) body(value[k][i], other.value[k][i]);
    }
    body(edge, other.edge);
  }

  /// Calls `body(elements, place)` for the packs that the row has.
  template <class Body>
  CUPYXX_FN void for_packs(const RowCut<T>& cut, int tile, Body&& body) {
#pragma unroll
    for (int k = 0; k < kPacks; ++k) {
      const int pack = (tile * kPacks + k) * G::size() + G::lane();
      if (pack < cut.packs) body(value[k], cut.pack_begin(pack));
    }
  }

  /// Calls `body(elements, elements of another tile, place)` for the packs of the first part.
  template <class Body>
  CUPYXX_FN void for_packs_with(RowTile& other, const RowCut<T>& cut, Body&& body) {
#pragma unroll
    for (int k = 0; k < kPacks; ++k) {
      const int pack = k * G::size() + G::lane();
      if (pack < cut.packs) body(value[k], other.value[k], cut.pack_begin(pack));
    }
  }

  /// Adds to the element at a place of the row, if it is this thread's.
  CUPYXX_FN void add_at(const RowCut<T>& cut, int tile, long place, C what) {
    for_packs(cut, tile, [&](C(&elements)[kWidth], int begin) {
      if (place < begin || place >= begin + kWidth) return;
#pragma unroll
      for (int i = 0; i < kWidth; ++i) elements[i] += begin + i == place ? what : C(0);
    });
    if (has_edge(cut, tile) && cut.edge_place(G::lane()) == place) edge += what;
  }

 private:
  static CUPYXX_FN bool has_edge(const RowCut<T>& cut, int tile) {
    return G::lane() < cut.edges && tile == count(cut) - 1;
  }
};
#endif

}  // namespace chainerxx::internal::kernels
