// SPDX-License-Identifier: MIT
// What an ndarray's handle points to: the body (dtype, shape, strides) and the counted memory under
// it, which views share.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "cupyxx/device.h"
#include "cupyxx/dtype.h"
#include "cupyxx/shape.h"

namespace cupyxx::internal {

/// Counted memory. Comes from allocate(), or wraps memory of somebody else.
struct Storage {
  std::atomic<std::int32_t> refs{1};
  Device device;
  std::atomic<std::uint64_t> version{0};  // counts in-place changes
  char* data = nullptr;
  std::size_t nbytes = 0;
  void* block = nullptr;        // the pool's own mark
  void* home_stream = nullptr;  // where it was allocated (cudaStream_t)
  // Streams beside the home stream that have used the memory; beyond these four, all streams of the
  // device are waited for.
  void* foreign_streams[4] = {};
  std::uint8_t foreign_count = 0;
  void (*destroy)(Storage*) = nullptr;  // gives the memory back and deletes the Storage
};

/// Memory of at least `nbytes` on a device, aligned to 64 bytes on the host and 256 on a device.
/// Throws OutOfMemoryError.
Storage* allocate(Device device, std::size_t nbytes);

inline void retain(Storage* s) noexcept { s->refs.fetch_add(1, std::memory_order_relaxed); }
inline void release(Storage* s) noexcept {
  if (s->refs.fetch_sub(1, std::memory_order_acq_rel) == 1) s->destroy(s);
}

/// Shape, strides and place of one array.
struct Body {
  static constexpr int kInlineNdim = 6;

  std::atomic<std::int32_t> refs{1};
  cupyxx::dtype dtype;
  std::uint8_t ndim = 0;
  bool writeable = true;
  bool c_contiguous = true;
  bool f_contiguous = true;
  bool owndata = true;
  char* data = nullptr;  // first element
  Storage* storage = nullptr;
  std::int64_t size = 1;
  std::int64_t* shape = inline_dims;                  // ndim extents ...
  std::int64_t* strides = inline_dims + kInlineNdim;  // ... and strides in bytes
  std::int64_t inline_dims[2 * kInlineNdim];          // longer ones are on the heap

  Device device() const { return storage->device; }
};

/// A body for an array over `storage` (one reference is taken over); strides of null mean
/// C-contiguous.
Body* new_body(Storage* storage, char* data, cupyxx::dtype dtype, int ndim,
               const std::int64_t* shape, const std::int64_t* strides);

/// Marks the elements under an array as changed in place.
inline void touch(Body* body) noexcept {
  body->storage->version.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace cupyxx::internal
