// SPDX-License-Identifier: MIT
// Programs and launch shapes; no device is needed.
#include <gtest/gtest.h>

#include "cupyxx/internal/gpu/reduce/program.h"
#include "cupyxx/internal/gpu/reduce/shape.h"
#include "cupyxx/testing/waits_first.h"

namespace cupyxx::internal::gpu {
namespace {

class ReduceProgramOf : public ::testing::TestWithParam<ReduceOp> {};

TEST_P(ReduceProgramOf, CompilesForEveryDtype) {
  ASSERT_TRUE(jit::nvrtc_available());
  for (int code = 0; code < dtype::kComputeCount; ++code) {
    // Each dtype in one of the kernels, another one for the next operation.
    const auto kernel =
        static_cast<ReduceKernel>((code + static_cast<int>(GetParam())) % kReduceKernelCount);
    const jit::Program program =
        reduce_program(GetParam(), static_cast<dtype::Code>(code), {kernel, true, false});
    EXPECT_EQ(testing::before_waiting(jit::compile_cached(program, "compute_90")), "")
        << program.name;
  }
}

std::string op_name(const ::testing::TestParamInfo<ReduceOp>& info) { return name(info.param); }
INSTANTIATE_TEST_SUITE_P(, ReduceProgramOf, ::testing::ValuesIn(kReduceOps), op_name);

TEST(ReduceProgram, CompilesInEveryVariant) {
  ASSERT_TRUE(jit::nvrtc_available());
  for (const ReduceOp op : {ReduceOp::sum, ReduceOp::var, ReduceOp::argmax}) {
    for (const ReduceKernel kernel :
         {ReduceKernel::rows_short, ReduceKernel::rows, ReduceKernel::columns, ReduceKernel::run}) {
      for (const ReduceVariant variant :
           {ReduceVariant{kernel, true, false}, ReduceVariant{kernel, false, false},
            ReduceVariant{kernel, false, true}, ReduceVariant{kernel, true, false, true}}) {
        const jit::Program program = reduce_program(op, float32, variant);
        EXPECT_EQ(testing::before_waiting(jit::compile_cached(program, "compute_90")), "")
            << program.name;
      }
    }
  }
}

TEST(ReduceProgram, SumsOfNarrowTypesMayStayUnrounded) {
  ASSERT_TRUE(jit::nvrtc_available());
  for (const dtype in : {float16, bfloat16_}) {
    for (const ReduceKernel kernel :
         {ReduceKernel::rows_short, ReduceKernel::rows, ReduceKernel::columns, ReduceKernel::run}) {
      ReduceVariant variant{kernel, true};
      variant.unrounded = true;
      const jit::Program program = reduce_program(ReduceOp::sum, in, variant);
      EXPECT_NE(program.name, reduce_program(ReduceOp::sum, in, {kernel, true}).name);
      EXPECT_EQ(testing::before_waiting(jit::compile_cached(program, "compute_90")), "")
          << program.name;
    }
  }
}

/// The shape of a launch for a float32 array at an address that is a multiple of 16.
ReduceShape shape_for(const Shape& shape, std::uint32_t mask) {
  const Strides strides = contiguous_strides(shape, 4);
  return reduce_shape(plan_reduction(ReduceOp::sum, float32, reinterpret_cast<void*>(1024),
                                     shape.ndim(), shape.data(), strides.data(), mask, nullptr),
                      132);
}

TEST(ReduceShape, SplitsOneLongRowOverTheDevice) {
  const ReduceShape shape = shape_for({1 << 26}, 1);
  EXPECT_EQ(shape.variant.kernel, ReduceKernel::rows);
  EXPECT_TRUE(shape.variant.packets);
  EXPECT_EQ(shape.launch.grid_x, 1u);
  EXPECT_EQ(shape.launch.grid_y, 132u * 4);
  EXPECT_GT(shape.parts_bytes, 0);
}

TEST(ReduceShape, GivesShortRowsAFewLanes) {
  const ReduceShape shape = shape_for({1 << 20, 8}, 2);
  EXPECT_EQ(shape.variant.kernel, ReduceKernel::rows_short);
  EXPECT_EQ(shape.lanes_log2, 1u);
  EXPECT_EQ(shape.launch.grid_x, (1u << 20) / 512);
}

TEST(ReduceShape, RunsAlongTheKeptAxisOfOuterReductions) {
  const ReduceShape shape = shape_for({8192, 8192}, 1);
  EXPECT_EQ(shape.variant.kernel, ReduceKernel::columns);
  EXPECT_TRUE(shape.variant.packets);
  EXPECT_EQ(shape.launch.block_x, 32u);
  EXPECT_EQ(shape.launch.block_y, 8u);
  EXPECT_EQ(shape.launch.grid_x, 64u);
  EXPECT_EQ(shape.launch.grid_y, 8u);
}

TEST(ReduceShape, TakesMixedAxesWithoutTransposing) {
  const ReduceShape shape = shape_for({64, 256, 56, 56}, 0b1101);
  EXPECT_EQ(shape.variant.kernel, ReduceKernel::rows);
  EXPECT_TRUE(shape.variant.packets);
  EXPECT_EQ(shape.launch.grid_x, 256u);
}

TEST(ReduceShape, FullSumsOfNarrowTypesAreRuns) {
  const auto kernel_of = [](const Shape& shape, std::uint32_t mask, dtype in, ReduceOp op) {
    const Strides strides = contiguous_strides(shape, in.itemsize());
    const ReduceShape found =
        built_in_shape(plan_reduction(op, in, reinterpret_cast<void*>(1024), shape.ndim(),
                                      shape.data(), strides.data(), mask, nullptr),
                       132);
    if (found.variant.kernel == ReduceKernel::run) {
      EXPECT_EQ(found.launch.grid_y, 132u * 3);
      EXPECT_EQ(found.launch.block_x, 512u);
      EXPECT_GT(found.parts_bytes, 0);
    }
    return found.variant.kernel;
  };
  EXPECT_EQ(kernel_of({1 << 26}, 1, float16, ReduceOp::sum), ReduceKernel::run);
  EXPECT_EQ(kernel_of({8192, 8192}, 3, bfloat16_, ReduceOp::mean), ReduceKernel::run);
  EXPECT_EQ(kernel_of({1 << 26}, 1, float16, ReduceOp::amax), ReduceKernel::rows);
  EXPECT_EQ(kernel_of({1 << 26}, 1, float32, ReduceOp::sum), ReduceKernel::rows);
  EXPECT_EQ(kernel_of({1 << 23}, 1, float16, ReduceOp::sum), ReduceKernel::rows);
  EXPECT_EQ(kernel_of({2, 1 << 25}, 2, float16, ReduceOp::sum), ReduceKernel::rows);
}

TEST(ReduceShape, UnroundedSumsAreProgramsOfTheirOwn) {
  const Shape shape{64, 128};
  const Strides strides = contiguous_strides(shape, 2);
  for (const bool unrounded : {false, true}) {
    const Reduction r =
        plan_reduction(ReduceOp::sum, bfloat16_, reinterpret_cast<void*>(1024), 2, shape.data(),
                       strides.data(), 1, nullptr, nullptr, 0, unrounded);
    EXPECT_EQ(r.out, unrounded ? float32 : bfloat16_);
    EXPECT_EQ(built_in_shape(r, 132).variant.unrounded, unrounded);
  }
}

TEST(ReduceShape, TurnsToWideIndices) {
  EXPECT_FALSE(shape_for({1 << 30}, 1).variant.wide);
  EXPECT_TRUE(shape_for({std::int64_t{1} << 31}, 1).variant.wide);
}

TEST(ReduceArgs, DividesByMultiplication) {
  for (const std::int64_t extent : {2, 3, 7, 49, 1000, 65537, (1 << 30) + 1}) {
    const Shape shape{2, extent, 2};
    const Strides strides{12, 8, 4};
    const Reduction r = plan_reduction(ReduceOp::argmax, float32, reinterpret_cast<void*>(1024), 3,
                                       shape.data(), strides.data(), 2, nullptr);
    kernels::ReduceArgs<kernels::kFewReduceDims> args;
    fill_args(r, reduce_shape(r, 132), args);
    const kernels::ReduceDim& dim = args.reduced_dims[0];
    for (std::uint64_t n : {std::uint64_t{0}, std::uint64_t(extent - 1), std::uint64_t(extent),
                            std::uint64_t(extent + 1), std::uint64_t{2147483647}}) {
      EXPECT_EQ(((n * dim.multiplier >> 32) + n) >> dim.shift,
                n / static_cast<std::uint64_t>(extent));
    }
  }
}

}  // namespace
}  // namespace cupyxx::internal::gpu
