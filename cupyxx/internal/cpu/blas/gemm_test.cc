// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/blas/gemm.h"

#include <gtest/gtest.h>

#include <vector>

#include "cupyxx/internal/cpu/blas/gemm_cases.h"

namespace cupyxx::internal::gemm_cases {
namespace {

void run(const GemmCall& call, std::size_t, std::size_t, std::size_t, std::size_t) {
  cpu::gemm(call);
}

INSTANTIATE_TYPED_TEST_SUITE_P(Cpu, GemmTest, AllTypes<run>);

TEST(GemmBool, IsOrOfAnds) {
  const std::uint8_t a[] = {1, 0, 0, 0, 1, 1}, b[] = {1, 0, 1, 1, 1, 1};
  std::uint8_t c[4] = {9, 9, 9, 9};
  cpu::gemm({.dtype = bool_,
             .m = 2,
             .n = 2,
             .k = 3,
             .a = a,
             .lda = 3,
             .b = b,
             .ldb = 2,
             .c = c,
             .ldc = 2});
  EXPECT_EQ(std::vector<std::uint8_t>(c, c + 4), (std::vector<std::uint8_t>{1, 0, 1, 1}));
}

}  // namespace
}  // namespace cupyxx::internal::gemm_cases
