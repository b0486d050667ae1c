// SPDX-License-Identifier: MIT
// Zeros that are written when somebody asks for them: nobody sees what was there before.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <thread>
#include <utility>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/cuda/graph.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/storage.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/printing.h"
#include "cupyxx/reduction.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx::extension {
namespace {

class ZeroedLater : public testing::DeviceTest {
 protected:
  static ndarray old_elements(const Shape& shape = {2, 3}, dtype type = float32) {
    return full(shape, type.is_floating() ? NAN : 1, type);
  }
  static std::vector<double> numbers(const ndarray& a) {
    return a.astype(float64).to_cpu().ravel().to_vector<double>();
  }
};
CUPYXX_TEST_ON_DEVICES(ZeroedLater);

TEST_P(ZeroedLater, TheFormIsKnownBeforeTheyAreWritten) {
  const ndarray a = old_elements();
  const auto version = a.version();
  ASSERT_TRUE(may_be_zeroed_later(a));
  EXPECT_FALSE(has_unwritten_zeros(a));
  zero_later(a);
  EXPECT_EQ(a.shape(), (Shape{2, 3}));
  EXPECT_EQ(a.strides(), (Strides{12, 4}));
  EXPECT_EQ(a.dtype(), float32);
  EXPECT_EQ(a.ndim(), 2);
  EXPECT_EQ(a.size(), 6);
  EXPECT_EQ(a.len(), 2);
  EXPECT_EQ(a.shape(1), 3);
  EXPECT_EQ(a.device(), current_device());
  EXPECT_TRUE(a.flags().c_contiguous);
  EXPECT_TRUE(has_unwritten_zeros(a));
  EXPECT_FALSE(had_to_write_zeros(a));
  EXPECT_GT(a.version(), version);
  EXPECT_EQ(a.sum().item(), 0);
  EXPECT_FALSE(has_unwritten_zeros(a));
  EXPECT_TRUE(had_to_write_zeros(a));
}

TEST_P(ZeroedLater, WhoeverAsksGetsZeros) {
  const std::vector<double> none(6, 0.0);
  const std::vector<std::pair<const char*, std::function<ndarray(const ndarray&)>>> ways = {
      {"a handle", [](const ndarray& a) { return a; }},
      {"a view", [](const ndarray& a) { return a.T(); }},
      {"a slice",
       [](const ndarray& a) {
         return concatenate({a(slice(1, 2)), a(slice(0, 1))});
       }},
      {"a shape", [](const ndarray& a) { return a.reshape({6}); }},
      {"a copy", [](const ndarray& a) { return a.copy(); }},
      {"a cast", [](const ndarray& a) { return a.astype(int32); }},
      {"a sum", [](const ndarray& a) { return a + 0; }},
      {"a sum in place", [](const ndarray& a) { return a += 0; }},
      {"a selection",
       [](const ndarray& a) {
         return ndarray(a(std::vector<int>{1, 0}));
       }},
      {"a copy of elements",
       [](const ndarray& a) {
         const ndarray to = full_like(a, 5);
         to.set(a);
         return to;
       }},
      {"the host", [](const ndarray& a) { return a.to_cpu(); }},
      {"a product",
       [](const ndarray& a) {
         return gemm(a, full({3, 3}, 1, a.dtype()));
       }},
      {"an operand",
       [](const ndarray& a) {
         return gemm(full({2, 2}, 1, a.dtype()), a, {.out = full_like(a, 0), .accumulate = true});
       }},
  };
  for (const dtype type : {float32, float64, float16, int32}) {
    for (const auto& [name, way] : ways) {
      const ndarray a = old_elements({2, 3}, type);
      zero_later(a);
      EXPECT_EQ(numbers(way(a)), none) << name << ", " << type.name();
      EXPECT_EQ(numbers(a), none) << name << ", " << type.name();
    }
  }
  const ndarray a = old_elements();
  zero_later(a);
  EXPECT_EQ(message(a), "[[0. 0. 0.]\n [0. 0. 0.]]");
  zero_later(a);
  EXPECT_EQ(a(0, 1).item(), 0);
  if (a.device().is_cuda()) return;
  zero_later(a);
  EXPECT_EQ(static_cast<const float*>(a.data())[5], 0);
}

TEST_P(ZeroedLater, WritesComeBehindTheZeros) {
  const ndarray a = old_elements();
  zero_later(a);
  a(0, 0) = 7;
  EXPECT_EQ(numbers(a), (std::vector<double>{7, 0, 0, 0, 0, 0}));
  zero_later(a);
  a(std::vector<int>{1}) += 2;
  EXPECT_EQ(numbers(a), (std::vector<double>{0, 0, 0, 2, 2, 2}));
}

TEST_P(ZeroedLater, AProductTakesTheirPlace) {
  for (const dtype type : {float32, float64, float16}) {
    const ndarray a = old_elements({2, 3}, type);
    const ndarray x = ones({2, 4}, type), y = ones({4, 3}, type);
    zero_later(a);
    const auto version = a.version();
    const ndarray c = gemm(x, y, {.out = a, .accumulate = true});
    EXPECT_EQ(c.handle(), a.handle());
    EXPECT_FALSE(had_to_write_zeros(a)) << type.name();
    EXPECT_GT(a.version(), version);
    EXPECT_EQ(numbers(a), std::vector<double>(6, 4.0));
    gemm(x, y, {.out = a, .accumulate = true});
    EXPECT_EQ(numbers(a), std::vector<double>(6, 8.0));
  }
}

TEST_P(ZeroedLater, SoDoOneOfNoTermsAndOneOfNarrowOperands) {
  const ndarray a = old_elements();
  zero_later(a);
  gemm(zeros({2, 0}, float32), zeros({0, 3}, float32), {.out = a, .accumulate = true});
  EXPECT_EQ(numbers(a), std::vector<double>(6, 0.0));
  for (const dtype type : {float16, bfloat16_}) {
    const ndarray sums = full({2}, 1, float32);
    a.fill(NAN);
    zero_later(a);
    gemm(ones({2, 4}, type), ones({4, 3}, type), {.out = a, .accumulate = true, .row_sums = sums});
    EXPECT_FALSE(had_to_write_zeros(a));
    EXPECT_EQ(numbers(a), std::vector<double>(6, 4.0));
    EXPECT_EQ(numbers(sums), std::vector<double>(2, 5.0));
  }
}

TEST_P(ZeroedLater, AProductThatIsRefusedLeavesThem) {
  const ndarray a = old_elements();
  zero_later(a);
  EXPECT_THROW(gemm(ones({2, 4}, float32), ones({5, 3}, float32), {.out = a, .accumulate = true}),
               ShapeError);
  EXPECT_THROW(gemm(ones({4, 4}, float32), ones({4, 3}, float32), {.out = a, .accumulate = true}),
               ShapeError);
  EXPECT_TRUE(has_unwritten_zeros(a));
  EXPECT_EQ(numbers(a), std::vector<double>(6, 0.0));
}

TEST_P(ZeroedLater, WhatSumsRefuseIsRefused) {
  const ndarray a = old_elements({3, 3}), x = ones({3, 3}, float32), before = zeros_like(a);
  for (const bool gradient : {false, true}) {
    a.fill(NAN);
    zero_later(a);
    testing::expect_error<ValueError>(
        [&] {
          gemm(x, x,
               {.out = a,
                .accumulate = true,
                .gelu = !gradient,
                .gelu_gradient = gradient,
                .pre_activation = before});
        },
        "gemm: gelu goes with a bias, and gelu_gradient alone");
    EXPECT_EQ(numbers(a), std::vector<double>(9, 0.0));
  }
}

TEST_P(ZeroedLater, AnOperandOfItsOwnProductIsZero) {
  const ndarray a = old_elements({3, 3});
  zero_later(a);
  gemm(a, ones({3, 3}, float32), {.out = a, .accumulate = true});
  EXPECT_EQ(numbers(a), std::vector<double>(9, 0.0));
}

TEST_P(ZeroedLater, NotWhereOthersSeeTheMemory) {
  const ndarray a = old_elements();
  {
    const ndarray view = a(0);
    EXPECT_FALSE(may_be_zeroed_later(a));
  }
  EXPECT_TRUE(may_be_zeroed_later(a));
  EXPECT_FALSE(may_be_zeroed_later(a.T()));
  ndarray fixed = old_elements();
  fixed.set_writeable(false);
  EXPECT_FALSE(may_be_zeroed_later(fixed));
  if (a.device().is_cpu()) {
    const ndarray read = old_elements();
    static_cast<void>(read(0).span<const float>());
    EXPECT_FALSE(may_be_zeroed_later(read));
  }
  static_cast<void>(a.data());
  EXPECT_FALSE(may_be_zeroed_later(a));
  EXPECT_THROW(static_cast<void>(may_be_zeroed_later(ndarray())), TypeError);
  EXPECT_THROW(zero_later(ndarray()), TypeError);
}

TEST_P(ZeroedLater, EarlierSelectionsKeepWhatWasThere) {
  const ndarray a = full({3}, 5, float32);
  const ndarray earlier = a(std::vector<int>{2, 0});
  zero_later(a);
  EXPECT_EQ(numbers(earlier), (std::vector<double>{5, 5}));
  EXPECT_EQ(numbers(a), (std::vector<double>{0, 0, 0}));
}

TEST_P(ZeroedLater, ThreadsThatReadAtOnceAllGetZeros) {
  for (int round = 0; round < 20; ++round) {
    const ndarray a = old_elements({64, 64});
    zero_later(a);
    std::vector<double> sums(4, NAN);
    std::vector<std::thread> threads;
    for (double& sum : sums) {
      threads.emplace_back([&, device = current_device()] {
        const DeviceScope scope(device);
        sum = static_cast<double>(a.to_cpu().sum().item());
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(sums, std::vector<double>(4, 0.0));
  }
}

TEST_P(ZeroedLater, AnArrayMayGoBefore) {
  for (int i = 0; i < 3; ++i) {
    const ndarray a = old_elements();
    zero_later(a);
  }
  const ndarray a = old_elements();  // of the memory, perhaps the body too, of one that is gone
  EXPECT_FALSE(has_unwritten_zeros(a));
  EXPECT_TRUE(std::isnan(numbers(a)[0]));
}

// ---- Graphs

/// A step that can be repeated: as a graph on a device, as it is on the host, which says what the
/// graph must do.
template <class Step>
std::function<void()> repeated(const Step& step) {
  if (current_device().is_cpu()) return step;
  return [graph = cuda::Graph::capture(step)] { graph.launch(); };
}

TEST_P(ZeroedLater, EachRunOverwrites) {
  const ndarray a = old_elements(), x = ones({2, 4}, float32), y = ones({4, 3}, float32);
  const auto step = [&] {
    zero_later(a);
    gemm(x, y, {.out = a, .accumulate = true});
  };
  step();
  const std::function<void()> run = repeated(step);
  for (const int value : {1, 2, 3}) {
    x.fill(value);
    run();
    EXPECT_EQ(numbers(a), std::vector<double>(6, 4.0 * value));
  }
}

TEST_P(ZeroedLater, WhatIsOwedAtTheEndIsWrittenInEachRun) {
  const ndarray a = full({2, 3}, 1, float32), x = ones({2, 4}, float32), y = ones({4, 3}, float32);
  const ndarray seen = empty_like(a);
  const auto step = [&] {  // as eager: a is zero at the beginning of each run but the first
    gemm(x, y, {.out = a, .accumulate = true});
    seen.set(a);
    zero_later(a);
  };
  step();
  EXPECT_EQ(numbers(seen), std::vector<double>(6, 5.0));
  const std::function<void()> run = repeated(step);
  for (int i = 0; i < 3; ++i) {
    run();
    EXPECT_EQ(numbers(seen), std::vector<double>(6, 4.0));
  }
  EXPECT_EQ(numbers(a), std::vector<double>(6, 0.0));
}

TEST_P(ZeroedLater, WhatIsOwedBeforeIsNoPartOfTheGraph) {
  const ndarray a = full({2, 3}, 1, float32), x = ones({2, 4}, float32), y = ones({4, 3}, float32);
  const auto step = [&] { gemm(x, y, {.out = a, .accumulate = true}); };
  step();
  zero_later(a);
  const std::function<void()> run = repeated(step);
  run();
  EXPECT_EQ(numbers(a), std::vector<double>(6, 4.0));
  run();
  EXPECT_EQ(numbers(a), std::vector<double>(6, 8.0));
  zero_later(a);
  run();
  EXPECT_EQ(numbers(a), std::vector<double>(6, 4.0));
}

TEST_P(ZeroedLater, AFailedCaptureOwesNothing) {
  if (current_device().is_cpu()) return;  // where nothing is captured
  const ndarray a = full({2, 3}, 1, float32);
  EXPECT_THROW(cuda::Graph::capture([&] {
                 zero_later(a);
                 throw ValueError("enough");
               }),
               ValueError);
  EXPECT_FALSE(has_unwritten_zeros(a));
  EXPECT_EQ(numbers(a), std::vector<double>(6, 1.0));
}

TEST_P(ZeroedLater, ACaptureRefusesWhatAnotherThreadOwes) {
  if (current_device().is_cpu()) return;
  const ndarray a = full({2, 3}, 1, float32);
  std::thread([&, device = current_device()] {
    const DeviceScope scope(device);
    zero_later(a);
  }).join();
  const ndarray b = empty_like(a);
  testing::expect_error<Error>([&] { cuda::Graph::capture([&] { b.set(a); }); },
                               "capture: another thread has set an array to zero, and nobody has "
                               "written or read it since; read it before the capture");
  EXPECT_EQ(numbers(a), std::vector<double>(6, 0.0));
}

TEST_P(ZeroedLater, WhatIsCapturedIsNotReadOutsideOfTheCapture) {
  if (current_device().is_cpu()) return;
  const ndarray a = full({2, 3}, 1, float32);
  const cuda::Graph graph = cuda::Graph::capture([&] {
    zero_later(a);
    std::thread([&, device = current_device()] {
      const DeviceScope scope(device);
      testing::expect_error<Error>([&] { static_cast<void>(a.to_cpu()); },
                                   "capture: an array is set to zero by what another thread "
                                   "captures; read it after the capture");
    }).join();
    EXPECT_TRUE(has_unwritten_zeros(a));
  });
  EXPECT_EQ(numbers(a), std::vector<double>(6, 1.0));
  graph.launch();
  EXPECT_EQ(numbers(a), std::vector<double>(6, 0.0));
}

TEST_P(ZeroedLater, StreamsThatReadAtOnceAllGetZeros) {
  if (current_device().is_cpu()) return;
  const cuda::Stream first({.non_blocking = true}), second({.non_blocking = true});
  const ndarray a = old_elements({512, 512});
  for (int round = 0; round < 20; ++round) {
    a.fill(NAN);
    cuda::Stream::null().synchronize();
    ndarray sums[2];
    {
      const cuda::StreamScope scope(first);
      zero_later(a);
    }
    {
      const cuda::StreamScope scope(second);
      sums[1] = a.sum();
    }
    {
      const cuda::StreamScope scope(first);
      sums[0] = a.sum();
    }
    first.synchronize();
    second.synchronize();
    EXPECT_EQ(numbers(sums[0]), std::vector<double>(1, 0.0));
    EXPECT_EQ(numbers(sums[1]), std::vector<double>(1, 0.0));
  }
}

}  // namespace
}  // namespace cupyxx::extension
