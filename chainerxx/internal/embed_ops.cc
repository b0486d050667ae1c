// SPDX-License-Identifier: MIT
#include "chainerxx/internal/embed_ops.h"

#include <algorithm>

#include "chainerxx/internal/array_ops.h"
#include "chainerxx/internal/kernel_table.h"
#include "chainerxx/internal/kernels/embed.h"
#include "cupyxx/internal/body.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace chainerxx::internal {

bool add_embedded_rows(const ndarray& gW, const ndarray& ids, const ndarray& gy,
                       const std::optional<std::int64_t>& ignore) {
  constexpr std::int64_t kMostIds = 2048;  // each looks at all others
  const bool has_kernel =
      std::find(kKernelTypes.begin(), kKernelTypes.end(), gW.dtype()) != kKernelTypes.end();
  const bool wide = ids.dtype() == cupyxx::int64;
  if (gW.device().is_cpu() || !has_kernel || gy.dtype() != gW.dtype() ||
      !(wide || ids.dtype() == cupyxx::int32) || ids.size() > kMostIds ||
      !gW.body()->c_contiguous) {
    return false;
  }
  namespace gpu = cupyxx::internal::gpu;
  static const std::uint32_t operation = gpu::operation_number("embed_id");
  const ndarray x = contiguous(ids), rows = contiguous(gy);
  const cupyxx::Shape shape = gW.shape();
  const int device = gW.device().index;
  auto* const error = reinterpret_cast<cupyxx::internal::kernels::ErrorWord*>(
      gpu::error_word(device, gpu::current_stream(device)));
  const kernels::EmbedArgs args{
      x.elements(),       rows.elements(),    gW.elements(), x.size(), shape[0], shape[1],
      ignore.value_or(0), ignore.has_value(), wide,          error,    operation};
  cupyxx::internal::touch(gW.body());
  if (args.count == 0 || args.units == 0) return true;
  launch(KernelName::embed_grad, gW.dtype(),
         {.grid_x = static_cast<unsigned>(args.count), .block_x = 256}, &args, {&gW, &x, &rows});
  return true;
}

}  // namespace chainerxx::internal
