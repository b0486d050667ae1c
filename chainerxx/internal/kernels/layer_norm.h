// SPDX-License-Identifier: MIT
// Device-safe. Layer normalisation: each row of a matrix with mean 0 and variance 1, then scaled by
// gamma and shifted by beta, one of each per column.
#pragma once

#include "chainerxx/internal/kernels/types.h"

namespace chainerxx::internal::kernels {

struct LayerNormArgs {
  const void* x;   // rows x columns
  const void* gy;  // for the gradient
  void* out;       // y, or gx
  // Parameters and their gradients are of the type of the computation, float beside 16-bit rows.
  const void* gamma;
  const void* beta;
  void* ggamma;  // written by the column pass
  void* gbeta;
  double* moments;  // rows x 2: mean and 1 / sqrt(var + eps)
  long rows;
  long columns;
  double eps;
  void* parts = nullptr;  // part_count x 2 x columns: sums for gbeta and ggamma
  long part_count = 0;
  bool adds = false;  // whether the gradients of gamma and beta are added to what is there
  // Where the rows are sums: forward normalises sum = x + other, backward adds other to gx.
  const void* other = nullptr;
  void* sum = nullptr;
};

#if defined(__CUDACC__)
/// The sum over the kLanes threads that share a row.
template <int kLanes>
CUPYXX_FN double lanes_sum(double value) {
  return kLanes == 32 ? warp_sum(value) : block_sum(value);
}

/// Calls `body(row, lane)`; kLanes threads take one row after another, all of a block together.
template <int kLanes, class Body>
CUPYXX_FN void for_rows(long rows, Body&& body) {
  const long groups = blockDim.x / kLanes;
  for (long row = blockIdx.x * groups + threadIdx.x / kLanes; row < rows;
       row += gridDim.x * groups) {
    body(row, static_cast<long>(threadIdx.x % kLanes));
  }
}

template <class T, int kLanes>
CUPYXX_FN void layer_norm(const LayerNormArgs& args) {
  using C = Compute<T>;
  const long n = args.columns;
  for_rows<kLanes>(args.rows, [&](long row, long lane) {
    const T* const x = static_cast<const T*>(args.x) + row * n;
    const C shift = static_cast<C>(x[0]);
    double a = 0, b = 0;
    for (long i = lane; i < n; i += kLanes) {
      const C distance = static_cast<C>(x[i]) - shift;
      a += static_cast<double>(distance);
      b += static_cast<double>(distance * distance);
    }
    a = lanes_sum<kLanes>(a) / static_cast<double>(n);
    b = lanes_sum<kLanes>(b) / static_cast<double>(n) - a * a;
    const double mean = static_cast<double>(shift) + a;
    const double inv_std = 1 / m::sqrt((b > 0 || b != b ? b : 0) + args.eps);
    if (lane == 0) {
      args.moments[2 * row] = mean;
      args.moments[2 * row + 1] = inv_std;
    }
    T* const y = static_cast<T*>(args.out) + row * n;
    for (long i = lane; i < n; i += kLanes) {
      const C normalised = (static_cast<C>(x[i]) - static_cast<C>(mean)) * static_cast<C>(inv_std);
      y[i] = T(normalised * static_cast<const C*>(args.gamma)[i] +
               static_cast<const C*>(args.beta)[i]);
    }
  });
}

template <class T, int kLanes>
CUPYXX_FN void layer_norm_grad(const LayerNormArgs& args) {
  using C = Compute<T>;
  const long n = args.columns;
  const C* const gamma = static_cast<const C*>(args.gamma);
  for_rows<kLanes>(args.rows, [&](long row, long lane) {
    const T* const x = static_cast<const T*>(args.x) + row * n;
    const T* const gy = static_cast<const T*>(args.gy) + row * n;
    T* const gx = static_cast<T*>(args.out) + row * n;
    const C mean = static_cast<C>(args.moments[2 * row]);
    const C inv_std = static_cast<C>(args.moments[2 * row + 1]);
    double a = 0, b = 0;
    for (long i = lane; i < n; i += kLanes) {
      const C g = static_cast<C>(gy[i]) * gamma[i];
      a += static_cast<double>(g);
      b += static_cast<double>(g * ((static_cast<C>(x[i]) - mean) * inv_std));
    }
    const C mean_g = static_cast<C>(lanes_sum<kLanes>(a) / static_cast<double>(n));
    const C mean_g_x = static_cast<C>(lanes_sum<kLanes>(b) / static_cast<double>(n));
    for (long i = lane; i < n; i += kLanes) {
      const C g = static_cast<C>(gy[i]) * gamma[i];
      const C normalised = (static_cast<C>(x[i]) - mean) * inv_std;
      gx[i] = T(inv_std * (g - mean_g - normalised * mean_g_x));
    }
  });
}

/// The gradients of gamma and beta: a block of 32 x 8 threads takes 32 columns.
template <class T>
CUPYXX_FN void layer_norm_columns(const LayerNormArgs& args) {
  using C = Compute<T>;
  __shared__ double partial[2][8][33];
  const long column = static_cast<long>(blockIdx.x) * 32 + threadIdx.x;
  double a = 0, b = 0;
  if (column < args.columns) {
    for (long row = threadIdx.y; row < args.rows; row += 8) {
      const long i = row * args.columns + column;
      const C gy = static_cast<C>(static_cast<const T*>(args.gy)[i]);
      const C x = static_cast<C>(static_cast<const T*>(args.x)[i]);
      const C normalised =
          (x - static_cast<C>(args.moments[2 * row])) * static_cast<C>(args.moments[2 * row + 1]);
      a += static_cast<double>(gy);
      b += static_cast<double>(gy * normalised);
    }
  }
  partial[0][threadIdx.y][threadIdx.x] = a;
  partial[1][threadIdx.y][threadIdx.x] = b;
  __syncthreads();
  if (threadIdx.y != 0 || column >= args.columns) return;
  for (int k = 1; k < 8; ++k) {
    a += partial[0][k][threadIdx.x];
    b += partial[1][k][threadIdx.x];
  }
  static_cast<C*>(args.gbeta)[column] = static_cast<C>(a);
  static_cast<C*>(args.ggamma)[column] = static_cast<C>(b);
}
#endif

}  // namespace chainerxx::internal::kernels
