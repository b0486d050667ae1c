// SPDX-License-Identifier: MIT
// Gradients of embeddings on devices.
#pragma once

#include <cstdint>
#include <optional>

#include "cupyxx/ndarray.h"

namespace chainerxx::internal {

using cupyxx::ndarray;

/// gW[ids] += gy for ids other than `ignore`, in one launch and always in the same order; false,
/// with nothing done, on the host and for what add.at() is better at: many ids, other dtypes, a gW
/// that is not C-contiguous.
bool add_embedded_rows(const ndarray& gW, const ndarray& ids, const ndarray& gy,
                       const std::optional<std::int64_t>& ignore);

}  // namespace chainerxx::internal
