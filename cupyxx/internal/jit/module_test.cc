// SPDX-License-Identifier: MIT
// Modules of users: compiled by NVRTC, without a device.
#include "cupyxx/internal/jit/module.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "cupyxx/error.h"
#include "cupyxx/internal/jit/cache.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx::internal::jit {
namespace {

namespace fs = std::filesystem;
using testing::expect_error;

constexpr char kArchitecture[] = "sm_90";
constexpr char kAxpy[] = R"(
namespace ns {
template <class T> __global__ void axpy(int n, T a, const T* x, T* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
}
__device__ int table[4];
extern "C" __global__ void plain(int* x) { x[0] = table[1]; }
)";

class ModuleTest : public ::testing::Test {
 public:
  ModuleTest() {
    std::string name = ::testing::TempDir() + "/cupyxx_module_XXXXXX";
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  ~ModuleTest() override { fs::remove_all(folder_); }

  fs::path folder_;
};

TEST_F(ModuleTest, LowersNameExpressions) {
  const ModuleImage image = compile_module(
      {"module", kAxpy, {}, {"ns::axpy<float>", "ns::axpy<double>", "plain", "table"}},
      kArchitecture);
  ASSERT_EQ(image.lowered.size(), 4u);
  EXPECT_EQ(image.lowered[0], "_ZN2ns4axpyIfEEviT_PKS1_PS1_");
  EXPECT_EQ(image.lowered[1], "_ZN2ns4axpyIdEEviT_PKS1_PS1_");
  EXPECT_EQ(image.lowered[2], "plain");
  EXPECT_EQ(image.data.substr(0, 4), "\177ELF");
  EXPECT_NE(image.data.find(".text._ZN2ns4axpyIfEEviT_PKS1_PS1_"), std::string::npos);
}

TEST_F(ModuleTest, VirtualArchitecturesGivePtx) {
  const ModuleImage image =
      compile_module({"module", kAxpy, {"--gpu-architecture=compute_90"}, {"plain"}}, "sm_90");
  EXPECT_NE(image.data.find(".visible .entry plain"), std::string::npos);
}

TEST_F(ModuleTest, FindsTheToolkitsHeaders) {
  const ModuleSource source{"fp16", R"(
#include <cuda_fp16.h>
#include <cooperative_groups.h>
extern "C" __global__ void k(__half* x) {
  cooperative_groups::this_grid().sync();
  x[0] = __float2half(1.0f);
})"};
  EXPECT_NO_THROW(compile_module(source, kArchitecture));
}

TEST_F(ModuleTest, TheCacheKnowsImageAndNames) {
  DiskCache cache(folder_.string(), 1 << 30);
  const ModuleSource source{"module", kAxpy, {"-DVALUE=1"}, {"ns::axpy<float>"}};
  const CacheStats before = cache_stats();
  const ModuleImage first = find_module(source, kArchitecture, cache);
  const ModuleImage second = find_module(source, kArchitecture, cache);
  EXPECT_EQ(cache_stats().compiled, before.compiled + 1);
  EXPECT_EQ(cache_stats().disk_hits, before.disk_hits + 1);
  EXPECT_EQ(first.data, second.data);
  EXPECT_EQ(first.lowered, second.lowered);
  // Options, names, architecture and text all count.
  for (const ModuleSource& other :
       {ModuleSource{"module", kAxpy, {"-DVALUE=2"}, {"ns::axpy<float>"}},
        ModuleSource{"module", kAxpy, {"-DVALUE=1"}, {"ns::axpy<int>"}},
        ModuleSource{"module", std::string(kAxpy) + " ", {"-DVALUE=1"}, {"ns::axpy<float>"}}}) {
    const std::uint64_t compiled = cache_stats().compiled;
    find_module(other, kArchitecture, cache);
    EXPECT_EQ(cache_stats().compiled, compiled + 1);
  }
}

TEST_F(ModuleTest, AChangedHeaderIsCompiledAgain) {
  DiskCache cache((folder_ / "cache").string(), 1 << 30);
  fs::create_directory(folder_ / "inner");
  const auto write = [&](int value) {
    std::ofstream(folder_ / "outer.h") << "#include \"inner/value.h\"\n";
    std::ofstream(folder_ / "inner" / "value.h") << "#define VALUE " << value << "\n";
  };
  const ModuleSource source{
      "module",
      "#include <outer.h>\nextern \"C\" __global__ void k(int* x) { *x = VALUE; }",
      {"-I" + folder_.string()},
      {}};
  write(1);
  const ModuleImage first = find_module(source, kArchitecture, cache);
  const CacheStats before = cache_stats();
  EXPECT_EQ(find_module(source, kArchitecture, cache).data, first.data);
  EXPECT_EQ(cache_stats().compiled, before.compiled);
  write(2);
  EXPECT_NE(find_module(source, kArchitecture, cache).data, first.data);
  EXPECT_EQ(cache_stats().compiled, before.compiled + 1);
}

TEST_F(ModuleTest, ErrorsStandBesideTheNumberedSource) {
  const ModuleSource source{"broken", "extern \"C\" __global__ void k(int* x) {\n  *x = y;\n}"};
  expect_error<CompileError>([&] { compile_module(source, kArchitecture); },
                             "broken(2): error: identifier \"y\" is undefined");
  expect_error<CompileError>([&] { compile_module(source, kArchitecture); }, "    2 |   *x = y;\n");
  const ModuleSource absent{"absent", kAxpy, {}, {"ns::other"}};
  expect_error<CompileError>([&] { compile_module(absent, kArchitecture); }, "other");
  const ModuleSource option{"option", kAxpy, {"--no-such-option"}, {}};
  expect_error<CompileError>([&] { compile_module(option, kArchitecture); }, "no-such-option");
}

}  // namespace
}  // namespace cupyxx::internal::jit
