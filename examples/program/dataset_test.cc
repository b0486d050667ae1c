// SPDX-License-Identifier: MIT
#include "examples/program/dataset.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect_error.h"
#include "examples/program/errors.h"
#include "examples/program/testing/made_up_images.h"

namespace examples {
namespace {

namespace cp = cupyxx;
using cp::testing::expect_error;

class DatasetTest : public cp::testing::DeviceTest {
 public:
  DatasetTest() {
    std::filesystem::create_directories(folder_);
    write_made_up_images(folder_, "train", 25);
    write_made_up_images(folder_, "t10k", 7);
  }
  ~DatasetTest() override { std::filesystem::remove_all(folder_); }

  const std::string folder_ = ::testing::TempDir() + "/dataset_test";
};
CUPYXX_TEST_ON_DEVICES(DatasetTest);

TEST_P(DatasetTest, IsReadOntoTheDevice) {
  const TrainingData data(folder_, 10);
  EXPECT_EQ(data.train.size(), 25);
  EXPECT_EQ(data.test.size(), 7);
  EXPECT_EQ(data.train.pixels(), 28 * 28);
  EXPECT_EQ(data.train.images.device(), device());
  EXPECT_EQ(data.train.images.dtype(), cp::float32);
  EXPECT_GE(data.train.images.min().item<float>(), 0);
  EXPECT_LE(data.train.images.max().item<float>(), 1);
  EXPECT_EQ(data.test.labels.to_vector<std::int32_t>(),
            (std::vector<std::int32_t>{0, 7, 4, 1, 8, 5, 2}));
}

TEST_P(DatasetTest, ComesInBatchesAndByNumbers) {
  const Dataset data = read_dataset(folder_, "t10k", 10);
  const std::vector<Dataset> batches = data.batches(3);
  ASSERT_EQ(batches.size(), 3U);
  EXPECT_EQ(batches[0].size(), 3);
  EXPECT_EQ(batches[2].size(), 1);
  EXPECT_TRUE(cp::array_equal(batches[1].images, data.images(cp::slice(3, 6))));
  const Dataset taken = data.take(cp::array(std::vector<std::int64_t>{6, 0}));
  EXPECT_EQ(taken.labels.to_vector<std::int32_t>(), (std::vector<std::int32_t>{2, 0}));
  EXPECT_TRUE(cp::array_equal(taken.images(1), data.images(0)));
}

TEST_P(DatasetTest, RefusesBatchesLargerThanItself) {
  const TrainingData data(folder_, 10);
  data.check_batchsize(25);
  expect_error<UsageError>([&] { data.check_batchsize(26); },
                           "--batchsize=26: more than the 25 training images in " + folder_);
}

TEST_P(DatasetTest, RefusesImagesOfAnotherSize) {
  EXPECT_EQ(read_dataset(folder_, "train", 10, 28).pixels(), 28 * 28);
  expect_error<UserError>([&] { read_dataset(folder_, "train", 10, 32); },
                          folder_ + ": images of 28 x 28 pixels; this program takes 32 x 32");
}

TEST_P(DatasetTest, SaysWhereDataComeFrom) {
  expect_error<UserError>([] { read_dataset("/nowhere/data", "train", 10); },
                          "/nowhere/data: no such folder; --data names one of IDX files, Debian's "
                          "package dataset-fashion-mnist brings Fashion-MNIST");
}

TEST_P(DatasetTest, RefusesLabelsBeyondTheClasses) {
  expect_error<cupyxx::IOError>([&] { read_dataset(folder_, "train", 9); }, "is 9, not below 9");
}

}  // namespace
}  // namespace examples
