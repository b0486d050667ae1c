// SPDX-License-Identifier: MIT
// Picking elements. NumPy's chapter "Indexing routines".
#pragma once

#include "cupyxx/ndarray.h"

namespace cupyxx {

/// What happens to an index outside of its axis.
enum class IndexMode : std::uint8_t {
  raise,  ///< IndexError; on a device at the next synchronising call
  wrap,   ///< taken modulo the extent
  clip,   ///< moved to the nearest end
};

/// Options of take.
struct TakeOptions {
  Axes axis = Axes::missing();
  ndarray out = {};
  IndexMode mode = IndexMode::raise;
};

/// Elements of the flattened array at `indices`.
CUPYXX_API ndarray take(const ndarray& a, const ndarray& indices);
CUPYXX_API ndarray take(const ndarray& a, const ndarray& indices, const TakeOptions& options);
/// Slices of `a` along `axis` at `indices`.
CUPYXX_API ndarray take(const ndarray& a, const ndarray& indices, int axis,
                        const TakeOptions& options = {});
/// `x` where the condition holds and `y` elsewhere.
CUPYXX_API ndarray where(const ndarray& condition, const Operand& x, const Operand& y);
/// A view of the diagonals of the planes of two axes, as the last axis. It writes through where
/// `a` may be written to, as CuPy's.
CUPYXX_API ndarray diagonal(const ndarray& a, int offset = 0, int axis1 = 0, int axis2 = 1);

}  // namespace cupyxx
