// SPDX-License-Identifier: MIT
// The device code of every operation compiles: each loop in the contiguous layout, each layout for
// a few operations. Needs NVRTC but no device.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "cupyxx/core/arrays.h"
#include "cupyxx/internal/gpu/elementwise/programs.h"
#include "cupyxx/internal/jit/kernel.h"
#include "cupyxx/internal/op_info.h"
#include "cupyxx/testing/waits_first.h"
#include "cupyxx/ufunc.h"

namespace cupyxx::ops {
namespace {

using internal::LoopInfo;
using internal::OpInfo;

constexpr const char* kArchitecture = "compute_90";

// The operands of one loop as they lie in memory, outputs first.
std::vector<dtype> own_types(const OpInfo& op, int loop) {
  const LoopInfo& info = op.loops[loop];
  std::vector<dtype> types;
  types.reserve(static_cast<std::size_t>(op.nout + op.nin));
  for (int k = 0; k < op.nout; ++k) types.push_back(info.out[k]);
  for (int i = 0; i < op.nin; ++i) types.push_back(info.in[i]);
  return types;
}

using internal::jit::ElementwiseLayout;
using internal::jit::Form;

struct Layout {
  ElementwiseLayout form = {};
  unsigned immediate = 0;
  bool masked = false;
};

void compile(const OpInfo& op, int loop, const std::vector<dtype>& stored, const Layout& layout) {
  const auto program = internal::gpu::elementwise_program(
      op, internal::gpu::elementwise_source(op, loop, stored.data(), layout.immediate, layout.form,
                                            layout.masked));
  SCOPED_TRACE(program.name);
  EXPECT_NO_THROW(EXPECT_EQ(
      testing::before_waiting(internal::jit::compile_cached(program, kArchitecture)), ""));
}

std::vector<const ufunc*> all_operations() {
  std::vector<const ufunc*> all(all_ufuncs().begin(), all_ufuncs().end());
  all.push_back(&internal::ufunc_of<Where>());
  all.push_back(&internal::ufunc_of<Clip>());
  all.push_back(&internal::ufunc_of<Copy>());
  return all;
}

std::string operation_name(const ::testing::TestParamInfo<const ufunc*>& info) {
  return std::string(info.param->name());
}

class DeviceCode : public ::testing::TestWithParam<const ufunc*> {};

// A loop that differs from another one of its operation in casts that the tests below compile:
// bfloat16 is computed as float32, and complex64 by the same templates or in complex128.
bool is_covered(const OpInfo& op, const LoopInfo& info) {
  const std::string_view name = op.name;
  if (name == "add" || name == "true_divide" || name == "exp") return false;
  const dtype last = info.in[op.nin - 1];
  return (last == bfloat16_ && info.compute_in[op.nin - 1] == float32) || last == complex64;
}

TEST_P(DeviceCode, CompilesForEveryLoop) {
  const OpInfo& op = GetParam()->op();
  for (int loop = 0; loop < op.nloops; ++loop) {
    if (!is_covered(op, op.loops[loop])) compile(op, loop, own_types(op, loop), {});
  }
}

INSTANTIATE_TEST_SUITE_P(, DeviceCode, ::testing::ValuesIn(all_operations()), operation_name);

// One operand, two operands with an error to report, three operands, two results.
std::vector<const ufunc*> sample_operations() {
  return {&find_ufunc("exp"), &find_ufunc("power"), &internal::ufunc_of<Where>(),
          &find_ufunc("divmod")};
}

int loop_of(const OpInfo& op, dtype type) {
  for (int loop = 0; loop < op.nloops; ++loop) {
    if (op.loops[loop].in[op.nin - 1] == type) return loop;
  }
  return 0;
}

class Layouts : public ::testing::TestWithParam<const ufunc*> {
 protected:
  void compile_each(const std::vector<Layout>& layouts) const {
    const OpInfo& op = GetParam()->op();
    for (const dtype type : {int32, float16, float32}) {
      const int loop = loop_of(op, type);
      for (const Layout& layout : layouts) compile(op, loop, own_types(op, loop), layout);
    }
  }
};

TEST_P(Layouts, FlatResultsCompile) {
  for (const int rank : {2, 3, 4}) compile_each({{{Form::flat, rank}}});
}

TEST_P(Layouts, RanksCompile) {
  for (const int rank : {2, 3, 4, 8, 32}) compile_each({{{Form::strided, rank}}});
}

TEST_P(Layouts, TilesCompile) {
  const OpInfo& op = GetParam()->op();
  const unsigned inputs = (1u << op.nin) - 1;
  for (const unsigned staged : {1u, inputs}) {
    compile_each({{{Form::tiled, 2, false, staged << op.nout}},
                  {{Form::tiled, 4, false, staged << op.nout}},
                  {{Form::tiled, 32, false, staged << op.nout}}});
  }
}

TEST_P(Layouts, LargeArraysCompile) {
  compile_each({{{Form::flat, 2, true}},
                {{Form::flat, 3, true}},
                {{Form::strided, 2, true}},
                {{Form::strided, 32, true}}});
}

TEST_P(Layouts, MasksCompile) {
  compile_each({{.masked = true}, {.form = {Form::strided, 2}, .masked = true}});
}

TEST_P(Layouts, NumbersAsOperandsCompile) {
  const OpInfo& op = GetParam()->op();
  for (int i = 0; i < op.nin; ++i) {
    const unsigned number = 1u << (op.nout + i);
    compile_each(
        {{.immediate = number}, {{Form::flat, 2}, number}, {{Form::strided, 2}, number, true}});
  }
}

// Elements of 16 bytes: one to an access, and numbers that take two places in the arguments.
TEST(ComplexLayouts, Compile) {
  for (const ufunc* f : {&find_ufunc("add"), &internal::ufunc_of<Where>()}) {
    const OpInfo& op = f->op();
    const int loop = loop_of(op, complex128);
    const unsigned number = 1u << (op.nout + op.nin - 1);
    for (const Layout& layout :
         std::vector<Layout>{{.form = {Form::flat, 2}},
                             {.form = {Form::tiled, 2, false, 2}},
                             {.immediate = number},
                             {.form = {Form::strided, 2}, .immediate = number, .masked = true}}) {
      compile(op, loop, own_types(op, loop), layout);
    }
  }
}

TEST_P(Layouts, OtherStoredTypesCompile) {
  const OpInfo& op = GetParam()->op();
  const int loop = loop_of(op, float32);
  for (const dtype other : {bool_, uint8, int64, float16, float64}) {
    std::vector<dtype> stored = own_types(op, loop);
    stored.front() = other;
    stored.back() = other;
    compile(op, loop, stored, {});
    compile(op, loop, stored, {{Form::flat, 2}});
    compile(op, loop, stored, {{Form::strided, 2}});
  }
}

INSTANTIATE_TEST_SUITE_P(, Layouts, ::testing::ValuesIn(sample_operations()), operation_name);

TEST(Transposes, CompileForEveryItemsize) {
  const auto compile = [](const internal::jit::Program& program) {
    EXPECT_FALSE(internal::jit::compile_cached(program, kArchitecture).empty()) << program.name;
  };
  for (const int rank : {2, 3, 4, 8, 32}) {
    for (const int itemsize : {1, 2, 4, 8, 16}) {
      compile(internal::gpu::transpose_program(itemsize, rank));
    }
    compile(internal::gpu::transpose_bytes_large_program(rank));
  }
}

TEST(Casts, CompileForEveryPair) {
  const OpInfo& copy = internal::ufunc_of<Copy>().op();
  for (int to = 0; to < dtype::kComputeCount; ++to) {
    for (int from = 0; from < dtype::kComputeCount; ++from) {
      if (to == from) continue;
      // A complex type drops or gains a part; what remains is a cast between real types.
      constexpr dtype kBeside[] = {bool_, int64, float16, float32, complex64, complex128};
      const dtype types[] = {static_cast<dtype::Code>(to), static_cast<dtype::Code>(from)};
      const auto beside_complex = [&](dtype type) {
        return std::find(std::begin(kBeside), std::end(kBeside), type) != std::end(kBeside);
      };
      if ((types[0].is_complex() && !beside_complex(types[1])) ||
          (types[1].is_complex() && !beside_complex(types[0]))) {
        continue;
      }
      compile(copy, copy.same_loop[to],
              {static_cast<dtype::Code>(to), static_cast<dtype::Code>(from)}, {});
    }
  }
}

}  // namespace
}  // namespace cupyxx::ops
