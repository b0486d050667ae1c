// SPDX-License-Identifier: MIT
// Arrays over memory of the program, without copying.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>

#include "cupyxx/ndarray.h"

namespace cupyxx {

/// Options of from_host_buffer.
struct HostBufferOptions {
  Strides strides = {};   ///< in bytes, one per axis; none for C order
  bool writeable = true;  ///< elements given as const are read-only in any case
  /// Kept until the last array over the elements has gone; without an owner the memory must live
  /// that long by itself. `std::shared_ptr<void>(p, free)` frees it then.
  std::shared_ptr<const void> owner = {};
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
}

/// The bytes of a buffer from `offset` on, read as `count` elements, or all that fit (-1): a view
/// on the host, read-only for const elements, and a copy where a CUDA device is current. The buffer
/// must outlive the view. Throws ValueError where the sizes do not fit, as NumPy.
template <class T>
ndarray frombuffer(std::span<T> buffer, cupyxx::dtype dtype = float64, std::int64_t count = -1,
                   std::int64_t offset = 0) {
  static_assert(std::is_trivially_copyable_v<T>);
  return internal::from_bytes(buffer.data(), buffer.size_bytes(), !std::is_const_v<T>, dtype, count,
                              offset);
}
/// The same for a named vector or string.
template <class Buffer>
requires(!std::is_array_v<Buffer> && requires(Buffer & b) { std::span(b); }) ndarray
    frombuffer(Buffer& buffer, cupyxx::dtype dtype = float64, std::int64_t count = -1,
               std::int64_t offset = 0) {
  return frombuffer(std::span(buffer), dtype, count, offset);
}
inline ndarray frombuffer(std::string_view buffer, cupyxx::dtype dtype = float64,
                          std::int64_t count = -1, std::int64_t offset = 0) {
  return frombuffer(std::span(buffer), dtype, count, offset);
}

/// Options of frombuffer.
struct FrombufferOptions {
  cupyxx::dtype dtype = float64;
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
template <std::same_as<FrombufferOptions> O = FrombufferOptions>
ndarray frombuffer(std::string_view buffer, const O& options) {
  return frombuffer(std::span(buffer), options);
}

}  // namespace cupyxx
