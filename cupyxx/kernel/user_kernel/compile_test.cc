// SPDX-License-Identifier: MIT
// The device code that users' kernels become compiles in every layout. Needs NVRTC but no device.
#include <gtest/gtest.h>

#include "cupyxx/creation.h"
#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/kernel/user_kernel/elementwise.h"
#include "cupyxx/kernel/user_kernel/reduction.h"
#include "cupyxx/testing/waits_first.h"

namespace cupyxx::internal::user_kernel {
namespace {

constexpr const char* kArchitecture = "compute_90";

TEST(DeviceCode, ElementwiseCompilesInEveryLayout) {
  ElementwiseSpecification spec;
  static_cast<Specification&>(spec) =
      specify("T x, U e, raw T y, float32 j", "T z, raw U base", "sample");
  spec.operation = "if (x > (T)0) { z += x * y[n - i - 1]; base[i] = e; z *= j; } // end";
  spec.preamble = "T twice(T x) { return x + x; }";
  const std::string plain = spec.operation;
  for (const bool after : {false, true}) {
    spec.operation =
        after ? "if (x < (T)_ind.size()) return; if (e == 3) continue; " + plain : plain;
    spec.loop_prep = after ? "T sum = twice(y[0]);" : "";
    spec.after_loop = after ? "base[0] = sum;" : "";
    for (const dtype type : {float16, float32, int64}) {
      // Types and layouts are all that the generator looks at.
      const DeviceScope on_host(Device::cpu());
      auto x = zeros({4, 4, 4}, type);
      auto y = x.transpose();
      auto z = zeros({4, 4, 4}, type);
      auto base = zeros({4}, int32);
      const Operand inputs[] = {x, 3, y, 0.5f};
      const ndarray outputs[] = {z, base};
      Binding binding = user_kernel::bind(spec, inputs, outputs);
      const Raws raws = collect_raws(spec, binding);
      binding.device = Device::cuda(0);
      using jit::Form;
      for (const jit::ElementwiseLayout& layout : {jit::ElementwiseLayout{},
                                                   {Form::flat, 2},
                                                   {Form::flat, 3},
                                                   {Form::flat, 2, false, 0, true, 3, 4},
                                                   {Form::strided, 3},
                                                   {Form::strided, 3, true},
                                                   {Form::strided, 8}}) {
        const auto program = device_program(spec, elementwise_source(spec, binding, raws, layout));
        EXPECT_NO_THROW(
            EXPECT_EQ(testing::before_waiting(jit::compile_cached(program, kArchitecture)), ""))
            << program.text;
      }
    }
  }
}

TEST(DeviceCode, PreamblesMayRepeatStandardTypedefs) {
  ElementwiseSpecification spec;
  static_cast<Specification&>(spec) = specify("int64 x", "int64 z", "sample");
  spec.operation = "z = (int64_t)x + sizeof(uint32_t);";
  spec.preamble = "typedef unsigned int uint32_t; typedef long long int64_t;";
  const Operand inputs[] = {3};
  const ndarray outputs[] = {zeros({4}, int64)};
  Binding binding = user_kernel::bind(spec, inputs, outputs);
  binding.device = Device::cuda(0);
  const auto program = device_program(spec, elementwise_source(spec, binding, {}, {}));
  EXPECT_NO_THROW(
      EXPECT_EQ(testing::before_waiting(jit::compile_cached(program, kArchitecture)), ""))
      << program.text;
}

TEST(DeviceCode, FunctionsOfComplexNumbersCompile) {
  ElementwiseSpecification spec;
  static_cast<Specification&>(spec) = specify("T x, raw T y", "T z, float64 size", "sample");
  spec.operation =
      "ck::i64 at[] = {0, i}; z = conj(x) * y[at] + exp(x) / pow(x, 3) - sqrt(y[i]);"
      "size = abs(x) + arg(x) + norm(x) + real(x) + imag(x);";
  for (const dtype type : {complex64, complex128}) {
    const DeviceScope on_host(Device::cpu());
    const auto x = zeros({4}, type), y = zeros({2, 4}, type);
    const Operand inputs[] = {x, y};
    const ndarray outputs[] = {zeros({4}, type), zeros({4})};
    Binding binding = user_kernel::bind(spec, inputs, outputs);
    const Raws raws = collect_raws(spec, binding);
    binding.device = Device::cuda(0);
    const auto program = device_program(spec, elementwise_source(spec, binding, raws, {}));
    EXPECT_NO_THROW(
        EXPECT_EQ(testing::before_waiting(jit::compile_cached(program, kArchitecture)), ""))
        << program.text;
  }
}

TEST(DeviceCode, ElementwiseCompilesInTiles) {
  ElementwiseSpecification spec;
  static_cast<Specification&>(spec) = specify("T x, T y", "T z", "sample");
  spec.operation = "z = x + y * sum;";
  spec.loop_prep = "T sum = (T)n;";
  spec.after_loop = "sum = sum + sum;";
  for (const dtype type : {float16, float32, int8, float64}) {
    const DeviceScope on_host(Device::cpu());
    const auto x = zeros({4, 4}, type);
    const auto y = x.T();
    const Operand inputs[] = {x, y};
    const ndarray outputs[] = {zeros({4, 4}, type)};
    Binding binding = user_kernel::bind(spec, inputs, outputs);
    binding.device = Device::cuda(0);
    for (const unsigned staged : {4u, 6u}) {
      const auto program = device_program(
          spec, elementwise_source(spec, binding, {}, {jit::Form::tiled, 2, false, staged}));
      EXPECT_NO_THROW(
          EXPECT_EQ(testing::before_waiting(jit::compile_cached(program, kArchitecture)), ""))
          << program.text;
    }
  }
}

TEST(DeviceCode, ReductionsCompileInEveryLayout) {
  ReductionSpecification spec;
  static_cast<Specification&>(spec) = specify("T x, U e, raw T w", "T y, float32 z", "sample");
  spec.map = "x * w[i % w.size()]";
  spec.reduce = "a + b";
  spec.post_map = "if (i > _out_ind.size()) return; y = a; z = n + i + e;";
  spec.identity = "0";
  spec.numbered = true;
  for (const char* reduce_type : {"", "double", "T"}) {
    spec.reduce_type = reduce_type;
    for (const dtype type : {float16, float32, int8}) {
      if (*reduce_type != 0 && type != float32) continue;
      const DeviceScope on_host(Device::cpu());
      const auto x = zeros({4, 4}, type), w = zeros({4}, type);
      const Operand inputs[] = {x, 3, w};
      const ndarray outputs[] = {zeros({4}, type), zeros({4}, float32)};
      const Binding binding = user_kernel::bind(spec, inputs, outputs);
      const Raws raws = collect_raws(spec, binding);
      using gpu::ReduceKernel;
      for (const ReductionLayout layout :
           {ReductionLayout{1, ReduceKernel::rows},
            ReductionLayout{1, ReduceKernel::rows, 4, false, 2},
            ReductionLayout{2, ReduceKernel::rows_short, 4, false, 2},
            ReductionLayout{8, ReduceKernel::columns, 2, true, 2},
            ReductionLayout{2, ReduceKernel::columns, 4, false, 2, 4}}) {
        const std::string text = write_reduction(spec, binding, raws, layout, false);
        EXPECT_NO_THROW(jit::compile_cached({"sample", text, spec.entry()}, kArchitecture)) << text;
      }
    }
  }
}

}  // namespace
}  // namespace cupyxx::internal::user_kernel
