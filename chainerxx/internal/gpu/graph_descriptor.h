// SPDX-License-Identifier: MIT
// A descriptor of cuDNN's backend, the interface behind its graphs. Nothing throws: a call that
// does not succeed leaves a descriptor that is not good, and what is made with it is not good
// either.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "chainerxx/internal/gpu/cudnn.h"

namespace chainerxx::internal::gpu {

class GraphDescriptor {
 public:
  GraphDescriptor() = default;
  explicit GraphDescriptor(cudnnBackendDescriptorType_t type) {
    note(cudnn().BackendCreateDescriptor(type, &descriptor_));
  }
  GraphDescriptor(GraphDescriptor&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, nullptr)), status_(other.status_) {}
  GraphDescriptor& operator=(GraphDescriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(status_, other.status_);
    return *this;
  }
  ~GraphDescriptor() {
    if (descriptor_ != nullptr) cudnn().BackendDestroyDescriptor(descriptor_);
  }

  bool good() const { return descriptor_ != nullptr && status_ == CUDNN_STATUS_SUCCESS; }
  cudnnBackendDescriptor_t get() const { return descriptor_; }

  GraphDescriptor& set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                       std::int64_t count, const void* values) {
    if (good()) note(cudnn().BackendSetAttribute(descriptor_, name, type, count, values));
    return *this;
  }
  template <class T>
  GraphDescriptor& set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                       const T& value) {
    return set(name, type, 1, &value);
  }
  GraphDescriptor& set(cudnnBackendAttributeName_t name, const std::vector<std::int64_t>& values) {
    return set(name, CUDNN_TYPE_INT64, static_cast<std::int64_t>(values.size()), values.data());
  }
  GraphDescriptor& set(cudnnBackendAttributeName_t name, const GraphDescriptor& value) {
    if (!value.good()) status_ = CUDNN_STATUS_NOT_SUPPORTED;
    return set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, value.get());
  }
  /// Ends the setting of attributes.
  GraphDescriptor& finalize() {
    if (good()) note(cudnn().BackendFinalize(descriptor_));
    return *this;
  }

  /// The number of values of an attribute, at most `room`, which go to `values`; 0 if it cannot be
  /// had.
  std::int64_t read(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type,
                    std::int64_t room, void* values) const {
    std::int64_t count = 0;
    if (!good()) return 0;
    const cudnnStatus_t status =
        cudnn().BackendGetAttribute(descriptor_, name, type, room, &count, values);
    return status == CUDNN_STATUS_SUCCESS ? count : 0;
  }

 private:
  void note(cudnnStatus_t status) {
    if (status != CUDNN_STATUS_SUCCESS) status_ = status;
  }

  cudnnBackendDescriptor_t descriptor_ = nullptr;
  cudnnStatus_t status_ = CUDNN_STATUS_SUCCESS;
};

}  // namespace chainerxx::internal::gpu
