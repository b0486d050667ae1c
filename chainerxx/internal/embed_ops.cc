// SPDX-License-Identifier: MIT
#include "chainerxx/internal/embed_ops.h"

#include <algorithm>
#include <limits>

#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/kernel_library.h"
#include "chainerxx/internal/kernels/embed.h"
#include "cupyxx/extension/error_word.h"
#include "cupyxx/extension/storage.h"
#include "cupyxx/math.h"
#include "cupyxx/sorting.h"

namespace chainerxx::internal {
namespace {

using kernels::EmbedArgs;

const Kernel<EmbedArgs> kEmbedGrad{kLibrary, "embed_grad", "embed.h", "embed_grad<T>"};
const Kernel<EmbedArgs> kEmbedKeys{kLibrary, "embed_keys", "embed.h", "embed_keys"};
const Kernel<EmbedArgs> kEmbedPieces{kLibrary, "embed_pieces", "embed.h", "embed_pieces<T>", 256};
const Kernel<EmbedArgs> kEmbedContinued{kLibrary, "embed_continued", "embed.h",
                                        "embed_continued<T>", 256};

bool is_narrow(cupyxx::dtype type) { return type.itemsize() == 2; }

/// A block of at most 256 threads, one for each of `columns`.
Grid blocks_of(std::int64_t blocks, std::int64_t columns) {
  const auto threads = std::clamp<std::int64_t>((columns + 31) / 32 * 32, 32, 256);
  return {.grid_x = static_cast<unsigned>(blocks), .block_x = static_cast<unsigned>(threads)};
}

/// Of many ids: their places in the order of the rows, and sums of pieces of it.
void add_sorted_rows(EmbedArgs args, const ndarray& gW, const ndarray& ids, const ndarray& gy) {
  const cupyxx::dtype type = gy.dtype();
  const ndarray keys = empty_beside(gW, {args.count}, cupyxx::int32);
  args.keys = static_cast<int*>(keys.elements());
  kEmbedKeys.launch(type, grid_for(args.count), args, {&keys, &ids});
  const ndarray order = cupyxx::argsort(keys, 0);
  args.order = static_cast<const long*>(order.elements());
  const std::int64_t pieces = (args.count + kernels::kEmbedPiece - 1) / kernels::kEmbedPiece;
  const ndarray sums = empty_beside(gW, {pieces, 2, args.units}, gW.dtype());
  args.sums = sums.elements();
  const std::int64_t width = 16 / type.itemsize();
  const std::int64_t threads = args.units % width == 0 ? args.units / width : args.units;
  kEmbedPieces.launch(type, blocks_of(pieces, threads), args, {&gW, &keys, &order, &gy, &sums});
  kEmbedContinued.launch(type, blocks_of(pieces, args.units), args, {&gW, &keys, &order, &sums});
}

}  // namespace

bool add_embedded_rows(const ndarray& gW, const ndarray& ids, const ndarray& gy,
                       const std::optional<std::int64_t>& ignore) {
  constexpr std::int64_t kFewIds = 2048;  // each looks at all others
  const bool wide = ids.dtype() == cupyxx::int64;
  const cupyxx::Shape shape = gW.shape();
  if (gW.device().is_cpu() || !kLibrary.has(gW.dtype()) ||
      !(wide || ids.dtype() == cupyxx::int32) || !gW.flags().c_contiguous ||
      shape[0] >= std::numeric_limits<int>::max()) {
    return false;
  }
  if (is_narrow(gW.dtype())) {  // sums are rounded once
    const ndarray sums = empty_beside(gW, shape, cupyxx::float32);
    sums.fill(0);
    add_embedded_rows(sums, ids, gy, ignore);
    cupyxx::add(gW, sums.astype(gW.dtype()), {.out = gW});
    return true;
  }
  const bool fits =
      gy.dtype() == gW.dtype() || (is_narrow(gy.dtype()) && gW.dtype() == cupyxx::float32);
  static const auto operation = cupyxx::extension::operation_number("embed_id");
  const ndarray x = contiguous(ids), rows = contiguous(fits ? gy : gy.astype(gW.dtype()));
  auto* const error = cupyxx::extension::error_word(gW.device().index);
  const EmbedArgs args{x.elements(), rows.elements(), gW.elements(),      x.size(),
                       shape[0],     shape[1],        ignore.value_or(0), ignore.has_value(),
                       wide,         error,           operation};
  cupyxx::extension::note_write(gW);
  if (args.count == 0 || args.units == 0) return true;
  if (args.count > kFewIds) {
    add_sorted_rows(args, gW, x, rows);
  } else {
    kEmbedGrad.launch(rows.dtype(), {.grid_x = static_cast<unsigned>(args.count), .block_x = 256},
                      args, {&gW, &x, &rows});
  }
  return true;
}

}  // namespace chainerxx::internal
