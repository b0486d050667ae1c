// SPDX-License-Identifier: MIT
// What a training says of keys, names and files that are not what was meant, and how it goes on.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "chainerxx/functions/functions.h"
#include "chainerxx/optimizers/optimizers.h"
#include "chainerxx/training/counting_updater.h"
#include "chainerxx/training/output_folder.h"
#include "chainerxx/training/training.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::training {
namespace {

namespace cp = cupyxx;
namespace F = chainerxx::functions;
using cp::testing::expect_error;
using datasets::Batch;
using extensions::find_number;
using iterators::SerialIterator;

class MessagesTest : public ::testing::Test, public OutputFolder {};

TEST_F(MessagesTest, KeysUnderWhichNothingIsReportedAreNamedOnce) {
  CountingUpdater updater(2, {1, 2, 4, 4});
  Trainer trainer(updater, {2, "epoch"}, out);
  std::ostringstream table;
  trainer.extend(extensions::LogReport({.keys = {"value", "main/lost"}}));
  trainer.extend(extensions::PrintReport({"epoch", "valeu", "value"}, "LogReport", table));
  trainer.extend(extensions::PlotReport({"value", "main/los"}));
  ::testing::internal::CaptureStderr();
  trainer.run();
  EXPECT_EQ(::testing::internal::GetCapturedStderr(),
            "LogReport: nothing has been reported as main/lost so far; there is value\n"
            "PrintReport: nothing has been reported as valeu so far; there is value, epoch, "
            "iteration, elapsed_time\n"
            "PlotReport: nothing has been reported as main/los so far; there is value\n");
}

TEST_F(MessagesTest, NothingIsSaidOfKeysThatAreThere) {
  CountingUpdater updater(2, {1, 2, 4, std::nan("")});
  Trainer trainer(updater, {2, "epoch"}, out);
  std::ostringstream table;
  trainer.extend(extensions::LogReport());
  trainer.extend(extensions::PrintReport({"epoch", "value"}, "LogReport", table));
  trainer.extend(extensions::PlotReport({"value"}));
  ::testing::internal::CaptureStderr();
  trainer.run();
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
  EXPECT_EQ(table.str(),
            "epoch       value     \n"
            "1           1.5         \n"
            "2           nan         \n");
}

TEST_F(MessagesTest, NothingIsSaidOfKeysThatWereThereBeforeATrainingGoesOn) {
  const auto train = [&](std::int64_t steps) {
    CountingUpdater updater(2);
    Trainer trainer(updater, {steps, "iteration"}, out);
    std::ostringstream table;
    trainer.extend(extensions::observe_value("seldom", [](Trainer&) { return 1.0; }),
                   {.trigger = {3, "epoch"}});
    trainer.extend(extensions::LogReport({.keys = {"seldom"}}));
    trainer.extend(extensions::PrintReport({"seldom"}, "LogReport", table));
    trainer.extend(extensions::PlotReport({"seldom"}));
    trainer.extend(extensions::snapshot({.autoload = true}));
    ::testing::internal::CaptureStderr();
    trainer.run();
    return ::testing::internal::GetCapturedStderr();
  };
  EXPECT_NE(train(6), "");  // not in the first epoch
  EXPECT_EQ(train(8), "");
}

TEST_F(MessagesTest, AReportIsOneNumber) {
  Observation seen;
  const Reporter reporter;
  const ReportScope scope(reporter, seen);
  expect_error<cp::ValueError>(
      [] {
        report({{"loss", cp::ones({3})}});
      },
      "report: loss has the shape (3,); one number is reported, its mean() say");
  report({{"loss", cp::ones({1, 1})}});
  EXPECT_EQ(seen.at("loss"), 1);
  EXPECT_EQ(seen.listed(), "loss");
}

TEST_F(MessagesTest, PicturesAreCalledWhatTheyAre) {
  expect_error<cp::ValueError>([] { extensions::PlotReport({"a"}, {.filename = "loss.png"}); },
                               "PlotReport: loss.png would hold an SVG; name it loss.svg");
  extensions::PlotReport({"a"}, {.filename = "loss"});
}

TEST_F(MessagesTest, SnapshotsHaveTwoPlaces) {
  expect_error<cp::ValueError>([] { extensions::snapshot({.filename = "s_{epoch}"}); },
                               "snapshot: \"s_{epoch}\" has another place than "
                               "{.updater.iteration} and {.updater.epoch}");
  extensions::snapshot({.filename = "s_{.updater.epoch}_{.updater.iteration}"});
}

TEST_F(MessagesTest, ADamagedSnapshotIsNamedWithTheWayOut) {
  const auto train = [&](std::int64_t steps, bool autoload) {
    CountingUpdater updater(2);
    Trainer trainer(updater, {steps, "iteration"}, out);
    trainer.extend(extensions::snapshot({.autoload = autoload}), {.trigger = {2, "iteration"}});
    trainer.run();
    return updater.iteration();
  };
  train(4, false);
  std::filesystem::resize_file(out + "/snapshot_iter_4.npz", 100);
  expect_error<cp::IOError>([&] { train(6, true); },
                            "snapshot: cannot go on from " + out + "/snapshot_iter_4.npz; ");
  expect_error<cp::IOError>(
      [&] { train(6, true); },
      "; without this file the training goes on from " + out + "/snapshot_iter_2.npz");
  std::filesystem::remove(out + "/snapshot_iter_4.npz");
  EXPECT_EQ(train(6, true), 6);
}

TEST_F(MessagesTest, ATrainingThatIsLongEnoughEndsAtOnce) {
  const auto train = [&](std::int64_t steps) {
    CountingUpdater updater(2);
    Trainer trainer(updater, {steps, "iteration"}, out);
    trainer.extend(extensions::snapshot({.autoload = true}), {.trigger = {1, "iteration"}});
    trainer.run();
    return updater.iteration();
  };
  EXPECT_EQ(train(4), 4);
  EXPECT_EQ(train(4), 4);
  EXPECT_EQ(train(3), 4);  // not 6, the interval's next multiple
  EXPECT_EQ(train(5), 5);
}

TEST_F(MessagesTest, AnErrorMayLeaveASnapshot) {
  CountingUpdater updater(2);
  updater.fails_at = 4;
  Trainer trainer(updater, {6, "iteration"}, out);
  trainer.extend(extensions::snapshot({.filename = "now", .snapshot_on_error = true}),
                 {.trigger = {9, "iteration"}});
  expect_error<cp::ValueError>([&] { trainer.run(); }, "the step fails");
  EXPECT_TRUE(std::filesystem::exists(out + "/now.npz"));
  const std::string before = read(out + "/now.npz");
  CountingUpdater again(2);
  again.fails_at = 2;
  Trainer other(again, {6, "iteration"}, out);
  other.extend(extensions::snapshot({.filename = "now", .snapshot_on_error = true}),
               {.trigger = {9, "iteration"}});
  expect_error<cp::ValueError>([&] { other.run(); }, "the step fails");
  EXPECT_EQ(read(out + "/now.npz"), before);  // a file that is there stays
}

struct Line : FunctionSet {
  F::Linear& l = add("l", F::Linear(1, 1));
  Variable operator()(const Variable& x, const Variable& t) {
    const Variable loss = F::sum(F::square(l(x) - t));
    report({{"loss", loss}}, *this);
    return loss;
  }
};

datasets::TupleDataset points() {
  return datasets::TupleDataset(cp::array({{1.0f}, {2.0f}}), cp::array({{2.0f}, {4.0f}}));
}

/// Two networks, each with an optimizer.
struct Pair final : StandardUpdater {
  Pair(iterators::Iterator& iterator, optimizers::SGD& a, Line& first, optimizers::Adam& b,
       Line& second)
      : StandardUpdater(iterator, {}), first_(first), second_(second), a_(a), b_(b) {
    add_optimizer("first", a, first);
    add_optimizer("second", b, second);
  }
  void update_core() override {
    const std::vector<ndarray> batch = next_arrays();
    const Variable x(batch[0]), t(batch[1]);
    a_.update([&] { return first_(x, t); });
    b_.update([&] { return second_(x, t); });
  }

 private:
  Line &first_, &second_;
  optimizers::SGD& a_;
  optimizers::Adam& b_;
};

TEST_F(MessagesTest, SeveralNetworksAreLookedAtByName) {
  Line first, second;
  optimizers::SGD a;
  optimizers::Adam b;
  a.setup(first);
  b.setup(second);
  SerialIterator iterator(points(), 2);
  Pair updater(iterator, a, first, b, second);
  expect_error<cp::IndexError>(
      [&] { updater.get_optimizer("main"); },
      "get_optimizer: there is no optimizer of this name; \"main\"; there is first, second");
  expect_error<cp::IndexError>(
      [&] { updater.get_iterator("second"); },
      "get_iterator: there is no iterator of this name; \"second\"; there is main");
  Trainer trainer(updater, {2, "iteration"}, out);
  auto& log = trainer.extend(extensions::LogReport());
  trainer.extend(extensions::observe_lr("first"));
  trainer.extend(extensions::ParameterStatistics());
  trainer.extend(extensions::ParameterStatistics(second, {.prefix = "it", .report_grads = false}),
                 {.priority = PRIORITY_WRITER});
  trainer.extend(extensions::FailOnNonNumber());
  trainer.extend([&](Trainer&) { second.l.W.fill(std::numeric_limits<float>::quiet_NaN()); },
                 {.trigger = {2, "iteration"}, .priority = PRIORITY_EDITOR});
  expect_error<cp::ValueError>([&] { trainer.run(); },
                               "FailOnNonNumber: second/l/W holds a NaN or an infinity after step "
                               "2");
  const extensions::LogEntry& entry = log.log()[0];
  EXPECT_NE(find_number(entry, "first/loss"), nullptr);
  EXPECT_NE(find_number(entry, "second/l/b/grad/std"), nullptr);
  EXPECT_NE(find_number(entry, "it/l/W/data/mean"), nullptr);
  EXPECT_EQ(find_number(entry, "it/l/W/grad/mean"), nullptr);
}

/// Sums of what two iterators give, and a place among both in snapshots.
struct Sums final : StandardUpdater {
  Sums(iterators::Iterator& a, iterators::Iterator& b, optimizers::SGD& optimizer, Line& model)
      : StandardUpdater(a, {}) {
    add_optimizer("main", optimizer, model);
    add_iterator("second", b);
    expect_error<cp::ValueError>([&] { add_iterator("main", b); },
                                 "add_iterator: the name main is taken");
  }
  void update_core() override {
    sums.push_back(100 * next_arrays("main")[0].item<float>() +
                   next_arrays("second")[0].item<float>());
  }
  std::vector<float> sums;
};

TEST_F(MessagesTest, SeveralIteratorsGoOnWhereTheyStood) {
  const datasets::TupleDataset ten(cp::arange(10.0f)), seven(cp::arange(7.0f));
  const auto train = [&](std::int64_t steps) {
    Line model;
    optimizers::SGD optimizer;
    optimizer.setup(model);
    SerialIterator a(ten, 1, {.seed = 1}), b(seven, 1, {.seed = 2});
    Sums updater(a, b, optimizer, model);
    expect_error<cp::IndexError>([&] { updater.get_iterator("third"); },
                                 "\"third\"; there is main, second");
    Trainer trainer(updater, {steps, "iteration"}, out);
    trainer.extend(extensions::snapshot({.autoload = true}), {.trigger = {5, "iteration"}});
    trainer.run();
    return updater.sums;
  };
  const std::vector<float> whole = train(20);
  std::filesystem::remove_all(out);
  std::vector<float> parts = train(5);
  for (const float sum : train(20)) parts.push_back(sum);
  EXPECT_EQ(parts, whole);
}

TEST_F(MessagesTest, UnknownOptimizersAreNamedBeforeTheirNumbers) {
  Line model;
  optimizers::SGD optimizer;
  optimizer.setup(model);
  SerialIterator iterator(points(), 2);
  StandardUpdater updater(iterator, optimizer, model);
  Trainer shifted(updater, {1, "epoch"}, out);
  shifted.extend(extensions::ExponentialShift("lr", 0.5, {.optimizer = "gen"}));
  expect_error<cp::IndexError>([&] { shifted.run(); }, "\"gen\"; there is main");
  Trainer observed(updater, {1, "epoch"}, out);
  observed.extend(extensions::observe_lr("gen"));
  expect_error<cp::IndexError>([&] { observed.run(); }, "\"gen\"; there is main");
}

TEST_F(MessagesTest, AnOptimizerOfAnotherModelIsRefused) {
  struct Both : FunctionSet {
    Line& first = add<Line>("first");
    Line& second = add<Line>("second");
  } both;
  Line model;
  optimizers::SGD other, part, whole;
  other.setup(both);
  part.setup(both.first);
  whole.setup(both);
  SerialIterator iterator(points(), 2);
  expect_error<cp::ValueError>([&] { StandardUpdater(iterator, other, model); },
                               "StandardUpdater: the optimizer main was set up with another model "
                               "than the one that is called; optimizer.setup(model)");
  const auto loss = [&](const Variable& x, const Variable& t) { return both.first(x, t); };
  // NOLINTNEXTLINE(bugprone-unused-raii)
  StandardUpdater(iterator, part, both, loss);  // a part learns
  // NOLINTNEXTLINE(bugprone-unused-raii)
  StandardUpdater(iterator, whole, both.first, loss);  // more is updated than is called
  optimizers::SGD arrays;
  arrays.setup(model.parameters(), model.gradients());
  StandardUpdater(iterator, arrays, model);
}

TEST_F(MessagesTest, IteratorsThatEndTooEarlyAreRefused) {
  Line model;
  optimizers::SGD optimizer;
  optimizer.setup(model);
  SerialIterator once(points(), 1, {.repeat = false});
  StandardUpdater updater(once, optimizer, model);
  Trainer trainer(updater, {3, "epoch"}, out);
  expect_error<cp::ValueError>([&] { trainer.run(); },
                               "Trainer: the iterator ends after one epoch of 3.0; {.repeat = "
                               "true} begins again after each");
  Trainer one(updater, {1, "epoch"}, out);
  one.run();
  EXPECT_EQ(updater.iteration(), 2);
}

TEST_F(MessagesTest, AnEvaluationNeedsExamples) {
  Line model;
  const datasets::TupleDataset none(cp::zeros({0, 1}, cp::float32), cp::zeros({0, 1}, cp::float32));
  SerialIterator empty(none, 2, {.repeat = false}), some(points(), 2, {.repeat = false});
  extensions::Evaluator evaluator(empty, model);
  expect_error<cp::ValueError>(
      [&] { evaluator(); }, "Evaluator: the iterator gives no batch; its dataset has no examples");
  EXPECT_EQ(extensions::Evaluator(some, model)().listed(), "main/loss");
  std::string names;  // of temporaries, which are gone when the loop begins
  for (const auto& [name, value] : extensions::Evaluator(some, model)().entries()) names += name;
  some.reset();
  for (const ndarray& a : some.next().columns()) names += a.shape().str();
  some.reset();
  for (const auto& example : Batch(some.next()).examples()) names += example.empty() ? "none" : "";
  for (const ndarray& a : points().arrays()) names += a.shape().str();
  EXPECT_EQ(names, "main/loss(2, 1)(2, 1)(2, 1)(2, 1)");
}

/// An evaluation of one's own.
struct Twice final : extensions::Evaluator {
  using Evaluator::Evaluator;
  Observation evaluate() override {
    Observation all = Evaluator::evaluate();
    all.set("twice", 2 * all["validation/main/loss"]);
    return all;
  }
};

TEST_F(MessagesTest, EvaluationsOfOnesOwn) {
  Line model;
  optimizers::SGD optimizer({.lr = 1e-3});
  optimizer.setup(model);
  SerialIterator iterator(points(), 2), test(points(), 2, {.repeat = false});
  StandardUpdater updater(iterator, optimizer, model);
  Trainer trainer(updater, {1, "epoch"}, out);
  trainer.extend(Twice(test, model));
  auto& log = trainer.extend(extensions::LogReport());
  trainer.run();
  EXPECT_EQ(*find_number(log.log()[0], "twice"),
            2 * *find_number(log.log()[0], "validation/main/loss"));
}

TEST_F(MessagesTest, StepsMayHaveAFirstValueBehindThem) {
  Line model;
  optimizers::SGD optimizer({.lr = 1});
  optimizer.setup(model);
  SerialIterator iterator(points(), 2);
  StandardUpdater updater(iterator, optimizer, model);
  Trainer trainer(updater, {3, "iteration"}, out);
  trainer.extend(extensions::MultistepShift("lr", 0.5, {2, 3}, 8e-3));
  trainer.run();
  EXPECT_DOUBLE_EQ(optimizer.lr(), 2e-3);
}

}  // namespace
}  // namespace chainerxx::training
