// SPDX-License-Identifier: MIT
// Gradients of embeddings on devices.
#pragma once

#include <cstdint>
#include <optional>

#include "cupyxx/ndarray.h"

namespace chainerxx::internal {

using cupyxx::ndarray;

/// gW[ids] += gy for ids other than `ignore`, always in the same order and without waiting for the
/// device; gy may be of a 16-bit dtype beside a gW of float32. False, with nothing done, on the
/// host and for what add.at() must do: ids of other dtypes than int32 and int64, a gW that is not
/// floating or not C-contiguous.
bool add_embedded_rows(const ndarray& gW, const ndarray& ids, const ndarray& gy,
                       const std::optional<std::int64_t>& ignore);

}  // namespace chainerxx::internal
