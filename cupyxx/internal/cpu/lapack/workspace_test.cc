// SPDX-License-Identifier: MIT
#include "cupyxx/internal/cpu/lapack/workspace.h"

#include <gtest/gtest.h>

namespace cupyxx::internal::cpu {
namespace {

TEST(WorkspaceLength, IsNotLessThanWhatAFloatWasRoundedFrom) {
  for (const double n : {1.0, 5.0, 2894.0, 2895.0, 5000.0, 20000.0}) {  // of eigh
    const double wanted = 1 + 6 * n + 2 * n * n;
    const auto rounded = static_cast<float>(wanted);
    EXPECT_GE(static_cast<double>(workspace_length("eigh", rounded)), wanted) << n;
    EXPECT_LE(static_cast<double>(workspace_length("eigh", rounded)), wanted * (1 + 1e-6)) << n;
    EXPECT_EQ(workspace_length("eigh", complex<float>{rounded, 0}),
              workspace_length("eigh", rounded));
    EXPECT_EQ(static_cast<double>(workspace_length("eigh", wanted)), wanted);
  }
  EXPECT_EQ(workspace_length("eigh", 0.0f), 1u);
  EXPECT_EQ(workspace_length("eigh", 7.0f), 7u);
}

TEST(WorkspaceLength, RefusesWhatLapackCannotCount) {
  EXPECT_THROW(workspace_length("eigh", -2147287039.0), ValueError);  // of 2^15 rows
  EXPECT_THROW(workspace_length("eigh", -2147287039.0f), ValueError);
  EXPECT_THROW(workspace_length("eigh", 2147483648.0f), ValueError);
  EXPECT_THROW(workspace_length("eigh", complex<double>{3e9, 0}), ValueError);
}

}  // namespace
}  // namespace cupyxx::internal::cpu
