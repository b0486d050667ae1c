// SPDX-License-Identifier: MIT
// A kernel of one's own. Device-safe: the host's loop has the same arguments and the same body.
#pragma once

#include "cupyxx/extension/error_word.h"
#include "cupyxx/ops/prelude.h"

namespace mine {

struct MirrorArgs {
  void* x;
  long size;
  cupyxx::extension::ErrorWord* error;  // of a device
  unsigned operation;
};

/// Exchanges element i with its counterpart; false where it is NaN.
template <class T>
CUPYXX_FN bool exchange(const MirrorArgs& args, long i) {
  T* const x = static_cast<T*>(args.x);
  const T a = x[i], b = x[args.size - 1 - i];
  x[i] = b;
  x[args.size - 1 - i] = a;
  return a == a && b == b;
}

#ifdef __CUDACC__
template <class T>
__device__ void mirror(const MirrorArgs& args) {
  const long i = static_cast<long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= args.size / 2 || exchange<T>(args, i)) return;
  report(args.error, cupyxx::extension::kNotFinite, args.operation, i, 0);
}
#endif

}  // namespace mine
