// SPDX-License-Identifier: MIT
// cuRAND's generators, opened on first use. A build without CUDA has curand_absent.cc.
#pragma once

#include <cstdint>
#include <memory>

#include "cupyxx/ndarray.h"

namespace cupyxx::internal {

/// One generator of a kind and a seed for each device that asks, the host among them. Threads may
/// share it. Arrays are C-contiguous; work on devices is enqueued on the current stream. All throw
/// Error when the library is absent, CudaError when it fails.
class Curand {
 public:
  /// `kind` is cuRAND's code. Opens nothing yet.
  Curand(int kind, std::uint64_t seed);
  ~Curand();
  Curand(const Curand&) = delete;
  Curand& operator=(const Curand&) = delete;

  /// float32 or float64 of (0, 1].
  void uniform(const ndarray& out);
  /// An even number of float32 or float64.
  void normal(const ndarray& out, double mean, double deviation);
  /// uint32: words of 32 random bits.
  void words(const ndarray& out);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cupyxx::internal
