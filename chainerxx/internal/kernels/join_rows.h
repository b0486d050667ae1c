// SPDX-License-Identifier: MIT
// Device-safe. Copies arrays one behind the other.
#pragma once

#include "chainerxx/internal/kernels/types.h"

namespace chainerxx::internal::kernels {

struct JoinRowsArgs {
  static constexpr int kMost = 64;

  const void* from[kMost];
  long size[kMost];   // of each, in elements
  long place[kMost];  // where it begins in the result
  void* to;
};

#if defined(__CUDACC__)
/// A row of the grid for each array.
template <class T>
CUPYXX_FN void join_rows(const JoinRowsArgs& args) {
  const T* const from = static_cast<const T*>(args.from[blockIdx.y]);
  T* const to = static_cast<T*>(args.to) + args.place[blockIdx.y];
  for (long k = global_thread(); k < args.size[blockIdx.y]; k += global_threads()) to[k] = from[k];
}
#endif

}  // namespace chainerxx::internal::kernels
