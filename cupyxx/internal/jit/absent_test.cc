// SPDX-License-Identifier: MIT
// A build without CUDA.
#include <gtest/gtest.h>

#include "cupyxx/error.h"
#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx::internal::jit {
namespace {

TEST(Compile, SaysThatThereIsNoCompiler) {
  EXPECT_FALSE(nvrtc_available());
  testing::expect_error<Error>([] { compile({.name = "probe", .text = ""}, "sm_90"); },
                               "probe: kernels cannot be compiled; this build has no CUDA");
}

TEST(Load, SaysThatThereIsNoDevice) {
  testing::expect_error<DeviceError>([] { load(0, {.name = "probe", .text = ""}); },
                                     "probe: no CUDA device 0; 0 devices present");
}

}  // namespace
}  // namespace cupyxx::internal::jit
