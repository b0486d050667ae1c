// SPDX-License-Identifier: MIT
// The C++ of the guide's pages on arrays: each block of them stands in this file, which compiles
// and passes. What the comments say is printed is compared with what is printed.
#include <gtest/gtest.h>

#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "cupyxx/cuda/nvtx.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/expect_error.h"
#include "docs/guide/testing.h"

namespace cp = cupyxx;
using cp::ellipsis, cp::newaxis, cp::none, cp::slice;

namespace {

using cp::testing::expect_error;

class Arrays : public docs::PrintedTest {};
class Kernels : public docs::PrintedTest {};
class Memory : public docs::PrintedTest {};
class Speed : public docs::PrintedTest {};
class ComingFrom : public docs::PrintedTest {};

// ---- Arrays.

TEST_F(Arrays, First) {
  auto x = cp::arange(6).reshape({2, 3}).astype(cp::float32);
  std::cout << x << "\n";
  // [[0. 1. 2.]
  //  [3. 4. 5.]]
  std::cout << x.shape() << " " << x.dtype() << " " << x.sum(1)
            << "\n";  // (2, 3) float32 [ 3. 12.]
  auto l2 = cp::linalg::norm(x);
  std::cout << l2 << "\n";  // 7.4161983
  expect_printed("[[0. 1. 2.]\n [3. 4. 5.]]\n(2, 3) float32 [ 3. 12.]\n7.4161983\n");
}

TEST_F(Arrays, NamesAndViews) {
  auto a = cp::zeros({2, 3});
  auto same = a;           // another name of the same array, as in Python
  auto other = a.copy();   // elements of its own
  a(0, 1) = 5;             // same has it, other has not
  cp::ndarray row = a(1);  // a view: a name for a part
  row += 1;                // writes into a
  row = cp::ones({3});     // only the name goes elsewhere
  a(1, slice(0, 2)) = 7;   // writes into a
  std::cout << same << "\n";
  // [[0. 5. 0.]
  //  [7. 7. 1.]]
  expect_printed("[[0. 5. 0.]\n [7. 7. 1.]]\n");
  EXPECT_EQ(other.sum().item<int>(), 0);
  EXPECT_EQ(row.sum().item<int>(), 3);
}

TEST_F(Arrays, Selections) {
  auto a = cp::arange(10);
  a(a % 2 == 0) = 0;                // a mask in a statement writes
  cp::ndarray odd = a(a % 2 == 1);  // given a name it is a copy
  a(1) = 100;
  std::cout << odd << " " << a({1, 3}) << "\n";  // [1 3 5 7 9] [100   3]
  expect_printed("[1 3 5 7 9] [100   3]\n");
}

TEST_F(Arrays, Devices) {
  auto best = cp::cuda::is_available() ? cp::Device::cuda(0) : cp::Device::cpu();
  auto x = cp::arange(3.0);  // on the current device, at first the host
  auto y = x.to(best);       // moved; x itself where it is there already
  {
    cp::DeviceScope scope(best);                         // until the end of the block
    auto z = cp::ones({3}) + y;                          // both on `best`
    std::vector<double> values = z.to_vector<double>();  // to C++; waits
    EXPECT_EQ(values, (std::vector<double>{1, 2, 3}));
  }
  EXPECT_TRUE(cp::ones({1}).device().is_cpu());
}

template <class Array>
Array softplus(const Array& x) {
  return cp::maximum(x, 0) + cp::log1p(cp::exp(-cp::abs(x)));
}

cp::ndarray one_hot(const cp::ndarray& labels, int classes) {
  auto xp = cp::get_array_module(labels);  // makes arrays where the labels are
  auto rows = xp.zeros({labels.size(), classes});
  rows(xp.arange(0, labels.size()), labels) = 1;
  return rows;
}

TEST_F(Arrays, Generic) {
  EXPECT_NEAR(softplus(cp::array({0.0}))(0).item<double>(), 0.6931471805599453, 1e-15);
  EXPECT_EQ(one_hot(cp::array({1, 0}), 2).to_vector<double>(), (std::vector<double>{0, 1, 1, 0}));
}

TEST_F(Arrays, Differences) {
  auto x = cp::array({1.0f, 2.0f});
  std::cout << (x * 2.5).dtype() << "\n";               // float32: numbers of C++ are weak
  std::cout << (x * cp::array({2.5})).dtype() << "\n";  // float64: arrays are not
  std::cout << cp::arange(4).sum().shape() << "\n";     // (): a reduction gives an array
  auto half = cp::array({1, 2}) / 2;                    // true division, as in Python 3
  std::cout << half << " " << half.dtype() << "\n";     // [0.5 1. ] float64
  expect_printed("float32\nfloat64\n()\n[0.5 1. ] float64\n");
  expect_error<cp::OverflowError>([] { cp::array({1}, cp::uint8) + 300; }, "300");
  expect_error<cp::IndexError>([&] { std::cout << x(2); }, "index 2");
}

// ---- Kernels.

TEST_F(Kernels, Elementwise) {
  const cp::ElementwiseKernel squared_diff("T x, T y", "T z", "z = (x - y) * (x - y)",
                                           "squared_diff");
  auto x = cp::arange(6.0).reshape({2, 3});
  std::cout << squared_diff(x, 2) << "\n";
  // [[4. 1. 0.]
  //  [1. 4. 9.]]
  auto rows = squared_diff(x, cp::array({0.0, 1.0, 2.0}));  // broadcasts as operators do
  std::cout << rows << "\n";
  // [[0. 0. 0.]
  //  [9. 9. 9.]]
  expect_printed("[[4. 1. 0.]\n [1. 4. 9.]]\n[[0. 0. 0.]\n [9. 9. 9.]]\n");
}

TEST_F(Kernels, Raw) {
  const cp::ElementwiseKernel add_reverse("T x, raw T y", "T z", "z = x + y[n - i - 1]",
                                          "add_reverse");
  std::cout << add_reverse(cp::arange(4), cp::array({0, 10, 20, 30})) << "\n";  // [30 21 12  3]
  expect_printed("[30 21 12  3]\n");
}

TEST_F(Kernels, Reduction) {
  const cp::ReductionKernel l2norm("T x", "T y",   // parameters in and out
                                   "x * x",        // what is made of each element
                                   "a + b",        // how two become one
                                   "y = sqrt(a)",  // what is made of the last
                                   "0",            // what to begin with
                                   "l2norm");
  auto x = cp::array({{3.0, 4.0}, {6.0, 8.0}});
  std::cout << l2norm(x, {.axis = 1}) << "\n";  // [ 5. 10.]
  expect_printed("[ 5. 10.]\n");
}

TEST_F(Kernels, Fused) {
  const auto swish = cp::fuse([](auto x) { return x / (1 + cp::exp(-x)); }, "swish");
  auto y = swish(cp::array({0.0, 1.0}));  // one pass over memory
  EXPECT_NE(swish.plan(cp::array({0.0})).find("exp"), std::string::npos);
  EXPECT_NEAR(y.item<double>(1), 0.7310585786300049, 1e-15);
}

TEST_F(Kernels, Checked) {
  const auto axpy = cp::elementwise_kernel<"T a, T x, T y", "T z", "z = a * x + y">("axpy");
  std::cout << axpy(2.0, cp::arange(3.0), cp::ones({3})) << "\n";  // [1. 3. 5.]
  expect_printed("[1. 3. 5.]\n");
}

TEST_F(Kernels, Grid) {
  const cp::RawKernel axpy(R"(
      extern "C" __global__ void axpy(int n, float a, const float* x, float* y) {
        const int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i < n) y[i] += a * x[i];
      })",
                           "axpy");
  if (cp::cuda::is_available()) {
    cp::DeviceScope scope(cp::Device::cuda(0));
    auto x = cp::ones({1000}, cp::float32), y = cp::ones({1000}, cp::float32);
    axpy(4, 256, 1000, 2.0f, x, y);  // 4 blocks of 256 threads, then the arguments
    EXPECT_EQ(y.sum().item<int>(), 3000);
  }
  EXPECT_EQ(axpy.name(), "axpy");
}

// ---- Memory, streams, tips.

TEST_F(Memory, Pool) {
  auto device = cp::current_device();
  auto x = cp::ones({1000, 1000});
  cp::PoolStats stats = cp::pool_stats(device);  // stats.used: bytes that arrays hold
  x = {};                                        // the pool keeps the block for the next array
  cp::free_all_blocks(device);                   // or gives all it holds back
  cp::set_pool_limit(device, std::uint64_t{1} << 34);  // 16 GiB, then OutOfMemoryError
  cp::set_pool_limit(device, 0);
  EXPECT_GE(stats.used, 8'000'000U);
  EXPECT_LT(cp::pool_stats(device).used, stats.used);
}

TEST_F(Memory, InPlace) {
  auto x = cp::ones({3}), y = cp::arange(3.0), z = cp::empty({3});
  x += y;                                  // into x
  cp::exp(x, {.out = z});                  // into z
  cp::add(x, y, z);                        // the same, short
  cp::exp(x, {.out = z, .where = y > 0});  // only where y is positive
  EXPECT_EQ(z.item<double>(0), 1);
}

TEST_F(Memory, Streams) {
  cp::cuda::Stream compute, copy;
  cp::cuda::Event ready;
  cp::ndarray x, y;
  {
    cp::cuda::StreamScope in(copy);
    x = cp::arange(5.0);
    copy.record(ready);
  }
  compute.wait_event(ready);
  {
    cp::cuda::StreamScope in(compute);
    y = x * 2;
  }
  x = {};                  // allowed at once: the array remembers who uses it
  std::cout << y << "\n";  // [0. 2. 4. 6. 8.]
  expect_printed("[0. 2. 4. 6. 8.]\n");
}

TEST_F(Memory, Pinned) {
  auto device = cp::current_device();
  cp::cuda::Stream stream;
  auto staging = cp::empty_pinned({1 << 16}, cp::float32);
  staging.fill(1);
  auto there = cp::empty({1 << 16}, cp::float32);
  cp::copy_async(there, staging, stream);  // returns at once
  stream.synchronize();                    // now staging may be written again
  EXPECT_EQ(there.device(), device);
  EXPECT_EQ(there.sum().item<int>(), 1 << 16);
}

// ---- Speed.

TEST_F(Speed, Benchmark) {
  auto x = cp::random::normal({1000, 100});
  auto result = cp::profiler::benchmark([&] { cp::exp(x).sum(); },
                                        {.name = "exp and sum", .n_repeat = 5, .n_warmup = 1});
  std::cout << result << "\n";  // exp and sum : CPU: ... us ...
  double median = result.cpu.median();
  EXPECT_GT(median, 0);
  EXPECT_EQ(result.cpu.seconds.size(), 5U);
}

TEST_F(Speed, Ranges) {
  auto x = cp::ones({10});
  {
    cp::cuda::nvtx::Range range("normalise");  // a bar on the timeline of Nsight Systems
    x = x / x.sum();
  }
  cp::profiler::time_range range("whole step");
  std::ostringstream out;
  cp::show_config(out);
  EXPECT_NE(out.str().find("cupyxx"), std::string::npos);
  EXPECT_DOUBLE_EQ(x.sum().item<double>(), 1);
}

TEST_F(Speed, Lines) {
  cp::cuda::LineProfileHook hook;
  cp::ndarray x;
  {
    cp::cuda::MemoryHookScope watch(hook);
    x = cp::ones({100, 100}) + 1;
  }
  std::ostringstream report;
  hook.print_report(report);  // bytes and calls of each line of the program
  EXPECT_FALSE(report.str().empty());
}

TEST_F(Speed, Graph) {
  if (cp::cuda::is_available()) {
    cp::DeviceScope scope(cp::Device::cuda(0));
    auto x = cp::ones({1000}), y = cp::empty({1000});
    auto graph = cp::cuda::Graph::capture([&] { y.set(cp::exp(x) * 2); });
    x.fill(0);
    graph.launch();  // all of it for the price of one launch
    EXPECT_EQ(y.item<double>(0), 2);
  }
}

// ---- Coming from NumPy and CuPy: what stands in the tables.

TEST_F(ComingFrom, NumPy) {
  auto a = cp::arange(12.0).reshape({3, 4}), b = cp::ones({3, 4});
  a(1, slice(none, none, 2));
  a(ellipsis, newaxis).shape();
  a(a > 3) = 0;
  a({0, 2});
  a.shape(0);
  a.T();
  cp::matmul(a, b.T());
  cp::power(a, 2);
  cp::floor_divide(a, 2);
  a.sum(1, {.keepdims = true});
  a.sum().item<double>();
  cp::zeros({2, 3}, cp::float32);
  a.astype(cp::float32);
  cp::concatenate({a, b}, 1);
  for (auto row : a) row += 1;
  cp::where(a > 1, a, 0);
  cp::random::normal({3, 4});
  a.to_vector<double>();
  const std::string path = ::testing::TempDir() + "/x.npz";
  cp::savez(path, {}, {{"w", a}});
  cp::load(path)["w"];
  EXPECT_EQ(a.shape(), cp::Shape({3, 4}));
}

TEST_F(ComingFrom, CuPy) {
  const auto device = cp::current_device();
  auto a = cp::arange(3.0);
  a.to(device);
  a.to_cpu();
  cp::DeviceScope on(device);
  cp::cuda::Stream stream;
  cp::cuda::StreamScope in(stream);
  cp::get_array_module(a).zeros({3});
  cp::free_all_blocks(device);
  cp::profiler::benchmark([&] { cp::exp(a); }, {.n_repeat = 3});
  cp::cuda::nvtx::Range range("step");
  stream.synchronize();
  cp::kernel_cache_info();
  EXPECT_EQ(a.device(), device);
}

TEST(GuideOfArrays, PagesQuoteThisFile) {
  docs::expect_pages_quote({"arrays.md", "kernels.md", "memory.md"}, {"arrays_test.cc"});
}

}  // namespace
