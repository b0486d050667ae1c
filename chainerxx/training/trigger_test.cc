// SPDX-License-Identifier: MIT
// Against the rules of Chainer 7: chainer/training/triggers.
#include "chainerxx/training/trigger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <thread>
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

TEST(IntervalTrigger, CountsFromWhereARunBegins) {
  // A second trainer, or an extension that the file of the first does not know.
  CountingUpdater updater(4);
  Trainer(updater, {10, "iteration"}, folder()).run();
  Trainer second(updater, {21, "iteration"}, folder());
  Steps epochs, threes, points;
  const auto note = [](Steps& steps) {
    return [&steps](Trainer& t) { steps.push_back(t.updater().iteration()); };
  };
  second.extend(note(epochs), {1, "epoch"});
  second.extend(note(threes), {3, "iteration"});
  second.extend(note(points), ManualScheduleTrigger({5, 15}, "iteration"));
  second.run();
  EXPECT_EQ(updater.iteration(), 21);
  EXPECT_EQ(epochs, (Steps{12, 16, 20}));
  EXPECT_EQ(threes, (Steps{12, 15, 18, 21}));
  EXPECT_EQ(points, (Steps{15}));
}

TEST(TimeTrigger, FiresOnceForSeveralPeriods) {
  CountingUpdater updater(4);
  Trainer trainer(updater, {6, "iteration"}, folder());
  Steps found;
  trainer.extend(
      [](Trainer& t) {  // the second step lasts four periods
        while (t.elapsed_time() < 0.85) std::this_thread::sleep_for(std::chrono::milliseconds(5));
      },
      {.trigger = ManualScheduleTrigger({2}, "iteration"), .priority = 200});
  trainer.extend([&](Trainer& t) { found.push_back(t.updater().iteration()); },
                 {.trigger = TimeTrigger(0.2)});
  trainer.run();
  EXPECT_FALSE(found.empty());
  EXPECT_LE(found.size(), 2u);  // and not in each of the steps behind it
}

TEST(OnceTrigger, FiresOnce) { EXPECT_EQ(fired(OnceTrigger(), 5, 2), Steps{1}); }

TEST(TriggerArg, TakesFunctions) {
  const auto odd = [](const Trainer& t) { return t.updater().iteration() % 2 == 1; };
  EXPECT_EQ(fired(odd, 5, 1), (Steps{1, 3, 5}));
}

TEST(TriggerArg, IsAValue) {
  const TriggerArg each = {2, "iteration"};
  const MinValueTrigger best("value");
  const ExtendOptions options{.trigger = {3, "iteration"}};
  int called[6] = {};
  const auto count = [&called](int i) { return [&called, i](Trainer&) { ++called[i]; }; };
  CountingUpdater updater(2, {5, 5, 4, 4, 3, 3});
  Trainer trainer(updater, {6, "iteration"}, folder());
  trainer.extend(count(0), {.trigger = each});
  trainer.extend(count(1), {.trigger = each});
  trainer.extend(count(2), {.trigger = best});
  trainer.extend(count(3), {.trigger = best});
  trainer.extend(count(4), options);
  trainer.extend(count(5), options);
  trainer.run();
  EXPECT_THAT(called, ::testing::ElementsAre(3, 3, 3, 3, 2, 2));
}

TEST(TriggerArg, EndsSeveralTrainings) {
  TriggerArg length;
  length = TriggerArg(3, "epoch");
  const EarlyStoppingTrigger stop({.monitor = "value", .max_trigger = {4, "epoch"}});
  for (int fold = 0; fold < 3; ++fold) {
    CountingUpdater updater(2), other(2, {5, 5, 4, 4, 3, 3, 2, 2});
    Trainer(updater, length, folder()).run();
    Trainer(other, stop, folder()).run();
    EXPECT_EQ(updater.iteration(), 6);
    EXPECT_EQ(other.iteration(), 8);
  }
}

/// Fires always, and counts how often it was asked.
struct Asked final : Trigger {
  explicit Asked(std::unique_ptr<int> start) : times(std::move(start)) {}
  bool operator()(const Trainer& /*trainer*/) override { return ++*times > 0; }
  std::unique_ptr<int> times;  // such a trigger cannot be copied
};

TEST(TriggerArg, SharesWhatAPointerHolds) {
  const auto asked = std::make_shared<Asked>(std::make_unique<int>(0));
  EXPECT_EQ(fired(asked, 3, 1), (Steps{1, 2, 3}));
  EXPECT_EQ(*asked->times, 3);
  EXPECT_EQ(fired(Asked(std::make_unique<int>(0)), 3, 1), (Steps{1, 2, 3}));
}

TEST(BestValueTrigger, TellsTheRecordOfItsCopy) {
  const MinValueTrigger best("value");
  EXPECT_FALSE(best.best_value());
  fired(best, 4, 1, {3, 1, 2, 4});
  EXPECT_EQ(best.best_value(), 1);
  fired(best, 2, 1, {7, 6});  // counts anew
  EXPECT_EQ(best.best_value(), 6);
}

TEST(EarlyStoppingTrigger, TellsTheBestOfItsCopy) {
  const EarlyStoppingTrigger stop({.monitor = "value", .patience = 2});
  EXPECT_TRUE(std::isinf(stop.best()));
  CountingUpdater updater(1, {5, 3, 4, 4, 1});
  Trainer(updater, stop, folder()).run();
  EXPECT_EQ(updater.iteration(), 4);
  EXPECT_EQ(stop.best(), 3);
  EXPECT_EQ(stop.count(), 2);
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
