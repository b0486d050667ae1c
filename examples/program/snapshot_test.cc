// SPDX-License-Identifier: MIT
// Snapshots of any training; what damaged files do is held by train_mnist_test and training_fuzz.
#include "examples/program/snapshot.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect_error.h"
#include "examples/program/errors.h"

namespace examples {
namespace {

namespace cp = cupyxx;
using cp::testing::expect_error;

struct Model : chainerxx::FunctionSet {
  chainerxx::functions::Linear& l1 = add("l1", chainerxx::functions::Linear(2, 3));
};

class SnapshotTest : public cp::testing::DeviceTest {
 public:
  SnapshotTest() {
    cp::random::seed(1);
    model_.zero_grads();
    optimizer_.setup(model_);
  }
  ~SnapshotTest() override { std::filesystem::remove(path_); }

  const std::string path_ = ::testing::TempDir() + "/snapshot_test.npz";
  const TrainingSettings settings_ = {.program = "train_words",
                                      .flags = {{"length", "35"}, {"optimizer", "adam"}},
                                      .data = "words.txt",
                                      .images = 5};
  Model model_;
  chainerxx::optimizers::Adam optimizer_;
};
CUPYXX_TEST_ON_DEVICES(SnapshotTest);

TEST_P(SnapshotTest, HoldsAllThatATrainingGoesOnFrom) {
  TrainingState state;
  state.next_batch(5, 5);
  state.means.add(cp::array(2.0), cp::array(0.5), 5);
  LossAndAccuracy test;
  test.add(cp::array(3.0), cp::array(0.25), 1);
  state.finish_epoch(test);
  const cp::ndarray first = state.next_batch(5, 2);
  state.means.add(cp::array(1.5), cp::array(1.0), first.size());
  for (cp::ndarray& gradient : model_.gradients()) gradient.fill(0.5);
  optimizer_.update();
  save_snapshot(path_, settings_, state, model_, optimizer_);
  const auto drawn = cp::random::uniform({}).item<double>();

  Model other;
  other.zero_grads();
  chainerxx::optimizers::Adam other_optimizer;
  other_optimizer.setup(other);
  TrainingState found = load_snapshot(path_, settings_, 2, other, other_optimizer);
  EXPECT_EQ(cp::random::uniform({}).item<double>(), drawn);
  EXPECT_TRUE(cp::array_equal(other.l1.W, model_.l1.W));
  EXPECT_EQ(other_optimizer.t(), 1);
  EXPECT_EQ(found.epoch, 1);
  EXPECT_EQ(found.position, 2);
  EXPECT_EQ(found.means.loss.value(), 1.5);
  EXPECT_EQ(found.means.accuracy.value(), 1.0);
  ASSERT_EQ(found.history.size(), 1U);
  EXPECT_EQ(found.history[0].train_loss, 2);
  EXPECT_EQ(found.history[0].train_accuracy, 0.5);
  EXPECT_EQ(found.history[0].test_loss, 3);
  EXPECT_EQ(found.history[0].test_accuracy, 0.25);
  EXPECT_TRUE(cp::array_equal(found.next_batch(5, 2), state.next_batch(5, 2)));
  EXPECT_EQ(found.next_batch(5, 2).size(), 1) << "the rest of the epoch";
  EXPECT_EQ(found.position, 5);
}

TEST_P(SnapshotTest, IsRefusedWhereTheTrainingWouldNotBeTheSame) {
  TrainingState state;
  state.next_batch(5, 2);
  save_snapshot(path_, settings_, state, model_, optimizer_);
  const auto refuses = [&](const TrainingSettings& settings, const std::string& text) {
    expect_error<UserError>([&] { load_snapshot(path_, settings, 1, model_, optimizer_); },
                            path_ + ": " + text);
  };
  TrainingSettings other = settings_;
  other.flags[0].second = "20";
  refuses(other, "was made with --length=35, not --length=20");
  other = settings_;
  other.flags[1].second = "sgd";
  refuses(other, "was made with --optimizer=adam, not --optimizer=sgd");
  other = settings_;
  other.images = 6;
  refuses(other, "was made with 5 training images, but words.txt holds 6");
  other = settings_;
  other.program = "train_mnist";
  refuses(other, "is no snapshot of train_mnist");
  expect_error<UserError>([&] { load_snapshot(path_, settings_, 0, model_, optimizer_); },
                          path_ + ": is in epoch 1 already, beyond --epochs=0");
}

}  // namespace
}  // namespace examples
