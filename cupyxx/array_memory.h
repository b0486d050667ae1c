// SPDX-License-Identifier: MIT
// Arrays and the memory under them: arrays over a MemoryPointer, arrays in pinned memory, copies
// that do not wait.
//
//   auto staging = cupyxx::empty_pinned({1 << 20}, cupyxx::float32);
//   cupyxx::copy_async(on_device, staging, stream);        // returns at once
#pragma once

#include <cstdint>

#include "cupyxx/cuda/memory.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/ndarray.h"

namespace cupyxx {

/// An array whose first element is at `memptr`, on its device; it shares the memory. Strides are in
/// bytes, C order without. Throws ValueError for negative extents, elements outside of the memory,
/// addresses that are not aligned to the element, and null.
CUPYXX_API ndarray from_memory(const Shape& shape, cupyxx::dtype dtype,
                               const cuda::MemoryPointer& memptr, const Strides& strides = {});
/// Where the first element of an array is, in its memory; the manual's `a.data`. The bounds are
/// those of the whole memory, which views share.
CUPYXX_API cuda::MemoryPointer memory_of(const ndarray& a);

/// Host arrays in pinned memory from its pool: copies to and from devices go straight there, and
/// need not be waited for. They are usual host arrays otherwise; without a CUDA device the memory
/// is pageable.
CUPYXX_API ndarray empty_pinned(const Shape& shape, cupyxx::dtype dtype = float64);
CUPYXX_API ndarray zeros_pinned(const Shape& shape, cupyxx::dtype dtype = float64);
CUPYXX_API ndarray empty_like_pinned(const ndarray& a, cupyxx::dtype dtype = {});
CUPYXX_API ndarray zeros_like_pinned(const ndarray& a, cupyxx::dtype dtype = {});

/// Enqueues a copy between two C-contiguous arrays of one shape and dtype. A host array in pinned
/// memory must stay as it is until the stream has been waited for; pageable memory is done with
/// when this returns. Both arrays may be freed at once. Between two host arrays it copies.
CUPYXX_API void copy_async(const ndarray& target, const ndarray& source,
                           const cuda::Stream& stream);

/// The array on the host, enqueued on a stream of its device: a C-contiguous copy in pinned memory,
/// which is there when the stream has been waited for. An array on the host is returned as it is.
/// Throws DeviceError for the stream of another device.
CUPYXX_API ndarray asnumpy(const ndarray& a, const cuda::Stream& stream);

namespace internal {
/// The same for `operation`: ndarray::get, to_cpu.
CUPYXX_API ndarray get(const char* operation, const ndarray& a, const cuda::Stream& stream);
/// `target.set(source)` on a stream of the target's device, without waiting: pinned memory must
/// stay as it is until the stream has been waited for, other host memory is done with when this
/// returns. A target on the host has its elements when this returns.
CUPYXX_API void set(const ndarray& target, const ndarray& source, const cuda::Stream& stream);
/// `a.to(device)` on a stream of that device, without waiting in the same sense.
CUPYXX_API ndarray to_cuda(const char* operation, const ndarray& a, Device device,
                           const cuda::Stream& stream);
}  // namespace internal

}  // namespace cupyxx
