// SPDX-License-Identifier: MIT
// How large LAPACK's workspaces are.
#pragma once

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstddef>
#include <type_traits>

#include "cupyxx/complex.h"
#include "cupyxx/error.h"

namespace cupyxx::internal::cpu {

/// The elements of a workspace, of which LAPACK gives the number as a `T`: a float beyond 2^24 may
/// have been rounded down, and then the routine refuses it. Where LAPACK's own sums leave an int
/// the number is negative; throws ValueError.
template <class T>
std::size_t workspace_length(const char* operation, T size) {
  const T above = std::is_same_v<T, float> ? std::nextafter(size, T(INFINITY)) : size;
  if (size < 0 || above >= static_cast<T>(INT_MAX)) {
    throw ValueError(message(operation, ": the matrix is too large for LAPACK"));
  }
  return static_cast<std::size_t>(std::max<T>(1, above));
}
template <class T>
std::size_t workspace_length(const char* operation, complex<T> size) {
  return workspace_length(operation, size.re);
}

}  // namespace cupyxx::internal::cpu
