// SPDX-License-Identifier: MIT
// Where a test of the training kit writes: a folder of its own, which goes with it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace chainerxx::training {

/// A base of test fixtures.
class OutputFolder {
 public:
  OutputFolder() {
    const auto* const test = ::testing::UnitTest::GetInstance()->current_test_info();
    std::string name = std::string(test->test_suite_name()) + "_" + test->name();
    std::replace(name.begin(), name.end(), '/', '_');  // of tests with parameters
    out = ::testing::TempDir() + "/kit_" + name + "_" + std::to_string(::getpid());
    std::filesystem::remove_all(out);
  }
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;
  ~OutputFolder() { std::filesystem::remove_all(out); }

  std::string out;
};

/// The bytes of a file.
inline std::string read(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace chainerxx::training
