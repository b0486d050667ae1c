// SPDX-License-Identifier: MIT
// Gathering slices by position, as the two backends receive it.
#pragma once

#include <cstdint>

#include "cupyxx/indexing.h"

namespace cupyxx::internal {

/// out[o, i, :] = source[o, indices[i], :], all C-contiguous; inner slices are plain bytes.
struct TakeCall {
  const char* operation;
  const ndarray* source;
  const ndarray* indices;  // int32 or int64, C-contiguous
  const ndarray* out;
  std::int64_t outer;
  std::int64_t extent;  // of the axis
  std::int64_t count;   // of indices
  std::int64_t inner_bytes;
  int axis;
  IndexMode mode;
  bool refuses_negative;  // where the mode is `raise`: they count from the end otherwise
};

/// The routine take in the name of another operation: errors name `operation`, a string that lives
/// for ever. With `refuses_negative` negative indices are out of bounds.
ndarray take_in_name(const char* operation, const ndarray& a, const ndarray& indices, int axis,
                     const TakeOptions& options = {}, bool refuses_negative = false);

namespace cpu {
void take(const TakeCall& call);
}
namespace gpu {
void take(const TakeCall& call, int device);
}

}  // namespace cupyxx::internal
