// SPDX-License-Identifier: MIT
#include "examples/imagenet/training.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "cupyxx/comm.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect_error.h"
#include "examples/program/errors.h"

namespace imagenet {
namespace {

namespace cp = cupyxx;
namespace F = chainerxx::functions;
using chainerxx::Variable;
using cp::testing::expect_error;
using examples::UserError;

/// A convolution with dropout and statistics, to have all that a snapshot must hold.
class Small final : public Network {
 public:
  std::int64_t insize() const override { return 6; }
  Variable predict(const Variable& x) const override {
    return fc_(F::dropout(F::relu(norm_(conv_(x))), 0.2));
  }

 private:
  Convolution2D& conv_ = add("conv", Convolution2D(3, 8, 3));
  BatchNormalization& norm_ = add("norm", BatchNormalization(8));
  Linear& fc_ = add("fc", Linear(8 * 4 * 4, 3));
};

class TrainingTest : public cp::testing::DeviceTest {
 public:
  TrainingTest() {
    cp::random::seed(1);
    const cp::DeviceScope host(cp::Device::cpu());
    cp::random::seed(1);
    std::filesystem::create_directories(folder_);
  }
  ~TrainingTest() override { std::filesystem::remove_all(folder_); }

  const std::string folder_ =
      ::testing::TempDir() + "/imagenet_training_test_" + std::to_string(::getpid());
};
CUPYXX_TEST_ON_DEVICES(TrainingTest);

TEST_P(TrainingTest, LearnsColours) {
  const Images images = made_up_images(60, 6, 3);
  Small model;
  Training training(model, {.batchsize = 10, .lr = 0.02});
  const double first = training.pass(images);
  double last = first;
  for (int i = 0; i < 9; ++i) last = training.pass(images);
  EXPECT_LT(last, first / 2);
  EXPECT_GT(training.accuracy(images), 0.9);
  EXPECT_EQ(training.passes(images), 10);
}

TEST_P(TrainingTest, GoesOnFromFilesToTheSameBits) {
  const Images images = made_up_images(20, 6, 3);
  const Training::Options options = {.batchsize = 5, .seed = 7};
  Small model;
  Training training(model, options);
  training.pass(images);
  training.save(folder_);
  const double expected = training.pass(images);

  Small other;
  Training resumed(other, options);
  resumed.load(folder_);
  EXPECT_EQ(resumed.passes(images), 1);
  EXPECT_EQ(resumed.pass(images), expected);
  const auto wanted = model.parameters(), got = other.parameters();
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    EXPECT_TRUE(cp::array_equal(got[i], wanted[i])) << i;
  }
  const Images fewer = made_up_images(15, 6, 3);
  expect_error<UserError>([&] { resumed.pass(fewer); },
                          "8 updates are no whole passes of 3; resume with the same images and "
                          "--batchsize");
}

/// Without dropout and statistics.
class Plain final : public Network {
 public:
  std::int64_t insize() const override { return 6; }
  Variable predict(const Variable& x) const override { return fc_(F::relu(conv_(x))); }

 private:
  Convolution2D& conv_ = add("conv", Convolution2D(3, 8, 3));
  Linear& fc_ = add("fc", Linear(8 * 4 * 4, 3));
};

constexpr int kRanks = 2;
constexpr std::int64_t kBatch = 10;

/// A model with the numbers of one seed; threads draw from one stream, so that they take turns.
template <class Model>
std::unique_ptr<Model> make_model() {
  static std::mutex one;
  const std::lock_guard turn(one);
  cp::random::seed(1);
  return std::make_unique<Model>();
}

/// A pass that adds up the gradients of the ranks' parts in their order. Returns the mean loss.
double pass_alone(Plain& model, const Images& images) {
  chainerxx::optimizers::MomentumSGD optimizer({.lr = 0.01});
  optimizer.setup(model);
  cp::random::RandomState random(1);
  const cp::ndarray order = random.permutation(images.size());
  double sum = 0;
  for (std::int64_t begin = 0; begin < images.size(); begin += kBatch) {
    const std::vector<Cut> cuts = random_cuts(images, kBatch, 6, random);
    std::vector<cp::ndarray> sums;
    for (std::int64_t first = 0; first < kBatch; first += kBatch / kRanks) {
      const cp::slice part(begin + first, begin + first + kBatch / kRanks);
      const Batch batch = cut_out(images, order(part), 6, std::span(cuts).subspan(first));
      optimizer.zero_grads();
      const Variable loss = model.loss(Variable(batch.x), Variable(batch.t));
      loss.backward();
      sum += loss.data().item<double>();
      const auto grads = model.gradients();
      for (std::size_t i = 0; i < grads.size(); ++i) {
        first == 0 ? sums.push_back(grads[i].copy()) : void(sums[i] += grads[i]);
      }
    }
    const auto grads = model.gradients();
    for (std::size_t i = 0; i < grads.size(); ++i) grads[i].set(sums[i] * (1.0 / kRanks));
    optimizer.update();
  }
  return sum / static_cast<double>(kRanks * images.size() / kBatch);
}

TEST(TrainingTogether, LearnsWhatOneProcessLearns) {
  const cp::DeviceScope on_host(cp::Device::cpu());
  const auto alone = make_model<Plain>();
  const Images images = made_up_images(4 * kBatch, 6, 3);
  const double expected = pass_alone(*alone, images);
  cp::comm::run_threads(kRanks, [&](const cp::comm::Communicator& comm) {
    const auto model = make_model<Plain>();
    Training training(*model, {.batchsize = kBatch, .communicator = comm});
    EXPECT_NEAR(training.pass(images), expected, 1e-6 * expected);
    const auto wanted = alone->parameters(), got = model->parameters();
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      EXPECT_TRUE(cp::array_equal(got[i], wanted[i])) << i;
    }
  });
}

TEST(TrainingTogether, StatisticsAreTheSame) {
  const cp::DeviceScope on_host(cp::Device::cpu());
  cp::random::seed(1);
  const Images images = made_up_images(4 * kBatch, 6, 3);
  cp::comm::run_threads(kRanks, [&](const cp::comm::Communicator& comm) {
    const auto model = make_model<Small>();
    Training training(*model, {.batchsize = kBatch, .lr = 0.02, .communicator = comm});
    for (int i = 0; i < 30; ++i) training.pass(images);
    for (const chainerxx::NamedField& field : model->fields()) {
      const cp::ndarray all = comm.all_gather(*field.array);
      EXPECT_TRUE(cp::array_equal(all(0), all(1))) << field.name;
    }
    EXPECT_GT(training.accuracy(images), 0.9);
    EXPECT_EQ(training.passes(images), 30);
  });
}

TEST_P(TrainingTest, NeedsAFullBatch) {
  Small model;
  Training training(model, {.batchsize = 32});
  expect_error<UserError>([&] { training.pass(made_up_images(31, 6, 3)); },
                          "a batch of 32 is more than the 31 images there are; see --batchsize");
}

TEST_P(TrainingTest, ImagesAreCutOut) {
  Images images;
  {
    const cp::DeviceScope host(cp::Device::cpu());
    images = {cp::arange(96).reshape({2, 3, 4, 4}).astype(cp::uint8),
              cp::array(std::vector<std::int32_t>{4, 5})};
  }
  const cp::ndarray second = cp::array(std::vector<std::int64_t>{1});
  const Batch middle = cut_out(images, second, 2);
  EXPECT_EQ(middle.x.device(), device());
  EXPECT_EQ(middle.t.item<std::int32_t>(), 5);
  // Rows 1 and 2, columns 1 and 2 of the first plane, which starts with 48.
  const auto pixels = ((middle.x(0, 0) + 1) * 127.5).to_vector<double>();
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(pixels[i], std::vector<double>({53, 54, 57, 58})[i], 1e-4);

  // Of all places and both directions each is taken at some time.
  std::set<std::int64_t> corners;
  cp::random::RandomState random(1);
  for (int i = 0; i < 300; ++i) {
    const Batch batch = cut_out(images, second, 3, random_cuts(images, 1, 3, random));
    corners.insert(std::lround((batch.x(0, 0, 0, 0).item<double>() + 1) * 127.5));
  }
  EXPECT_EQ(corners, (std::set<std::int64_t>{48, 49, 50, 51, 52, 53, 54, 55}));
}

TEST_P(TrainingTest, FilesMustFitTogether) {
  const std::string pixels = folder_ + "/pixels.npy", labels = folder_ + "/labels.npy";
  const auto open = [&] { open_images(pixels, labels, 4, 3); };
  cp::save(pixels, cp::zeros({2, 3, 5, 4}, cp::uint8));
  cp::save(labels, cp::array(std::vector<std::int64_t>{0, 2}));
  EXPECT_EQ(open_images(pixels, labels, 4, 3).size(), 2);
  expect_error<UserError>([&] { open_images(pixels, labels, 5, 3); },
                          pixels + ": pictures are (2, 3, 5, 4), the network takes 5 x 5");
  expect_error<UserError>([&] { open_images(pixels, labels, 4, 2); },
                          labels + ": a label is not between 0 and 1");
  cp::save(labels, cp::array(std::vector<std::int64_t>{0}));
  expect_error<UserError>(
      open, labels + ": labels are as many integers as there are pictures, 2, not (1,) int64");
  cp::save(pixels, cp::zeros({2, 3, 5, 4}, cp::float32));
  expect_error<UserError>(open,
                          pixels + ": pictures are (n, 3, h, w) uint8, not (2, 3, 5, 4) float32");
}

}  // namespace
}  // namespace imagenet
