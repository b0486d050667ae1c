// SPDX-License-Identifier: MIT
// Debug mode and the functions of CUDA's libraries; no device.
#include "cupyxx/internal/gpu/await.h"

#include <gtest/gtest.h>

#include <string>

#include "cupyxx/testing/dry_cuda.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx::internal::gpu {
namespace {

using cupyxx::testing::expect_error;
using cupyxx::testing::fail_next_wait;

class Await : public ::testing::Test {
 public:
  ~Await() override { await_launches(before_); }
  bool before_ = await_launches(true);
};

TEST_F(Await, NamesTheLibrarysFunctionAndTheUsersCall) {
  const LaunchNote note([] { return std::string("svd((3, 4) float32)"); });
  const auto await = [] { await_library("cusolverDnXgesvd", 0, nullptr); };
  fail_next_wait();
  expect_error<CudaError>(await, "cusolverDnXgesvd: ");
  fail_next_wait();
  expect_error<CudaError>(await, ", in svd((3, 4) float32); called from:\n");
}

TEST_F(Await, SaysNothingWhenAllIsWell) { await_library("cusolverDnXgesvd", 0, nullptr); }

TEST_F(Await, DoesNotWaitOutsideOfDebugMode) {
  await_launches(false);
  fail_next_wait();
  await_library("cusolverDnXgesvd", 0, nullptr);
  await_launches(true);
  EXPECT_THROW(await_library("cusolverDnXgesvd", 0, nullptr), CudaError);  // it was still to come
}

}  // namespace
}  // namespace cupyxx::internal::gpu
