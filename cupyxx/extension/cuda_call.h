// SPDX-License-Identifier: MIT
// Calls of CUDA's libraries, which launch kernels of their own on a stream that they are given:
//
//   const OnDevice on(device);
//   void* const stream = current_stream(device);
//   note_use(x, stream);                                  // storage.h
//   check(cudnnConvolutionForward(...));
//   await_library("cudnnConvolutionForward", device, stream);
//
// In a build without CUDA there is no device to call them with.
#pragma once

#include <cstddef>

#include "cupyxx/export.h"

namespace cupyxx::extension {

/// Sends CUDA's calls of this thread to a device until the end of the scope, and leaves CUDA's
/// device as it was found. Throws CudaError.
class CUPYXX_API OnDevice {
 public:
  explicit OnDevice(int device);
  ~OnDevice();
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  int previous_;
  int device_;
};

/// The current stream of this thread on a CUDA device, as cudaStream_t; null is the default stream.
CUPYXX_API void* current_stream(int device);

/// With CUPYXX_DEBUG=sync waits for a stream and throws what went wrong in it, with the name of the
/// library's function, the thread's notes and the callers; else does nothing.
CUPYXX_API void await_library(const char* function, int device, void* stream);

/// How many multiprocessors a CUDA device has; asked of CUDA once.
CUPYXX_API int multiprocessors(int device);
/// The bytes of memory that a CUDA device has; asked of CUDA once.
CUPYXX_API std::size_t total_memory(int device);
/// The bytes of shared memory that a block on a CUDA device may ask for; asked of CUDA once. A
/// multiprocessor has 1 KiB more, and each of its blocks takes 1 KiB beside what it asks for.
CUPYXX_API std::size_t shared_memory(int device);

}  // namespace cupyxx::extension
