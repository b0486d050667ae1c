// SPDX-License-Identifier: MIT
// The loops of local response normalisation (normalization.cc), once per instruction set.
#pragma once

#include "chainerxx/internal/kernels/types.h"
#include "cupyxx/extension/instruction_set.h"

namespace chainerxx::internal::cpu {

/// Over rows of n elements. Defined for float16, bfloat16, float32 and float64.
template <cupyxx::extension::Arch kArch, class T>
struct NormalizationLoops {
  using C = kernels::Compute<T>;
  /// sums += x * x.
  static void add_squares(const T* x, C* sums, long n);
  /// sums += terms.
  static void add_row(const C* terms, C* sums, long n);
  /// y = x * s^-beta.
  static void scale_row(const T* x, const C* s, T* y, long n, C beta);
  /// terms = gy * x * s^-beta / s.
  static void term_row(const T* x, const T* gy, const C* s, C* terms, long n, C beta);
  /// gx = gy * s^-beta - factor * x * sums.
  static void grad_row(const T* x, const T* gy, const C* s, const C* sums, T* gx, long n, C beta,
                       C factor);
};

}  // namespace chainerxx::internal::cpu
