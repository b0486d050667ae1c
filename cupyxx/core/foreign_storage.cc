// SPDX-License-Identifier: MIT
#include "cupyxx/core/foreign_storage.h"

#include <algorithm>
#include <memory>

#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/gpu/uses.h"

namespace cupyxx::internal {

namespace {

constexpr std::int64_t kLargestItem = 16;

struct ForeignStorage : Storage {
  ForeignMemory memory;
};

void destroy_foreign(Storage* storage) {
  const std::unique_ptr<ForeignStorage> self(static_cast<ForeignStorage*>(storage));
  const ForeignMemory& memory = self->memory;
  if (memory.device.is_cuda() && memory.nbytes != 0) {
    if (memory.has_stream) {
      gpu::order_after_uses(self.get(), memory.stream);
    } else {
      gpu::wait_for_uses(self.get());
    }
  }
  if (memory.release != nullptr) memory.release(memory.context);
}

}  // namespace

Storage* wrap_memory(const ForeignMemory& memory) {
  auto storage = std::make_unique<ForeignStorage>();
  storage->memory = memory;
  storage->device = memory.device;
  storage->data = static_cast<char*>(memory.data);
  storage->nbytes = memory.nbytes;
  storage->destroy = destroy_foreign;
  storage->exposed = true;  // its owner may write to it
  if (memory.device.is_cuda()) storage->home_stream = gpu::current_stream(memory.device.index);
  return storage.release();
}

ndarray wrap_array(Storage* storage, void* first, dtype type, const Shape& shape,
                   const Strides& strides, bool writeable) {
  Body* body = new_body(storage, static_cast<char*>(first), type, shape.ndim(), shape.data(),
                        strides.data());
  body->writeable = writeable;
  body->owndata = false;
  return ndarray::adopt(body);
}

void check_extents(const char* operation, const Shape& shape) {
  std::int64_t size = 1;
  bool too_large = false;
  for (const std::int64_t extent : shape) {
    if (extent < 0) {
      throw ValueError(message(operation, ": negative dimensions are not allowed; ", shape));
    }
    // Extents of 0 do not excuse the others: loops multiply them in any order.
    too_large |= __builtin_mul_overflow(size, extent == 0 ? 1 : extent, &size);
  }
  if (too_large || size > INT64_MAX / kLargestItem) {
    throw ValueError(message(operation, ": the array is too large; ", shape));
  }
}

Extent extent_of(const char* operation, const Shape& shape, const Strides& strides,
                 std::int64_t itemsize) {
  if (shape.ndim() != strides.ndim()) {
    throw ValueError(
        message(operation, ": shape and strides differ in length; ", shape, " and ", strides));
  }
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return {};
  Extent extent{0, itemsize};
  for (int i = 0; i < shape.ndim(); ++i) {
    std::int64_t reach = 0;
    std::int64_t& side = strides[i] < 0 ? extent.low : extent.high;
    if (__builtin_mul_overflow(shape[i] - 1, strides[i], &reach) ||
        __builtin_add_overflow(side, reach, &side)) {
      throw ValueError(message(operation, ": the elements reach beyond 64 bits; shape ", shape,
                               ", strides ", strides));
    }
  }
  return extent;
}

}  // namespace cupyxx::internal
