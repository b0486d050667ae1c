// SPDX-License-Identifier: MIT
#include "cupyxx/core/body.h"

#include <new>

#include "cupyxx/core/owed_zeros.h"
#include "cupyxx/internal/cpu/allocator.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::internal {

namespace {

// Bodies are recycled per thread: creating an array must not cost a trip to the allocator.
struct BodyCache {
  static constexpr int kDepth = 64;
  Body* free[kDepth];
  int count;
  bool closed;
};
thread_local constinit BodyCache body_cache{};

struct BodyFlush {
  ~BodyFlush() {
    while (body_cache.count > 0) ::operator delete(body_cache.free[--body_cache.count]);
    body_cache.closed = true;
  }
};

// Takes one reference away; whether it was the last. The only owner needs no atomic change: nobody
// else is there who could copy its handle.
bool gives_up_last(std::atomic<std::int32_t>& refs) noexcept {
  return refs.load(std::memory_order_acquire) == 1 ||
         refs.fetch_sub(1, std::memory_order_acq_rel) == 1;
}

Body* take_body() {
  if (body_cache.count > 0) return new (body_cache.free[--body_cache.count]) Body;
  return new Body;
}

void recycle_body(Body* body) {
  if (body->shape != body->inline_dims) delete[] body->shape;
  body->~Body();
  if (body_cache.count < BodyCache::kDepth && !body_cache.closed) {
    static thread_local BodyFlush flush;
    static_cast<void>(flush);
    body_cache.free[body_cache.count++] = body;
  } else {
    ::operator delete(body);
  }
}

}  // namespace

Storage* allocate(Device device, std::size_t nbytes) {
  return device.is_cpu() ? cpu::allocate(nbytes) : gpu::allocate(device.index, nbytes);
}

void retain(Body* body) noexcept { body->refs.fetch_add(1, std::memory_order_relaxed); }

void release(Body* body) noexcept {
  if (__atomic_load_n(&body->storage, __ATOMIC_ACQUIRE) == nullptr) [[unlikely]] {
    const Released released = release_pending(body);
    if (released == Released::last) recycle_body(body);
    if (released != Released::not_pending) return;
  }
  if (!gives_up_last(body->refs)) return;
  if (owes_zeros(body)) [[unlikely]] {
    forget_zeros(body);
  }
  if (gives_up_last(body->storage->refs)) destroy(body->storage);
  recycle_body(body);
}

Body* new_waiting_body() { return take_body(); }

// The reference is taken over even where there is no memory for the body.
Body* new_body(Storage* storage, char* data, cupyxx::dtype dtype, int ndim,
               const std::int64_t* shape, const std::int64_t* strides) {
  Body* body = nullptr;
  try {
    body = take_body();
    if (ndim > Body::kInlineNdim) {
      body->shape = new std::int64_t[static_cast<std::size_t>(2 * ndim)];
      body->strides = body->shape + ndim;
    }
  } catch (...) {
    if (body != nullptr) recycle_body(body);
    release(storage);
    throw;
  }
  body->storage = storage;
  body->state.store(BodyState::ready, std::memory_order_relaxed);
  body->data = data;
  body->dtype = dtype;
  body->ndim = static_cast<std::uint8_t>(ndim);
  // From the last axis to the first; axes of extent 1 fit any layout, and so do empty arrays.
  const std::int64_t itemsize = dtype.itemsize();
  // Beside an extent of 0 others may be such that a product of them wraps around.
  const auto multiply = [](std::int64_t& product, std::int64_t extent) {
    static_cast<void>(__builtin_mul_overflow(product, extent, &product));
  };
  std::int64_t size = 1;
  std::int64_t step = itemsize;
  bool c_contiguous = true;
  for (int i = ndim - 1; i >= 0; --i) {
    body->shape[i] = shape[i];
    body->strides[i] = strides == nullptr ? step : strides[i];
    if (shape[i] != 1 && body->strides[i] != step) c_contiguous = false;
    multiply(size, shape[i]);
    multiply(step, shape[i] == 0 ? 1 : shape[i]);
  }
  body->size = size;
  body->c_contiguous = c_contiguous || size == 0;
  if (ndim <= 1) {
    body->f_contiguous = body->c_contiguous;
  } else {
    bool f_contiguous = true;
    step = itemsize;
    for (int i = 0; i < ndim; ++i) {
      if (shape[i] != 1 && body->strides[i] != step) f_contiguous = false;
      multiply(step, shape[i]);
    }
    body->f_contiguous = f_contiguous || size == 0;
  }
  return body;
}

}  // namespace cupyxx::internal
