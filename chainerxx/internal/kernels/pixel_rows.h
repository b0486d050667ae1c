// SPDX-License-Identifier: MIT
// Device-safe. Copies rows that lie apart: some channels of the pixels of images that lie channels
// last, into or out of images of more channels.
#pragma once

#include "chainerxx/internal/kernels/pack.h"

namespace chainerxx::internal::kernels {

struct PixelRowsArgs {
  const void* from;
  void* to;
  long rows;
  long columns;
  long from_step, to_step;  // from row to row, in elements
};

#if defined(__CUDACC__)
/// A thread takes kWidth columns of a row; packs fill the rows.
template <class T, int kWidth>
CUPYXX_FN void copy_pixel_rows(const PixelRowsArgs& args) {
  const long packs = args.columns / kWidth, size = args.rows * packs;
  for (long i = global_thread(); i < size; i += global_threads()) {
    const long row =
        size < 0x7fffffff
            ? static_cast<long>(static_cast<unsigned>(i) / static_cast<unsigned>(packs))
            : i / packs;
    const long column = (i - row * packs) * kWidth;
    store_pack(args.to, row * args.to_step + column,
               pack_at<T, kWidth>(args.from, row * args.from_step + column));
  }
}
#endif

}  // namespace chainerxx::internal::kernels
