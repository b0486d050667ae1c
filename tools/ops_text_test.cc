// SPDX-License-Identifier: MIT
#include "tools/ops_text.h"

#include <gtest/gtest.h>

#include "tools/ops_page.h"

namespace cupyxx::tools {
namespace {

TEST(OpsPage, IsWhatTheDefinitionsSay) {
  ASSERT_EQ(ops_page::kFilesCount, 1u);
  EXPECT_TRUE(ops_text() == ops_page::kFiles[0].text)
      << "docs/ops.md is stale; write it again: bazel run //tools:print_ops > docs/ops.md";
}

}  // namespace
}  // namespace cupyxx::tools
