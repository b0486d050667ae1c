// SPDX-License-Identifier: MIT
// Device-safe. Layer normalisation of rows that lie on 16-byte packs: each element is read once,
// and the gradients of gamma and beta come from the pass over the rows that makes the gradient of
// x.
#pragma once

#include "chainerxx/internal/kernels/layer_norm.h"
#include "chainerxx/internal/kernels/staged_row.h"
#include "chainerxx/internal/kernels/sum_of_parts.h"

namespace chainerxx::internal::kernels {

#if defined(__CUDACC__)
/// Mean and 1 / sqrt(var + eps) of a row from the sums of the distances from `shift` and of their
/// squares; kept in `moments`.
template <class G, class C>
CUPYXX_FN void layer_norm_moments(const LayerNormArgs& args, long row, C shift, double a, double b,
                                  C& mean, C& inv_std) {
  a = G::sum(a) / static_cast<double>(args.columns);
  b = G::sum(b) / static_cast<double>(args.columns) - a * a;
  const double center = static_cast<double>(shift) + a;
  const double inverse = 1 / m::sqrt((b > 0 || b != b ? b : 0) + args.eps);
  if (G::lane() == 0) {
    args.moments[2 * row] = center;
    args.moments[2 * row + 1] = inverse;
  }
  mean = static_cast<C>(center);
  inv_std = static_cast<C>(inverse);
}

/// Part t of a row, scaled and shifted.
template <class T, bool kWarp, class C = Compute<T>>
CUPYXX_FN void layer_norm_store(const LayerNormArgs& args, long row, const RowCut<T>& cut,
                                RowTile<T, kWarp>& tile, int t, C mean, C inv_std) {
  constexpr int kWidth = kPackWidth<T>;
  T* const y = static_cast<T*>(args.out) + row * args.columns;
  tile.for_packs(cut, t, [&](C(&v)[kWidth], int place) {
    const auto gamma = pack_at<C, kWidth>(args.gamma, place);
    const auto beta = pack_at<C, kWidth>(args.beta, place);
    Pack<T, kWidth> out;
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      out.x[i] = T((v[i] - mean) * inv_std * gamma.x[i] + beta.x[i]);
    }
    store_pack(y, place, out);
  });
}

template <class T, bool kWarp>
CUPYXX_FN void layer_norm_row(const LayerNormArgs& args) {
  using C = Compute<T>;
  using G = RowGroup<kWarp>;
  const long n = args.columns;
#pragma unroll 1
  for (long row = G::first(); row < args.rows; row += G::count()) {
    const T* const x = static_cast<const T*>(args.x) + row * n;
    const RowCut<T> cut(x, n);
    RowTile<T, kWarp> tile;
    const int last = tile.count(cut) - 1;
    // Distances from the first element, so that a large mean does not cancel the variance.
    const C shift = static_cast<C>(x[0]);
    double a = 0, b = 0;
#pragma unroll 1
    for (int t = 0; t <= last; ++t) {
      tile.load(x, cut, t, shift);
      C sum = 0, squares = 0;
      tile.for_each([&](C& v) {
        const C distance = v - shift;
        sum += distance;
        squares += distance * distance;
      });
      a += static_cast<double>(sum);
      b += static_cast<double>(squares);
    }
    C mean, inv_std;
    layer_norm_moments<G>(args, row, shift, a, b, mean, inv_std);
#pragma unroll 1
    for (int t = last; t >= 0; --t) {
      if (t != last) tile.load(x, cut, t, C(0));
      layer_norm_store<T, kWarp>(args, row, cut, tile, t, mean, inv_std);
    }
  }
}

/// sum = x + other, and that normalised as it is stored; for rows that fit into one tile.
template <class T, bool kWarp>
CUPYXX_FN void add_layer_norm_row(const LayerNormArgs& args) {
  using C = Compute<T>;
  using G = RowGroup<kWarp>;
  constexpr int kWidth = kPackWidth<T>;
  const long n = args.columns;
#pragma unroll 1
  for (long row = G::first(); row < args.rows; row += G::count()) {
    const T* const x = static_cast<const T*>(args.x) + row * n;
    const T* const other = static_cast<const T*>(args.other) + row * n;
    T* const to = static_cast<T*>(args.sum) + row * n;
    const RowCut<T> cut(x, n);
    RowTile<T, kWarp> tile, added;
    tile.load(x, cut, 0, C(0));
    added.load(other, cut, 0, C(0));
    const C shift = static_cast<C>(T(static_cast<C>(x[0]) + static_cast<C>(other[0])));
    C sum = 0, squares = 0;
    tile.for_packs_with(added, cut, [&](C(&v)[kWidth], C(&w)[kWidth], int place) {
      Pack<T, kWidth> out;
#pragma unroll
      for (int i = 0; i < kWidth; ++i) {
        out.x[i] = T(v[i] + w[i]);
        v[i] = static_cast<C>(out.x[i]);
        const C distance = v[i] - shift;
        sum += distance;
        squares += distance * distance;
      }
      store_pack(to, place, out);
    });
    C mean, inv_std;
    layer_norm_moments<G>(args, row, shift, static_cast<double>(sum), static_cast<double>(squares),
                          mean, inv_std);
    layer_norm_store<T, kWarp>(args, row, cut, tile, 0, mean, inv_std);
  }
}

/// The gradient by x, and the block's part of those by gamma and beta in `parts`. With kAdds,
/// `other` is added to the gradient by x. A block has blockDim.y rows at a time; each of the
/// blockDim.x threads of a row holds one pack of its columns, and in registers the sums of these
/// columns. blockDim.x is a multiple of 32, shared memory has room for blockDim.y x 2 x columns.
template <class T, bool kAdds>
CUPYXX_FN void layer_norm_grad_row(const LayerNormArgs& args) {
  using C = Compute<T>;
  constexpr int kWidth = kPackWidth<T>;
  __shared__ C
      partial[2][2][32];  // of the warps; in turns, so that one barrier for each row is enough
  const int n = static_cast<int>(args.columns), rows = static_cast<int>(args.rows);
  const int place = static_cast<int>(threadIdx.x) * kWidth;
  const int warps = static_cast<int>(blockDim.x) / 32;
  const int first_warp = static_cast<int>(threadIdx.y) * warps;
  const bool inside = place < n;
  const C share = C(1) / static_cast<C>(n);
  Pack<C, kWidth> gamma = {}, gbeta = {}, ggamma = {};
  if (inside) gamma = pack_at<C, kWidth>(args.gamma, place);
  const int step = static_cast<int>(gridDim.x * blockDim.y);
  const int first = static_cast<int>(blockIdx.x * blockDim.y);
  int row = first + static_cast<int>(threadIdx.y), turn = 0;
  long at = static_cast<long>(row) * n + place;
#pragma unroll 1
  for (int left = first < rows ? (rows - first + step - 1) / step : 0; left > 0; --left) {
    Pack<T, kWidth> x = {}, gy = {}, other = {};
    C mean = 0, inv_std = 0;
    if (row < rows) {
      if (inside) {
        x = pack_at<T, kWidth>(args.x, at);
        gy = pack_at<T, kWidth>(args.gy, at);
        if constexpr (kAdds) other = pack_at<T, kWidth>(args.other, at);
      }
      mean = static_cast<C>(args.moments[2 * row]);
      inv_std = static_cast<C>(args.moments[2 * row + 1]);
    }
    C v[kWidth], g[kWidth];
    C a = 0, b = 0;
#pragma unroll
    for (int i = 0; i < kWidth; ++i) {
      v[i] = (static_cast<C>(x.x[i]) - mean) * inv_std;
      g[i] = static_cast<C>(gy.x[i]);
      gbeta.x[i] += g[i];
      ggamma.x[i] += inside ? g[i] * v[i] : C(0);
      g[i] *= gamma.x[i];
      a += g[i];
      b += inside ? g[i] * v[i] : C(0);
    }
    a = warp_sum(a);
    b = warp_sum(b);
    if (threadIdx.x % 32 == 0) {
      partial[turn][0][first_warp + threadIdx.x / 32] = a;
      partial[turn][1][first_warp + threadIdx.x / 32] = b;
    }
    __syncthreads();
    a = 0;
    b = 0;
#pragma unroll 1
    for (int k = 0; k < warps; ++k) {
      a += partial[turn][0][first_warp + k];
      b += partial[turn][1][first_warp + k];
    }
    if (inside && row < rows) {
      Pack<T, kWidth> out;
#pragma unroll
      for (int i = 0; i < kWidth; ++i) {
        C grad_x = inv_std * (g[i] - a * share - v[i] * (b * share));
        if constexpr (kAdds) grad_x += static_cast<C>(other.x[i]);
        out.x[i] = T(grad_x);
      }
      store_pack(args.out, at, out);
    }
    row += step;
    at += static_cast<long>(step) * n;
    turn = 1 - turn;
  }
  C* const columns = shared_memory<C>();
  if (inside) {
    C* const own = columns + static_cast<int>(threadIdx.y) * 2 * n;
    pack_at<C, kWidth>(own, place) = gbeta;
    pack_at<C, kWidth>(own, n + place) = ggamma;
  }
  __syncthreads();
  C* const part = static_cast<C*>(args.parts) + static_cast<long>(blockIdx.x) * 2 * n;
  for (int i = threadIdx.y * blockDim.x + threadIdx.x; i < 2 * n; i += blockDim.x * blockDim.y) {
    C sum = columns[i];
    for (int k = 1; k < static_cast<int>(blockDim.y); ++k) sum += columns[k * 2 * n + i];
    part[i] = sum;
  }
}

/// The same for rows of several packs a thread: a block has one row at a time, and adds up its
/// columns in shared memory, where no two threads touch the same one until the end.
template <class T, bool kAdds>
CUPYXX_FN void layer_norm_grad_long_row(const LayerNormArgs& args) {
  using C = Compute<T>;
  using G = RowGroup<false>;
  constexpr int kWidth = kPackWidth<T>;
  const int n = static_cast<int>(args.columns);
  C* const columns = shared_memory<C>();
  for (int i = threadIdx.x; i < 2 * n; i += blockDim.x) columns[i] = 0;
  __syncthreads();
  C *const gbeta = columns, *const ggamma = columns + n;
#pragma unroll 1
  for (long row = G::first(); row < args.rows; row += G::count()) {
    const T* const x = static_cast<const T*>(args.x) + row * n;
    const T* const gy = static_cast<const T*>(args.gy) + row * n;
    T* const gx = static_cast<T*>(args.out) + row * n;
    const RowCut<T> cut(x, n);
    RowTile<T, false> own, grad;
    own.load(x, cut, 0, C(0));
    grad.load(gy, cut, 0, C(0));
    const C mean = static_cast<C>(args.moments[2 * row]);
    const C inv_std = static_cast<C>(args.moments[2 * row + 1]);
    C a = 0, b = 0;
    own.for_packs_with(grad, cut, [&](C(&v)[kWidth], C(&g)[kWidth], int place) {
      const auto gamma = pack_at<C, kWidth>(args.gamma, place);
      Pack<C, kWidth> beta_sum = pack_at<C, kWidth>(gbeta, place);
      Pack<C, kWidth> gamma_sum = pack_at<C, kWidth>(ggamma, place);
#pragma unroll
      for (int i = 0; i < kWidth; ++i) {
        v[i] = (v[i] - mean) * inv_std;
        beta_sum.x[i] += g[i];
        gamma_sum.x[i] += g[i] * v[i];
        g[i] *= gamma.x[i];
        a += g[i];
        b += g[i] * v[i];
      }
      store_pack(gbeta, place, beta_sum);
      store_pack(ggamma, place, gamma_sum);
    });
    const C mean_g = static_cast<C>(G::sum(static_cast<double>(a)) / n);
    const C mean_g_x = static_cast<C>(G::sum(static_cast<double>(b)) / n);
    own.for_packs_with(grad, cut, [&](C(&v)[kWidth], C(&g)[kWidth], int place) {
      Pack<T, kWidth> out, added;
      if constexpr (kAdds) {
        added = pack_at<T, kWidth>(static_cast<const T*>(args.other) + row * n, place);
      }
#pragma unroll
      for (int i = 0; i < kWidth; ++i) {
        C grad_x = inv_std * (g[i] - mean_g - v[i] * mean_g_x);
        if constexpr (kAdds) grad_x += static_cast<C>(added.x[i]);
        out.x[i] = T(grad_x);
      }
      store_pack(gx, place, out);
    });
  }
  __syncthreads();
  C* const part = static_cast<C*>(args.parts) + static_cast<long>(blockIdx.x) * 2 * n;
  for (int i = threadIdx.x; i < 2 * n; i += blockDim.x) part[i] = columns[i];
}

/// The gradients of gamma and beta, written or added to, from their parts.
template <class T>
CUPYXX_FN void layer_norm_parts(const LayerNormArgs& args) {
  using C = Compute<T>;
  const long column = static_cast<long>(blockIdx.x) * kPartColumns + threadIdx.x, n = args.columns;
  const double sum =
      sum_of_parts(static_cast<const C*>(args.parts), args.part_count, 2 * n, column);
  if (threadIdx.y != 0 || column >= 2 * n) return;
  C* const out = static_cast<C*>(column < n ? args.gbeta : args.ggamma) + column % n;
  *out = static_cast<C>(args.adds ? static_cast<double>(*out) + sum : sum);
}
#endif

}  // namespace chainerxx::internal::kernels
