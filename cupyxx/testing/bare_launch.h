// SPDX-License-Identifier: MIT
// The floor under every small operation on a GPU: a kernel that does nothing.
#pragma once

#include <memory>

namespace cupyxx::testing {

/// A kernel without a body that takes the parameters of an elementwise launch of contiguous arrays,
/// and the two ways to launch it. Throws where there is no CUDA.
class BareLaunch {
 public:
  /// On a CUDA device.
  explicit BareLaunch(int device);
  ~BareLaunch();

  /// One block of threads through cupyxx's launcher.
  void through_cupyxx() const;
  /// The same through cudaLaunchKernel.
  void through_cuda() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace cupyxx::testing
