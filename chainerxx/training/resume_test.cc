// SPDX-License-Identifier: MIT
// Trainings of a small network: interrupted ones end with the same bits.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "chainerxx/functions/functions.h"
#include "chainerxx/optimizers/adam.h"
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
using iterators::SerialIterator;

struct Net : FunctionSet {
  explicit Net(std::int64_t units)
      : l1(add("l1", F::Linear(4, units))), l2(add("l2", F::Linear(units, 3))) {}
  Variable operator()(const Variable& x) { return l2(F::dropout(F::relu(l1(x)), 0.5)); }
  F::Linear &l1, &l2;
};

/// The same with sizes that its first call finds.
struct Unsized : FunctionSet {
  explicit Unsized(std::int64_t units)
      : l1(add("l1", F::Linear(cp::none, units))), l2(add("l2", F::Linear(3))) {}
  Variable operator()(const Variable& x) { return l2(F::dropout(F::relu(l1(x)), 0.5)); }
  F::Linear &l1, &l2;
};

/// 50 points of three classes.
datasets::TupleDataset points() {
  cp::random::RandomState random(1);
  const ndarray t = cp::arange(50) % 3;
  const ndarray x = random.normal(cp::Shape{50, 4}, {.dtype = cp::float32});
  x(cp::ellipsis, 0) = x(cp::ellipsis, 0) + t.astype(cp::float32);
  return datasets::TupleDataset(x, t.astype(cp::int32));
}

class ResumeTest : public cp::testing::DeviceTest, public OutputFolder {};
CUPYXX_TEST_ON_DEVICES(ResumeTest);

/// A whole training program.
template <class Network>
struct ProgramOf {
  explicit ProgramOf(const std::string& out, double epochs,
                     const StandardUpdaterOptions& options = {}, std::int64_t units = 8)
      : model(units), iterator(points(), 7, {.seed = 4}) {
    optimizer.setup(model);
    updater = std::make_unique<StandardUpdater>(iterator, optimizer, model, options);
    trainer = std::make_unique<Trainer>(*updater, TriggerArg(epochs, "epoch"), out);
    trainer->extend(extensions::Evaluator(test, model));
    log = &trainer->extend(extensions::LogReport({.trigger = {5, "iteration"}}));
    trainer->extend(extensions::ExponentialShift("alpha", 0.9), {.trigger = {3, "iteration"}});
  }
  void run() { trainer->run(); }

  links::Classifier<Network> model;
  SerialIterator iterator;
  SerialIterator test{points(), 20, {.repeat = false}};
  optimizers::Adam optimizer;
  std::unique_ptr<StandardUpdater> updater;
  std::unique_ptr<Trainer> trainer;
  extensions::LogReport* log;
};

using Program = ProgramOf<Net>;

/// All parameters as one text of bits.
std::string bits(FunctionSet& model) {
  std::string all;
  for (const NamedField& field : model.fields()) all += cp::dumps(field.array->to_cpu());
  return all;
}

/// A log without its times.
std::vector<LogEntry> without_times(std::vector<LogEntry> log) {
  for (LogEntry& entry : log) {
    std::erase_if(entry, [](const auto& one) { return one.first == "elapsed_time"; });
  }
  return log;
}

void seed() { cp::random::seed(17); }

TEST_P(ResumeTest, ExtensionsThatAreNewBeginWithTheRun) {
  seed();
  Program first(out, 100);
  first.trainer->extend([](Trainer& t) { t.stop(); }, {.trigger = {10, "iteration"}});
  first.run();
  save_npz(out + "/all.npz", *first.trainer);
  Program second(out, 3);
  std::vector<std::int64_t> steps;
  second.trainer->extend([&](Trainer& t) { steps.push_back(t.updater().iteration()); },
                         {.name = "new", .trigger = {1, "epoch"}});
  load_npz(out + "/all.npz", *second.trainer);
  second.run();
  EXPECT_EQ(steps, (std::vector<std::int64_t>{15, 22}));  // not 11
}

/// An interrupted training beside another one in the folder `out`.
template <class Network>
void expect_resumes(const std::string& out) {
  seed();
  ProgramOf<Network> whole(out + "/whole", 3);
  whole.run();
  seed();
  {
    ProgramOf<Network> first(out + "/parts", 100);
    first.trainer->extend(extensions::snapshot({.n_retains = 2}), {.trigger = {2, "iteration"}});
    // In the middle of an epoch, of an interval of the log, and of one of the shift.
    first.trainer->extend([](Trainer& t) { t.stop(); }, {.trigger = {10, "iteration"}});
    first.run();
  }
  EXPECT_FALSE(std::filesystem::exists(out + "/parts/snapshot_iter_6.npz"));
  EXPECT_TRUE(std::filesystem::exists(out + "/parts/snapshot_iter_8.npz"));
  EXPECT_TRUE(std::filesystem::exists(out + "/parts/snapshot_iter_10.npz"));
  std::filesystem::remove(out + "/parts/snapshot_iter_10.npz");
  cp::random::seed(99);
  ProgramOf<Network> second(out + "/parts", 3);
  second.trainer->extend(extensions::snapshot({.n_retains = 2, .autoload = true}),
                         {.trigger = {2, "iteration"}});
  second.run();
  EXPECT_EQ(bits(second.model), bits(whole.model));
  EXPECT_EQ(second.optimizer.t(), whole.optimizer.t());
  EXPECT_EQ(second.optimizer.alpha(), whole.optimizer.alpha());
  EXPECT_EQ(without_times(second.log->log()), without_times(whole.log->log()));
  EXPECT_GT(whole.log->log().size(), 3u);
}

TEST_P(ResumeTest, EndsWithTheBitsOfATrainingWithoutInterruption) { expect_resumes<Net>(out); }

TEST_P(ResumeTest, TakesSizesFromASnapshot) { expect_resumes<Unsized>(out); }

TEST_P(ResumeTest, CapturedAndStagedStepsAreTheSame) {
  seed();
  Program plain(out, 2);
  plain.run();
  const std::vector<StandardUpdaterOptions> forms = {
      {.capture = true}, {.overlap = true}, {.capture = true, .overlap = true}};
  for (const StandardUpdaterOptions& options : forms) {
    seed();
    Program other(out, 2, options);
    other.run();
    EXPECT_EQ(bits(other.model), bits(plain.model));
    EXPECT_EQ(without_times(other.log->log()), without_times(plain.log->log()));
  }
}

// A run ends the threads of iterators; what is asked for behind it begins them again.
TEST_P(ResumeTest, IteratorsWithThreadsServeASecondTrainer) {
  seed();
  links::Classifier<Net> model(8);
  optimizers::Adam optimizer;
  optimizer.setup(model);
  iterators::MultithreadIterator train(points(), 10, {.seed = 2});
  iterators::MultithreadIterator test(points(), 20, {.repeat = false});
  StandardUpdater updater(train, optimizer, model);
  extensions::Evaluator evaluator(test, model);
  for (const double epochs : {1, 2}) {
    Trainer trainer(updater, {epochs, "epoch"}, out);
    trainer.extend(extensions::Evaluator(test, model));
    trainer.run();
    EXPECT_EQ(evaluator()["main/loss"], trainer.observation()["validation/main/loss"]);
  }
  EXPECT_EQ(updater.iteration(), 10);
}

// A warm-up from 0 and a schedule behind it stayed at 0: each begins with the number as it finds
// it.
TEST_P(ResumeTest, OneExtensionSetsANumber) {
  Program program(out, 1);
  program.trainer->extend(extensions::WarmupShift("alpha", 0, 5), {1, "iteration"});
  expect_error<cp::ValueError>(
      [&] { program.run(); },
      "ExponentialShift: WarmupShift sets alpha of the optimizer main, too, and one would begin "
      "with the other's; one schedule does both: ScheduleShift(\"alpha\", "
      "optimizers::WarmUp(500, optimizers::CosineDecay(10000)))");
}

// What a program has changed by hand, at an epoch that is over, stays changed.
TEST_P(ResumeTest, NumbersThatWereChangedComeBack) {
  double beta = 0, rate = 0;
  const auto train = [&](const std::string& folder, double epochs, double eps) {
    seed();
    Program program(folder, epochs);
    program.optimizer.eps = eps;
    program.optimizer.add_group("frozen", {"predictor/l1"}, {.rate = 0});
    program.trainer->extend(
        [&](Trainer&) {
          program.optimizer.group("frozen").rate = 0.5;
          program.optimizer.beta1 = 0.8;
          program.optimizer.eps *= 2;
        },
        {.name = "thaws", .trigger = ManualScheduleTrigger({1}, "epoch")});
    program.trainer->extend(extensions::snapshot({.autoload = true}));
    program.run();
    beta = program.optimizer.beta1;
    rate = program.optimizer.group("frozen").rate;
    return std::pair(bits(program.model), program.optimizer.eps());
  };
  const auto whole = train(out + "/whole", 4, 1e-6);
  train(out + "/parts", 2, 1e-6);
  EXPECT_EQ(train(out + "/parts", 4, 1e-6), whole);
  // What the program begins with now is its own.
  train(out + "/other", 2, 1e-6);
  EXPECT_EQ(train(out + "/other", 4, 1e-3).second, 1e-3);
  EXPECT_EQ(beta, 0.8);
  EXPECT_EQ(rate, 0.5);
}

// The file is written in the middle of a step: those behind it have not seen what was reported.
TEST_P(ResumeTest, ExtensionsBehindTheSnapshotSeeItsStep) {
  const auto train = [](const std::string& folder, double epochs) {
    seed();
    Program program(folder, epochs);
    program.trainer->extend(extensions::snapshot({.n_retains = 1, .autoload = true}));
    program.trainer->extend(extensions::snapshot_object(program.model, "best.npz"),
                            {.trigger = MinValueTrigger("validation/main/loss")});
    program.trainer->extend(
        extensions::snapshot_object(program.model, "model_{.updater.epoch}.npz"), {1, "epoch"});
    std::vector<std::int64_t> calls;
    program.trainer->extend([&](Trainer& t) { calls.push_back(t.updater().iteration()); },
                            {.trigger = {1, "epoch"}, .priority = -200});
    program.run();
    return calls;
  };
  const std::vector<std::int64_t> all = train(out + "/whole", 4);
  EXPECT_EQ(all.size(), 4u);
  for (const double epochs : {1, 2, 3}) train(out + "/parts", epochs);
  // Once more for the step of the file, as if it had been killed behind it.
  EXPECT_EQ(train(out + "/parts", 4), (std::vector<std::int64_t>{all[2], all[3]}));
  for (const char* const name :
       {"best.npz", "model_1.npz", "model_2.npz", "model_3.npz", "model_4.npz"}) {
    EXPECT_EQ(read(out + "/parts/" + name), read(out + "/whole/" + name)) << name;
  }
}

// The batch that is on its way is not the next one after reset().
TEST_P(ResumeTest, StagedStepsFollowTheIterator) {
  std::string expected;
  for (const bool overlap : {false, true}) {
    seed();
    Program program(out, 1, {.overlap = overlap});
    for (int step = 0; step < 6; ++step) {
      program.updater->update();
      if (step == 2) program.iterator.reset();
    }
    if (!overlap) expected = bits(program.model);
    EXPECT_EQ(bits(program.model), expected);
  }
}

// What is wrong with the next batch is not this step's error.
TEST_P(ResumeTest, StagedStepsEndWithTheBatchThatIsWrong) {
  for (const bool overlap : {false, true}) {
    Program program(out, 1);
    const datasets::TupleDataset all = points();
    all.arrays()[0](30, 0) = 99;  // of the fifth batch
    SerialIterator iterator(datasets::TransformDataset(all,
                                                       [](const datasets::Example& example) {
                                                         if (example[0](0).item<float>() == 99) {
                                                           throw cp::ValueError("damaged");
                                                         }
                                                         return example;
                                                       }),
                            7, {.shuffle = false});
    StandardUpdater updater(iterator, program.optimizer, program.model, {.overlap = overlap});
    expect_error<cp::ValueError>(
        [&] {
          for (;;) updater.update();
        },
        "damaged");
    EXPECT_EQ(updater.iteration(), 4);
    EXPECT_EQ(program.optimizer.t(), 4);
  }
}

/// Trains until no progress is made, or for some epochs; returns the epoch of the end.
std::int64_t stop_early(const std::string& out, const std::string& key, std::int64_t epochs) {
  seed();
  Program program(out, 100);
  StandardUpdater updater(program.iterator, program.optimizer, program.model);
  Trainer trainer(updater, EarlyStoppingTrigger({.monitor = key, .patience = 2}), out);
  trainer.extend(extensions::Evaluator(program.test, program.model));
  trainer.extend(extensions::snapshot({.n_retains = 1, .autoload = true}));
  trainer.extend(
      [&](Trainer& t) {
        if (updater.epoch() == epochs) t.stop();
      },
      {.priority = -200});
  trainer.run();
  return updater.epoch();
}

// The stop trigger is asked behind the snapshot: what it waits for is in the file.
TEST_P(ResumeTest, EarlyStoppingSeesTheEpochBeforeTheSnapshot) {
  for (const std::string key : {"main/loss", "validation/main/loss"}) {
    SCOPED_TRACE(key);
    const std::string name = key.substr(0, 4);
    const std::int64_t end = stop_early(out + "/whole" + name, key, -1);
    ASSERT_GT(end, 2);
    for (std::int64_t epoch = 1; epoch < end; ++epoch) {
      EXPECT_EQ(stop_early(out + "/parts" + name, key, epoch), epoch);
    }
    EXPECT_EQ(stop_early(out + "/parts" + name, key, -1), end);
    EXPECT_EQ(stop_early(out + "/parts" + name, key, -1), end);  // it has ended
  }
}

TEST_P(ResumeTest, MixedPrecisionLearnsNearlyTheSame) {
  seed();
  Program plain(out, 2);
  plain.run();
  seed();
  Program narrow(out, 2, {.precision = Precision::bfloat16});
  narrow.run();
  const double a = *extensions::find_number(plain.log->log().back(), "main/loss");
  const double b = *extensions::find_number(narrow.log->log().back(), "main/loss");
  EXPECT_NE(a, b);
  EXPECT_NEAR(a, b, 0.05 * a);
  EXPECT_EQ(narrow.model.predictor.l1.W.dtype(), cp::float32);
}

TEST_P(ResumeTest, RefusesSnapshotsOfOthersAndKeepsEverything) {
  seed();
  Program program(out, 1);
  program.run();
  const std::string path = out + "/state.npz";
  save_npz(path, *program.trainer);
  Program wider(out, 1, {}, 9);
  const std::string before = bits(wider.model);
  expect_error<cp::ValueError>(
      [&] { load_npz(path, *wider.trainer); },
      "state.npz: updater/model:main/predictor/l1/W is (8, 4) float32, not (9, 4) float32");
  EXPECT_EQ(bits(wider.model), before);
  EXPECT_EQ(wider.updater->iteration(), 0);

  // Half a file is named, and changes nothing.
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  Program same(out, 1);
  const std::string own = bits(same.model);
  expect_error<cp::IOError>([&] { load_npz(path, *same.trainer); }, "state.npz");
  EXPECT_EQ(bits(same.model), own);
  expect_error<cp::IOError>([&] { load_npz(out + "/none.npz", *same.trainer); }, "none.npz");
}

TEST_P(ResumeTest, RefusesNumbersThatNoTrainingHas) {
  const auto extend = [](Trainer& trainer) {
    trainer.extend(extensions::PlotReport({"main/loss"}, {.trigger = {2, "iteration"}}));
    trainer.extend([](Trainer&) {}, {.name = "timed", .trigger = TimeTrigger(1e6)});
    trainer.extend([](Trainer&) {}, {.name = "early", .trigger = EarlyStoppingTrigger()});
  };
  Program program(out, 1);
  extend(*program.trainer);
  program.run();
  const std::string path = out + "/state.npz", changed = out + "/changed.npz";
  save_npz(path, *program.trainer);
  const cp::DeviceScope host(cp::Device::cpu());
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const struct {
    std::string name;
    ndarray value;
    const char* reason;
  } cases[] = {
      {"updater/iteration", cp::array(most), " is 9223372036854775807"},
      {"updater/optimizer:main/t", cp::array(std::int64_t{-1}), " is -1"},
      {"updater/iterator:main/drawn", cp::array(most), " is 9223372036854775807"},
      {"extensions/ExponentialShift/_t", cp::array(most), " is 9223372036854775807"},
      {"extensions/PlotReport/_plot_main/loss", cp::array({1e300, 1.0}), " has a point at 1e+300"},
      {"extension_triggers/timed/next_time", cp::array(std::nan("")), " is nan"},
      {"extension_triggers/early/count", cp::array(most), " is 9223372036854775807"},
  };
  for (const auto& one : cases) {
    cp::NamedArrays arrays;
    cp::NpzFile file(path);
    bool is_there = false;
    for (const std::string& name : file.files()) {
      is_there = is_there || name == one.name;
      arrays.emplace_back(name, name == one.name ? one.value : file[name]);
    }
    EXPECT_TRUE(is_there) << one.name;
    cp::savez(changed, arrays);
    Program other(out, 1);
    extend(*other.trainer);
    const std::string before = bits(other.model);
    expect_error<cp::ValueError>([&] { load_npz(changed, *other.trainer); },
                                 "changed.npz: " + one.name + one.reason);
    EXPECT_EQ(bits(other.model), before) << one.name;
    EXPECT_EQ(other.updater->iteration(), 0) << one.name;
  }
}

TEST_P(ResumeTest, NamesFoldersWithoutRights) {
  std::filesystem::create_directories(out);
  const std::string file = out + "/file";
  std::ofstream(file) << "no folder";
  Program program(file + "/result", 1);
  expect_error<cp::IOError>([&] { program.run(); }, "Trainer: cannot write to the folder " + file);
  std::filesystem::remove(file);
  if (::geteuid() == 0) return;  // root may write anywhere
  std::filesystem::create_directories(out + "/closed");
  ::chmod((out + "/closed").c_str(), 0500);
  Program closed(out + "/closed", 1);
  expect_error<cp::IOError>([&] { closed.run(); }, "Permission denied");
  ::chmod((out + "/closed").c_str(), 0700);
}

TEST_P(ResumeTest, UpdatersRefuseWhatCannotBe) {
  links::Classifier<Net> model(8);
  optimizers::Adam unset, adam;
  SerialIterator iterator(points(), 7, {.seed = 1});
  expect_error<cp::ValueError>(
      [&] { StandardUpdater(iterator, unset, model); },
      "StandardUpdater: the optimizer main has no parameters; setup(model)");
  adam.setup(model);
  // A loss of another number of arrays.
  StandardUpdater updater(iterator, adam, model,
                          [](const Variable& x) { return F::sum(F::square(x)); });
  expect_error<cp::ValueError>(
      [&] { updater.update(); },
      "StandardUpdater: a batch has 2 arrays, and the model is called with another "
      "number of variables");
  EXPECT_EQ(updater.iteration(), 0);
  StandardUpdater nothing(iterator, adam, model, {.converter = [](const iterators::Batch&) {
                            return std::vector<ndarray>();
                          }});
  expect_error<cp::ValueError>([&] { nothing.update(); },
                               "StandardUpdater: the converter gave no arrays");
  expect_error<cp::ValueError>([&] { extensions::Evaluator(iterator, model); },
                               "Evaluator: the iterator repeats; {.repeat = false} lets it end");
}

/// An optimizer that is none of ours: what it is given, and how often.
struct Wrapped {
  optimizers::Adam adam;
  int updates = 0;
  std::size_t arguments = 0;
  Optimizer& actual_optimizer() { return adam; }
  template <class Loss, class... Args>
  Variable update(Loss&& loss, const Args&... args) {
    ++updates;
    arguments = sizeof...(Args);
    return adam.update(loss, args...);
  }
};

/// Two steps of one network for each batch.
struct TwiceUpdater final : StandardUpdater {
  TwiceUpdater(iterators::Iterator& iterator, Optimizer& optimizer,
               links::Classifier<Net>& the_model)
      : StandardUpdater(iterator, StandardUpdaterOptions()), model(the_model) {
    add_optimizer("main", optimizer, the_model);
  }
  void update_core() override {
    const std::vector<ndarray> arrays = next_arrays();
    for (int i = 0; i < 2; ++i) {
      optimizer("main")->update(model, Variable(arrays[0]), Variable(arrays[1]));
    }
  }
  links::Classifier<Net>& model;
};

TEST_P(ResumeTest, OtherOptimizersAndUpdatersDropIn) {
  seed();
  Program plain(out, 1);
  plain.run();
  seed();
  links::Classifier<Net> model(8);
  SerialIterator iterator(points(), 7, {.seed = 4});
  Wrapped wrapped;
  wrapped.adam.setup(model);
  StandardUpdater updater(iterator, wrapped, model);
  Trainer trainer(updater, {1, "epoch"}, out);
  trainer.extend(extensions::snapshot());
  trainer.run();
  EXPECT_EQ(wrapped.updates, updater.iteration());
  EXPECT_EQ(wrapped.arguments, 2u);
  EXPECT_EQ(wrapped.adam.t(), plain.optimizer.t());

  optimizers::Adam adam;
  adam.setup(model);
  TwiceUpdater twice(iterator, adam, model);
  Trainer other(twice, {3, "iteration"}, out);
  other.run();
  EXPECT_EQ(adam.t(), 6);
  EXPECT_TRUE(other.observation().contains("main/loss"));
}

// They were called where they had been.
TEST_P(ResumeTest, ModelsThatAreGoneOrHaveMovedAreErrors) {
  SerialIterator iterator(points(), 7);
  optimizers::Adam adam;
  auto model = std::make_unique<links::Classifier<Net>>(8);
  adam.setup(*model);
  StandardUpdater updater(iterator, adam, *model);
  updater.update();
  links::Classifier<Net> moved = std::move(*model);
  expect_error<cp::ValueError>(
      [&] { updater.update(); },
      "StandardUpdater: the model \"main\" has moved; the updater calls it "
      "where it was: make both where they stay, as members of one class");
  StandardUpdater second(iterator, adam, moved);
  second.update();
  auto last = std::make_unique<links::Classifier<Net>>(8);
  adam.setup(*last);
  StandardUpdater third(iterator, adam, *last);
  last.reset();
  const std::string words = "StandardUpdater: the model \"main\" lives no longer; ";
  expect_error<cp::ValueError>([&] { third.update(); }, words);
  expect_error<cp::ValueError>([&] { Trainer(third, {1, "epoch"}, out); }, words);
  EXPECT_EQ(second.iteration(), 1);
}

}  // namespace
}  // namespace chainerxx::training
