// SPDX-License-Identifier: MIT
// Why a decomposition fails, as LAPACK's `info` says on the host and the error word of a device
// later.
#pragma once

#include <cstdint>

namespace cupyxx::internal {

/// The values follow those of gpu::ErrorCode in the error word.
enum class LapackDefect : std::uint32_t {
  singular = 64,
  not_positive_definite = 65,
  not_convergent = 66,
};

inline const char* describe(LapackDefect defect) {
  return defect == LapackDefect::singular                ? "the matrix is singular"
         : defect == LapackDefect::not_positive_definite ? "the matrix is not positive definite"
                                                         : "does not converge";
}

}  // namespace cupyxx::internal
