// SPDX-License-Identifier: MIT
#include "chainerxx/internal/embed_ops.h"

#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/kernel_library.h"
#include "chainerxx/internal/kernels/embed.h"
#include "cupyxx/extension/error_word.h"
#include "cupyxx/extension/storage.h"

namespace chainerxx::internal {
namespace {

const Kernel<kernels::EmbedArgs> kEmbedGrad{kLibrary, "embed_grad", "embed.h", "embed_grad<T>"};

}  // namespace

bool add_embedded_rows(const ndarray& gW, const ndarray& ids, const ndarray& gy,
                       const std::optional<std::int64_t>& ignore) {
  constexpr std::int64_t kMostIds = 2048;  // each looks at all others
  const bool wide = ids.dtype() == cupyxx::int64;
  if (gW.device().is_cpu() || !kLibrary.has(gW.dtype()) || gy.dtype() != gW.dtype() ||
      !(wide || ids.dtype() == cupyxx::int32) || ids.size() > kMostIds ||
      !gW.flags().c_contiguous) {
    return false;
  }
  static const auto operation = cupyxx::extension::operation_number("embed_id");
  const ndarray x = contiguous(ids), rows = contiguous(gy);
  const cupyxx::Shape shape = gW.shape();
  auto* const error = cupyxx::extension::error_word(gW.device().index);
  const kernels::EmbedArgs args{
      x.elements(),       rows.elements(),    gW.elements(), x.size(), shape[0], shape[1],
      ignore.value_or(0), ignore.has_value(), wide,          error,    operation};
  cupyxx::extension::note_write(gW);
  if (args.count == 0 || args.units == 0) return true;
  kEmbedGrad.launch(gW.dtype(), {.grid_x = static_cast<unsigned>(args.count), .block_x = 256}, args,
                    {&gW, &x, &rows});
  return true;
}

}  // namespace chainerxx::internal
