// SPDX-License-Identifier: MIT
// A table of wrong calls; each gives an error that names the parameter. Arrays stay on the host:
// nothing is launched.
#include "cupyxx/kernel/raw_kernel/arguments.h"

#include <gtest/gtest.h>

#include <cstring>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/internal/gpu/runtime.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/testing/expect_error.h"

namespace cupyxx::internal::raw_kernel {
namespace {

using testing::expect_error;

struct Pair {
  float a;
  int b;
};

Parameters axpy() {
  return {parse_source("extern \"C\" __global__ void axpy(int n, float a, const float* x, float* y,"
                       " Pair pair, void* scratch) {}",
                       "axpy"),
          std::vector<jit::ParameterPlace>{{0, 4}, {4, 4}, {8, 8}, {16, 8}, {24, 8}, {32, 8}}};
}

template <class... T>
void pack(const T&... arguments) {
  const KernelArgument list[] = {KernelArgument(arguments)...};
  Packed("axpy", axpy(), list, Device::cpu());
}

template <class T>
T value_of(void* address) {
  T value;
  std::memcpy(&value, address, sizeof value);
  return value;
}

TEST(Arguments, ArePackedAsTheKernelReadsThem) {
  const auto x = zeros({4}, float32);
  const auto y = zeros({4}, float32);
  const auto rest = y(slice(1, none));
  const Pair pair{2.0f, 3};
  const KernelArgument list[] = {7L, 0.5f, x, rest, pair, none};
  Packed packed("axpy", axpy(), list, Device::cpu());
  EXPECT_EQ(value_of<int>(packed.data()[0]), 7);
  EXPECT_EQ(value_of<float>(packed.data()[1]), 0.5f);
  EXPECT_EQ(value_of<void*>(packed.data()[2]), x.data());
  EXPECT_EQ(value_of<char*>(packed.data()[3]), static_cast<char*>(y.data()) + 4);
  EXPECT_EQ(value_of<Pair>(packed.data()[4]).b, 3);
  EXPECT_EQ(value_of<void*>(packed.data()[5]), nullptr);
}

TEST(Arguments, IntegersBecomeTheParametersTypeWhereTheyFit) {
  const Parameters parameters = {
      parse_source("__global__ void k(unsigned char a, long b, size_t c) {}", "k"), std::nullopt};
  const KernelArgument list[] = {200, static_cast<signed char>(-5), 6u};
  Packed packed("k", parameters, list, Device::cpu());
  EXPECT_EQ(value_of<unsigned char>(packed.data()[0]), 200);
  EXPECT_EQ(value_of<long>(packed.data()[1]), -5);
  EXPECT_EQ(value_of<std::size_t>(packed.data()[2]), 6u);
  const KernelArgument wrong[] = {300, 0, 0};
  expect_error<OverflowError>([&] { Packed("k", parameters, wrong, Device::cpu()); },
                              "k: argument 0 (unsigned char a)");
  const KernelArgument negative[] = {0, 0, -1};
  expect_error<OverflowError>([&] { Packed("k", parameters, negative, Device::cpu()); },
                              "k: argument 2 (size_t c)");
}

TEST(Arguments, WrongCallsAreNamed) {
  const auto x = zeros({4}, float32);
  const Pair pair{};
  expect_error<TypeError>([&] { pack(4, 0.5f, x, x, pair); },
                          "axpy: expected 6 arguments, given 5; the parameters are (int n, float a,"
                          " const float* x, float* y, Pair pair, void* scratch)");
  expect_error<TypeError>([&] { pack(4, 0.5f, x, x, pair, none, 1); },
                          "axpy: expected 6 arguments, given 7");
  expect_error<TypeError>([&] { pack(4, 0.5, x, x, pair, none); },
                          "axpy: argument 1 (float a): expected a number of float32, given one of "
                          "float64");
  expect_error<TypeError>([&] { pack(4.0f, 0.5f, x, x, pair, none); },
                          "axpy: argument 0 (int n): expected a number of int32, given one of "
                          "float32");
  expect_error<TypeError>([&] { pack(4, 2, x, x, pair, none); },
                          "axpy: argument 1 (float a): expected a number of float32, given one of "
                          "int32");
  expect_error<DtypeError>([&] { pack(4, 0.5f, zeros({4}), x, pair, none); },
                           "axpy: argument 2 (const float* x): expected an array of float32, given "
                           "float64");
  expect_error<TypeError>(
      [&] { pack(4, 0.5f, 1.0f, x, pair, none); },
      "axpy: argument 2 (const float* x): expected an array or a pointer, given "
      "a number of float32");
  expect_error<TypeError>([&] { pack(x, 0.5f, x, x, pair, none); },
                          "axpy: argument 0 (int n): expected a number of int32, given an array of "
                          "float32");
  expect_error<TypeError>([&] { pack(&pair, 0.5f, x, x, pair, none); },
                          "axpy: argument 0 (int n): expected a number of int32, given a pointer");
  expect_error<TypeError>([&] { pack(pair, 0.5f, x, x, pair, none); },
                          "axpy: argument 0 (int n): expected a number of int32, given a struct of "
                          "8 bytes");
  struct Large {
    double values[4];
  };
  expect_error<TypeError>([&] { pack(4, 0.5f, x, x, Large{}, none); },
                          "axpy: argument 4 (Pair pair): expected 8 bytes, given a struct of 32 "
                          "bytes, 32 bytes");
  expect_error<ValueError>(
      [&] { pack(4, 0.5f, x, broadcast_to(zeros({1}, float32), {4}), pair, none); },
      "axpy: argument 3 (float* y): the array is read-only");
  EXPECT_NO_THROW(pack(1, 0.5f, broadcast_to(zeros({}, float32), {1}), x, pair, x));
  EXPECT_NO_THROW(pack(4, 0.5f, nullptr, x, pair, &pair));
  const ndarray nothing;
  expect_error<TypeError>([&] { pack(4, 0.5f, nothing, x, pair, none); },
                          "axpy: argument 2 (const float* x) is None; `none` is a null pointer");
}

TEST(Arguments, ArraysAreContiguousUnlessAnyLayoutIsTaken) {
  const Pair pair{};
  const ndarray x = zeros({3, 4}, float32);
  const ndarray one = x(slice(none, none, 3), slice(1, 2)), row = x(1), turned = x.T();
  expect_error<ValueError>(
      [&] { pack(4, 0.5f, turned, x, pair, none); },
      "axpy: argument 2 (const float* x): the array is not C-contiguous, shape "
      "(4, 3), strides (4, 16); pass ascontiguousarray() of it, or set "
      "any_layout");
  expect_error<ValueError>(
      [&] { pack(4, 0.5f, x, x(slice(), 0), pair, none); },
      "axpy: argument 3 (float* y): the array is not C-contiguous, shape (3,)");
  // Also where nothing is known of the parameter, and behind a pointer to anything.
  expect_error<ValueError>([&] { pack(4, 0.5f, x, x, pair, turned); },
                           "argument 5 (void* scratch): the array is not C-contiguous");
  const KernelArgument list[] = {turned};
  const Parameters unknown;
  expect_error<ValueError>([&] { Packed("loaded", unknown, list, Device::cpu()); },
                           "loaded: argument 0: the array is not C-contiguous");
  Packed packed("loaded", unknown, list, Device::cpu(), true);
  EXPECT_EQ(value_of<void*>(packed.data()[0]), x.data());
  // One element, none, and a row of several lie as they must.
  EXPECT_NO_THROW(pack(1, 0.5f, one(0), row, pair, one(slice(1))));
  EXPECT_NO_THROW(pack(0, 0.5f, turned(slice(0)), zeros({0, 3}, float32).T(), pair, none));
}

TEST(Arguments, SizesAloneAreCheckedWithoutASource) {
  const Parameters parameters = {std::nullopt, std::vector<jit::ParameterPlace>{{0, 8}, {8, 4}}};
  const auto x = zeros({4});
  const auto call = [&](const KernelArgument& a, const KernelArgument& b) {
    const KernelArgument list[] = {a, b};
    Packed("loaded", parameters, list, Device::cpu());
  };
  EXPECT_NO_THROW(call(x, 4));
  expect_error<TypeError>([&] { call(x, 4L); },
                          "loaded: argument 1: expected 4 bytes, given a number of int64, 8 bytes");
  expect_error<TypeError>(
      [&] { call(1.0f, 4); },
      "loaded: argument 0: expected 8 bytes, given a number of float32, 4 bytes");
}

TEST(Arguments, ArraysMustBeOnTheDevice) {
  const auto x = zeros({4}, float32);
  const Pair pair{};
  const KernelArgument list[] = {4, 0.5f, x, x, pair, none};
  expect_error<TypeError>([&] { device_of("axpy", axpy().types, list); },
                          "axpy: argument 2 (const float* x): expected an array on a CUDA device, "
                          "given one on the host");
  expect_error<TypeError>([&] { Packed("axpy", axpy(), list, Device::cuda(0)); },
                          "expected an array on cuda:0, given one on cpu");
}

TEST(RawKernelWithoutADevice, SaysWhatIsMissing) {
  const RawKernel kernel("extern \"C\" __global__ void fill(float* x) {}", "fill");
  expect_error<TypeError>([&] { kernel(1, 1, zeros({1}, float32)); },
                          "fill: argument 0 (float* x): expected an array on a CUDA device");
  if (internal::gpu::device_count() == 0) {
    expect_error<DeviceError>([&] { kernel(1, 1, none); },
                              "fill: no CUDA device 0; 0 devices present");
    expect_error<DeviceError>([&] { kernel.attributes(); }, "fill: no CUDA device 0");
  }
  expect_error<ValueError>([&] { kernel(0, 1, none); }, "fill: grid must be within (1, 1, 1)");
  expect_error<ValueError>([&] { kernel({1, 70000}, 1, none); }, "given (1, 70000, 1)");
  expect_error<ValueError>([&] { kernel(1, {1, 1, 2000}, none); }, "fill: block must be within");
  expect_error<ValueError>([&] { kernel.launch({.grid = 3, .cluster = 2}, none); },
                           "fill: the cluster does not divide the grid");
  expect_error<ValueError>([&] { kernel.launch({.shared_mem = -1}, none); },
                           "fill: shared_mem is out of range; -1");
  expect_error<ValueError>([] { RawKernel("", "x", {.backend = "nvcc"}); },
                           "x: unknown backend 'nvcc'; expected 'nvrtc'");
  expect_error<ValueError>([] { RawKernel("", ""); }, "RawKernel: the name is empty");
  expect_error<ValueError>(
      [] { RawModule::from_image("no machine code"); },
      "RawModule: the bytes are neither PTX nor a whole cubin or fatbin; 15 bytes");
  expect_error<IOError>([] { RawModule::load("/no/such/file.cubin"); },
                        "RawModule: /no/such/file.cubin: cannot open; No such file or directory");
}

}  // namespace
}  // namespace cupyxx::internal::raw_kernel
