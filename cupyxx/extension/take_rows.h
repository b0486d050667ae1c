// SPDX-License-Identifier: MIT
// Rows by number: tables of embeddings, samples of a batch.
#pragma once

#include "cupyxx/export.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::extension {

/// A new array of the rows of `table` (its slices along axis 0) with these numbers, of shape
/// indices.shape() + table.shape()[1:], in the name of another operation: errors name `operation`,
/// a string that lives for ever. A number that is negative or beyond the end is an IndexError; on
/// a CUDA device at the next synchronising call.
CUPYXX_API ndarray take_rows(const char* operation, const ndarray& table, const ndarray& indices);

}  // namespace cupyxx::extension
