// SPDX-License-Identifier: MIT
// Against the rules of Chainer 7: chainer/training/triggers.
#include "chainerxx/training/trigger.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "chainerxx/training/counting_updater.h"
#include "chainerxx/training/trainer.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::training {
namespace {

namespace cp = cupyxx;
using cp::testing::expect_error;
using Steps = std::vector<std::int64_t>;

std::string folder() {
  return ::testing::TempDir() + "/kit_triggers_" + std::to_string(::getpid());
}

/// The steps at which a trigger fires in a training of `steps` steps, `per_epoch` of which are one
/// epoch. Values are reported as "value", one a step.
Steps fired(TriggerArg trigger, std::int64_t steps, double per_epoch,
            std::vector<double> values = {}) {
  CountingUpdater updater(per_epoch, std::move(values));
  Trainer trainer(updater, {steps, "iteration"}, folder());
  Steps found;
  trainer.extend([&](Trainer& t) { found.push_back(t.updater().iteration()); },
                 {.trigger = std::move(trigger)});
  trainer.run();
  return found;
}

TEST(IntervalTrigger, FiresWhereAMultipleIsReached) {
  EXPECT_EQ(fired({3, "iteration"}, 10, 4), (Steps{3, 6, 9}));
  EXPECT_EQ(fired({1, "epoch"}, 10, 4), (Steps{4, 8}));
  EXPECT_EQ(fired({2, "epoch"}, 20, 4), (Steps{8, 16}));
  EXPECT_EQ(fired({0.5, "epoch"}, 8, 4), (Steps{2, 4, 6, 8}));
  EXPECT_EQ(fired({1, "epoch"}, 8, 2.5), (Steps{3, 5, 8}));
  EXPECT_EQ(fired({0.4, "epoch"}, 5, 2.5), (Steps{1, 2, 3, 4, 5}));
  // Ten steps of 0.1 epochs: 0.3 is three of 0.1, though 0.3 / 0.1 is less than 3.
  EXPECT_EQ(fired({0.1, "epoch"}, 10, 10), (Steps{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}));
}

TEST(ManualScheduleTrigger, FiresWhereAPointIsReached) {
  EXPECT_EQ(fired(ManualScheduleTrigger({2, 5}, "iteration"), 8, 4), (Steps{2, 5}));
  EXPECT_EQ(fired(ManualScheduleTrigger({0.3, 1, 1.6}, "epoch"), 8, 4), (Steps{2, 4, 7}));
}

TEST(OnceTrigger, FiresOnce) { EXPECT_EQ(fired(OnceTrigger(), 5, 2), Steps{1}); }

TEST(TriggerArg, TakesFunctions) {
  const auto odd = [](const Trainer& t) { return t.updater().iteration() % 2 == 1; };
  EXPECT_EQ(fired(odd, 5, 1), (Steps{1, 3, 5}));
}

TEST(BestValueTrigger, ComparesMeansOfIntervals) {
  // Means of the epochs of two steps: 4, 3, 3, 5, 1.
  const std::vector<double> values = {3, 5, 3, 3, 1, 5, 5, 5, 1, 1};
  EXPECT_EQ(fired(MinValueTrigger("value"), 10, 2, values), (Steps{2, 4, 10}));
  EXPECT_EQ(fired(MaxValueTrigger("value"), 10, 2, values), (Steps{2, 8}));
  EXPECT_EQ(fired(MaxValueTrigger("value", {1, "iteration"}), 4, 2, {1, 2, 2, 3}),
            (Steps{1, 2, 4}));
  const double nan = std::nan("");
  EXPECT_EQ(fired(MinValueTrigger("value"), 4, 1, {nan, 3, nan, 2}), (Steps{2, 4}));
  EXPECT_EQ(fired(MaxValueTrigger("value"), 4, 1, {nan, 3, 2, 4}), (Steps{2, 4}));
  expect_error<cp::IndexError>(
      [] {
        fired(MinValueTrigger("loss"), 4, 2, {1, 2});
      },
      "MinValueTrigger: nothing was reported as loss; there is value");
}

/// How many steps a training takes that an early stopping ends.
std::int64_t stopped(const EarlyStoppingOptions& options, std::vector<double> values) {
  CountingUpdater updater(1, std::move(values));
  Trainer trainer(updater, EarlyStoppingTrigger(options), folder());
  trainer.run();
  return updater.iteration();
}

TEST(EarlyStoppingTrigger, StopsAfterLooksWithoutProgress) {
  const std::vector<double> values = {5, 4, 4, 4, 3, 3, 3, 3, 2, 1};
  EXPECT_EQ(stopped({.monitor = "value"}, values), 8);
  EXPECT_EQ(stopped({.monitor = "value", .patience = 2}, values), 4);
  EXPECT_EQ(stopped({.monitor = "value", .mode = "max"}, values), 4);
  EXPECT_EQ(stopped({.monitor = "value", .max_trigger = {6, "epoch"}}, values), 6);
  ::testing::internal::CaptureStderr();
  EXPECT_EQ(stopped({.monitor = "other", .max_trigger = {6, "epoch"}}, values), 6);
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "EarlyStoppingTrigger: nothing is reported as other; there is value\n");
  EXPECT_EQ(EarlyStoppingTrigger().training_length()->count, 100);
}

TEST(Triggers, RefuseWhatCannotBe) {
  expect_error<cp::ValueError>([] { IntervalTrigger(1, "epochs"); },
                               "trigger: the unit is epochs, not epoch or iteration");
  expect_error<cp::ValueError>([] { IntervalTrigger(0, "epoch"); },
                               "IntervalTrigger: a period of 0.0 epochs");
  expect_error<cp::ValueError>([] { IntervalTrigger(std::nan(""), "iteration"); },
                               "IntervalTrigger: a period of nan iterations");
  expect_error<cp::ValueError>([] { TimeTrigger(-1); }, "TimeTrigger: a period of -1.0 seconds");
  expect_error<cp::ValueError>([] { EarlyStoppingTrigger({.mode = "least"}); },
                               "EarlyStoppingTrigger: the mode is least, not min, max or auto");
  expect_error<cp::ValueError>([] { EarlyStoppingTrigger({.patience = 0}); },
                               "EarlyStoppingTrigger: a patience of 0 looks");
}

}  // namespace
}  // namespace chainerxx::training
