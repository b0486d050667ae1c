// SPDX-License-Identifier: MIT
// Raw kernels on a device. What is checked without one: internal/raw_kernel/arguments_test.cc.
#include <gtest/gtest.h>

#include <fstream>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/cuda/stream.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/jit/module.h"
#include "cupyxx/kernel.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_elements;
using testing::expect_error;

constexpr char kSource[] = R"(
struct Line { float slope; float offset; };
__constant__ float factors[4] = {1, 2, 3, 4};
__device__ int counter = 5;
namespace ns {
template <class T> __global__ void axpy(int n, T a, const T* x, T* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
__global__ void along(Line line, const float* x, float* y) {
  y[threadIdx.x] = line.slope * x[threadIdx.x] + line.offset;
}
}
extern "C" __global__ void place(int* at) {
  const int block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  const int thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  at[block * blockDim.x * blockDim.y * blockDim.z + thread] = 100 * block + thread;
}
extern "C" __global__ void reversed(const int* x, int* y) {
  extern __shared__ int scratch[];
  scratch[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  y[threadIdx.x] = scratch[blockDim.x - 1 - threadIdx.x];
}
extern "C" __global__ void constants(float* y, int* count) {
  y[threadIdx.x] = factors[threadIdx.x];
  if (threadIdx.x == 0) *count = counter;
}
)";

class RawKernelTest : public ::testing::Test {
 protected:
  RawKernelTest() : scope_(Device::cuda(0)) {}

  DeviceScope scope_;
};

TEST_F(RawKernelTest, RunsATemplateByItsName) {
  for (const bool wide : {false, true}) {
    const RawKernel axpy(kSource, wide ? "ns::axpy<double>" : "ns::axpy<float>");
    const dtype type = wide ? float64 : float32;
    auto x = arange(1000).astype(type);
    auto y = ones({1000}, type);
    if (wide) {
      axpy(4, 256, 1000, 2.0, x, y);
    } else {
      axpy(4, 256, 1000, 2.0f, x, y);
    }
    testing::expect_array_equal(y, arange(1000).astype(type) * 2 + 1);
  }
}

TEST_F(RawKernelTest, TakesAnyLayoutWhereItIsToldTo) {
  const char* const code = R"(
extern "C" __global__ void gather(const float* x, long row, long column, float* y) {
  y[threadIdx.x] = x[threadIdx.x / 3 * row + threadIdx.x % 3 * column];
})";
  const ndarray x = arange(12).astype(float32).reshape({3, 4}).T(), y = zeros({4, 3}, float32);
  const std::int64_t row = x.strides()[0] / 4, column = x.strides()[1] / 4;
  const RawKernel gather(code, "gather");
  expect_error<ValueError>([&] { gather(1, 12, x, row, column, y); },
                           "gather: argument 0 (const float* x): the array is not C-contiguous");
  gather.launch({.block = 12, .any_layout = true}, x, row, column, y);
  testing::expect_array_equal(y, x);
  y.fill(0);
  RawKernel(code, "gather", {.any_layout = true})(1, 12, x, row, column, y);
  testing::expect_array_equal(y, x);
  y.fill(0);
  RawModule(code, {.any_layout = true}).get_function("gather")(1, 12, x, row, column, y);
  testing::expect_array_equal(y, x);
}

TEST_F(RawKernelTest, TakesStructsByValue) {
  struct Line {
    float slope;
    float offset;
  };
  const RawKernel along(kSource, "ns::along");
  auto y = zeros({4}, float32);
  along(1, 4, Line{3, 0.5f}, arange(4).astype(float32), y);
  expect_elements<float>(y, {4}, {0.5f, 3.5f, 6.5f, 9.5f});
}

TEST_F(RawKernelTest, GridsAndBlocksHaveThreeAxes) {
  const RawKernel place(kSource, "place");
  auto at = zeros({2 * 3 * 2 * 8}, int32);
  place({2, 3, 2}, {2, 2, 2}, at);
  std::vector<int> expected;
  for (int block = 0; block < 12; ++block) {
    for (int thread = 0; thread < 8; ++thread) expected.push_back(100 * block + thread);
  }
  expect_elements<int>(at, {96}, expected);
}

TEST_F(RawKernelTest, SharedMemoryBeyondTheUsualLimit) {
  const RawKernel reversed(kSource, "reversed");
  auto x = arange(64).astype(int32);
  for (const std::int64_t bytes : {256, 100 << 10}) {
    auto y = zeros({64}, int32);
    reversed.launch({.block = 64, .shared_mem = bytes}, x, y);
    testing::expect_array_equal(y, arange(63, -1, -1).astype(int32));
  }
  reversed.set_max_dynamic_shared_size_bytes(120 << 10);
  EXPECT_EQ(reversed.attributes().max_dynamic_shared_size_bytes, 120 << 10);
  expect_error<ValueError>([&] { reversed.set_max_dynamic_shared_size_bytes(4 << 20); },
                           "the device does not have that much shared memory");
}

TEST_F(RawKernelTest, RunsOnTheCurrentStream) {
  const cuda::Stream stream({.non_blocking = true});
  const cuda::StreamScope scope(stream);
  const RawKernel place(kSource, "place");
  auto at = zeros({32}, int32);
  place(1, 32, at);
  stream.synchronize();
  expect_elements<int>(at(slice(0, 3)), {3}, {0, 1, 2});
}

TEST_F(RawKernelTest, ChangesCountAsChangesInPlace) {
  const RawKernel reversed(kSource, "reversed");
  auto x = arange(4).astype(int32);
  auto y = zeros({4}, int32);
  const auto of_x = x.version();
  const auto of_y = y.version();
  reversed.launch({.block = 4, .shared_mem = 16}, x, y);
  EXPECT_EQ(x.version(), of_x);
  EXPECT_GT(y.version(), of_y);
}

TEST_F(RawKernelTest, AttributesAndOccupancy) {
  const RawKernel reversed(kSource, "reversed");
  const KernelAttributes attributes = reversed.attributes();
  EXPECT_EQ(attributes.max_threads_per_block, 1024);
  EXPECT_GT(attributes.num_regs, 0);
  EXPECT_GE(attributes.binary_version, 70);
  EXPECT_GE(attributes.ptx_version, 70);
  EXPECT_EQ(attributes.local_size_bytes, 0);
  EXPECT_GE(reversed.max_active_blocks(256), 1);
  EXPECT_GT(reversed.max_active_blocks(128), reversed.max_active_blocks(1024));
  EXPECT_EQ(reversed.best_block_size() % 32, 0);
  reversed.set_preferred_shared_memory_carveout(50);
  EXPECT_EQ(reversed.attributes().preferred_shared_memory_carveout, 50);
}

TEST_F(RawKernelTest, WrongCallsAreNamedBeforeTheLaunch) {
  const RawKernel axpy(kSource, "ns::axpy<float>");
  auto x = ones({8}, float32);
  expect_error<TypeError>([&] { axpy(1, 8, 8, 2.0f, x); },
                          "ns::axpy<float>: expected 4 arguments, given 3; the parameters are (int "
                          "n, float a, float const* x, float* y)");
  expect_error<TypeError>([&] { axpy(1, 8, 8, 2.0, x, x); },
                          "argument 1 (float a): expected a number of float32, given one of "
                          "float64");
  expect_error<DtypeError>([&] { axpy(1, 8, 8, 2.0f, x.astype(float16), x); },
                           "argument 2 (float const* x): expected an array of float32, given "
                           "float16");
  expect_error<TypeError>([&] { axpy(1, 8, 8, 2.0f, x, x.to_cpu()); },
                          "argument 3 (T* y): expected an array on a CUDA device");
  expect_error<ValueError>(
      [&] {
        axpy(1, {32, 33}, 8, 2.0f, x, x);
      },
      "a block of 1056 threads is too large; the kernel's limit is 1024");
  const RawKernel along(kSource, "ns::along");
  struct Wide {
    double slope, offset;
  };
  expect_error<TypeError>([&] { along(1, 8, Wide{}, x, x); },
                          "argument 0 (Line line): expected 8 bytes, given a struct of 16 bytes");
  testing::expect_array_equal(x, ones({8}, float32));
}

TEST_F(RawKernelTest, SourcesThatDoNotCompile) {
  const RawKernel broken("extern \"C\" __global__ void broken(int* x) { *x = y; }", "broken");
  expect_error<CompileError>([&] { broken(1, 1, none); }, "identifier \"y\" is undefined");
  const RawKernel other(kSource, "nothing");
  expect_error<CompileError>([&] { other.compile(); }, "nothing");
}

class RawModuleTest : public RawKernelTest {};

TEST_F(RawModuleTest, FunctionsAndGlobals) {
  const RawModule module(kSource, {.name_expressions = {"ns::axpy<int>"}});
  const RawKernel constants = module.get_function("constants");
  auto y = zeros({4}, float32);
  auto count = zeros({1}, int32);
  constants(1, 4, y, count);
  expect_elements<float>(y, {4}, {1, 2, 3, 4});
  EXPECT_EQ(count.item<int>(), 5);

  auto factors = module.get_global("factors", float32);
  expect_elements<float>(factors, {4}, {1, 2, 3, 4});
  factors *= 10;
  module.get_global("counter", int32).fill(6);
  constants(1, 4, y, count);
  expect_elements<float>(y, {4}, {10, 20, 30, 40});
  EXPECT_EQ(count.item<int>(), 6);
  EXPECT_EQ(module.get_global("factors").size(), 16);

  const RawKernel axpy = module.get_function("ns::axpy<int>");
  auto z = ones({4}, int32);
  axpy(1, 4, 4, 3, arange(4).astype(int32), z);
  expect_elements<int>(z, {4}, {1, 4, 7, 10});
  // A C++ function that is no template needs no name expression.
  EXPECT_NO_THROW(module.get_function("ns::along").compile());
  expect_error<ValueError>([&] { module.get_function("absent").compile(); },
                           "absent: there is no kernel of that name; there are: ");
  expect_error<ValueError>([&] { module.get_global("absent"); },
                           "RawModule: there is no global variable of that name; absent");
  expect_error<ValueError>([&] { module.get_global("counter", float64); },
                           "counter has 4 bytes, which are no elements of float64");
}

TEST_F(RawModuleTest, LoadsMachineCodeAndPtx) {
  const auto run = [](const RawModule& module) {
    auto at = zeros({4}, int32);
    const RawKernel place = module.get_function("place");
    place(2, 2, at);
    expect_elements<int>(at, {4}, {0, 1, 100, 101});
    // Without a source the driver knows how large the parameters are.
    expect_error<TypeError>(
        [&] { place(1, 1, 1); },
        "place: argument 0: expected 8 bytes, given a number of int32, 4 bytes");
    expect_error<TypeError>([&] { place(1, 1); }, "place: expected 1 arguments, given 0");
  };
  const std::string own = internal::jit::architecture_of(0);
  const auto cubin = internal::jit::compile_module({"module", kSource}, own);
  run(RawModule::from_image(cubin.data));
  const auto ptx = internal::jit::compile_module(
      {"module", kSource, {"--gpu-architecture=compute_" + own.substr(3)}}, own);
  const std::string path = ::testing::TempDir() + "/cupyxx_raw_module.ptx";
  std::ofstream(path, std::ios::binary) << ptx.data;
  run(RawModule::load(path));
  const std::string source = ::testing::TempDir() + "/cupyxx_raw_module.cu";
  std::ofstream(source) << kSource;
  EXPECT_NO_THROW(RawModule::load(source).get_function("place").compile());
  expect_error<IOError>([] { RawModule::load("/"); },
                        "RawModule: /: cannot read; it is a directory");
  for (const std::size_t size : {std::size_t{10}, std::size_t{100}, cubin.data.size() - 1}) {
    expect_error<ValueError>([&] { RawModule::from_image(cubin.data.substr(0, size)); },
                             "RawModule: the bytes are neither PTX nor a whole cubin or fatbin; " +
                                 std::to_string(size) + " bytes");
  }
}

TEST_F(RawModuleTest, CooperativeLaunchesAndClusters) {
  constexpr char kGrid[] = R"(
#include <cooperative_groups.h>
extern "C" __global__ void sum(int* cells, int* total) {
  cells[blockIdx.x] = blockIdx.x;
  cooperative_groups::this_grid().sync();
  if (blockIdx.x == 0) for (int i = 0; i < gridDim.x; ++i) *total += cells[i];
}
extern "C" __global__ void rank(int* ranks) {
#if __CUDA_ARCH__ >= 900
  ranks[blockIdx.x] = cooperative_groups::this_cluster().block_rank();
#endif
}
)";
  const RawKernel sum(kGrid, "sum", {.enable_cooperative_groups = true});
  auto cells = zeros({16}, int32);
  auto total = zeros({1}, int32);
  sum(16, 1, cells, total);
  EXPECT_EQ(total.item<int>(), 120);
  if (sum.attributes().binary_version < 90) return;
  const RawKernel rank(kGrid, "rank");
  auto ranks = zeros({8}, int32);
  rank.launch({.grid = 8, .cluster = 4}, ranks);
  expect_elements<int>(ranks, {8}, {0, 1, 2, 3, 0, 1, 2, 3});
}

}  // namespace
}  // namespace cupyxx
