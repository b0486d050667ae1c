// SPDX-License-Identifier: MIT
// Arrays over memory that somebody else owns: another library's tensor, a file in memory, a buffer
// of the program.
#pragma once

#include <cstddef>

#include "cupyxx/core/body.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::internal {

/// Memory and what becomes of it when the last array over it has gone.
struct ForeignMemory {
  Device device;
  void* data = nullptr;
  std::size_t nbytes = 0;
  /// Called once, on whichever thread lets go of the last array; must not throw. May be null.
  void (*release)(void* context) = nullptr;
  void* context = nullptr;
  /// Of a device: before `release` is called, the owner's stream is made to wait for our work on
  /// the memory, or, where it is not known, the host waits.
  bool has_stream = false;
  void* stream = nullptr;
};

/// What the arrays share. Throws only std::bad_alloc, and then has not called `release`.
Storage* wrap_memory(const ForeignMemory& memory);

/// An array over such memory; takes over one reference to `storage`, also when it throws.
ndarray wrap_array(Storage* storage, void* first, dtype type, const Shape& shape,
                   const Strides& strides, bool writeable);

/// Throws ValueError, naming `operation`, for negative extents and products beyond 64 bits.
void check_extents(const char* operation, const Shape& shape);

/// The bytes that elements of a layout cover, from the first element's address.
struct Extent {
  std::int64_t low = 0;   // at or before 0
  std::int64_t high = 0;  // past the last byte; equal to `low` for an array without elements
};
/// For checked extents. Throws ValueError, naming `operation`, for another number of strides and
/// for offsets beyond 64 bits.
Extent extent_of(const char* operation, const Shape& shape, const Strides& strides,
                 std::int64_t itemsize);

}  // namespace cupyxx::internal
