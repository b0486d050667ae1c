// SPDX-License-Identifier: MIT
// Which loop an operation uses for its operands: NumPy 2's promotion (NEP 50).
#pragma once

#include <span>

#include "cupyxx/internal/op_info.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::internal {

/// The dtype that a weak scalar takes beside arrays of dtype `strong` (unspecified: none).
dtype weak_dtype(const Scalar& scalar, dtype strong);

/// The common dtype of several arrays, in one step as NumPy does: two at a time, uint16, int16 and
/// float32 would pass through int32 and end as float64.
dtype common_dtype(std::span<const ndarray> arrays);

/// The common dtype of operands, weak scalars included.
dtype result_type(std::span<const Operand* const> operands);

/// The first loop to which all operands may be cast safely, or the loop whose output is `wanted`.
/// Throws DtypeError naming the dtypes.
int resolve_loop(const OpInfo& op, std::span<const Operand* const> operands, dtype wanted,
                 Casting casting);

}  // namespace cupyxx::internal
