// SPDX-License-Identifier: MIT
// The kernels compile: each for every width or dtype, and ufunc::at for each operation. No device
// is needed.
#include "cupyxx/internal/gpu/scatter/programs.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/waits_first.h"
#include "cupyxx/ufunc.h"

namespace cupyxx::internal::gpu {
namespace {

void expect_compiles(const std::vector<jit::Program>& programs) {
  std::set<std::string> names;
  for (const jit::Program& program : programs) {
    EXPECT_TRUE(names.insert(program.name).second) << program.name;
    if (jit::nvrtc_available()) {
      EXPECT_EQ(testing::before_waiting(jit::compile_cached(program, "compute_90")), "")
          << program.name;
    } else {  // a build without CUDA
      EXPECT_THROW(jit::compile(program, "compute_90"), Error);
    }
  }
}

TEST(ScatterPrograms, CompileForEveryWidth) {
  std::vector<jit::Program> programs = {combine_rows_program(), note_winners_program(),
                                        count_positions_program(), linspace_program()};
  for (const int unit : {1, 2, 4, 8, 16}) programs.push_back(scatter_program(unit));
  for (const dtype type : {int32, int64, uint32, uint64, float32, float64}) {
    ASSERT_TRUE(can_add_atomically(type));
    programs.push_back(add_atomically_program(type));
  }
  expect_compiles(programs);
}

TEST(ScatterPrograms, RangesCompileForEveryDtype) {
  std::vector<jit::Program> programs;
  for (int code = 0; code <= static_cast<int>(dtype::Code::bfloat16); ++code) {
    programs.push_back(range_program(static_cast<dtype::Code>(code)));
  }
  expect_compiles(programs);
}

TEST(ScatterPrograms, AtCompilesForEveryOperation) {
  std::vector<jit::Program> programs;
  for (const ufunc* f : all_ufuncs()) {
    const OpInfo& op = f->op();
    if (op.nout != 1 || op.nin > 2 || op.nloops == 0) continue;
    const dtype type = op.loops[0].in[0];
    programs.push_back(at_program(op, 0, type, false));
  }
  EXPECT_GT(programs.size(), 60u);
  expect_compiles(programs);
}

TEST(ScatterPrograms, AdditionsCompileForEveryDtype) {
  const OpInfo& op = ufunc_of<ops::Add>().op();
  std::vector<jit::Program> programs;
  for (int loop = 0; loop < op.nloops; ++loop) {
    const dtype type = op.loops[loop].in[0];
    for (const bool tails : {false, true}) programs.push_back(at_program(op, loop, type, tails));
  }
  // float32 += float64
  programs.push_back(
      at_program(op, op.same_loop[static_cast<int>(float64.code())], float32, false));
  expect_compiles(programs);
}

}  // namespace
}  // namespace cupyxx::internal::gpu
