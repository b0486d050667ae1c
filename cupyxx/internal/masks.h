// SPDX-License-Identifier: MIT
// Masks on the host: where they are true, and writing there. Arrays are C-contiguous host arrays;
// every byte of a mask but 0 is true.
#pragma once

#include <vector>

#include "cupyxx/ndarray.h"

namespace cupyxx::internal::cpu {

/// Positions (int64) of the true elements, an array per axis of a mask with axes.
std::vector<ndarray> true_places(const char* operation, const ndarray& mask);
/// The same as rows of a matrix.
ndarray true_rows(const char* operation, const ndarray& mask);
/// Writes `element`, or with `source` the bytes at the same place of an array of the target's shape
/// and dtype, to the elements of `target` under true elements of the mask, whose shape is that of
/// the target's first axes.
void fill_where(const ndarray& target, const ndarray& mask, const void* element);
void copy_where(const ndarray& target, const ndarray& mask, const ndarray& source);
/// Writes the rows of `values`, one after the other, to the places where the mask is true; as many
/// rows as there are, of the target's dtype.
void fill_chosen(const ndarray& target, const ndarray& mask, const ndarray& values);
/// How many elements are true.
std::int64_t count_true(const ndarray& mask);

}  // namespace cupyxx::internal::cpu
