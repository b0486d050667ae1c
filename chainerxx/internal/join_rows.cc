// SPDX-License-Identifier: MIT
#include "chainerxx/internal/join_rows.h"

#include <algorithm>

#include "chainerxx/internal/kernel_library.h"
#include "chainerxx/internal/kernels/join_rows.h"
#include "cupyxx/creation.h"
#include "cupyxx/extension/cuda_call.h"
#include "cupyxx/extension/storage.h"
#include "cupyxx/manipulation.h"

namespace chainerxx::internal {
namespace {

const Kernel<kernels::JoinRowsArgs> kJoinRows{kLibrary, "join_rows", "join_rows.h", "join_rows<T>"};
static_assert(kMostJoined == kernels::JoinRowsArgs::kMost);

}  // namespace

ndarray join_rows(std::span<const ndarray> matrices) {
  const ndarray& first = matrices[0];
  if (first.device().is_cpu()) return cupyxx::concatenate(matrices, 0);
  const std::int64_t columns = first.shape()[1];
  kernels::JoinRowsArgs args{};
  std::int64_t size = 0, most = 0;
  void* const stream = cupyxx::extension::current_stream(first.device().index);
  for (std::size_t i = 0; i < matrices.size(); ++i) {
    args.from[i] = matrices[i].elements();
    args.size[i] = matrices[i].size();
    args.place[i] = size;
    size += args.size[i];
    most = std::max<std::int64_t>(most, args.size[i]);
    cupyxx::extension::note_use(matrices[i], stream);
  }
  const cupyxx::DeviceScope device(first.device());
  const ndarray joined = cupyxx::empty({columns == 0 ? 0 : size / columns, columns}, first.dtype());
  if (size == 0) return joined;
  args.to = joined.elements();
  constexpr std::int64_t kPerThread = 4;
  Grid grid = grid_for((most + kPerThread - 1) / kPerThread, 1024);
  grid.grid_y = static_cast<unsigned>(matrices.size());
  kJoinRows.launch(first.dtype(), grid, args, {&joined});
  return joined;
}

}  // namespace chainerxx::internal
