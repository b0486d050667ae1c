// SPDX-License-Identifier: MIT
// The loops of batch_norm.cc, once per instruction set.
#pragma once

#include "chainerxx/internal/kernels/batch_norm.h"
#include "cupyxx/extension/instruction_set.h"

namespace chainerxx::internal::cpu {

/// The two sums of a channel.
struct BatchNormSums {
  double a = 0, b = 0;
};

/// So many neighbouring channels of a matrix are taken together, row by row.
inline constexpr long kBatchNormColumns = 64;

/// What the passes over the elements of some columns need, as arrays.
template <class C>
struct BatchNormColumns {
  C mean[kBatchNormColumns], scale[kBatchNormColumns], beta[kBatchNormColumns];
  C inv_std[kBatchNormColumns], mean_gy[kBatchNormColumns], mean_gy_x[kBatchNormColumns];
};

/// Defined for float16, bfloat16, float32 and float64.
template <cupyxx::extension::Arch kArch, class T>
struct BatchNormLoops {
  using C = kernels::Compute<T>;
  using Sums = BatchNormSums;
  using Columns = BatchNormColumns<C>;

  // One channel's plane of n elements.

  /// Adds a plane to the sums of the forward pass ...
  static void add_plane(const T* x, long n, const kernels::Summand<T, false>& start, Sums& sums);
  /// ... and of the gradient.
  static void add_grad_plane(const T* x, const T* gy, long n,
                             const kernels::Summand<T, true>& start, Sums& sums);
  static void normalise(const T* x, T* y, long n, const kernels::Normalise<T>& f);
  static void normalise_grad(const T* x, const T* gy, T* gx, long n,
                             const kernels::NormaliseGrad<T>& f);

  // Rows of n columns, which are `stride` apart.

  /// Adds rows to the sums of up to kBatchNormColumns channels.
  static void add_rows(const T* x, long rows, long stride, long n, const C* shift, C* a, C* b);
  static void add_grad_rows(const T* x, const T* gy, long rows, long stride, long n, const C* shift,
                            const C* inv_std, C* a, C* b);
  static void normalise_rows(const T* x, T* y, long rows, long stride, long n, const Columns& f);
  static void normalise_grad_rows(const T* x, const T* gy, T* gx, long rows, long stride, long n,
                                  const Columns& f);
};

}  // namespace chainerxx::internal::cpu
