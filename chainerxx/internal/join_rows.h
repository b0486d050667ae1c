// SPDX-License-Identifier: MIT
// Many small matrices as one.
#pragma once

#include <span>

#include "cupyxx/ndarray.h"

namespace chainerxx::internal {

using cupyxx::ndarray;

/// How many matrices join_rows takes.
inline constexpr int kMostJoined = 64;

/// The rows of all matrices, which are C-contiguous, of one floating dtype, of one device and of as
/// many columns: cupyxx::concatenate in one launch.
ndarray join_rows(std::span<const ndarray> matrices);

}  // namespace chainerxx::internal
