// SPDX-License-Identifier: MIT
#include "cupyxx/extension/storage.h"

#include "cupyxx/core/body.h"
#include "cupyxx/internal/gpu/runtime.h"

namespace cupyxx::extension {

std::span<const std::int64_t> extents(const ndarray& array) {
  const internal::Body* body = array.body();
  return {body->shape, body->ndim};
}

bool is_unshared(const ndarray& array) {
  const internal::Body* body = array.body();
  return body->writeable && body->refs.load(std::memory_order_relaxed) == 1 &&
         body->storage->refs.load(std::memory_order_relaxed) == 1;
}

void note_write(const ndarray& array) { internal::touch(array.body()); }

void note_use(const ndarray& array, void* stream) {
  internal::gpu::record_use(array.body()->storage, stream);
}

Workspace::Workspace(int device, std::size_t nbytes)
    : storage_(nbytes != 0 ? internal::gpu::allocate(device, nbytes) : nullptr) {}

Workspace::~Workspace() {
  if (storage_ != nullptr) internal::release(storage_);
}

void* Workspace::data() const { return storage_ != nullptr ? storage_->data : nullptr; }

}  // namespace cupyxx::extension
