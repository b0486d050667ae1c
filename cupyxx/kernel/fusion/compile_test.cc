// SPDX-License-Identifier: MIT
// The device code that recordings become compiles. Needs NVRTC but no device.
#include <gtest/gtest.h>

#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/kernel/fusion/trace.h"
#include "cupyxx/kernel/user_kernel/elementwise.h"
#include "cupyxx/kernel/user_kernel/reduction.h"

namespace cupyxx::internal::fusion {
namespace {

constexpr const char* kArchitecture = "sm_90";

template <class Function>
Trace recorded(Function function, dtype x, dtype y) {
  auto recorder =
      std::make_shared<Recorder>("sample", std::vector<ArgumentForm>{{true, x, {}}, {true, y, {}}});
  const auto in = recorder->stand_ins();
  const FusedArray out[] = {function(in[0], in[1])};
  Trace trace = recorder->finish(out);
  prepare_kernel(trace);
  return trace;
}

// Values of any kind: types and layouts are all that the generator looks at.
user_kernel::Binding bound(const Trace& trace, const user_kernel::Specification& spec,
                           dtype result) {
  const DeviceScope on_host(Device::cpu());
  const auto list = std::make_unique<Operand[]>(spec.nin);
  std::vector<ndarray> arrays;
  for (const int array : trace.arrays) arrays.push_back(zeros({4, 4}, trace.value(array).type));
  for (std::size_t k = 0; k < spec.nin; ++k) {
    list[k].~Operand();
    if (k < arrays.size()) {
      new (&list[k]) Operand(arrays[k]);
    } else {
      new (&list[k]) Operand(Scalar(1, trace.immediates[trace.passed[k - arrays.size()]].type));
    }
  }
  const ndarray outputs[] = {zeros({4, 4}, result)};
  auto binding = user_kernel::bind(spec, {list.get(), spec.nin}, outputs);
  binding.device = Device::cuda(0);
  return binding;
}

TEST(DeviceCode, ElementwiseRecordingsCompile) {
  for (const dtype type : {bool_, float16}) {
    const Trace trace = recorded(
        [](auto x, auto y) {
          const auto z = where(x > y, sqrt(x * x + 1.5), exp(-y.astype(float32)));
          return clip(maximum(z, 2) / (x + y), 0, 1) + power(z, 3) + floor_divide(y, 3);
        },
        type, float32);
    const auto& spec = *trace.elementwise;
    const auto binding = bound(trace, spec, trace.value(trace.outputs[0]).type);
    using jit::Form;
    for (const jit::ElementwiseLayout& layout :
         {jit::ElementwiseLayout{}, {Form::flat, 2}, {Form::strided, 3}}) {
      const auto program = user_kernel::device_program(
          spec, user_kernel::elementwise_source(spec, binding, {}, layout));
      EXPECT_NO_THROW(jit::compile_cached(program, kArchitecture)) << program.text;
    }
  }
}

// More numbers than a kernel takes: constants of every kind stand in the text.
TEST(DeviceCode, ManyConstantsCompile) {
  const auto many = [](auto x, auto y) {
    auto z = x * y;
    for (int k = 0; k < 40; ++k) z = z * (1 + k) + y;
    return z;
  };
  const std::pair<dtype, dtype> types[] = {{float32, float64},     {float16, float16},
                                           {bfloat16_, bfloat16_}, {int64, int8},
                                           {complex64, complex64}, {complex128, complex128}};
  for (const auto& [x, y] : types) {
    const Trace trace = recorded(many, x, y);
    EXPECT_TRUE(trace.passed.empty());
    EXPECT_EQ(trace.immediates.size(), 40u);
    const auto& spec = *trace.elementwise;
    const auto binding = bound(trace, spec, trace.value(trace.outputs[0]).type);
    const auto program =
        user_kernel::device_program(spec, user_kernel::elementwise_source(spec, binding, {}, {}));
    EXPECT_NO_THROW(jit::compile_cached(program, kArchitecture)) << program.text;
  }
  const Trace reduced = recorded(
      [&](auto x, auto y) {
        const auto z = where(many(x, y) > 0, 1, 0.5);
        return z.recorder()->reduce(ReduceOp::sum, z, 0, false);
      },
      float32, float32);
  const auto& spec = *reduced.reducing;
  const std::string text =
      user_kernel::write_reduction(spec, bound(reduced, spec, reduced.result), {},
                                   {2, gpu::ReduceKernel::rows, 4, false, 1}, false);
  EXPECT_NO_THROW(jit::compile_cached({"sample", text, spec.entry()}, kArchitecture)) << text;
}

TEST(DeviceCode, PairsCompile) {
  const Trace trace = recorded(
      [](auto x, auto y) {
        const auto both = divmod(x, y);
        return both[0] * 2 + both[1];
      },
      int32, int16);
  const auto binding = bound(trace, *trace.elementwise, int32);
  const auto program = user_kernel::device_program(
      *trace.elementwise, user_kernel::elementwise_source(*trace.elementwise, binding, {}, {}));
  EXPECT_NO_THROW(jit::compile_cached(program, kArchitecture)) << program.text;
}

TEST(DeviceCode, ReductionsOfRecordingsCompile) {
  for (const ReduceOp op :
       {ReduceOp::sum, ReduceOp::prod, ReduceOp::mean, ReduceOp::amax, ReduceOp::amin}) {
    for (const dtype type :
         op == ReduceOp::sum ? std::vector{bool_, uint32, float16} : std::vector{float16}) {
      const Trace trace = recorded(
          [&](auto x, auto y) {
            const auto z = where(x > 0, x, y);
            return z.recorder()->reduce(op, z, 0, false);
          },
          type, type);
      const auto& spec = *trace.reducing;
      const auto binding = bound(trace, spec, trace.result);
      const user_kernel::Raws raws;
      using gpu::ReduceKernel;
      for (const ReduceKernel kernel : {ReduceKernel::rows, ReduceKernel::columns}) {
        const std::string text =
            user_kernel::write_reduction(spec, binding, raws, {2, kernel, 4, false, 1}, false);
        EXPECT_NO_THROW(jit::compile_cached({"sample", text, spec.entry()}, kArchitecture)) << text;
      }
    }
  }
}

}  // namespace
}  // namespace cupyxx::internal::fusion
