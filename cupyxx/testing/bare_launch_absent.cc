// SPDX-License-Identifier: MIT
#include "cupyxx/error.h"
#include "cupyxx/testing/bare_launch.h"

namespace cupyxx::testing {

struct BareLaunch::Impl {};

BareLaunch::BareLaunch(int) { throw DeviceError("BareLaunch: this build is without CUDA"); }
BareLaunch::~BareLaunch() = default;
void BareLaunch::through_cupyxx() const {}
void BareLaunch::through_cuda() const {}

}  // namespace cupyxx::testing
