// SPDX-License-Identifier: MIT
#include "cupyxx/extension/measured_choice.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/cuda/graph.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/linalg.h"
#include "cupyxx/logic.h"
#include "cupyxx/math.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/devices.h"

namespace cupyxx::extension {
namespace {

/// The environment of processes that the test starts: it asks for measuring, and its cache is an
/// empty folder of this test alone. This process stays as it is.
class TuningEnvironment {
 public:
  TuningEnvironment() : is_child_(std::getenv("CUPYXX_TUNE") != nullptr) {
    if (is_child_) return;
    std::string path = ::testing::TempDir() + "cupyxx_measured_choice_XXXXXX";
    folder_ = ::mkdtemp(path.data());
    if (const char* const earlier = std::getenv("CUPYXX_CACHE_DIR")) earlier_ = earlier;
    ::setenv("CUPYXX_CACHE_DIR", folder_.c_str(), 1);
    ::setenv("CUPYXX_TUNE", "1", 1);
  }
  TuningEnvironment(const TuningEnvironment&) = delete;
  TuningEnvironment& operator=(const TuningEnvironment&) = delete;
  ~TuningEnvironment() {
    if (is_child_) return;
    ::unsetenv("CUPYXX_TUNE");
    if (earlier_) {
      ::setenv("CUPYXX_CACHE_DIR", earlier_->c_str(), 1);
    } else {
      ::unsetenv("CUPYXX_CACHE_DIR");
    }
    std::filesystem::remove_all(folder_);
  }

 private:
  bool is_child_;
  std::filesystem::path folder_;
  std::optional<std::string> earlier_;
};

/// Runs `body` in a process of its own with that environment, and expects no failure there.
template <class Body>
void expect_success_where_tuned(Body&& body) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const TuningEnvironment environment;
  const auto run = [&] {
    body();
    std::exit(::testing::Test::HasFailure() ? 1 : 0);
  };
  EXPECT_EXIT(run(), ::testing::ExitedWithCode(0), "");
}

constexpr float kNever = std::numeric_limits<float>::infinity();

TEST(MeasuredChoiceTest, IsTheFastestAndIsKept) {
  expect_success_where_tuned([&] {
    const std::vector<std::string> names{"a 1", "b 2", "c 3"};
    int calls = 0;
    const auto time = [&](std::size_t i) {
      ++calls;
      return i == 1 ? 0.5f : 1.0f;
    };
    EXPECT_EQ(measured_choice("kept", names, time), 1u);
    EXPECT_EQ(calls, 3);
    // In another order, and with what is there now.
    EXPECT_EQ(measured_choice("kept", {"b 2", "a 1"}, time), 0u);
    EXPECT_EQ(calls, 3);
    EXPECT_EQ(measured_choice("kept", {"a 1", "c 3"}, time), 1u);  // measured anew
    EXPECT_EQ(calls, 5);
  });
}

TEST(MeasuredChoiceTest, WhatNeverRunsIsNotKept) {
  expect_success_where_tuned([&] {
    EXPECT_EQ(measured_choice("never", {"a", "b"}, [](std::size_t) { return kNever; }), 0u);
    EXPECT_EQ(
        measured_choice("never", {"a", "b"}, [](std::size_t i) { return i == 0 ? kNever : 1.0f; }),
        1u);
  });
}

TEST(MeasuredChoiceTest, TheEnvironmentAsksForIt) {
  expect_success_where_tuned([] { EXPECT_TRUE(tunes()); });
}

/// Products whose algorithm was kept.
int kept_products() {
  int count = 0;
  for (const auto& file :
       std::filesystem::recursive_directory_iterator(std::getenv("CUPYXX_CACHE_DIR"))) {
    if (!file.is_regular_file()) continue;
    std::ifstream in(file.path(), std::ios::binary);
    const std::string text(std::istreambuf_iterator<char>(in), {});
    count += text.find("cupyxx product 1; cuBLASLt ") != std::string::npos;
  }
  return count;
}

class TunedProductTest : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(TunedProductTest);

// Also products that add to their result, which measuring must not change.
TEST_P(TunedProductTest, IsRightAndKeepsItsAlgorithm) {
  expect_success_where_tuned([&] {
    const int before = kept_products();
    for (const dtype type : {float32, float16, bfloat16_}) {
      const ndarray a = (arange(300 * 200) % 7 - 3).reshape({300, 200}).astype(type);
      const ndarray b = (arange(200 * 260) % 5 - 2).reshape({200, 260}).astype(type);
      const ndarray expected = dot(a.astype(float64), b.astype(float64));
      EXPECT_TRUE(array_equal(gemm(a, b).astype(float64), expected.astype(type).astype(float64)));
      const ndarray sum = ones({300, 260}, float32);
      gemm(a, b, {.out = sum, .accumulate = true});
      EXPECT_TRUE(array_equal(sum.astype(float64), expected + 1));
    }
    if (device().is_cuda()) {
      EXPECT_GT(kept_products(), before);
    }
  });
}

// Where nothing was kept, a capture takes the library's first proposal and measures nothing.
TEST_P(TunedProductTest, NothingIsMeasuredWithinACapture) {
  if (device().is_cpu()) return;
  expect_success_where_tuned([&] {
    const ndarray a = ones({130, 70}, float16), b = ones({70, 90}, float16);
    const ndarray c = zeros({130, 90}, float16);
    const int before = kept_products();
    const cuda::Graph graph = cuda::Graph::capture([&] { gemm(a, b, {.out = c}); });
    graph.launch();
    EXPECT_EQ(kept_products(), before);
    EXPECT_EQ(sum(c, {.dtype = float32}).item<double>(), 130.0 * 90 * 70);
  });
}

}  // namespace
}  // namespace cupyxx::extension
