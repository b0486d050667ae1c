// SPDX-License-Identifier: MIT
// The program as a user runs it, with a few hundred images.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "examples/program/testing/made_up_images.h"

namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Result {
  int code;
  std::string text;
};

Result run(const std::string& arguments) {
  // Its device is the best one: without CUDA's devices the host.
  const char* devices = std::getenv("CUPYXX_TEST_DEVICES");
  const bool has_gpu = devices != nullptr && std::string(devices) == "cuda";
  const std::string command = std::string(has_gpu ? "" : "CUDA_VISIBLE_DEVICES= ") +
                              "examples/trainer/trainer " + arguments + " 2>&1";
  FILE* const pipe = popen(command.c_str(), "r");
  Result result{0, ""};
  char buffer[256];
  while (std::fgets(buffer, sizeof buffer, pipe) != nullptr) result.text += buffer;
  result.code = WEXITSTATUS(pclose(pipe));
  return result;
}

std::string read(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(TrainerExample, LearnsAndGoesOn) {
  const std::string folder = ::testing::TempDir() + "/trainer_" + std::to_string(::getpid());
  std::filesystem::create_directories(folder);
  examples::write_made_up_images(folder, "train", 300);
  examples::write_made_up_images(folder, "t10k", 100);
  const std::string out = folder + "/result";

  const Result first = run("--data=" + folder + " --out=" + out + " --epochs=2");
  ASSERT_EQ(first.code, 0) << first.text;
  EXPECT_THAT(first.text, StartsWith("epoch       main/loss   validation/main/loss  main/accuracy  "
                                     "validation/main/accuracy  elapsed_time\n1           "));
  EXPECT_THAT(read(out + "/log"), HasSubstr("\"iteration\": 6"));
  EXPECT_THAT(read(out + "/loss.svg"), StartsWith("<svg "));
  EXPECT_THAT(read(out + "/accuracy.svg"), StartsWith("<svg "));
  EXPECT_THAT(read(out + "/cg.dot"), StartsWith("digraph "));

  // The folder has a snapshot: the same command goes on from there.
  const Result second = run("--data=" + folder + " --out=" + out + " --epochs=6");
  ASSERT_EQ(second.code, 0) << second.text;
  EXPECT_THAT(second.text, HasSubstr("\n6           "));
  EXPECT_FALSE(std::filesystem::exists(out + "/snapshot_iter_6.npz"));
  EXPECT_TRUE(std::filesystem::exists(out + "/snapshot_iter_18.npz"));
  const std::string log = read(out + "/log"), key = "\"validation/main/accuracy\": ";
  EXPECT_GE(std::atof(log.c_str() + log.rfind(key) + key.size()), 0.9) << log;

  const Result missing = run("--data=" + folder + "/none --out=" + out);
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.text, HasSubstr("trainer: "));
  EXPECT_THAT(missing.text, HasSubstr("no such file"));
  const Result help = run("--help");
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.text, HasSubstr("--data=FOLDER"));
  EXPECT_EQ(run(folder).code, 2);
  std::filesystem::remove_all(folder);
}

TEST(TrainerExample, HasAtMostSixtyLines) {
  const std::string source = read("examples/trainer/main.cc");
  EXPECT_LE(std::count(source.begin(), source.end(), '\n'), 60);
}

}  // namespace
