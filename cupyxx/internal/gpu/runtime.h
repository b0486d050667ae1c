// SPDX-License-Identifier: MIT
// The CUDA runtime as the rest of cupyxx sees it: no CUDA types, every failure an exception. In a
// build without CUDA the same functions come from runtime_absent.cc: device_count() is 0 and the
// others throw DeviceError.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cupyxx/core/body.h"

namespace cupyxx {
struct PoolStats;
}

namespace cupyxx::internal::gpu {

/// Number of usable devices; 0 without driver or toolkit. Never throws; asked of CUDA once.
int device_count();
/// Throws DeviceError, naming `operation`, unless 0 <= device < device_count().
void check_device(const char* operation, int device);

/// The CUDA device that this thread has chosen (current.h); CUDA's own where it has chosen none.
int current_device();

/// CUDA's own device of this thread, to which launches and allocations go. Without a second device
/// there is nothing to ask; else CUDA is asked each time, since others may change it.
int bound_device();
/// Changes it; current_device() stays. No change where it is that one already.
void set_device(int device);
/// The same for the way back, when an error has been thrown or could not be.
void return_to_device(int device) noexcept;

/// Sends calls of CUDA to a device until the end of the scope, and leaves CUDA's device as it was
/// found.
class OnDevice {
 public:
  explicit OnDevice(int device) : previous_(bound_device()), device_(device) {
    if (previous_ != device) set_device(device);
  }
  ~OnDevice() {
    if (previous_ != device_) return_to_device(previous_);
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int previous_;
  int device_;
};

/// Lets kernels on `device` use the memory of `peer`; whether that is possible.
bool enable_peer_access(int device, int peer);

/// The current stream of this thread on a device, as cudaStream_t; null is the default stream.
void* current_stream(int device);
void set_current_stream(int device, void* stream);

enum class CopyKind { host_to_device, device_to_host, device_to_device };
/// Enqueues a copy of bytes on a stream. Pageable host memory is staged through pinned buffers;
/// copies to the host have arrived when this returns.
void copy(void* target, const void* source, std::size_t nbytes, CopyKind kind, int device,
          void* stream);
/// Copies between two devices, ordered after and before the work on both current streams.
void copy_peer(void* target, int target_device, const void* source, int source_device,
               std::size_t nbytes);
void set_bytes(void* target, int value, std::size_t nbytes, int device, void* stream);

/// Pinned host memory that every device can reach; it is never freed.
void* allocate_pinned(std::size_t nbytes);

/// Waits for a stream and throws what went wrong in it, the device-side errors below included.
void synchronize(int device, void* stream);
void synchronize_device(int device);

/// Device memory from the pool, with the current stream as home. Throws OutOfMemoryError.
Storage* allocate(int device, std::size_t nbytes);
/// Notes that work enqueued on `stream`, a stream of the storage's device, uses the memory. Cheap
/// when that is the home stream.
inline void record_use(Storage* storage, void* stream);
void record_foreign_use(Storage* storage, void* stream);
inline void record_use(Storage* storage, void* stream) {
  if (storage->home_stream != stream) record_foreign_use(storage, stream);
}

/// The functions of cuda/memory_pool.h for a device.
PoolStats pool_stats(int device);
void free_all_blocks(int device);
void set_pool_limit(int device, std::uint64_t bytes);

/// What a kernel found wrong in its data. Lives in pinned memory that the device can write; the
/// first error wins. The kernel's side is in internal/kernels/error_word.h.
struct ErrorWord {
  std::uint32_t code;       // 0: nothing; else an ErrorCode
  std::uint32_t operation;  // as given by operation_number()
  std::int64_t value;       // the index or label
  std::int64_t bound;       // the extent it missed
};
enum class ErrorCode : std::uint32_t { none, index_out_of_range, negative_power, not_finite };
/// The error word of a stream, as a pointer valid on the device.
ErrorWord* error_word(int device, void* stream);
/// A number for an operation's name (a string that lives for ever), for the word above.
std::uint32_t operation_number(const char* name);

/// Properties that launches need; read once per device.
struct DeviceInfo {
  int multiprocessors = 0;
  int compute_capability = 0;  // 90
  std::size_t total_memory = 0;
  std::size_t l2_bytes = 0;
  std::size_t shared_bytes = 0;  // that a block may ask for
  char name[256] = {};
};
const DeviceInfo& device_info(int device);

}  // namespace cupyxx::internal::gpu
