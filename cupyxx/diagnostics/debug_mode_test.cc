// SPDX-License-Identifier: MIT
// CUPYXX_DEBUG=sync on a device: a call has been carried out when it returns, whoever made its
// kernels.
#include <gtest/gtest.h>

#include "cupyxx/creation.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/internal/diagnostics/launch_note.h"
#include "cupyxx/linalg.h"
#include "cupyxx/math.h"
#include "cupyxx/random.h"
#include "cupyxx/testing/devices.h"

namespace cupyxx {
namespace {

class DebugMode : public testing::DeviceTest {
 public:
  ~DebugMode() override { internal::await_launches(before_); }
  bool before_ = internal::await_launches(true);
};
CUPYXX_TEST_ON_DEVICES(DebugMode);

bool is_done() { return cuda::get_current_stream().done(); }

TEST_P(DebugMode, AwaitsOurKernels) {
  const ndarray a = ones({1 << 24}, float32);
  EXPECT_TRUE(is_done());
  const ndarray b = exp(a);
  EXPECT_TRUE(is_done());
}

TEST_P(DebugMode, AwaitsProducts) {
  const ndarray a = ones({2048, 2048}, float64);
  const ndarray b = matmul(a, a);
  EXPECT_TRUE(is_done());
}

TEST_P(DebugMode, AwaitsCurand) {
  random::RandomState state(1, random::Method::XORWOW);
  for (const dtype type : {float32, float64}) {
    state.random_sample({1 << 24}, {.dtype = type});
    EXPECT_TRUE(is_done());
    state.standard_normal({1 << 24}, {.dtype = type});
    EXPECT_TRUE(is_done());
  }
}

TEST_P(DebugMode, AwaitsCusolver) {
  const ndarray a = eye(512, -1, 0, float64) * 3.0;
  linalg::cholesky(a);
  EXPECT_TRUE(is_done());
  linalg::eigvalsh(a);
  EXPECT_TRUE(is_done());
}

}  // namespace
}  // namespace cupyxx
