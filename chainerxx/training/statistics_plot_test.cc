// SPDX-License-Identifier: MIT
// Curves of how parameters and gradients are distributed.
#include <gtest/gtest.h>

#include <iterator>
#include <string>

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
using iterators::SerialIterator;

class StatisticsPlotTest : public ::testing::Test, public OutputFolder {};

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

TEST_F(StatisticsPlotTest, DrawsStatisticsOfVariables) {
  Line model;
  optimizers::SGD optimizer({.lr = 1e-3});
  optimizer.setup(model);
  SerialIterator iterator(points(), 2);
  StandardUpdater updater(iterator, optimizer, model);
  Trainer trainer(updater, {3, "epoch"}, out);
  trainer.extend(extensions::VariableStatisticsPlot(model));
  trainer.extend(extensions::VariableStatisticsPlot(
      model, {.report_grad = false, .plot_mean = false, .percentiles = {}, .filename = "std.svg"}));
  trainer.run();
  const std::string svg = read(out + "/statistics.svg");
  for (const char* const text :
       {">parameters</text>", ">parameters, standard deviation</text>", ">gradients</text>",
        ">gradients, standard deviation</text>", ">mean</text>", ">84.13 %</text>"}) {
    EXPECT_NE(svg.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(svg.find("nan"), std::string::npos);
  EXPECT_EQ(read(out + "/std.svg").find("gradients"), std::string::npos);
  expect_error<cp::ValueError>(
      [&] { extensions::VariableStatisticsPlot(model, {.percentiles = {101}}); },
      "VariableStatisticsPlot: a percentile of 101.0, not in [0, 100]");
  expect_error<cp::ValueError>(
      [&] { extensions::VariableStatisticsPlot(model, {.filename = "statistics.png"}); },
      "VariableStatisticsPlot: statistics.png would hold an SVG; name it statistics.svg");
  expect_error<cp::ValueError>(
      [&] { extensions::VariableStatisticsPlot(model, {.max_sample_size = 0}); },
      "VariableStatisticsPlot: a sample of 0 elements");
  expect_error<cp::ValueError>(
      [&] {
        extensions::VariableStatisticsPlot(model, {.report_data = false, .report_grad = false});
      },
      "VariableStatisticsPlot: neither data nor gradients are to be drawn");
  expect_error<cp::ValueError>(
      [&] {
        extensions::VariableStatisticsPlot(
            model, {.plot_mean = false, .plot_std = false, .percentiles = {}});
      },
      "VariableStatisticsPlot: no curve is to be drawn");
}

/// Ten weights, 0 to 9 in some order, and their gradients.
struct Ten : FunctionSet {
  F::Linear& l = add("l", F::Linear(5, 2, {.nobias = true}));
};

TEST_F(StatisticsPlotTest, StatisticsAreNumpys) {
  Ten model;
  model.l.W.set(cp::array({{3.0f, 1.0f, 4.0f, 0.0f, 5.0f}, {9.0f, 2.0f, 6.0f, 8.0f, 7.0f}}));
  CountingUpdater updater(1);
  Trainer trainer(updater, {1, "iteration"}, out);
  auto& plot = trainer.extend(extensions::VariableStatisticsPlot(
      model, {.report_grad = false, .percentiles = {0, 15.87, 50, 100}}));
  trainer.run();
  // numpy.percentile(numpy.arange(10), [0, 15.87, 50, 100]), mean, std
  const double expected[] = {4.5, 0, 1.4283, 4.5, 9, 2.8722813232690143};
  const char* const names[] = {"mean", "0.0 %", "15.87 %", "50.0 %", "100.0 %", "std"};
  const std::string file = out + "/state.npz";
  save_state(file, [&](Serializer& s) { plot.serialize(s); });
  for (std::size_t i = 0; i < std::size(names); ++i) {
    const auto point = cp::load(file)[std::string("_data_") + names[i]].to_vector<double>();
    ASSERT_EQ(point.size(), 2u) << names[i];
    EXPECT_EQ(point[0], 1);
    EXPECT_NEAR(point[1], expected[i], 1e-12) << names[i];
  }
}

}  // namespace
}  // namespace chainerxx::training
