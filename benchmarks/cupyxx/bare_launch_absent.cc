// SPDX-License-Identifier: MIT
#include "benchmarks/cupyxx/bare_launch.h"
#include "cupyxx/error.h"

namespace benchmarks {

struct BareLaunch::Impl {};

BareLaunch::BareLaunch() { throw cupyxx::DeviceError("BareLaunch: this build is without CUDA"); }
BareLaunch::~BareLaunch() = default;
void BareLaunch::through_cupyxx() const {}
void BareLaunch::through_cuda() const {}

}  // namespace benchmarks
