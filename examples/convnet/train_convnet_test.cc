// SPDX-License-Identifier: MIT
// The program as a user runs it, in every precision.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "examples/program/testing/made_up_images.h"

namespace {

using ::testing::HasSubstr;

struct Result {
  int code;
  std::string text;
};

Result run(const std::string& arguments) {
  const std::string command = "examples/convnet/train_convnet " + arguments + " 2>&1";
  FILE* const pipe = popen(command.c_str(), "r");
  Result result{0, ""};
  char buffer[256];
  while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) result.text += buffer;
  result.code = WEXITSTATUS(pclose(pipe));
  return result;
}

TEST(TrainConvnet, LearnsInEveryPrecision) {
  const std::string folder = ::testing::TempDir();
  examples::write_made_up_images(folder, "train", 400);
  examples::write_made_up_images(folder, "t10k", 100);
  for (const std::string precision : {"float32", "tf32", "bfloat16", "float16"}) {
    const Result result = run("--device=cpu --epochs=4 --batchsize=20 --data=" + folder +
                              " --precision=" + precision);
    ASSERT_EQ(result.code, 0) << result.text;
    const std::string last = "epoch 4: ", share = "test accuracy ";
    const std::size_t at = result.text.find(share, result.text.find(last));
    ASSERT_NE(at, std::string::npos) << result.text;
    EXPECT_GE(std::atof(result.text.c_str() + at + share.size()), 0.9) << result.text;
  }
}

TEST(TrainConvnet, RefusesOtherPrecisions) {
  const Result result = run("--precision=int8");
  EXPECT_EQ(result.code, 2);
  EXPECT_THAT(result.text, HasSubstr("--precision=int8: not one of float32|tf32|bfloat16|float16"));
}

}  // namespace
