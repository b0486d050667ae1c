// SPDX-License-Identifier: MIT
// Device-safe. Dropout: element i is kept when uniform number i of a Philox stream is at least the
// ratio. The backward pass draws the same numbers again, so no mask is stored.
#pragma once

#include "chainerxx/internal/kernels/types.h"
#include "cupyxx/ops/philox.h"

namespace chainerxx::internal::kernels {

struct DropoutArgs {
  const void* x;
  void* y;
  long size;
  cupyxx::random::PhiloxState state;
  double scale;  // 1 / (1 - ratio)
  float ratio;
};

#if defined(__CUDACC__)
template <class T>
CUPYXX_FN void dropout(const DropoutArgs& args) {
  const T* const x = static_cast<const T*>(args.x);
  T* const y = static_cast<T*>(args.y);
  const Compute<T> scale = static_cast<Compute<T>>(args.scale);
  for (long block = global_thread(); 4 * block < args.size; block += global_threads()) {
    const cupyxx::random::Words words =
        cupyxx::random::philox_block(args.state, static_cast<unsigned long>(block));
    for (int lane = 0; lane < 4; ++lane) {
      const long i = 4 * block + lane;
      if (i >= args.size) return;
      const bool keep = cupyxx::random::uniform_float(words.w[lane]) >= args.ratio;
      y[i] = T(keep ? static_cast<Compute<T>>(x[i]) * scale : Compute<T>(0));
    }
  }
}
#endif

}  // namespace chainerxx::internal::kernels
