// SPDX-License-Identifier: MIT
#include "chainerxx/training/reporter.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <string>
#include <vector>

#include "chainerxx/functions/functions.h"
#include "chainerxx/optimizers/adam.h"
#include "chainerxx/training/serializer.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx {
namespace {

namespace cp = cupyxx;
namespace F = chainerxx::functions;
using cp::testing::expect_array_equal;
using cp::testing::expect_error;

struct Block : FunctionSet {
  F::Linear& l = add("l", F::Linear(2, 2));
};
struct Net : FunctionSet {
  Block& block = add<Block>("block");
  F::Linear& out = add("out", F::Linear(2, 3));
};

class ReporterTest : public cp::testing::DeviceTest {
 protected:
  std::string path(const char* name) const {
    return ::testing::TempDir() + "/kit_" + std::to_string(::getpid()) + "_" + name + ".npz";
  }
};
CUPYXX_TEST_ON_DEVICES(ReporterTest);

TEST_P(ReporterTest, RefusesNone) {
  Net net;
  Reporter reporter;
  reporter.add_observer("main", net);
  Observation seen;
  const ReportScope scope(reporter, seen);
  // A gradient that never came was 0.
  expect_error<cp::TypeError>(
      [&] {
        report({{"slope", Variable(cp::array(1.0f)).grad()}}, net.out);
      },
      "report: main/out/slope is None");
  expect_error<cp::TypeError>(
      [&] {
        report({{"loss", Variable()}});
      },
      "data: the variable is None");
  EXPECT_TRUE(seen.empty());
  DictSummary summary;
  expect_error<cp::TypeError>([&] { summary.add("x", cp::ndarray()); },
                              "report: the value is None");
  EXPECT_EQ(ReportedValue().value(), 0);
}

TEST_P(ReporterTest, NamesValuesByWhoTellsThem) {
  Net net, stranger;
  Reporter reporter;
  reporter.add_observer("main", net);
  Observation seen;
  report({{"lost", 1}});  // nobody listens
  {
    const ReportScope scope(reporter, seen, "validation/");
    report({{"loss", cp::array(1.5f)}, {"count", 2}}, net);
    report({{"norm", 3.0}}, net.block.l);
    report({{"free", Variable(cp::array(4.0f))}});
    {
      Observation inner;
      const ReportScope other(reporter, inner);
      report({{"loss", 9}}, net.block);
      EXPECT_EQ(inner["main/block/loss"], 9);
    }
    report({{"count", 5}}, net);  // takes the place of the earlier one
    expect_error<cp::ValueError>(
        [&] {
          report({{"loss", 1}}, stranger);
        },
        "report: loss comes from an object that the reporter does not know");
  }
  EXPECT_EQ(seen["validation/main/loss"], 1.5);
  EXPECT_EQ(seen["validation/main/count"], 5);
  EXPECT_EQ(seen["validation/main/block/l/norm"], 3);
  EXPECT_EQ(seen["validation/free"], 4);
  EXPECT_EQ(seen.entries().size(), 4u);
  EXPECT_TRUE(seen.find("validation/free")->variable().is_none());  // no graph is kept
  expect_error<cp::IndexError>([&] { seen["loss"]; },
                               "observation: nothing was reported as loss; there is "
                               "validation/main/loss, validation/main/count");
  expect_error<cp::ValueError>([&] { reporter.add_observer("main", stranger); },
                               "add_observer: the name main is taken");
}

TEST_P(ReporterTest, MeansCountEachValueOnce) {
  DictSummary summary;
  for (const double value : {1.0, 2.0, 6.0}) {
    Observation seen;
    seen.set("array", cp::array(value, cp::float32));
    if (value > 1) seen.set("number", value);
    summary.add(seen);
  }
  EXPECT_EQ(summary.mean("array"), 3);
  EXPECT_EQ(summary.mean("number"), 4);
  EXPECT_TRUE(std::isnan(summary.mean("none")));
  training::save_state(path("summary"), [&](training::Serializer& s) { summary.serialize(s); });
  DictSummary other;
  training::load_state(path("summary"), [&](training::Serializer& s) { other.serialize(s); });
  other.add("number", 10);
  EXPECT_EQ(other.mean("number"), 6);
  EXPECT_EQ(other.compute_mean()[0], (std::pair<std::string, double>("array", 3)));
}

/// Everything that a state can be made of.
struct Things {
  std::int64_t integer = 0;
  std::uint64_t natural = 0;
  double real = 0;
  bool flag = false;
  std::string text;
  std::vector<std::int64_t> integers;
  std::vector<double> reals;
  cp::random::State random;
  ndarray array;

  void serialize(const training::Serializer& s) {
    Things next = *this;
    s("integer", next.integer);
    s("natural", next.natural);
    s("real", next.real);
    s("flag", next.flag);
    s("text", next.text);
    s["lists"]("integers", next.integers);
    s["lists"]("reals", next.reals);
    s("random", next.random);
    s("array", array);
    if (s.commits()) *this = next;
  }
};

TEST_P(ReporterTest, StatesComeBackWholeOrNotAtAll) {
  const cp::random::State random = {7, 1ull << 40};
  Things a{-5, ~0ull, 0.1, true, "two\nlines", {1, 2}, {}, random, cp::array({1.0f, 2.0f})};
  const auto save = [&](const char* name, Things& things) {
    training::save_state(path(name), [&](training::Serializer& s) { things.serialize(s["t"]); });
  };
  const auto load = [&](const char* name, Things& things) {
    training::load_state(path(name), [&](training::Serializer& s) { things.serialize(s["t"]); });
  };
  save("things", a);
  Things b;
  b.array = cp::zeros({2}, cp::float32);
  const ndarray held = b.array;
  load("things", b);
  EXPECT_EQ(b.integer, -5);
  EXPECT_EQ(b.natural, ~0ull);
  EXPECT_EQ(b.real, 0.1);
  EXPECT_TRUE(b.flag);
  EXPECT_EQ(b.text, "two\nlines");
  EXPECT_EQ(b.integers, (std::vector<std::int64_t>{1, 2}));
  EXPECT_TRUE(b.reals.empty());
  EXPECT_EQ(b.random, random);
  expect_array_equal(held, a.array);  // in place

  Things c;
  c.array = cp::zeros({3}, cp::float32);
  expect_error<cp::ValueError>([&] { load("things", c); },
                               "things.npz: t/array is (2,) float32, not (3,) float32");
  EXPECT_EQ(c.integer, 0);
  EXPECT_EQ(c.text, "");
  const auto read = [&](auto value, const char* name) {
    training::load_state(path("things"), [&](training::Serializer& s) { s["t"](name, value); });
  };
  expect_error<cp::ValueError>([&] { read(std::int64_t{0}, "more"); },
                               "things.npz: t/more is not in the file");
  expect_error<cp::ValueError>([&] { read(std::int64_t{0}, "real"); },
                               "t/real is (1,) float64, not a list of int64");
  expect_error<cp::ValueError>([&] { read(0.0, "integer"); },
                               "t/integer is (1,) int64, not a list of float64");
  expect_error<cp::ValueError>([&] { read(true, "integer"); }, "t/integer is -5, not 0 or 1");
  expect_error<cp::ValueError>([&] { read(std::uint64_t{0}, "integer"); }, "not one uint64");
  expect_error<cp::ValueError>([&] { read(std::string(), "real"); }, "not bytes of a text");
  expect_error<cp::ValueError>([&] { read(random, "real"); }, "t/real/seed is not in the file");
  expect_error<cp::ValueError>([&] { read(std::int64_t{0}, "lists/integers"); },
                               "t/lists/integers has 2 values, not 1");
  expect_error<cp::ValueError>([&] { read(std::int64_t{0}, "integer"); },
                               "things.npz: holds t/natural, which is not here");
  expect_error<cp::IOError>([&] { load("none", c); }, "none.npz");
}

TEST_P(ReporterTest, ModelsAndOptimizersOfOtherShapesAreRefused) {
  Net net, same;
  optimizers::Adam adam, fresh, unset;
  adam.setup(net);
  adam.set_t(3);
  fresh.setup(same);
  const auto both = [](FunctionSet& model, Optimizer& optimizer) {
    return [&](training::Serializer& s) {
      s("model", model);
      s("optimizer", optimizer);
    };
  };
  training::save_state(path("net"), both(net, adam));
  training::load_state(path("net"), both(same, fresh));
  expect_array_equal(same.block.l.W, net.block.l.W);
  EXPECT_EQ(fresh.t(), 3);
  expect_error<cp::ValueError>([&] { training::load_state(path("net"), both(same, unset)); },
                               "optimizer is an optimizer without parameters; setup() comes first");
  Block smaller;
  optimizers::Adam other;
  other.setup(smaller);
  expect_error<cp::ValueError>([&] { training::load_state(path("net"), both(smaller, other)); },
                               "net.npz: model/l/W is not in the file");
}

TEST_P(ReporterTest, ModelsWithoutSizesTakeThoseOfTheFile) {
  struct Unsized : FunctionSet {
    F::Linear& l = add("l", F::Linear(cp::none, 3));
    F::BatchNormalization& bn = add("bn", F::BatchNormalization());
    F::Linear& unused = add("unused", F::Linear(2));
  } trained, resumed;
  struct Flat : FunctionSet {
    F::BatchNormalization& l = add("l", F::BatchNormalization());
    F::Linear& bn = add("bn", F::Linear(cp::none, 1));
  } flat;
  optimizers::Adam adam, fresh;
  adam.setup(trained);
  fresh.setup(resumed);
  const Variable x(cp::arange(20, cp::float32).reshape({5, 4}));
  const auto step = [&](Unsized& model, optimizers::Adam& optimizer) {
    optimizer.update([&] { return F::sum(F::square(model.bn(model.l(x)) - 1)); });
  };
  step(trained, adam);
  const auto both = [](FunctionSet& model, Optimizer& optimizer) {
    return [&](training::Serializer& s) {
      s("model", model);
      s("optimizer", optimizer);
    };
  };
  training::save_state(path("unsized"), both(trained, adam));
  training::load_state(path("unsized"), both(resumed, fresh));
  step(trained, adam);
  step(resumed, fresh);
  expect_array_equal(resumed.l.W, trained.l.W);
  expect_array_equal(resumed.bn.avg_var, trained.bn.avg_var);
  EXPECT_FALSE(resumed.unused.is_initialized());
  EXPECT_EQ(fresh.t(), 2);
  optimizers::Adam other;
  other.setup(flat);
  expect_error<cp::ValueError>([&] { training::load_state(path("unsized"), both(flat, other)); },
                               "model/l/gamma is not in the file");
}

}  // namespace
}  // namespace chainerxx
