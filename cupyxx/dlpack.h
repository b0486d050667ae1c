// SPDX-License-Identifier: MIT
// Arrays shared with other libraries without copying, through DLPack's structures:
//
//   at::Tensor t = at::fromDLPack(cupyxx::to_dlpack_unversioned(a).release());
//   cupyxx::ndarray b = cupyxx::from_dlpack(at::toDLPack(t));
//
// The structures are those of the specification, by name; include its header, or the other
// library's, to look inside.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "cupyxx/ndarray.h"

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
/// A tensor that is deleted unless somebody takes it over with release().
using DlpackTensor = std::unique_ptr<DLManagedTensorVersioned, DlpackDeleter>;
using DlpackUnversionedTensor = std::unique_ptr<DLManagedTensor, DlpackDeleter>;

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
/// the last array over the elements has gone, or before this throws. Our current stream waits for
/// the producer's stream; before the deleter is called the producer's stream waits for our work,
/// or, without a stream, the host does. Memory of CUDA-host tensors is a host array, managed memory
/// one of its device. Throws ValueError for another major version and for damaged descriptions,
/// DtypeError for element types without a dtype, DeviceError for devices that we cannot use.
CUPYXX_API ndarray from_dlpack(DLManagedTensorVersioned* tensor,
                               const FromDlpackOptions& options = {});
CUPYXX_API ndarray from_dlpack(DLManagedTensor* tensor, const FromDlpackOptions& options = {});
inline ndarray from_dlpack(DlpackTensor tensor, const FromDlpackOptions& options = {}) {
  return from_dlpack(tensor.release(), options);
}
inline ndarray from_dlpack(DlpackUnversionedTensor tensor, const FromDlpackOptions& options = {}) {
  return from_dlpack(tensor.release(), options);
}

}  // namespace cupyxx
