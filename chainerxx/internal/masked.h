// SPDX-License-Identifier: MIT
// A gradient where a condition holds.
#pragma once

#include "chainerxx/functions/array/parts.h"
#include "chainerxx/variable.h"
#include "cupyxx/creation.h"

namespace chainerxx::internal {

/// gy where `condition` (bool, of its shape) holds, else 0.
inline Variable masked(const ndarray& condition, const Variable& gy) {
  return functions::where(condition, gy, cupyxx::zeros({}, gy.dtype()));
}

}  // namespace chainerxx::internal
