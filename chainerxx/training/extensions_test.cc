// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "chainerxx/functions/functions.h"
#include "chainerxx/optimizers/momentum_sgd.h"
#include "chainerxx/optimizers/optimizers.h"
#include "chainerxx/optimizers/schedules.h"
#include "chainerxx/serializers.h"
#include "chainerxx/training/counting_updater.h"
#include "chainerxx/training/output_folder.h"
#include "chainerxx/training/training.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx::training {
namespace {

namespace cp = cupyxx;
namespace F = chainerxx::functions;
using cp::testing::expect_error;
using extensions::LogEntry;

class ExtensionsTest : public ::testing::Test, public OutputFolder {};

void no_times(LogEntry& entry) {
  for (auto& [name, number] : entry) {
    if (name == "elapsed_time") number = 0.5;
  }
}

TEST_F(ExtensionsTest, LogsMeansAsChainerDoes) {
  CountingUpdater updater(2, {1, 2, 4, 4, 1e-7});
  Trainer trainer(updater, {2.5, "epoch"}, out);
  auto& log = trainer.extend(extensions::LogReport({.postprocess = no_times}));
  trainer.extend(extensions::observe_value("lr", [](Trainer&) { return 1e20; }));
  trainer.run();
  EXPECT_EQ(log.log().size(), 2u);
  EXPECT_EQ(read(out + "/log"),
            "[\n"
            "    {\n"
            "        \"value\": 1.5,\n"
            "        \"lr\": 1e+20,\n"
            "        \"epoch\": 1,\n"
            "        \"iteration\": 2,\n"
            "        \"elapsed_time\": 0.5\n"
            "    },\n"
            "    {\n"
            "        \"value\": 4.0,\n"
            "        \"lr\": 1e+20,\n"
            "        \"epoch\": 2,\n"
            "        \"iteration\": 4,\n"
            "        \"elapsed_time\": 0.5\n"
            "    }\n"
            "]");
}

TEST_F(ExtensionsTest, LogsChosenKeysAndNumbersOfAnyKind) {
  CountingUpdater updater(1, {1});
  Trainer trainer(updater, {1, "epoch"}, out);
  auto& log = trainer.extend(extensions::LogReport({.keys = {"x"}, .filename = ""}));
  trainer.run();
  EXPECT_EQ(log.log()[0][0].first, "epoch");
  EXPECT_FALSE(std::filesystem::exists(out + "/log"));
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(extensions::log_json({}), "[]");
  EXPECT_EQ(extensions::log_json({{{"a\"\n", std::nan("")}, {"b", -infinity}, {"c", 12345678}}}),
            "[\n    {\n        \"a\\\"\\u000a\": NaN,\n        \"b\": -Infinity,\n"
            "        \"c\": 12345678.0\n    }\n]");
  EXPECT_EQ(extensions::log_json({{{"a", 1e-5}}}), "[\n    {\n        \"a\": 1e-05\n    }\n]");
}

TEST_F(ExtensionsTest, PrintsATable) {
  CountingUpdater updater(2, {1, 2, 4, 4.25});
  Trainer trainer(updater, {2, "epoch"}, out);
  std::ostringstream table;
  trainer.extend(extensions::LogReport());
  trainer.extend(extensions::PrintReport(
      {"epoch", "value", "validation/main/accuracy", "iteration"}, "LogReport", table));
  trainer.run();
  EXPECT_EQ(table.str(),
            "epoch       value       validation/main/accuracy  iteration \n"
            "1           1.5                                   2           \n"
            "2           4.125                                 4           \n");
  CountingUpdater other(1);
  Trainer alone(other, {1, "epoch"}, out);
  alone.extend(extensions::PrintReport({"epoch"}));
  expect_error<cp::IndexError>([&] { alone.run(); },
                               "Trainer: there is no extension LogReport; there is PrintReport");
}

TEST_F(ExtensionsTest, PlotsMeans) {
  CountingUpdater updater(2, {1, 2, 4, 4});
  Trainer trainer(updater, {2, "epoch"}, out);
  trainer.extend(extensions::PlotReport({"value", "other"}, {.x_key = "epoch"}));
  trainer.run();
  const std::string svg = read(out + "/plot.svg");
  EXPECT_EQ(svg.substr(0, 5), "<svg ");
  EXPECT_NE(svg.find(">value, other</text>"), std::string::npos);
  EXPECT_NE(svg.find(">epoch</text>"), std::string::npos);
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  expect_error<cp::ValueError>([] { extensions::PlotReport({}); }, "PlotReport: no keys");
  expect_error<cp::ValueError>([] { extensions::PlotReport({"a"}, {.x_key = "time"}); },
                               R"(PlotReport: x_key is time, not "iteration" or "epoch")");
}

double now = 0;
double test_clock() { return now; }

TEST_F(ExtensionsTest, DrawsABar) {
  now = 100;
  CountingUpdater updater(4);
  Trainer trainer(updater, {2, "epoch"}, out);
  std::ostringstream bar;
  trainer.extend([](Trainer&) { now += 1; }, {.priority = 400});
  trainer.extend(
      extensions::ProgressBar(bar, {.is_terminal = true, .columns = 70}, {}, test_clock));
  std::vector<std::string> lines;
  trainer.extend(
      [&](Trainer&) {
        lines.push_back(bar.str());
        bar.str("");
      },
      {.priority = -300});
  trainer.run();
  EXPECT_EQ(lines[1].substr(4),
            "epoch 1/2 [===============>              ]  50%  1 iters/s  0:06 left");
  EXPECT_EQ(lines[5].substr(4),
            "epoch 2/2 [===============>              ]  50%  1 iters/s  0:02 left");
  EXPECT_EQ(bar.str(), "\r\x1b[K");
  // A training without an end.
  CountingUpdater on_and_on(4);
  Trainer infinite(on_and_on, {std::numeric_limits<double>::infinity(), "epoch"}, out);
  infinite.extend([](Trainer& t) { now += 1, t.updater().iteration() == 3 ? t.stop() : void(); },
                  {.priority = 400});
  std::ostringstream endless_bar;
  infinite.extend(
      extensions::ProgressBar(endless_bar, {.is_terminal = true, .columns = 90}, {}, test_clock));
  infinite.run();
  EXPECT_NE(endless_bar.str().find("epoch 1/9007199254740992 "), std::string::npos);
  EXPECT_NE(endless_bar.str().find(" 1 iters/s  277777:46:40 left"), std::string::npos)
      << endless_bar.str();
  CountingUpdater endless(4);
  Trainer never(endless, {}, out);
  never.extend(extensions::ProgressBar());
  expect_error<cp::ValueError>([&] { never.run(); },
                               "ProgressBar: the stop trigger does not say how long");
  expect_error<cp::ValueError>([] { extensions::ProgressBar({.update_interval = 0}); },
                               "ProgressBar: an interval of 0 updates");
}

TEST_F(ExtensionsTest, AreCalledByPriorityUnderTheirNames) {
  CountingUpdater updater(1);
  Trainer trainer(updater, {1, "iteration"}, out);
  std::string calls;
  const auto note = [&](const char* name) { return [&calls, name](Trainer&) { calls += name; }; };
  trainer.extend(note("a"), {.name = "x", .priority = 1});
  trainer.extend(note("b"), {.name = "x", .priority = 2});
  trainer.extend(note("c"), {.priority = 2});
  trainer.extend(note("d"), {.trigger = {5, "iteration"}, .call_before_training = true});
  trainer.run();
  EXPECT_EQ(calls, "dbca");
  trainer.get_extension("x_1");
  expect_error<cp::IndexError>([&] { trainer.get_extension("y"); },
                               "there is no extension y; there is Extension_1, x_1, Extension, x");
  expect_error<cp::ValueError>([&] { trainer.run(); }, "Trainer: cannot run a second time");
}

TEST_F(ExtensionsTest, DevicesHaveNumbers) {
  const StandardUpdaterOptions host{.device = -1}, second{.device = 1}, none;
  EXPECT_EQ(*host.device, cp::Device::cpu());
  EXPECT_EQ(*second.device, cp::Device::cuda(1));
  EXPECT_FALSE(none.device);
  const extensions::EvaluatorOptions evaluation{.device = cp::Device::cuda(2)};
  EXPECT_EQ(*evaluation.device, cp::Device::cuda(2));
  EXPECT_EQ(*ConcatOptions{.device = -1}.device, cp::Device::cpu());
  const triggers::OnceTrigger once;
  EXPECT_FALSE(once.training_length());
}

TEST_F(ExtensionsTest, ATriggerStandsAlone) {
  CountingUpdater updater(1);
  Trainer trainer(updater, {4, "iteration"}, out);
  int calls = 0, others = 0;
  trainer.extend([&](Trainer&) { ++calls; }, {2, "iteration"});
  trainer.extend([&](Trainer&) { ++others; }, OnceTrigger());
  extensions::LogReport& log = trainer.extend(extensions::LogReport(), {1, "epoch"});
  EXPECT_EQ(&log, &trainer.get_extension("LogReport"));
  trainer.run();
  EXPECT_EQ(calls, 2);
  EXPECT_EQ(others, 1);
  expect_error<cp::IndexError>(
      [&] { updater.get_iterator("main"); },
      "get_iterator: there is no iterator of this name; \"main\"; there is none");
  expect_error<cp::IndexError>(
      [&] { updater.get_optimizer("x"); },
      "get_optimizer: there is no optimizer of this name; \"x\"; there is none");
}

struct Witness final : Extension {
  explicit Witness(std::string& the_calls) : calls(&the_calls) {}
  void operator()(Trainer&) override { *calls += "call "; }
  void initialize(Trainer&) override { *calls += "initialize "; }
  void on_error(Trainer&, const std::exception_ptr& error) override {
    try {
      std::rethrow_exception(error);
    } catch (const std::exception& e) {
      *calls += std::string("error(") + e.what() + ") ";
    }
  }
  void finalize(Trainer&) override { *calls += "finalize "; }
  std::string* calls;
};

TEST_F(ExtensionsTest, LearnOfErrors) {
  CountingUpdater updater(1);
  updater.fails_at = 2;
  Trainer trainer(updater, {5, "iteration"}, out);
  std::string calls;
  trainer.extend(Witness(calls));
  expect_error<cp::ValueError>([&] { trainer.run(); }, "the step fails");
  EXPECT_EQ(calls, "initialize call error(the step fails) finalize ");
}

/// Throws wherever it is called.
struct Careless final : Extension {
  void operator()(Trainer&) override { throw cp::ValueError("call"); }
  void on_error(Trainer&, const std::exception_ptr&) override { throw cp::ValueError("on_error"); }
  void finalize(Trainer&) override { throw cp::ValueError("finalize"); }
};

TEST_F(ExtensionsTest, AreAllFinalizedWhateverThrows) {
  CountingUpdater updater(1);
  Trainer trainer(updater, {5, "iteration"}, out);
  std::string calls;
  trainer.extend(Careless(), {.priority = 2});
  trainer.extend(Witness(calls), {.priority = 1});
  expect_error<cp::ValueError>([&] { trainer.run(); }, "call");  // what came first
  EXPECT_EQ(calls, "initialize error(call) finalize ");

  CountingUpdater other(1);
  Trainer whole(other, {2, "iteration"}, out);
  calls.clear();
  whole.extend(Careless(), {.trigger = {9, "iteration"}, .priority = 2});
  whole.extend(Witness(calls), {.priority = 1});
  expect_error<cp::ValueError>([&] { whole.run(); }, "finalize");
  EXPECT_EQ(calls, "initialize call call finalize ");
  expect_error<cp::ValueError>([&] { whole.run(); }, "Trainer: cannot run a second time");
}

TEST_F(ExtensionsTest, SnapshotsAreNamedAndCounted) {
  CountingUpdater updater(2);
  Trainer trainer(updater, {6, "iteration"}, out);
  trainer.extend(
      extensions::snapshot({.filename = "s_{.updater.epoch}_{.updater.iteration}", .n_retains = 2}),
      {.trigger = {1, "iteration"}});
  trainer.extend([&](Trainer&) { std::ofstream(out + "/s_1_x.npz") << "not ours"; });
  trainer.run();
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(out)) {
    files.push_back(entry.path().filename());
  }
  std::sort(files.begin(), files.end());
  EXPECT_EQ(files, (std::vector<std::string>{"s_1_x.npz", "s_2_5.npz", "s_3_6.npz"}));
  expect_error<cp::ValueError>([] { extensions::snapshot({.n_retains = 0}); },
                               "snapshot: keeps 0 files");
  expect_error<cp::ValueError>([] { extensions::snapshot({.filename = "../x"}); },
                               "snapshot: \"../x\" is no name of a file in the folder");
  // A file that cannot be written ends the training, and says so.
  CountingUpdater next(2);
  Trainer blocked(next, {1, "epoch"}, out);
  std::filesystem::create_directories(out + "/dir.npz");
  blocked.extend(extensions::snapshot({.filename = "dir"}));
  expect_error<cp::IOError>([&] { blocked.run(); }, "cannot write " + out + "/dir.npz");
}

struct Line : FunctionSet {
  F::Linear& l = add("l", F::Linear(1, 1));
  Variable operator()(const Variable& x, const Variable& t) {
    const Variable y = l(x);
    const Variable loss = F::sum(F::square(y - t));
    report({{"loss", loss}}, *this);
    return loss;
  }
};

/// The smallest training of a network.
class LineTest : public cp::testing::DeviceTest, public OutputFolder {
 public:
  LineTest()
      : data(cp::array({{1.0f}, {2.0f}}), cp::array({{2.0f}, {4.0f}})),
        iterator(data, 2, {.shuffle = false}) {
    optimizer.setup(model);
    updater = std::make_unique<StandardUpdater>(iterator, optimizer, model);
  }
  /// The values of a number during steps, each after the step.
  std::vector<double> rates(auto shift, std::int64_t steps) {
    Trainer trainer(*updater, {steps, "iteration"}, out);
    std::vector<double> found;
    trainer.extend(std::move(shift));
    trainer.extend([&](Trainer&) { found.push_back(optimizer.lr()); });
    trainer.run();
    return found;
  }

  Line model;
  optimizers::MomentumSGD optimizer{{.lr = 1e-3}};
  datasets::TupleDataset data;
  iterators::SerialIterator iterator;
  std::unique_ptr<StandardUpdater> updater;
};
CUPYXX_TEST_ON_DEVICES(LineTest);

void expect_near(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-12);
}

TEST_P(LineTest, ShiftsExponentially) {
  expect_near(rates(extensions::ExponentialShift("lr", 0.5, {.target = 2e-4}), 4),
              {5e-4, 2.5e-4, 2e-4, 2e-4});
}
TEST_P(LineTest, ShiftsFromAGivenValue) {
  expect_near(rates(extensions::ExponentialShift("lr", 2, {.init = 1, .target = 6}), 3), {2, 4, 6});
}
TEST_P(LineTest, ShiftsLinearly) {
  expect_near(rates(extensions::LinearShift("lr", {1, 0}, {1, 5}), 6), {1, 0.75, 0.5, 0.25, 0, 0});
}
TEST_P(LineTest, ShiftsBySchedules) {
  expect_near(rates(extensions::ScheduleShift("lr", optimizers::PolynomialDecay(4)), 4),
              {7.5e-4, 5e-4, 2.5e-4, 0});
}

// Chainer's formulas, from a rate of 1e-3.
TEST_P(LineTest, ShiftsInversely) {
  expect_near(rates(extensions::InverseShift("lr", 1, 2, {.init = 1}), 3),
              {1.0 / 4, 1.0 / 9, 1.0 / 16});
}
TEST_P(LineTest, ShiftsByAPolynomial) {
  expect_near(rates(extensions::PolynomialShift("lr", 2, 4), 5),
              {1e-3 * 9 / 16, 1e-3 / 4, 1e-3 / 16, 0, 0});
}
TEST_P(LineTest, ShiftsInSteps) {
  expect_near(rates(extensions::StepShift("lr", 0.1, 2, {.target = 5e-5}), 5),
              {1e-3, 1e-4, 1e-4, 5e-5, 5e-5});
}
TEST_P(LineTest, ShiftsAtGivenSteps) {
  expect_near(rates(extensions::MultistepShift("lr", 0.5, {2, 3}, {.init = 8}), 4), {8, 4, 2, 2});
}
TEST_P(LineTest, ShiftsWarmUp) {
  expect_near(rates(extensions::WarmupShift("lr", 2e-4, 4), 5), {4e-4, 6e-4, 8e-4, 1e-3, 1e-3});
}
TEST_P(LineTest, ShiftsWarmUpToAGivenValue) {
  expect_near(rates(extensions::WarmupShift("lr", 0, 2, 3.0), 2), {1.5, 3});
}
TEST_P(LineTest, ShiftsUpwardStopAtTheirTarget) {
  expect_near(rates(extensions::StepShift("lr", 2, 1, {.init = 1, .target = 6}), 3), {2, 4, 6});
}

TEST(Shifts, NumbersThatAreNoneAreRefused) {
  expect_error<cp::ValueError>([] { extensions::InverseShift("lr", -1, 1); },
                               "InverseShift: a gamma of -1.0");
  expect_error<cp::ValueError>([] { extensions::PolynomialShift("lr", 0, 3); },
                               "PolynomialShift: a rate of 0.0");
  expect_error<cp::ValueError>([] { extensions::PolynomialShift("lr", 1, 0); },
                               "PolynomialShift: max_count is below 1; 0");
  expect_error<cp::ValueError>([] { extensions::StepShift("lr", 1, 0); },
                               "StepShift: the step is below 1; 0");
  expect_error<cp::ValueError>(
      [] {
        extensions::MultistepShift("lr", 1, {3, 3});
      },
      "MultistepShift: the steps do not rise; 3 and 3");
  expect_error<cp::ValueError>([] { extensions::WarmupShift("lr", 0, 0); },
                               "WarmupShift: warmup_iter is below 1; 0");
}

TEST_F(ExtensionsTest, AveragesCountBatchesByTheirSize) {
  CountingUpdater updater(2);
  Trainer trainer(updater, {2, "epoch"}, out);
  const std::vector<double> right = {1, 9, 3, 3}, all = {1, 19, 4, 8};
  trainer.extend(
      [&](Trainer& t) {
        const auto i = static_cast<std::size_t>(t.updater().iteration() - 1);
        report({{"right", right[i]}, {"all", cp::array(all[i])}});
      },
      {.priority = 400});
  trainer.extend(extensions::MicroAverage("right", "all", "share"));
  auto& log = trainer.extend(extensions::LogReport({.keys = {"share"}}));
  trainer.run();
  EXPECT_EQ(*extensions::find_number(log.log()[0], "share"), 10.0 / 20);
  EXPECT_EQ(*extensions::find_number(log.log()[1], "share"), 6.0 / 12);
}

TEST_F(ExtensionsTest, AveragesOfHalfAShareAreRefused) {
  CountingUpdater updater(2, {1, 2});
  Trainer trainer(updater, {1, "epoch"}, out);
  trainer.extend(extensions::MicroAverage("value", "all", "share"));
  expect_error<cp::IndexError>([&] { trainer.run(); },
                               "MicroAverage: only one of value and all was reported");
}

TEST_P(LineTest, ShiftsOfUnknownNumbersAreRefused) {
  expect_error<cp::ValueError>(
      [&] { rates(extensions::ExponentialShift("alpha", 0.5), 1); },
      "ExponentialShift: the optimizer main has no number alpha that can be set; "
      "it has lr");
  expect_error<cp::ValueError>([&] { extensions::ExponentialShift("lr", -1); },
                               "ExponentialShift: a rate of -1.0");
  expect_error<cp::ValueError>(
      [&] {
        extensions::LinearShift("lr", {0, 1}, {3, 2});
      },
      "LinearShift: from 3.0 to 2.0");
}

TEST_P(LineTest, ObservesRatesStatisticsAndTheGraph) {
  Trainer trainer(*updater, {2, "epoch"}, out);
  auto& log = trainer.extend(extensions::LogReport());
  trainer.extend(extensions::observe_lr());
  trainer.extend(extensions::observe_waiting(iterator));
  trainer.extend(extensions::ParameterStatistics());
  trainer.extend(extensions::FailOnNonNumber());
  trainer.extend(extensions::dump_graph("main/loss"));
  trainer.extend(extensions::snapshot_object(model, "model_{.updater.epoch}"));
  trainer.run();
  const LogEntry& entry = log.log().back();
  EXPECT_EQ(*extensions::find_number(entry, "lr"), 1e-3);
  EXPECT_GE(*extensions::find_number(entry, "waiting"), 0);
  EXPECT_EQ(*extensions::find_number(entry, "main/l/W/data/mean"), model.l.W.item<float>());
  EXPECT_EQ(*extensions::find_number(entry, "main/l/W/grad/max"), model.l.gW.item<float>());
  const std::string dot = read(out + "/cg.dot");
  EXPECT_EQ(dot.substr(0, 8), "digraph ");
  EXPECT_NE(dot.find("Linear"), std::string::npos) << dot;
  Line other;
  EXPECT_TRUE(load_npz(out + "/model_2.npz", other).is_complete());
  EXPECT_EQ(other.l.W.item<float>(), model.l.W.item<float>());
}

TEST_P(LineTest, EndsWhereAParameterIsNoNumber) {
  Trainer trainer(*updater, {9, "iteration"}, out);
  trainer.extend(extensions::FailOnNonNumber());
  trainer.extend([&](Trainer&) { model.l.b.fill(std::numeric_limits<float>::infinity()); },
                 {.trigger = {3, "iteration"}, .priority = 200});
  expect_error<cp::ValueError>([&] { trainer.run(); },
                               "FailOnNonNumber: main/l/b holds a NaN or an infinity after step 3");
  expect_error<cp::ValueError>([] { extensions::DumpGraph("x", {.format = "gif"}); },
                               "DumpGraph: the format is gif, not dot, svg, png or pdf");
}

TEST_P(LineTest, GraphsOfUnknownValuesAreRefused) {
  Trainer trainer(*updater, {9, "iteration"}, out);
  trainer.extend(extensions::DumpGraph("loss"));
  expect_error<cp::ValueError>([&] { trainer.run(); },
                               "DumpGraph: no variable was reported as loss; there is main/loss");
}

TEST_P(LineTest, OptimizersWithoutARateAreNamed) {
  Optimizer& hidden = optimizer;
  const StandardUpdaterOptions options;
  EXPECT_NE(StandardUpdater(iterator, hidden, model, options).rate("main", "lr"), nullptr);
  optimizers::AdaDelta without;
  without.setup(model);
  StandardUpdater other(iterator, without, model);
  Trainer trainer(other, {1, "epoch"}, out);
  trainer.extend(extensions::observe_lr());
  expect_error<cp::ValueError>([&] { trainer.run(); },
                               "observe_lr: the optimizer main has no learning rate");
  EXPECT_EQ(other.iteration(), 0);  // said before the training
}

/// A model of as many arrays as there are.
struct Many final : FunctionSet {
  F::Linear& l = add("l", F::Linear(1, 1));
  Variable operator()(std::span<const Variable> v) {
    Variable sum;
    for (const Variable& x : v) sum += x;
    Variable loss = F::mean(F::square(l(sum)));
    report({{"loss", loss}, {"arrays", v.size()}}, *this);
    return loss;
  }
};

TEST_P(LineTest, ModelsOfASpanTakeAnyNumberOfArrays) {
  const ndarray x = cp::arange(4.0).astype(cp::float32).reshape({4, 1});
  for (const int count : {2, 6, 7, 9}) {
    const datasets::TupleDataset columns(std::vector<ndarray>(count, x));
    iterators::SerialIterator train(columns, 2), test(columns, 2, {.repeat = false});
    Many many;
    optimizers::SGD sgd({.lr = 1e-4});
    sgd.setup(many);
    StandardUpdater several(train, sgd, many);
    Trainer trainer(several, {1, "epoch"}, out);
    trainer.extend(extensions::Evaluator(test, many));
    auto& log = trainer.extend(extensions::LogReport());
    trainer.run();
    EXPECT_EQ(*extensions::find_number(log.log()[0], "main/arrays"), count);
    EXPECT_EQ(*extensions::find_number(log.log()[0], "validation/main/arrays"), count);
    EXPECT_EQ(sgd.t(), 2);
  }
}

TEST_P(LineTest, RatesThatAreCalledAlphaAreObserved) {
  optimizers::AdamW adam_w({.alpha = 0.25});
  adam_w.setup(model);
  StandardUpdater other(iterator, adam_w, model);
  Trainer trainer(other, {1, "epoch"}, out);
  auto& log = trainer.extend(extensions::LogReport());
  trainer.extend(extensions::observe_lr());
  trainer.run();
  EXPECT_EQ(*extensions::find_number(log.log().back(), "lr"), 0.25);
}

// It learnt nothing, without a word.
TEST_P(LineTest, OptimizersOfOtherLayersAreRefused) {
  const auto expect_refusal = [&](Optimizer& other) {
    expect_error<cp::ValueError>([&] { StandardUpdater line(iterator, other, model); },
                                 "StandardUpdater: the optimizer main was set up with another "
                                 "model than the one that is called; optimizer.setup(model)");
  };
  optimizers::SGD other;
  Line elsewhere;
  other.setup(elsewhere);
  expect_refusal(other);
  functions::Linear layer(1, 1);
  other.setup(layer);
  expect_refusal(other);
  other.setup({layer.W}, {layer.gW});
  expect_refusal(other);
  other.setup(model.l);
  const StandardUpdater part(iterator, other, model);
  other.setup({model.l.W}, {model.l.gW});
  const StandardUpdater array(iterator, other, model);
  EXPECT_EQ(other.parameters().size(), 1u);
  other.setup(model);
  EXPECT_EQ(other.parameters()[1].name, "l/b");
  // A model that waits for its sizes has nothing to compare before its first step.
  struct Waiting : FunctionSet {
    functions::Linear& l = add("l", functions::Linear(cp::none, 1));
    Variable operator()(const Variable& x, const Variable& t) {
      return functions::mean_squared_error(l(x), t);
    }
  } waiting, fitting;
  other.setup(layer);
  StandardUpdater foreign(iterator, other, waiting);
  expect_error<cp::ValueError>([&] { foreign.update(); }, "was set up with another model");
  other.setup(fitting);
  StandardUpdater own(iterator, other, fitting);
  own.update();
  EXPECT_EQ(own.iteration(), 1);
}

TEST_P(LineTest, EvaluatesByItself) {
  iterators::SerialIterator test(data, 1, {.repeat = false});
  extensions::Evaluator evaluator(test, model);
  const double w = model.l.W.item<float>(), b = model.l.b.item<float>();
  const double first = (w + b - 2) * (w + b - 2), second = (2 * w + b - 4) * (2 * w + b - 4);
  const Observation seen = evaluator.evaluate();
  EXPECT_NEAR(seen["main/loss"], (first + second) / 2, 1e-5 * (first + second));
  EXPECT_EQ(evaluator.evaluate()["main/loss"], seen["main/loss"]);
  extensions::Evaluator other(test, model, [](const Variable& x, const Variable& t) {
    report({{"size", x.size() + t.size()}});
    return x;
  });
  EXPECT_EQ(other.evaluate()["size"], 2);
  extensions::Evaluator silent(test, model, [](const Variable& x, const Variable&) {
    report({{"size", x.size()}});
  });
  EXPECT_EQ(silent.evaluate()["size"], 1);
}

}  // namespace
}  // namespace chainerxx::training
