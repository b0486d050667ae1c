// SPDX-License-Identifier: MIT
// What a mask chooses.
#pragma once

#include "cupyxx/ndarray.h"

namespace cupyxx::internal {

/// Positions of the true elements of a bool array in the flattened array. Synchronises.
ndarray true_positions(const char* operation, const ndarray& mask);
/// The elements of an array where a bool array of its shape, on its device, is true; 1-D.
/// Synchronises.
ndarray chosen_elements(const char* operation, const ndarray& source, const ndarray& mask);
/// How many elements of a bool array are true up to each, in the flattened array; int64.
ndarray running_count(const char* operation, const ndarray& mask);

}  // namespace cupyxx::internal
