// SPDX-License-Identifier: MIT
// Device-safe. Parameters beside elements of a narrow type: in that type too, or in float32, as the
// arguments of the kernel say.
#pragma once

#include "chainerxx/internal/kernels/types.h"

namespace chainerxx::internal::kernels {

/// Parameter i; `wide`: in the type that T is computed in.
template <class T>
CUPYXX_FN Compute<T> parameter_at(const void* parameters, long i, int wide) {
  if (wide != 0) return static_cast<const Compute<T>*>(parameters)[i];
  return static_cast<Compute<T>>(static_cast<const T*>(parameters)[i]);
}

template <class T>
CUPYXX_FN void set_parameter(void* parameters, long i, int wide, double value) {
  if (wide != 0) {
    static_cast<Compute<T>*>(parameters)[i] = static_cast<Compute<T>>(value);
  } else {
    static_cast<T*>(parameters)[i] = T(static_cast<Compute<T>>(value));
  }
}

/// Parameter i += value.
template <class T>
CUPYXX_FN void add_to_parameter(void* parameters, long i, int wide, double value) {
  const auto old = static_cast<double>(parameter_at<T>(parameters, i, wide));
  set_parameter<T>(parameters, i, wide, old + value);
}

}  // namespace chainerxx::internal::kernels
