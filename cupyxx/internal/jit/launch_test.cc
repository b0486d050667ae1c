// SPDX-License-Identifier: MIT
// Kernels on a device: loading, launching, what goes wrong, and errors in their data.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "cupyxx/cuda/stream.h"
#include "cupyxx/error.h"
#include "cupyxx/extension/kernel_slot.h"
#include "cupyxx/internal/diagnostics/launch_note.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/internal/jit/bundled_programs.h"
#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx::internal::jit {
namespace {

using testing::expect_error;

const Program& store() {
  static const Program& program = *new Program{.name = "store", .text = R"(
struct Store { int* target; int value; };
__device__ int global_value = 17;
extern "C" __global__ void kernel(Store s) { s.target[threadIdx.x] = s.value; }
extern "C" __global__ void negated(Store s) { s.target[threadIdx.x] = -s.value; }
extern "C" __global__ void two(int* target, int value) {
  target[threadIdx.x] = value + global_value;
}
extern "C" __global__ void shared(Store s) {
  extern __shared__ int scratch[];
  scratch[20000 + threadIdx.x] = s.value;
  s.target[threadIdx.x] = scratch[20000 + threadIdx.x];
}
)"};
  return program;
}

struct Store {
  int* target;
  int value;
};

class LaunchTest : public ::testing::Test {
 public:
  LaunchTest() : storage_(gpu::allocate(0, 32 * sizeof(int))) {}
  ~LaunchTest() override { release(storage_); }

  int* target() const { return reinterpret_cast<int*>(storage_->data); }
  Program entry(const char* name) const {
    Program program = store();
    program.entry = name;
    return program;
  }
  std::vector<int> read(void* stream = nullptr) const {
    std::vector<int> values(32);
    gpu::copy(values.data(), target(), sizeof(int) * 32, gpu::CopyKind::device_to_host, 0, stream);
    return values;
  }

  Storage* storage_;
};

TEST_F(LaunchTest, RunsAKernel) {
  const Store argument{target(), 5};
  launch(load(0, store()), {.block_x = 32}, nullptr, &argument);
  EXPECT_EQ(read(), std::vector<int>(32, 5));
}

TEST_F(LaunchTest, FindsAKernelAgain) {
  const Kernel* kernel = load(0, store());
  const CacheStats before = cache_stats();
  EXPECT_EQ(load(0, store()), kernel);
  const Kernel* negated = load(0, entry("negated"));
  EXPECT_NE(negated, kernel);
  EXPECT_EQ(cache_stats().compiled + cache_stats().disk_hits, before.compiled + before.disk_hits);
  const Store argument{target(), 5};
  launch(negated, {.block_x = 32}, nullptr, &argument);
  EXPECT_EQ(read(), std::vector<int>(32, -5));
}

TEST_F(LaunchTest, RunsOnAStream) {
  const cuda::Stream stream({.non_blocking = true});
  const Store argument{target(), 6};
  launch(load(0, store()), {.block_x = 32}, stream.ptr(), &argument);
  EXPECT_EQ(read(stream.ptr()), std::vector<int>(32, 6));
}

TEST_F(LaunchTest, TakesSeveralArgumentsAndGlobals) {
  int* where = target();
  int value = 3;
  void* arguments[] = {&where, &value};
  launch_with(load(0, entry("two")), {.block_x = 32}, nullptr, arguments);
  EXPECT_EQ(read(), std::vector<int>(32, 20));

  std::size_t nbytes = 0;
  void* address = find_global(0, store(), "global_value", &nbytes);
  ASSERT_EQ(nbytes, sizeof(int));
  const int changed = 100;
  gpu::copy(address, &changed, sizeof changed, gpu::CopyKind::host_to_device, 0, nullptr);
  launch_with(load(0, entry("two")), {.block_x = 32}, nullptr, arguments);
  EXPECT_EQ(read(), std::vector<int>(32, 103));
  const int original = 17;
  gpu::copy(address, &original, sizeof original, gpu::CopyKind::host_to_device, 0, nullptr);
  expect_error<ValueError>([&] { find_global(0, store(), "absent", &nbytes); },
                           "store: the source has no global variable of that name; absent");
}

TEST_F(LaunchTest, AllowsMoreThanTheUsualSharedMemory) {
  const Store argument{target(), 8};
  launch(load(0, entry("shared")), {.block_x = 32, .shared_bytes = 100 << 10}, nullptr, &argument);
  EXPECT_EQ(read(), std::vector<int>(32, 8));
  expect_error<CudaError>(
      [&] {
        launch(load(0, entry("shared")), {.block_x = 32, .shared_bytes = 4 << 20}, nullptr,
               &argument);
      },
      "store: too much shared memory: ");
}

TEST_F(LaunchTest, NamesKernelGridAndStreamWhenItFails) {
  const Store argument{target(), 1};
  const auto too_wide = [&] {
    launch(load(0, store()), {.grid_x = 2, .block_x = 2048}, nullptr, &argument);
  };
  expect_error<CudaError>(too_wide, "store: the launch failed: ");
  expect_error<CudaError>(
      too_wide, ", grid (2, 1, 1), block (2048, 1, 1), shared 0 bytes, device 0, stream ");
  launch(load(0, store()), {.block_x = 32}, nullptr, &argument);
  EXPECT_EQ(read(), std::vector<int>(32, 1));
}

// In a process of its own: a device that has failed serves no more.
TEST(DebugSyncDeathTest, NamesTheLaunchThatFailed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto fail = [] {
    setenv("CUPYXX_DEBUG", "sync", 1);
    const Program program{.name = "bad_store", .text = R"(
extern "C" __global__ void kernel(int* nowhere) { *nowhere = 1; }
)"};
    int* nowhere = reinterpret_cast<int*>(16);
    try {
      const LaunchNote note([] { return "put((3,) float32, 7)"; });
      launch(load(0, program), {}, nullptr, &nowhere);
    } catch (const CudaError& error) {
      std::fputs(error.what(), stderr);
      std::_Exit(3);
    }
    std::_Exit(0);
  };
  EXPECT_EXIT(fail(), ::testing::ExitedWithCode(3),
              R"(bad_store: the kernel failed: .*\(700\).*, in put\(\(3,\) float32, 7\); )"
              "called from:");
}

TEST(DebugSyncDeathTest, WithoutItTheLatestKernelsAreNamed) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto fail = [] {
    setenv("CUPYXX_DEBUG", "", 1);
    const Program program{.name = "bad_store", .text = R"(
extern "C" __global__ void kernel(int* nowhere) { *nowhere = 1; }
)"};
    int* nowhere = reinterpret_cast<int*>(16);
    try {
      launch(load(0, program), {}, nullptr, &nowhere);
      gpu::synchronize(0, nullptr);
    } catch (const CudaError& error) {
      std::fputs(error.what(), stderr);
      std::_Exit(3);
    }
    std::_Exit(0);
  };
  EXPECT_EXIT(fail(), ::testing::ExitedWithCode(3),
              "cudaStreamSynchronize: .*the latest kernels of this thread: bad_store; "
              "CUPYXX_DEBUG=sync finds the launch");
}

TEST(DebugSyncDeathTest, NamesTwoKernelsOfOneSlot) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto fail = [] {
    setenv("CUPYXX_DEBUG", "sync", 1);
    extension::KernelSlot slot;
    const auto named = [](const char* name) {
      return Program{
          .name = name,
          .text = std::string("// ") + name + "\n" + "extern \"C\" __global__ void kernel() {}\n"};
    };
    const Kernel* const kept = slot.get(0, [&] { return named("kept"); });
    if (slot.get(0, [&] { return named("kept"); }) != kept) std::_Exit(4);
    try {
      slot.get(0, [&] { return named("meant"); });
    } catch (const Error& error) {
      std::fputs(error.what(), stderr);
      std::_Exit(3);
    }
    std::_Exit(0);
  };
  EXPECT_EXIT(fail(), ::testing::ExitedWithCode(3),
              "KernelSlot: one slot is used for two kernels; kept and meant");
}

TEST_F(LaunchTest, NamesAMissingEntry) {
  expect_error<CompileError>([&] { load(0, entry("absent")); },
                             "store: the source has no extern \"C\" kernel of that name; absent");
}

TEST_F(LaunchTest, LoadsInManyThreads) {
  std::vector<std::thread> threads;
  std::vector<const Kernel*> found(8);
  Program program = store();
  program.text += "// of its own\n";
  for (std::size_t t = 0; t < found.size(); ++t) {
    threads.emplace_back([&, t] { found[t] = load(0, program); });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Kernel* kernel : found) EXPECT_EQ(kernel, found[0]);
}

TEST_F(LaunchTest, FindsBundledKernels) {
  const CacheStats before = cache_stats();
  for (const Program& program : bundled_programs()) EXPECT_NE(load(0, program), nullptr);
  if (gpu::device_info(0).compute_capability == 90) {
    EXPECT_EQ(cache_stats().compiled, before.compiled);
  }
}

TEST_F(LaunchTest, KnowsWhatAKernelNeeds) {
  const KernelInfo info = kernel_info(0, load(0, store()));
  EXPECT_EQ(info.max_threads_per_block, 1024);
  EXPECT_GT(info.registers, 0);
}

struct Check {
  gpu::ErrorWord* word;
  unsigned operation;
  unsigned code;
  long long value;
};

// Every thread finds the same error.
void find_error(gpu::ErrorCode code, const char* operation, long long value, void* stream) {
  static const Program& program = *new Program{.name = "check", .text = R"(
#include "cupyxx/internal/kernels/error_word.h"
using namespace cupyxx::internal::kernels;
struct Check { ErrorWord* word; unsigned operation; unsigned code; long long value; };
extern "C" __global__ void kernel(Check c) {
  report(c.word, static_cast<ErrorCode>(c.code), c.operation, c.value, 5);
}
)"};
  const Check argument{gpu::error_word(0, stream), gpu::operation_number(operation),
                       static_cast<unsigned>(code), value};
  launch(load(0, program), {.grid_x = 64, .block_x = 256}, stream, &argument);
}

TEST_F(LaunchTest, ErrorsInDataAreThrownAtTheNextWait) {
  find_error(gpu::ErrorCode::index_out_of_range, "take", 7, nullptr);
  find_error(gpu::ErrorCode::negative_power, "power", 0, nullptr);
  expect_error<IndexError>([] { gpu::synchronize(0, nullptr); },
                           "take: index 7 is out of bounds for size 5");
  EXPECT_NO_THROW(gpu::synchronize(0, nullptr));
  find_error(gpu::ErrorCode::negative_power, "power", 0, nullptr);
  expect_error<ValueError>([&] { read(); },
                           "power: integers to negative integer powers are not allowed");
  EXPECT_NO_THROW(read());
}

TEST_F(LaunchTest, ErrorsInDataBelongToTheirStream) {
  const cuda::Stream stream({.non_blocking = true});
  find_error(gpu::ErrorCode::index_out_of_range, "put", -9, stream.ptr());
  EXPECT_NO_THROW(gpu::synchronize(0, nullptr));
  expect_error<IndexError>([&] { stream.synchronize(); },
                           "put: index -9 is out of bounds for size 5");
  find_error(gpu::ErrorCode::index_out_of_range, "put", 6, stream.ptr());
  expect_error<IndexError>([] { gpu::synchronize_device(0); },
                           "put: index 6 is out of bounds for size 5");
  EXPECT_NO_THROW(stream.synchronize());
}

// Kernels that are launched while the one before them ends see all that it stored.
TEST_F(LaunchTest, AKernelThatWaitsSeesWhatTheSlowOneBeforeItStored) {
  const std::string wait = kWaitForKernelBefore;
  const std::string text = R"(
struct Store { int* target; int value; };
extern "C" __global__ void slow(Store s) {
)" + wait + R"(
  const long long start = clock64();
  while (clock64() - start < 200000) {}
  if (blockIdx.x == gridDim.x - 1) s.target[threadIdx.x] = s.value;
}
extern "C" __global__ void add(Store s) {
)" + wait + R"(
  if (blockIdx.x == 0) s.target[threadIdx.x] = s.value + 2 * s.target[threadIdx.x];
}
)";
  const cuda::Stream own;
  // Those for an older architecture cannot wait, and are launched when it has ended.
  for (const std::vector<std::string>& options :
       {std::vector<std::string>(), std::vector<std::string>{"-arch=compute_80"}}) {
    const Kernel* slow =
        load(0, {.name = "slow", .text = text, .entry = "slow", .options = options});
    const Kernel* add = load(0, {.name = "add", .text = text, .entry = "add", .options = options});
    for (void* const stream : {static_cast<void*>(nullptr), own.ptr()}) {
      for (const unsigned blocks : {1u, 3000u}) {
        int expected = 0;
        for (int turn = 1; turn <= 20; ++turn) {
          for (const Kernel* kernel : {slow, add, add}) {
            const Store store{target(), turn};
            launch(kernel, {.grid_x = blocks, .block_x = 32}, stream, &store);
          }
          expected = turn + 2 * (turn + 2 * turn);
        }
        EXPECT_EQ(read(stream), std::vector<int>(32, expected)) << blocks;
      }
    }
  }
}

}  // namespace
}  // namespace cupyxx::internal::jit
