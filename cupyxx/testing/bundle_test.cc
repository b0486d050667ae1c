// SPDX-License-Identifier: MIT
// With the kernel bundle, a program that uses built-in routines on everyday types compiles nothing:
// every routine is called on the device, in a process of its own, where no other test has loaded a
// kernel. bundle_walk_test says the same without a device.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "cupyxx/creation.h"
#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/kernel_walk.h"

namespace cupyxx {
namespace {

void walk_decompositions(testing::KernelWatch& watch) {
  for (const dtype type : {float32, float64}) {
    const ndarray a = eye(5, -1, 0, type) * 4 + ones({5, 5}, type), many = stack({a, a});
    for (const ndarray& x : {a, many}) {
      watch("solve",
            [&] { linalg::solve(x, x), linalg::inv(x), linalg::det(x), linalg::slogdet(x); });
      watch("factors",
            [&] { linalg::cholesky(x), linalg::qr(x), linalg::svd(x), linalg::eigh(x); });
    }
    watch("pinv", [&] { linalg::pinv(a), linalg::matrix_rank(a), linalg::cond(a); });
    watch("lstsq", [&] { linalg::lstsq(a, a(0)), linalg::norm(a, {.ord = 2}); });
  }
}

[[noreturn]] void run_all() {
  testing::KernelWatch watch;
  {
    const DeviceScope scope(Device::cuda(0));
    testing::walk_everything(watch);
    walk_decompositions(watch);
  }
  std::fputs(watch.missed().c_str(), stderr);
  std::fputs(watch.failed().c_str(), stderr);
  const auto stats = internal::jit::cache_stats();
  const bool fine = watch.missed().empty() && watch.failed().empty() && stats.compiled == 0 &&
                    stats.disk_hits == 0 && stats.bundle_hits > 100;
  std::exit(fine ? 0 : 1);
}

class BundleTest : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(BundleTest);

TEST_P(BundleTest, EveryRoutineCompilesNothing) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(run_all(), ::testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace cupyxx
