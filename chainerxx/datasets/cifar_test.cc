// SPDX-License-Identifier: MIT
#include "chainerxx/datasets/cifar.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::datasets {
namespace {

namespace cp = cupyxx;
using cp::testing::expect_error;

class CifarTest : public cp::testing::DeviceTest {
 public:
  CifarTest() : folder(::testing::TempDir() + "/cifar_" + std::to_string(::getpid())) {
    std::filesystem::create_directories(folder);
  }
  ~CifarTest() override { std::filesystem::remove_all(folder); }

  /// Images of which number i has pixels i, i + 1, ... behind its labels.
  void write(const std::string& name, const std::vector<std::string>& labels) const {
    std::ofstream file(folder + "/" + name, std::ios::binary);
    for (std::size_t i = 0; i < labels.size(); ++i) {
      file << labels[i];
      for (std::size_t k = 0; k < 3072; ++k) file.put(static_cast<char>((i + k) % 256));
    }
  }

  std::string folder;
};
CUPYXX_TEST_ON_DEVICES(CifarTest);

TEST_P(CifarTest, BatchesOfTenClasses) {
  for (int i = 1; i <= 5; ++i) {
    write("data_batch_" + std::to_string(i) + ".bin", {std::string(1, static_cast<char>(i))});
  }
  write("test_batch.bin", {"\x09", std::string(1, '\0')});
  const auto [train, test] = get_cifar10(folder, {.scale = 255});
  EXPECT_EQ(train.size(), 5);
  EXPECT_EQ(train[4][1].item<int>(), 5);
  EXPECT_EQ(train.arrays()[0].device(), device());
  EXPECT_EQ(test.arrays()[0].shape(), (cp::Shape{2, 3, 32, 32}));
  // Green, the second row, the third column of the second image.
  EXPECT_EQ(test.arrays()[0](1, 1, 1, 2).item<float>(), (1 + 1024 + 32 + 2) % 256);
  EXPECT_EQ(test[0][1].item<int>(), 9);
  EXPECT_EQ(get_cifar10(folder, {.ndim = 1}).first[0][0].shape(), (cp::Shape{3072}));
}

TEST_P(CifarTest, FineLabelsOfAHundredClasses) {
  write("train.bin", {"\x03\x63"});
  write("test.bin", {std::string("\x13\0", 2)});
  const auto [train, test] = get_cifar100(folder, {.label_dtype = cp::int64});
  EXPECT_EQ(train[0][1].item<int>(), 99);
  EXPECT_EQ(test[0][1].item<int>(), 0);
  EXPECT_EQ(train.arrays()[1].dtype(), cp::int64);
  EXPECT_EQ(train.arrays()[0].max().item<float>(), 1);
}

TEST_P(CifarTest, WhatIsNoneIsRefused) {
  expect_error<cp::IOError>([&] { get_cifar100(folder); },
                            folder + "/train.bin: cannot be read: No such file or directory");
  write("train.bin", {"\x03\x64"});
  expect_error<cp::IOError>([&] { get_cifar100(folder); },
                            folder + "/train.bin: is damaged: image 0 has the label 100");
  std::ofstream(folder + "/train.bin") << "short";
  expect_error<cp::IOError>(
      [&] { get_cifar100(folder); },
      folder + "/train.bin: is damaged: 5 bytes are no number of records of 3074");
  std::filesystem::create_directories(folder + "/data_batch_1.bin");
  expect_error<cp::IOError>([&] { get_cifar10(folder); },
                            folder + "/data_batch_1.bin: cannot be read: it is no regular file");
  expect_error<cp::ValueError>([&] { get_cifar10(folder, {.ndim = 2}); },
                               "get_cifar10: images of 2 axes; 1 or 3");
}

}  // namespace
}  // namespace chainerxx::datasets
