// SPDX-License-Identifier: MIT
#include "cupyxx/memoize.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/kernel.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

int square(int x) { return x * x; }

TEST(Memoize, CallsOnceForEachArgument) {
  int calls = 0;
  const auto f = memoize([&calls](int x, const std::string& text) {
    ++calls;
    return text + std::to_string(x);
  });
  EXPECT_EQ(f(1, "a"), "a1");
  EXPECT_EQ(f(1, std::string("a")), "a1");
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(f(1, "b"), "b1");
  EXPECT_EQ(f(2, "a"), "a2");
  EXPECT_EQ(calls, 3);
  const auto copy = f;
  EXPECT_EQ(copy(2, "a"), "a2");
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(memoize(square)(5), 25);
}

TEST(Memoize, TextsCountNotTheirAddresses) {
  int calls = 0;
  const auto f = memoize([&calls](const char* text) {
    ++calls;
    return std::string(text).size();
  });
  std::string text = "one";
  EXPECT_EQ(f(text.c_str()), 3u);
  text = "seven";
  EXPECT_EQ(f(text.c_str()), 5u);
  EXPECT_EQ(f("seven"), 5u);
  EXPECT_EQ(calls, 2);
}

TEST(Memoize, ClearMemoForgetsEverything) {
  int calls = 0;
  const auto f = memoize([&calls](int x) { return ++calls, x; });
  const auto g = memoize([&calls](double x) { return ++calls, x; });
  f(1), g(1), f(1), g(1);
  EXPECT_EQ(calls, 2);
  clear_memo();
  f(1), g(1);
  EXPECT_EQ(calls, 4);
}

TEST(Memoize, MayCallItself) {
  struct Fibonacci {
    long operator()(int n) const { return n < 2 ? n : (*self)(n - 1) + (*self)(n - 2); }
    const Memoized<Fibonacci, long(int)>* self;
  };
  Memoized<Fibonacci, long(int)> f({nullptr}, false);
  f = Memoized<Fibonacci, long(int)>({&f}, false);
  EXPECT_EQ(f(80), 23416728348467685);
}

TEST(Memoize, ThreadsSeeOneResult) {
  std::atomic<int> next{0};
  const auto f = memoize([&next](int) { return next.fetch_add(1); });
  std::vector<int> seen(8);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < seen.size(); ++t) threads.emplace_back([&, t] { seen[t] = f(7); });
  for (std::thread& thread : threads) thread.join();
  for (const int result : seen) EXPECT_EQ(result, seen[0]);
}

class MemoizeTest : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(MemoizeTest);

TEST_P(MemoizeTest, RemembersKernels) {
  const auto scaled = memoize([](int factor) {
    return ElementwiseKernel("T x", "T y", "y = x * " + std::to_string(factor), "scaled");
  });
  testing::expect_elements<int>(scaled(3)(array({1, 2})), {2}, {3, 6});
  testing::expect_elements<int>(scaled(3)(array({1, 2})), {2}, {3, 6});
}

TEST_P(MemoizeTest, ForEachDevice) {
  int calls = 0;
  const auto count = [&calls](int x) { return ++calls, x; };
  const auto shared = memoize(count);
  const auto apart = memoize(count, true);
  for (const Device where : {Device::cpu(), device()}) {
    const DeviceScope scope(where);
    shared(1);
  }
  EXPECT_EQ(calls, 1);
  calls = 0;
  for (const Device where : {Device::cpu(), device(), device()}) {
    const DeviceScope scope(where);
    apart(1);
  }
  EXPECT_EQ(calls, device().is_cpu() ? 1 : 2);
}

}  // namespace
}  // namespace cupyxx
