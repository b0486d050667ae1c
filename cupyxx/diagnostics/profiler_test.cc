// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>
#include <stdexcept>
#include <string>

#include "cupyxx/creation.h"
#include "cupyxx/diagnostics.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx::profiler {
namespace {

using testing::expect_error;

class Benchmark : public testing::DeviceTest {};

TEST_P(Benchmark, CallsAsOftenAsItSays) {
  int calls = 0;
  const BenchmarkResult result =
      benchmark([&] { ++calls; }, {.name = "count", .n_repeat = 7, .n_warmup = 3});
  EXPECT_EQ(calls, 10);
  EXPECT_EQ(result.name, "count");
  EXPECT_EQ(result.cpu.seconds.size(), 7u);
  EXPECT_EQ(result.gpu.seconds.size(), device().is_cuda() ? 7u : 0u);
  EXPECT_EQ(result.device, device().is_cuda() ? 0 : -1);
}

TEST_P(Benchmark, TellsHostAndDeviceApart) {
  const ndarray x = ones({1000}, float32);
  ndarray y;
  const BenchmarkResult result =
      benchmark([&] { y = exp(x); }, {.name = "exp", .n_repeat = 20, .n_warmup = 2});
  for (const double seconds : result.cpu.seconds) EXPECT_GE(seconds, 0);
  for (const double seconds : result.gpu.seconds) EXPECT_GT(seconds, 0);
  std::ostringstream text;
  text << result;
  EXPECT_EQ(text.str().find("exp                 : CPU: "), 0u) << text.str();
  EXPECT_EQ(text.str().find("GPU-0: ") != std::string::npos, device().is_cuda());
}

TEST_P(Benchmark, StopsAfterItsTime) {
  int calls = 0;
  const auto result = benchmark([&] { ++calls; }, {.n_warmup = 0, .max_duration = -1});
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(result.cpu.seconds.size(), 1u);
}

TEST_P(Benchmark, RefusesNothingAndPassesErrorsOn) {
  const auto nothing = [] {};
  expect_error<ValueError>([&] { benchmark(nothing, {.n_repeat = 0}); },
                           "benchmark: at least one call is needed; n_repeat 0");
  expect_error<ValueError>([&] { benchmark(nothing, {.n_warmup = -1}); },
                           "benchmark: negative n_warmup; -1");
  const auto fails = [] { throw std::runtime_error("from inside"); };
  expect_error<std::runtime_error>([&] { benchmark(fails); }, "from inside");
}

TEST_P(Benchmark, RangesNestWithoutAProfiler) {
  const time_range outer("outer", 1);
  const time_range inner("inner", -1, true);
  const cuda::nvtx::Range range("innermost", 100);
  cuda::nvtx::RangePushC("coloured", 0xff123456);
  cuda::nvtx::Mark("here");
  cuda::nvtx::MarkC("there", 0xff00ff00);
  EXPECT_LT(cuda::nvtx::RangePop(), 4);
}

TEST(Times, StateTheirSpread) {
  const Times times{{1, 2, 3, 6}};
  EXPECT_DOUBLE_EQ(times.mean(), 3);
  EXPECT_DOUBLE_EQ(times.std(), std::sqrt((4.0 + 1 + 0 + 9) / 4));
  EXPECT_DOUBLE_EQ(times.min(), 1);
  EXPECT_DOUBLE_EQ(times.median(), 2.5);
  EXPECT_DOUBLE_EQ(times.max(), 6);
  EXPECT_TRUE(std::isnan(Times{}.mean()));
  EXPECT_TRUE(std::isnan(Times{}.min()));
}

TEST(Times, PrintAsOneLine) {
  const BenchmarkResult result{.name = "f", .cpu = {{1e-6, 3e-6}}, .gpu = {{10e-6}}, .device = 1};
  EXPECT_EQ(
      result.str(),
      "f                   : CPU:     2.000 us +/-  1.000 (min:     1.000 / max:     3.000) us"
      "  GPU-1:    10.000 us +/-  0.000 (min:    10.000 / max:    10.000) us");
}

CUPYXX_TEST_ON_DEVICES(Benchmark);

}  // namespace
}  // namespace cupyxx::profiler
