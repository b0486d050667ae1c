// SPDX-License-Identifier: MIT
// Arrays and memory of others: DLPack, buffers of the host, device memory, and functions for either
// place.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "cupyxx/core/shared.h"
#include "cupyxx/creation.h"
#include "cupyxx/cuda/memory.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/error.h"
#include "cupyxx/ndarray.h"

// ---- Arrays shared with other libraries without copying, through DLPack's structures:
//
//   at::Tensor t = at::fromDLPack(cupyxx::to_dlpack_unversioned(a).release());
//   cupyxx::ndarray b = cupyxx::from_dlpack(at::toDLPack(t));
//
// The structures are those of the specification, by name; include its header, or the other
// library's, to look inside.

extern "C" {
struct DLManagedTensor;
struct DLManagedTensorVersioned;
}

namespace cupyxx {

/// Calls a tensor's own deleter.
struct CUPYXX_API DlpackDeleter {
  void operator()(DLManagedTensor* tensor) const noexcept;
  void operator()(DLManagedTensorVersioned* tensor) const noexcept;
};
/// Owns a tensor, or none: it is deleted unless somebody takes it over with release(). Moved, never
/// copied; converts to and from std::unique_ptr<Tensor, DlpackDeleter>.
template <class Tensor>
class DlpackOwner {
 public:
  DlpackOwner() = default;
  DlpackOwner(std::nullptr_t) {}  // NOLINT(google-explicit-constructor)
  explicit DlpackOwner(Tensor* tensor) noexcept : tensor_(tensor) {}
  template <class P>
  requires std::same_as<typename P::deleter_type, DlpackDeleter> DlpackOwner(P owner)
  noexcept  // NOLINT(google-explicit-constructor)
      : tensor_(owner.release()) {}
  DlpackOwner(DlpackOwner&& other) noexcept : tensor_(other.release()) {}
  DlpackOwner& operator=(DlpackOwner&& other) noexcept {
    reset(other.release());
    return *this;
  }
  ~DlpackOwner() { reset(); }

  Tensor* get() const { return tensor_; }
  Tensor* operator->() const { return tensor_; }
  Tensor& operator*() const { return *tensor_; }
  explicit operator bool() const { return tensor_ != nullptr; }
  friend bool operator==(const DlpackOwner& a, std::nullptr_t) { return a.tensor_ == nullptr; }
  /// Gives the tensor away.
  Tensor* release() noexcept { return std::exchange(tensor_, nullptr); }
  /// Deletes the tensor and owns another, or none.
  void reset(Tensor* tensor = nullptr) noexcept {
    Tensor* const old = std::exchange(tensor_, tensor);
    if (old != nullptr) DlpackDeleter()(old);
  }
  /// As a std::unique_ptr with that deleter.
  template <class P>
  requires std::same_as<typename P::deleter_type, DlpackDeleter>
  operator P() && {  // NOLINT(google-explicit-constructor)
    return P(release());
  }

 private:
  Tensor* tensor_ = nullptr;
};
using DlpackTensor = DlpackOwner<DLManagedTensorVersioned>;
using DlpackUnversionedTensor = DlpackOwner<DLManagedTensor>;

/// The other side's stream, as Python's array API numbers it: 1 is the legacy default stream, 2 the
/// per-thread default stream, -1 stands for no stream and no waiting, and any other number is a
/// cudaStream_t, which must exist until the tensor has been deleted. Host arrays need none.
inline constexpr std::intptr_t kDlpackLegacyStream = 1;
inline constexpr std::intptr_t kDlpackPerThreadStream = 2;
inline constexpr std::intptr_t kDlpackNoStream = -1;

/// Options of to_dlpack.
struct ToDlpackOptions {
  std::intptr_t stream = kDlpackLegacyStream;  ///< the consumer's
  std::optional<Device> device = {};           ///< where the consumer wants it; copies if elsewhere
  bool copy = false;                           ///< a copy that the consumer may write to
};

/// A tensor of DLPack 1.0 over the elements of `a`, which live until the tensor is deleted. Work
/// that the consumer enqueues on its stream starts after ours; what it has enqueued there when it
/// deletes the tensor, on any thread, ends before the memory is used again. Read-only arrays carry
/// the flag. Throws ValueError for strides that are no multiples of the element's size. Does not
/// synchronise.
CUPYXX_API DlpackTensor to_dlpack(const ndarray& a, const ToDlpackOptions& options = {});
/// The same in the layout before version 1. It has no flags: read-only arrays are a ValueError
/// unless copied.
CUPYXX_API DlpackUnversionedTensor to_dlpack_unversioned(const ndarray& a,
                                                         const ToDlpackOptions& options = {});

/// Options of from_dlpack.
struct FromDlpackOptions {
  std::intptr_t stream = kDlpackLegacyStream;  ///< the producer's
  std::optional<Device> device = {};           ///< where the array shall be; copies if elsewhere
  bool copy = false;                           ///< always a copy, which is writeable
};

/// An array over the elements of a tensor. Takes the tensor over: its deleter is called once, when
/// the last array over the elements is destroyed, or before this throws. Our current stream waits
/// for the producer's stream; before the deleter is called the producer's stream waits for our
/// work, or, without a stream, the host does. Memory of CUDA-host tensors is a host array, managed
/// memory one of its device. Throws ValueError for another major version and for damaged
/// descriptions, DtypeError for element types without a dtype, DeviceError for devices that we
/// cannot use.
CUPYXX_API ndarray from_dlpack(DLManagedTensorVersioned* tensor,
                               const FromDlpackOptions& options = {});
CUPYXX_API ndarray from_dlpack(DLManagedTensor* tensor, const FromDlpackOptions& options = {});
CUPYXX_API ndarray from_dlpack(DlpackTensor tensor, const FromDlpackOptions& options = {});
CUPYXX_API ndarray from_dlpack(DlpackUnversionedTensor tensor,
                               const FromDlpackOptions& options = {});
/// Of an array, the exchange that NumPy makes of it: a new array over the same elements.
CUPYXX_API ndarray from_dlpack(const ndarray& a, const FromDlpackOptions& options = {});

// ---- Arrays over memory of the program, without copying.

/// Options of from_host_buffer.
struct HostBufferOptions {
  Strides strides = {};   ///< in bytes, one per axis; none for C order
  bool writeable = true;  ///< elements given as const are read-only in any case
  /// Kept until the last array over the elements is destroyed; without an owner the memory must
  /// live that long by itself. `std::shared_ptr<void>(p, free)` frees it then.
  internal::Shared<const void> owner = {};
};

/// A host array over elements that start at `data`. Throws ValueError for negative extents, a null
/// pointer to elements, and elements that are not aligned to their size.
CUPYXX_API ndarray from_host_buffer(void* data, const Shape& shape, cupyxx::dtype dtype,
                                    HostBufferOptions options = {});
/// The same for a pointer to elements of a dtype.
template <class T>
requires(!std::is_void_v<T>) ndarray
    from_host_buffer(T* data, const Shape& shape, HostBufferOptions options = {}) {
  options.writeable = options.writeable && !std::is_const_v<T>;
  using Element = std::remove_const_t<T>;
  return from_host_buffer(static_cast<void*>(const_cast<Element*>(data)), shape,
                          dtype_of<Element>(), std::move(options));
}
/// A one-dimensional host array over the elements of a span.
template <class T>
ndarray from_host_buffer(std::span<T> values, HostBufferOptions options = {}) {
  return from_host_buffer(values.data(), {static_cast<std::int64_t>(values.size())},
                          std::move(options));
}

namespace internal {
CUPYXX_API ndarray from_bytes(const void* bytes, std::size_t size, bool writeable,
                              cupyxx::dtype dtype, std::int64_t count, std::int64_t offset);
/// What the elements of a buffer are read as unless that is said: as what they are, and bytes as
/// float64, NumPy's default.
template <class T>
constexpr cupyxx::dtype buffer_dtype(cupyxx::dtype given) {
  using Element = std::remove_const_t<T>;
  if constexpr (sizeof(Element) > 1 && requires { dtype_of<Element>(); }) {
    return given ? given : dtype_of<Element>();
  } else {
    return given ? given : float64;
  }
}
}  // namespace internal

/// The bytes of a buffer from `offset` on, read as `count` elements of `dtype`, or all that fit
/// (-1); of the buffer's own type without a dtype, and of float64 where these are bytes. A view on
/// the host, read-only for const elements, and a copy where a CUDA device is current. The buffer
/// must outlive the view. Throws ValueError where the sizes do not fit, as NumPy.
template <class T>
ndarray frombuffer(std::span<T> buffer, cupyxx::dtype dtype = {}, internal::Int64 count = -1,
                   internal::Int64 offset = 0) {
  static_assert(std::is_trivially_copyable_v<T>);
  return internal::from_bytes(buffer.data(), buffer.size_bytes(), !std::is_const_v<T>,
                              internal::buffer_dtype<T>(dtype), count, offset);
}
/// The same for a named vector or string.
template <class Buffer>
requires(!std::is_array_v<Buffer> && requires(Buffer & b) { std::span(b); }) ndarray
    frombuffer(Buffer& buffer, cupyxx::dtype dtype = {}, internal::Int64 count = -1,
               internal::Int64 offset = 0) {
  return frombuffer(std::span(buffer), dtype, count, offset);
}
/// Of a temporary one, `frombuffer(a.tobytes(), int64)`, a copy.
template <class Buffer>
requires(!std::is_reference_v<Buffer> && requires { typename Buffer::allocator_type; }) ndarray
    frombuffer(Buffer&& buffer, cupyxx::dtype dtype = {}, internal::Int64 count = -1,
               internal::Int64 offset = 0) {
  return frombuffer(std::span(std::as_const(buffer)), dtype, count, offset).copy();
}
inline ndarray frombuffer(std::string_view buffer, cupyxx::dtype dtype = {},
                          internal::Int64 count = -1, internal::Int64 offset = 0) {
  return internal::from_bytes(buffer.data(), buffer.size(), false,
                              internal::buffer_dtype<char>(dtype), count, offset);
}

/// Options of frombuffer.
struct FrombufferOptions {
  cupyxx::dtype dtype = {};  ///< unset: as by position
  std::int64_t count = -1;
  std::int64_t offset = 0;
};
template <class T, std::same_as<FrombufferOptions> O = FrombufferOptions>
ndarray frombuffer(std::span<T> buffer, const O& options) {
  return frombuffer(buffer, options.dtype, options.count, options.offset);
}
template <class Buffer, std::same_as<FrombufferOptions> O = FrombufferOptions>
requires(!std::is_array_v<Buffer> && requires(Buffer & b) { std::span(b); }) ndarray
    frombuffer(Buffer& buffer, const O& options) {
  return frombuffer(std::span(buffer), options);
}
template <class Buffer, std::same_as<FrombufferOptions> O = FrombufferOptions>
requires(!std::is_reference_v<Buffer> && requires { typename Buffer::allocator_type; }) ndarray
    frombuffer(Buffer&& buffer, const O& options) {
  return frombuffer(std::span(std::as_const(buffer)), options).copy();
}
template <std::same_as<FrombufferOptions> O = FrombufferOptions>
ndarray frombuffer(std::string_view buffer, const O& options) {
  return frombuffer(buffer, options.dtype, options.count, options.offset);
}

// ---- Arrays and the memory under them: arrays over a MemoryPointer, arrays in pinned memory,
// copies that do not wait.
//
//   auto staging = cupyxx::empty_pinned({1 << 20}, cupyxx::float32);
//   cupyxx::copy_async(on_device, staging, stream);        // returns at once

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

// ---- One text for host and device: `auto xp = cupyxx::get_array_module(x); xp.zeros(x.shape())`.

/// Creates arrays on one device.
class ArrayModule {
 public:
  explicit ArrayModule(Device device) : device_(device) {}

  Device device() const { return device_; }
  bool is_cpu() const { return device_.is_cpu(); }

  ndarray empty(const Shape& shape, cupyxx::dtype dtype = float64) const {
    const DeviceScope scope(device_);
    return cupyxx::empty(shape, dtype);
  }
  ndarray zeros(const Shape& shape, cupyxx::dtype dtype = float64) const {
    const DeviceScope scope(device_);
    return cupyxx::zeros(shape, dtype);
  }
  ndarray ones(const Shape& shape, cupyxx::dtype dtype = float64) const {
    const DeviceScope scope(device_);
    return cupyxx::ones(shape, dtype);
  }
  ndarray full(const Shape& shape, const Operand& value, cupyxx::dtype dtype = {}) const {
    const DeviceScope scope(device_);
    return cupyxx::full(shape, value, dtype);
  }
  ndarray arange(const Scalar& start, const Scalar& stop, const Scalar& step = 1) const {
    const DeviceScope scope(device_);
    return cupyxx::arange(start, stop, step);
  }
  /// The array on this device: itself, or a copy.
  ndarray asarray(const ndarray& a, cupyxx::dtype dtype = {}) const {
    const ndarray here = a.to(device_);
    return dtype ? here.astype(dtype, false) : here;
  }
  /// Calls f() with this device as the current one.
  template <class F>
  auto operator()(F&& f) const {
    const DeviceScope scope(device_);
    return f();
  }

 private:
  Device device_;
};

/// The array on the host: itself, or a copy. Copies synchronise; array_memory.h has asnumpy with a
/// stream.
inline ndarray asnumpy(const ndarray& a) {
  if (a.is_none()) throw TypeError("asnumpy: the array is None");
  return a.to_cpu();
}

/// What creates arrays where the first array on a device is, else on the host. Null arrays do not
/// count.
template <class... A>
ArrayModule get_array_module(const A&... arrays) {
  Device device = Device::cpu();
  const auto look = [&device](const ndarray& a) {
    if (device.is_cpu() && !a.is_none()) device = a.device();
  };
  (look(arrays), ...);
  return ArrayModule(device);
}

}  // namespace cupyxx
