// SPDX-License-Identifier: MIT
// Device-safe. Dropout: element i is kept when uniform number i of a Philox stream is at least the
// ratio. The backward pass draws the same numbers again, so no mask is stored.
#pragma once

#include "chainerxx/internal/kernels/pack.h"
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
/// The elements of one block of four uniform numbers.
template <class T>
CUPYXX_FN Pack<T, 4> dropped(const DropoutArgs& args, long block, const Pack<T, 4>& x) {
  const cupyxx::random::Words words =
      cupyxx::random::philox_block(args.state, static_cast<unsigned long>(block));
  Pack<T, 4> y;
#pragma unroll
  for (int lane = 0; lane < 4; ++lane) {
    const bool keep = cupyxx::random::uniform_float(words.w[lane]) >= args.ratio;
    const Compute<T> scaled = static_cast<Compute<T>>(x.x[lane]) * Compute<T>(args.scale);
    y.x[lane] = T(keep ? scaled : Compute<T>(0));
  }
  return y;
}

/// The last elements, fewer than four, and arrays that do not begin on a pack.
template <class T>
CUPYXX_FN void dropout_by_elements(const DropoutArgs& args, long first_block) {
  const T* const x = static_cast<const T*>(args.x);
  T* const y = static_cast<T*>(args.y);
  for (long block = first_block + global_thread(); 4 * block < args.size;
       block += global_threads()) {
    const long count = args.size - 4 * block < 4 ? args.size - 4 * block : 4;
    Pack<T, 4> pack{};
    for (int lane = 0; lane < count; ++lane) pack.x[lane] = x[4 * block + lane];
    pack = dropped(args, block, pack);
    for (int lane = 0; lane < count; ++lane) y[4 * block + lane] = pack.x[lane];
  }
}

/// Each thread has the loads of several packs under way.
template <class T>
CUPYXX_FN void dropout(const DropoutArgs& args) {
  constexpr int kPacks = 4;
  const unsigned long both =
      reinterpret_cast<unsigned long>(args.x) | reinterpret_cast<unsigned long>(args.y);
  const long blocks = both % alignof(Pack<T, 4>) == 0 ? args.size / 4 : 0;
  const long step = global_threads();
  for (long block = global_thread(); block < blocks; block += kPacks * step) {
    Pack<T, 4> x[kPacks] = {};
#pragma unroll
    for (int k = 0; k < kPacks; ++k) {
      if (block + k * step < blocks) x[k] = pack_at<T, 4>(args.x, 4 * (block + k * step));
    }
#pragma unroll
    for (int k = 0; k < kPacks; ++k) {
      const long at = block + k * step;
      if (at < blocks) store_pack(args.y, 4 * at, dropped(args, at, x[k]));
    }
  }
  dropout_by_elements<T>(args, blocks);
}
#endif

}  // namespace chainerxx::internal::kernels
